//go:build !purego

#include "textflag.h"

// Kernels for arm64: products by MUL and UMULH, carries in the flags.
//
// The shape of all of them is the row: eight limbs B, fixed, times one limb Y
// that changes from row to row, added to eight limbs A. The sum has nine limbs.
// The lowest is finished and leaves; the other eight are the A of the next row,
// one limb further up. As ADCS has three operands, the shift is free: the low
// halves of the products are added to A in place, the high halves from A1…A7
// into A0…A6.
//
//	A + B·Y + Z <= (2^512 - 1) + (2^512 - 1)(2^64 - 1) + (2^64 - 1) = 2^576 - 1
//
// so there is room for one more limb Z at the lowest place, and nothing ever
// overflows nine limbs. Z is what memory holds at the place where the lowest
// limb goes.
//
// The two carry chains of a row wait for each other at no more than one place,
// and those of successive rows are two or three additions apart. A core that
// executes out of order overlaps many rows and is limited by its multipliers.
//
// Conditional jumps depend on lengths alone. Flags that carry a value across the
// end of a loop survive because SUB and CBNZ leave flags alone.

// The accumulator and the fixed factor.
#define A0 R0
#define A1 R1
#define A2 R2
#define A3 R3
#define A4 R4
#define A5 R5
#define A6 R6
#define A7 R7
#define B0 R8
#define B1 R9
#define B2 R10
#define B3 R11
#define B4 R12
#define B5 R13
#define B6 R14
#define B7 R15

// Halves of products on their way. R16 and R17 do not survive a call.
#define T0 R16
#define T1 R17
#define T2 R19

// CY is a half of a product, then the carry of the low halves.
#define CY R20

// Y is the changing factor, PY the address that it comes from. Z0 and Z1 are limbs
// of the sum that leave the accumulator, PZ is the address that they go to.
#define Y R21
#define Z0 R22
#define Z1 R23
#define PY R24
#define PZ R25

// CNT counts a loop down.
#define CNT R26

#define LOAD4(ptr) \
	LDP	0(ptr), (B0, B1) \
	LDP	16(ptr), (B2, B3)

#define LOAD8(ptr) \
	LDP	0(ptr), (B0, B1)  \
	LDP	16(ptr), (B2, B3) \
	LDP	32(ptr), (B4, B5) \
	LDP	48(ptr), (B6, B7)

#define CLEAR4 \
	MOVD	ZR, A0 \
	MOVD	ZR, A1 \
	MOVD	ZR, A2 \
	MOVD	ZR, A3

#define CLEAR8 \
	CLEAR4     \
	MOVD	ZR, A4 \
	MOVD	ZR, A5 \
	MOVD	ZR, A6 \
	MOVD	ZR, A7

// ROW8: ⟨A7…A0, z⟩ = ⟨A7…A0⟩ + ⟨B7…B0⟩·Y + z
#define ROW8(z) \
	MUL	B0, Y, T0     \
	MUL	B1, Y, T1     \
	MUL	B2, Y, T2     \
	MUL	B3, Y, CY     \
	ADDS	T0, A0, A0 \
	MUL	B4, Y, T0     \
	ADCS	T1, A1, A1 \
	MUL	B5, Y, T1     \
	ADCS	T2, A2, A2 \
	MUL	B6, Y, T2     \
	ADCS	CY, A3, A3 \
	MUL	B7, Y, CY     \
	ADCS	T0, A4, A4 \
	UMULH	B0, Y, T0  \
	ADCS	T1, A5, A5 \
	UMULH	B1, Y, T1  \
	ADCS	T2, A6, A6 \
	UMULH	B2, Y, T2  \
	ADCS	CY, A7, A7 \
	ADC	ZR, ZR, CY    \
	ADDS	A0, z, z   \
	ADCS	T0, A1, A0 \
	UMULH	B3, Y, T0  \
	ADCS	T1, A2, A1 \
	UMULH	B4, Y, T1  \
	ADCS	T2, A3, A2 \
	UMULH	B5, Y, T2  \
	ADCS	T0, A4, A3 \
	UMULH	B6, Y, T0  \
	ADCS	T1, A5, A4 \
	UMULH	B7, Y, T1  \
	ADCS	T2, A6, A5 \
	ADCS	T0, A7, A6 \
	ADC	T1, CY, A7

// ROW4: ⟨A3…A0, z⟩ = ⟨A3…A0⟩ + ⟨B3…B0⟩·Y + z
#define ROW4(z) \
	MUL	B0, Y, T0     \
	MUL	B1, Y, T1     \
	MUL	B2, Y, T2     \
	MUL	B3, Y, CY     \
	ADDS	T0, A0, A0 \
	UMULH	B0, Y, T0  \
	ADCS	T1, A1, A1 \
	UMULH	B1, Y, T1  \
	ADCS	T2, A2, A2 \
	UMULH	B2, Y, T2  \
	ADCS	CY, A3, A3 \
	ADC	ZR, ZR, CY    \
	ADDS	A0, z, z   \
	ADCS	T0, A1, A0 \
	UMULH	B3, Y, T0  \
	ADCS	T1, A2, A1 \
	ADCS	T2, A3, A2 \
	ADC	T0, CY, A3

// rows8 does 4·CNT rows of eight limbs, CNT > 0.
//
// In: A, B, PY at the limbs Y, PZ at the limbs Z.
// Out: A, PY and PZ behind the last limbs read. B is kept.
TEXT rows8<>(SB), NOSPLIT|NOFRAME, $0-0
loop:
	LDP	0(PZ), (Z0, Z1)
	MOVD.P	8(PY), Y
	ROW8(Z0)
	MOVD.P	8(PY), Y
	ROW8(Z1)
	STP.P	(Z0, Z1), 16(PZ)
	LDP	0(PZ), (Z0, Z1)
	MOVD.P	8(PY), Y
	ROW8(Z0)
	MOVD.P	8(PY), Y
	ROW8(Z1)
	STP.P	(Z0, Z1), 16(PZ)
	SUB	$1, CNT
	CBNZ	CNT, loop
	RET

// rows4 is rows8 with four limbs of A and B.
TEXT rows4<>(SB), NOSPLIT|NOFRAME, $0-0
loop:
	LDP	0(PZ), (Z0, Z1)
	MOVD.P	8(PY), Y
	ROW4(Z0)
	MOVD.P	8(PY), Y
	ROW4(Z1)
	STP.P	(Z0, Z1), 16(PZ)
	LDP	0(PZ), (Z0, Z1)
	MOVD.P	8(PY), Y
	ROW4(Z0)
	MOVD.P	8(PY), Y
	ROW4(Z1)
	STP.P	(Z0, Z1), 16(PZ)
	SUB	$1, CNT
	CBNZ	CNT, loop
	RET

// func mulARM64(z, x, y []uint)
//
// mulARM64 sets z = x · y.
//
// Lengths: x and y have n limbs, a multiple of 4 and not 0; z has 2n.
// Aliasing: z overlaps neither x nor y; x and y may be the same.
// Secret: all values. Public: n.
// Needs: arm64.
//
// Blocks of eight limbs of x, and four at the end if n is not a multiple of 8,
// run over the whole of y. After the block from limb i on, z[:n+i+8] holds the
// product of y and the limbs of x so far; what is above is not yet written.
TEXT ·mulARM64(SB), NOSPLIT, $24-72
	// The first block finds zeros in z[:n].
	MOVD	z_base+0(FP), PZ
	MOVD	x_len+32(FP), CNT
	LSR	$2, CNT
clear:
	STP.P	(ZR, ZR), 16(PZ)
	STP.P	(ZR, ZR), 16(PZ)
	SUB	$1, CNT
	CBNZ	CNT, clear

	MOVD	z_base+0(FP), PZ
	MOVD	x_base+24(FP), PY
	MOVD	x_len+32(FP), CNT
	LSR	$3, CNT
	CBZ	CNT, last
block:
	LOAD8(PY)
	ADD	$64, PY
	MOVD	PY, px-8(SP)
	MOVD	CNT, blocks-16(SP)
	CLEAR8
	MOVD	y_base+48(FP), PY
	MOVD	x_len+32(FP), CNT
	LSR	$2, CNT
	CALL	rows8<>(SB)
	STP	(A0, A1), 0(PZ)
	STP	(A2, A3), 16(PZ)
	STP	(A4, A5), 32(PZ)
	STP	(A6, A7), 48(PZ)
	// PZ is n limbs past the start of this block, which is eight before the next.
	MOVD	x_len+32(FP), CNT
	SUB	CNT<<3, PZ
	ADD	$64, PZ
	MOVD	px-8(SP), PY
	MOVD	blocks-16(SP), CNT
	SUB	$1, CNT
	CBNZ	CNT, block
last:
	MOVD	x_len+32(FP), CNT
	TBZ	$2, CNT, done
	LOAD4(PY)
	CLEAR4
	MOVD	y_base+48(FP), PY
	LSR	$2, CNT
	CALL	rows4<>(SB)
	STP	(A0, A1), 0(PZ)
	STP	(A2, A3), 16(PZ)
done:
	RET

// func sqrARM64(z, x []uint)
//
// sqrARM64 sets z = x².
//
// Lengths: x has n limbs, a multiple of 4 and not 0; z has 2n.
// Aliasing: z does not overlap x.
// Secret: all values. Public: n.
// Needs: arm64.
//
// First the products of different limbs, each once: for a block B of x the
// products within it, the triangle, then rows of B times the limbs of x above
// it. A pass at the end doubles the sum and adds the squares of the limbs.
//
// The triangle of the block from limb i on covers columns 2i+1 to 2i+15. It adds
// to what z holds in columns up to 2i+7, which are then finished. Those above are
// the accumulator that the rows start with; quads counts the limbs left for them,
// in fours. With a sum of less than 2^1023 from
// the triangle and less than 2^512 from z there is no carry out of column 2i+15.
TEXT ·sqrARM64(SB), NOSPLIT, $24-48
	// The first block finds zeros in z[:n].
	MOVD	z_base+0(FP), PZ
	MOVD	x_len+32(FP), CNT
	LSR	$2, CNT
clear:
	STP.P	(ZR, ZR), 16(PZ)
	STP.P	(ZR, ZR), 16(PZ)
	SUB	$1, CNT
	CBNZ	CNT, clear

	MOVD	z_base+0(FP), PZ
	MOVD	x_base+24(FP), PY
	MOVD	x_len+32(FP), CNT
	LSR	$2, CNT
	MOVD	CNT, quads-8(SP)
	SUB	$1, CNT
	CBZ	CNT, last
block:
	LOAD8(PY)
	ADD	$64, PY

	// The column c is in A(c mod 8). Column 0 gets nothing.
	MOVD	8(PZ), A1
	LDP	16(PZ), (A2, A3)
	LDP	32(PZ), (A4, A5)
	LDP	48(PZ), (A6, A7)

	// B0·⟨B7…B1⟩: columns 1 to 7, and 2 to 8 for the high halves.
	MUL	B0, B1, T0
	MUL	B0, B2, T1
	MUL	B0, B3, T2
	ADDS	T0, A1, A1
	MUL	B0, B4, T0
	ADCS	T1, A2, A2
	MUL	B0, B5, T1
	ADCS	T2, A3, A3
	MUL	B0, B6, T2
	ADCS	T0, A4, A4
	MUL	B0, B7, T0
	ADCS	T1, A5, A5
	UMULH	B0, B1, T1
	ADCS	T2, A6, A6
	UMULH	B0, B2, T2
	ADCS	T0, A7, A7
	UMULH	B0, B3, T0
	ADC	ZR, ZR, A0
	ADDS	T1, A2, A2
	UMULH	B0, B4, T1
	ADCS	T2, A3, A3
	UMULH	B0, B5, T2
	ADCS	T0, A4, A4
	UMULH	B0, B6, T0
	ADCS	T1, A5, A5
	UMULH	B0, B7, T1
	ADCS	T2, A6, A6
	ADCS	T0, A7, A7
	ADC	T1, A0, A0
	MOVD	A1, 8(PZ)
	MOVD	A2, 16(PZ)

	// B1·⟨B7…B2⟩: columns 3 to 8 and 4 to 9.
	MUL	B1, B2, T0
	MUL	B1, B3, T1
	MUL	B1, B4, T2
	ADDS	T0, A3, A3
	MUL	B1, B5, T0
	ADCS	T1, A4, A4
	MUL	B1, B6, T1
	ADCS	T2, A5, A5
	MUL	B1, B7, T2
	ADCS	T0, A6, A6
	UMULH	B1, B2, T0
	ADCS	T1, A7, A7
	UMULH	B1, B3, T1
	ADCS	T2, A0, A0
	UMULH	B1, B4, T2
	ADC	ZR, ZR, A1
	ADDS	T0, A4, A4
	UMULH	B1, B5, T0
	ADCS	T1, A5, A5
	UMULH	B1, B6, T1
	ADCS	T2, A6, A6
	UMULH	B1, B7, T2
	ADCS	T0, A7, A7
	ADCS	T1, A0, A0
	ADC	T2, A1, A1
	STP	(A3, A4), 24(PZ)

	// B2·⟨B7…B3⟩: columns 5 to 9 and 6 to 10.
	MUL	B2, B3, T0
	MUL	B2, B4, T1
	MUL	B2, B5, T2
	ADDS	T0, A5, A5
	MUL	B2, B6, T0
	ADCS	T1, A6, A6
	MUL	B2, B7, T1
	ADCS	T2, A7, A7
	UMULH	B2, B3, T2
	ADCS	T0, A0, A0
	UMULH	B2, B4, T0
	ADCS	T1, A1, A1
	UMULH	B2, B5, T1
	ADC	ZR, ZR, A2
	ADDS	T2, A6, A6
	UMULH	B2, B6, T2
	ADCS	T0, A7, A7
	UMULH	B2, B7, T0
	ADCS	T1, A0, A0
	ADCS	T2, A1, A1
	ADC	T0, A2, A2
	STP	(A5, A6), 40(PZ)

	// B3·⟨B7…B4⟩: columns 7 to 10 and 8 to 11.
	MUL	B3, B4, T0
	MUL	B3, B5, T1
	MUL	B3, B6, T2
	ADDS	T0, A7, A7
	MUL	B3, B7, T0
	ADCS	T1, A0, A0
	UMULH	B3, B4, T1
	ADCS	T2, A1, A1
	UMULH	B3, B5, T2
	ADCS	T0, A2, A2
	UMULH	B3, B6, T0
	ADC	ZR, ZR, A3
	ADDS	T1, A0, A0
	UMULH	B3, B7, T1
	ADCS	T2, A1, A1
	ADCS	T0, A2, A2
	ADC	T1, A3, A3
	MOVD	A7, 56(PZ)

	// B4·⟨B7…B5⟩: columns 9 to 11 and 10 to 12.
	MUL	B4, B5, T0
	MUL	B4, B6, T1
	MUL	B4, B7, T2
	ADDS	T0, A1, A1
	UMULH	B4, B5, T0
	ADCS	T1, A2, A2
	UMULH	B4, B6, T1
	ADCS	T2, A3, A3
	UMULH	B4, B7, T2
	ADC	ZR, ZR, A4
	ADDS	T0, A2, A2
	ADCS	T1, A3, A3
	ADC	T2, A4, A4

	// B5·⟨B7,B6⟩: columns 11, 12 and 12, 13.
	MUL	B5, B6, T0
	MUL	B5, B7, T1
	UMULH	B5, B6, T2
	ADDS	T0, A3, A3
	UMULH	B5, B7, T0
	ADCS	T1, A4, A4
	ADC	ZR, ZR, A5
	ADDS	T2, A4, A4
	ADC	T0, A5, A5

	// B6·B7: columns 13 and 14.
	MUL	B6, B7, T0
	UMULH	B6, B7, T1
	ADDS	T0, A5, A5
	ADC	ZR, T1, A6
	MOVD	ZR, A7

	ADD	$64, PZ
	MOVD	PY, px-16(SP)
	MOVD	quads-8(SP), CNT
	SUB	$2, CNT
	MOVD	CNT, quads-8(SP)
	CBZ	CNT, top
	CALL	rows8<>(SB)
top:
	STP	(A0, A1), 0(PZ)
	STP	(A2, A3), 16(PZ)
	STP	(A4, A5), 32(PZ)
	STP	(A6, A7), 48(PZ)
	MOVD	quads-8(SP), CNT
	CBZ	CNT, double
	// The next block starts 16 columns above this one, which is eight above where
	// its rows began.
	SUB	CNT<<5, PZ
	ADD	$64, PZ
	MOVD	px-16(SP), PY
	SUB	$1, CNT
	CBNZ	CNT, block
last:
	// Four limbs are left: the triangle alone, columns 1 to 6.
	LOAD4(PY)
	MOVD	8(PZ), A1
	LDP	16(PZ), (A2, A3)
	MUL	B0, B1, T0
	MUL	B0, B2, T1
	MUL	B0, B3, T2
	ADDS	T0, A1, A1
	UMULH	B0, B1, T0
	ADCS	T1, A2, A2
	UMULH	B0, B2, T1
	ADCS	T2, A3, A3
	UMULH	B0, B3, T2
	ADC	ZR, ZR, A4
	ADDS	T0, A2, A2
	ADCS	T1, A3, A3
	ADC	T2, A4, A4
	MUL	B1, B2, T0
	MUL	B1, B3, T1
	UMULH	B1, B2, T2
	ADDS	T0, A3, A3
	UMULH	B1, B3, T0
	ADCS	T1, A4, A4
	ADC	ZR, ZR, A5
	ADDS	T2, A4, A4
	ADC	T0, A5, A5
	MUL	B2, B3, T0
	UMULH	B2, B3, T1
	ADDS	T0, A5, A5
	ADC	ZR, T1, A6
	MOVD	A1, 8(PZ)
	STP	(A2, A3), 16(PZ)
	STP	(A4, A5), 32(PZ)
	STP	(A6, ZR), 48(PZ)

double:
	// z = 2z + the squares, four limbs of x at a time. The bit that a limb shifts
	// into the next comes from CY; the carry of the addition stays in the flags.
	MOVD	z_base+0(FP), PZ
	MOVD	x_base+24(FP), PY
	MOVD	x_len+32(FP), CNT
	LSR	$2, CNT
	MOVD	ZR, CY
	ADDS	ZR, ZR, ZR
squares:
	LDP.P	32(PY), (B0, B1)
	LDP	-16(PY), (B2, B3)
	LDP	0(PZ), (A0, A1)
	LDP	16(PZ), (A2, A3)
	LDP	32(PZ), (A4, A5)
	LDP	48(PZ), (A6, A7)
	MUL	B0, B0, T0
	UMULH	B0, B0, B0
	MUL	B1, B1, T1
	UMULH	B1, B1, B1
	MUL	B2, B2, T2
	UMULH	B2, B2, B2
	MUL	B3, B3, Y
	UMULH	B3, B3, B3
	EXTR	$63, CY, A0, Z0
	EXTR	$63, A0, A1, Z1
	ADCS	T0, Z0, Z0
	ADCS	B0, Z1, Z1
	EXTR	$63, A1, A2, A0
	EXTR	$63, A2, A3, A1
	STP	(Z0, Z1), 0(PZ)
	ADCS	T1, A0, A0
	ADCS	B1, A1, A1
	EXTR	$63, A3, A4, A2
	EXTR	$63, A4, A5, A3
	STP	(A0, A1), 16(PZ)
	ADCS	T2, A2, A2
	ADCS	B2, A3, A3
	EXTR	$63, A5, A6, Z0
	EXTR	$63, A6, A7, Z1
	STP	(A2, A3), 32(PZ)
	ADCS	Y, Z0, Z0
	ADCS	B3, Z1, Z1
	MOVD	A7, CY
	STP	(Z0, Z1), 48(PZ)
	ADD	$64, PZ
	SUB	$1, CNT
	CBNZ	CNT, squares
	RET

// The quotients of a Montgomery reduction are made in rows as well, with Y the
// quotient of the row that makes the lowest limb of the sum zero. Its low half
// need not be computed: A0 + low half = 2^64 if A0 is not zero, and 0 if it is.
//
// MINV is m0inv, PW a third address. QNEXT is the quotient of the next row, which is wanted early:
// with it begins the chain of dependent multiplications. H is one more half of a
// product.
#define MINV Z0
#define QNEXT Z1
#define H CNT
#define PW Y

// QROW8: ⟨A7…A0⟩ = (⟨A7…A0⟩ + ⟨B7…B0⟩·Y) / 2^64, where the sum is a multiple of
// 2^64; QNEXT = A0·MINV; Y is stored at offset(PZ), then replaced by QNEXT.
#define QROW8(offset) \
	MUL	B1, Y, T1        \
	UMULH	B0, Y, H      \
	MUL	B2, Y, T2        \
	MUL	B3, Y, CY        \
	CMP	$1, A0           \
	MUL	B4, Y, T0        \
	ADCS	T1, A1, A1    \
	MUL	B5, Y, T1        \
	ADCS	T2, A2, A2    \
	MUL	B6, Y, T2        \
	ADCS	CY, A3, A3    \
	MUL	B7, Y, CY        \
	ADCS	T0, A4, A4    \
	UMULH	B1, Y, T0     \
	ADCS	T1, A5, A5    \
	UMULH	B2, Y, T1     \
	ADCS	T2, A6, A6    \
	UMULH	B3, Y, T2     \
	ADCS	CY, A7, A7    \
	ADC	ZR, ZR, CY       \
	ADDS	H, A1, A0     \
	MUL	MINV, A0, QNEXT  \
	ADCS	T0, A2, A1    \
	UMULH	B4, Y, T0     \
	ADCS	T1, A3, A2    \
	UMULH	B5, Y, T1     \
	ADCS	T2, A4, A3    \
	UMULH	B6, Y, T2     \
	ADCS	T0, A5, A4    \
	UMULH	B7, Y, T0     \
	ADCS	T1, A6, A5    \
	MOVD	Y, offset(PZ) \
	ADCS	T2, A7, A6    \
	ADC	T0, CY, A7       \
	MOVD	QNEXT, Y

// QROW4 is QROW8 with four limbs.
#define QROW4(offset) \
	MUL	B1, Y, T1        \
	UMULH	B0, Y, H      \
	MUL	B2, Y, T2        \
	MUL	B3, Y, CY        \
	CMP	$1, A0           \
	UMULH	B1, Y, T0     \
	ADCS	T1, A1, A1    \
	UMULH	B2, Y, T1     \
	ADCS	T2, A2, A2    \
	UMULH	B3, Y, T2     \
	ADCS	CY, A3, A3    \
	ADC	ZR, ZR, CY       \
	ADDS	H, A1, A0     \
	MUL	MINV, A0, QNEXT  \
	ADCS	T0, A2, A1    \
	ADCS	T1, A3, A2    \
	MOVD	Y, offset(PZ) \
	ADC	T2, CY, A3       \
	MOVD	QNEXT, Y

// func montReduceARM64(z, t, m []uint, m0inv uint)
//
// montReduceARM64 sets z = t · 2^(-64n) mod m and destroys t.
//
// Lengths: z and m have n limbs, a multiple of 4 and not 0; t has 2n.
// On entry: t < m·2^(64n), m is odd, m0inv = -m⁻¹ mod 2^64.
// On return: z < m.
// Aliasing: z overlaps neither t nor m, t does not overlap m.
// Secret: all values. Public: n.
// Needs: arm64.
//
// A block finds eight quotients (four at the end if n is not a multiple of 8)
// with the lowest eight limbs of m, which makes eight limbs of t zero; it stores
// the quotients in their place. What is left in the accumulator belongs above,
// where rows of the quotients times the rest of m go on with it. At the end of
// the rows it is added to t, whose upper half has a carry from block to block.
//
// With t < m·2^(64n) the sum t + q·m is below 2m·2^(64n): t / 2^(64n) is below 2m,
// and one subtraction of m at most is due. It is always computed, then selected.
TEXT ·montReduceARM64(SB), NOSPLIT, $24-80
	MOVD	ZR, carry-8(SP)
	MOVD	t_base+24(FP), PZ
	MOVD	m_len+56(FP), CNT
	LSR	$3, CNT
	CBZ	CNT, last
block:
	MOVD	CNT, blocks-16(SP)
	MOVD	m_base+48(FP), PY
	MOVD	m0inv+72(FP), MINV
	LOAD8(PY)
	LDP	0(PZ), (A0, A1)
	LDP	16(PZ), (A2, A3)
	LDP	32(PZ), (A4, A5)
	LDP	48(PZ), (A6, A7)
	MUL	MINV, A0, Y
	QROW8(0)
	QROW8(8)
	QROW8(16)
	QROW8(24)
	QROW8(32)
	QROW8(40)
	QROW8(48)
	QROW8(56)
	LOAD8(PZ)
	ADD	$64, PY
	ADD	$64, PZ
	MOVD	PZ, pt-24(SP)
	MOVD	m_len+56(FP), CNT
	SUB	$8, CNT
	LSR	$2, CNT
	CBZ	CNT, add8
	CALL	rows8<>(SB)
add8:
	MOVD	carry-8(SP), T0
	CMP	$1, T0
	LDP	0(PZ), (B0, B1)
	LDP	16(PZ), (B2, B3)
	LDP	32(PZ), (B4, B5)
	LDP	48(PZ), (B6, B7)
	ADCS	B0, A0, A0
	ADCS	B1, A1, A1
	ADCS	B2, A2, A2
	ADCS	B3, A3, A3
	ADCS	B4, A4, A4
	ADCS	B5, A5, A5
	ADCS	B6, A6, A6
	ADCS	B7, A7, A7
	ADC	ZR, ZR, T0
	STP	(A0, A1), 0(PZ)
	STP	(A2, A3), 16(PZ)
	STP	(A4, A5), 32(PZ)
	STP	(A6, A7), 48(PZ)
	MOVD	T0, carry-8(SP)
	MOVD	pt-24(SP), PZ
	MOVD	blocks-16(SP), CNT
	SUB	$1, CNT
	CBNZ	CNT, block
last:
	MOVD	m_len+56(FP), CNT
	TBZ	$2, CNT, subtract
	MOVD	m_base+48(FP), PY
	MOVD	m0inv+72(FP), MINV
	LOAD4(PY)
	LDP	0(PZ), (A0, A1)
	LDP	16(PZ), (A2, A3)
	MUL	MINV, A0, Y
	QROW4(0)
	QROW4(8)
	QROW4(16)
	QROW4(24)
	LOAD4(PZ)
	ADD	$32, PY
	ADD	$32, PZ
	MOVD	m_len+56(FP), CNT
	SUB	$4, CNT
	LSR	$2, CNT
	CBZ	CNT, add4
	CALL	rows4<>(SB)
add4:
	MOVD	carry-8(SP), T0
	CMP	$1, T0
	LDP	0(PZ), (B0, B1)
	LDP	16(PZ), (B2, B3)
	ADCS	B0, A0, A0
	ADCS	B1, A1, A1
	ADCS	B2, A2, A2
	ADCS	B3, A3, A3
	ADC	ZR, ZR, T0
	STP	(A0, A1), 0(PZ)
	STP	(A2, A3), 16(PZ)
	MOVD	T0, carry-8(SP)

subtract:
	// z = upper half of t - m.
	MOVD	t_base+24(FP), PY
	MOVD	m_base+48(FP), PZ
	MOVD	z_base+0(FP), PW
	MOVD	m_len+56(FP), CNT
	ADD	CNT<<3, PY
	LSR	$2, CNT
	CMP	ZR, ZR
difference:
	LDP.P	32(PY), (A0, A1)
	LDP	-16(PY), (A2, A3)
	LDP.P	32(PZ), (B0, B1)
	LDP	-16(PZ), (B2, B3)
	SBCS	B0, A0, A0
	SBCS	B1, A1, A1
	SBCS	B2, A2, A2
	SBCS	B3, A3, A3
	STP.P	(A0, A1), 32(PW)
	STP	(A2, A3), -16(PW)
	SUB	$1, CNT
	CBNZ	CNT, difference

	// Back to t if there is a borrow out of the carry: then t < m.
	MOVD	carry-8(SP), T0
	SBCS	ZR, T0, T0
	MOVD	m_len+56(FP), CNT
	SUB	CNT<<3, PY
	SUB	CNT<<3, PW
	LSR	$2, CNT
pick:
	LDP.P	32(PY), (A0, A1)
	LDP	-16(PY), (A2, A3)
	LDP	0(PW), (B0, B1)
	LDP	16(PW), (B2, B3)
	CSEL	LO, A0, B0, B0
	CSEL	LO, A1, B1, B1
	CSEL	LO, A2, B2, B2
	CSEL	LO, A3, B3, B3
	STP.P	(B0, B1), 32(PW)
	STP	(B2, B3), -16(PW)
	SUB	$1, CNT
	CBNZ	CNT, pick
	RET

// func selectARM64(z, table []uint, i uint)
//
// selectARM64 sets z to entry i of table, reading all of it.
//
// Lengths: z has n limbs, at least 1; table is a multiple of n.
// On entry: i < len(table)/n.
// Aliasing: z does not overlap table.
// Secret: all values, with i. Public: the lengths.
// Needs: Advanced SIMD, which is arm64.
//
// For eight limbs of z at a time, and at the end for four and for each that is
// left, it goes through all entries and takes in the one whose number is i.
#define STRIDE R0
#define LEN R1
#define COLUMN R2
#define ENTRY R3
#define OUT R4
#define LEFT R5
#define REST R6
#define N R7
#define WANTED V16
#define NUMBER V17
#define ONE V18
#define MASK V19
TEXT ·selectARM64(SB), NOSPLIT, $0-56
	MOVD	z_base+0(FP), OUT
	MOVD	z_len+8(FP), N
	MOVD	table_base+24(FP), COLUMN
	MOVD	table_len+32(FP), LEN
	MOVD	i+48(FP), R8
	VDUP	R8, WANTED.D2
	MOVD	$1, R9
	VDUP	R9, ONE.D2
	LSL	$3, N, STRIDE
	LSR	$3, N, LEFT
	CBZ	LEFT, last
column8:
	VEOR	V4.B16, V4.B16, V4.B16
	VEOR	V5.B16, V5.B16, V5.B16
	VEOR	V6.B16, V6.B16, V6.B16
	VEOR	V7.B16, V7.B16, V7.B16
	VEOR	NUMBER.B16, NUMBER.B16, NUMBER.B16
	MOVD	COLUMN, ENTRY
	MOVD	LEN, REST
entry8:
	SUBS	N, REST, REST
	BLO	store8
	VLD1	(ENTRY), [V0.D2, V1.D2, V2.D2, V3.D2]
	ADD	STRIDE, ENTRY
	VCMEQ	WANTED.D2, NUMBER.D2, MASK.D2
	VADD	ONE.D2, NUMBER.D2, NUMBER.D2
	VBIT	MASK.B16, V0.B16, V4.B16
	VBIT	MASK.B16, V1.B16, V5.B16
	VBIT	MASK.B16, V2.B16, V6.B16
	VBIT	MASK.B16, V3.B16, V7.B16
	B	entry8
store8:
	VST1.P	[V4.D2, V5.D2, V6.D2, V7.D2], 64(OUT)
	ADD	$64, COLUMN
	SUB	$1, LEFT
	CBNZ	LEFT, column8
last:
	TBZ	$2, N, rest
	VEOR	V4.B16, V4.B16, V4.B16
	VEOR	V5.B16, V5.B16, V5.B16
	VEOR	NUMBER.B16, NUMBER.B16, NUMBER.B16
	MOVD	COLUMN, ENTRY
	MOVD	LEN, REST
entry4:
	SUBS	N, REST, REST
	BLO	store4
	VLD1	(ENTRY), [V0.D2, V1.D2]
	ADD	STRIDE, ENTRY
	VCMEQ	WANTED.D2, NUMBER.D2, MASK.D2
	VADD	ONE.D2, NUMBER.D2, NUMBER.D2
	VBIT	MASK.B16, V0.B16, V4.B16
	VBIT	MASK.B16, V1.B16, V5.B16
	B	entry4
store4:
	VST1.P	[V4.D2, V5.D2], 32(OUT)
	ADD	$32, COLUMN
rest:
	AND	$3, N, LEFT
	CBZ	LEFT, done
column1:
	VEOR	V4.B16, V4.B16, V4.B16
	VEOR	NUMBER.B16, NUMBER.B16, NUMBER.B16
	MOVD	COLUMN, ENTRY
	MOVD	LEN, REST
entry1:
	SUBS	N, REST, REST
	BLO	store1
	VLD1	(ENTRY), [V0.D1]
	ADD	STRIDE, ENTRY
	VCMEQ	WANTED.D2, NUMBER.D2, MASK.D2
	VADD	ONE.D2, NUMBER.D2, NUMBER.D2
	VBIT	MASK.B16, V0.B16, V4.B16
	B	entry1
store1:
	VST1.P	[V4.D1], 8(OUT)
	ADD	$8, COLUMN
	SUB	$1, LEFT
	CBNZ	LEFT, column1
done:
	RET

// func addMulFlipARM64(t, m []uint, q, flip uint) (carry uint)
//
// addMulFlipARM64 sets t = (t ^ flip) + q · m and returns the carry, a limb.
//
// Lengths: t and m have n limbs, at least 1.
// On entry: flip is 0 or all ones.
// Aliasing: t does not overlap m.
// Secret: all values. Public: n.
// Needs: arm64.
//
// This is one row along m, so its carries go from limb to limb: HIGH is the limb
// that a block of eight hands on, at most 2^64 - 1 because
// (2^512 - 1) + (2^64 - 1)(2^512 - 1) + HIGH < 2^576 for such a HIGH. The high
// halves take the registers of the limbs of m.
#define Q Y
#define FLIP Z0
#define HIGH Z1
TEXT ·addMulFlipARM64(SB), NOSPLIT, $0-72
	MOVD	t_base+0(FP), PZ
	MOVD	m_base+24(FP), PY
	MOVD	m_len+32(FP), CNT
	MOVD	q+48(FP), Q
	MOVD	flip+56(FP), FLIP
	MOVD	ZR, HIGH
	SUBS	$8, CNT
	BLO	rest
block:
	LDP.P	64(PY), (B0, B1)
	LDP	-48(PY), (B2, B3)
	LDP	-32(PY), (B4, B5)
	LDP	-16(PY), (B6, B7)
	LDP	0(PZ), (A0, A1)
	LDP	16(PZ), (A2, A3)
	LDP	32(PZ), (A4, A5)
	LDP	48(PZ), (A6, A7)
	MUL	B0, Q, T0
	EOR	FLIP, A0
	MUL	B1, Q, T1
	EOR	FLIP, A1
	MUL	B2, Q, T2
	EOR	FLIP, A2
	MUL	B3, Q, CY
	EOR	FLIP, A3
	ADDS	T0, A0, A0
	MUL	B4, Q, T0
	EOR	FLIP, A4
	ADCS	T1, A1, A1
	MUL	B5, Q, T1
	EOR	FLIP, A5
	ADCS	T2, A2, A2
	MUL	B6, Q, T2
	EOR	FLIP, A6
	ADCS	CY, A3, A3
	MUL	B7, Q, CY
	EOR	FLIP, A7
	ADCS	T0, A4, A4
	UMULH	B7, Q, B7
	ADCS	T1, A5, A5
	UMULH	B0, Q, B0
	ADCS	T2, A6, A6
	UMULH	B1, Q, B1
	ADCS	CY, A7, A7
	UMULH	B2, Q, B2
	ADC	ZR, B7, B7
	ADDS	HIGH, A0, A0
	UMULH	B3, Q, B3
	ADCS	B0, A1, A1
	UMULH	B4, Q, B4
	ADCS	B1, A2, A2
	UMULH	B5, Q, B5
	ADCS	B2, A3, A3
	UMULH	B6, Q, B6
	ADCS	B3, A4, A4
	ADCS	B4, A5, A5
	STP.P	(A0, A1), 64(PZ)
	ADCS	B5, A6, A6
	STP	(A2, A3), -48(PZ)
	ADCS	B6, A7, A7
	STP	(A4, A5), -32(PZ)
	ADC	ZR, B7, HIGH
	STP	(A6, A7), -16(PZ)
	SUBS	$8, CNT
	BHS	block
rest:
	ADD	$8, CNT
	CBZ	CNT, done
one:
	MOVD.P	8(PY), B0
	MOVD	0(PZ), A0
	MUL	B0, Q, T0
	UMULH	B0, Q, B0
	EOR	FLIP, A0
	ADDS	T0, A0, A0
	ADC	ZR, B0, B0
	ADDS	HIGH, A0, A0
	ADC	ZR, B0, HIGH
	MOVD.P	A0, 8(PZ)
	SUB	$1, CNT
	CBNZ	CNT, one
done:
	MOVD	HIGH, carry+64(FP)
	RET
