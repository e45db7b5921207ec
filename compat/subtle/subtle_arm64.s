//go:build !purego

#include "textflag.h"

// Kernels for arm64. They take 64 bytes of each operand at a time. What is left at
// the end, at most that much, is taken as the last 64 bytes, some of which may have
// been seen before. Jumps depend on n alone.

// LOAD and LOADP load 64 bytes, LOADP moves the pointer.
#define LOAD(ptr, a, b, c, d)  VLD1   (ptr), [a.B16, b.B16, c.B16, d.B16]
#define LOADP(ptr, a, b, c, d) VLD1.P 64(ptr), [a.B16, b.B16, c.B16, d.B16]

// XOR sets V4 to V7 to their xor with the other four.
#define XOR(a, b, c, d) \
	VEOR	a.B16, V4.B16, V4.B16 \
	VEOR	b.B16, V5.B16, V5.B16 \
	VEOR	c.B16, V6.B16, V6.B16 \
	VEOR	d.B16, V7.B16, V7.B16

// COLLECT adds the bits of V4 to V7 to those of V0 to V3.
#define COLLECT \
	VORR	V4.B16, V0.B16, V0.B16 \
	VORR	V5.B16, V1.B16, V1.B16 \
	VORR	V6.B16, V2.B16, V2.B16 \
	VORR	V7.B16, V3.B16, V3.B16

#define CLEAR \
	VEOR	V0.B16, V0.B16, V0.B16 \
	VEOR	V1.B16, V1.B16, V1.B16 \
	VEOR	V2.B16, V2.B16, V2.B16 \
	VEOR	V3.B16, V3.B16, V3.B16

// FINISH leaves all bits of V0 to V3 in R4.
#define FINISH \
	VORR	V1.B16, V0.B16, V0.B16 \
	VORR	V3.B16, V2.B16, V2.B16 \
	VORR	V2.B16, V0.B16, V0.B16 \
	VMOV	V0.D[0], R4            \
	VMOV	V0.D[1], R5            \
	ORR	R5, R4, R4

// func diffNEON(x, y *byte, n int) uint64
//
// diffNEON returns 0 if the n bytes at x and y are equal, and another number if not.
//
// Lengths: n is at least 64.
// Aliasing: any; nothing is written.
// Secret: all bytes, and the result. Public: n.
// Needs: Advanced SIMD, which is arm64.
TEXT ·diffNEON(SB), NOSPLIT, $0-32
	MOVD	x+0(FP), R0
	MOVD	y+8(FP), R1
	MOVD	n+16(FP), R2
	CLEAR
	SUBS	$64, R2, R2
	BLE	last

loop:
	LOADP(R0, V4, V5, V6, V7)
	LOADP(R1, V16, V17, V18, V19)
	XOR(V16, V17, V18, V19)
	COLLECT
	SUBS	$64, R2, R2
	BGT	loop

	// R2 is what is left less 64: the distance from here to the last 64 bytes.
last:
	ADD	R2, R0, R0
	ADD	R2, R1, R1
	LOAD(R0, V4, V5, V6, V7)
	LOAD(R1, V16, V17, V18, V19)
	XOR(V16, V17, V18, V19)
	COLLECT
	FINISH
	MOVD	R4, ret+24(FP)
	RET

// func diffMaskNEON(x, y, mask *byte, n int) uint64
//
// diffMaskNEON returns 0 if the n bytes at x and y, xor-ed, equal those at mask, and
// another number if not.
//
// Lengths: n is at least 64.
// Aliasing: any; nothing is written.
// Secret: all bytes, and the result. Public: n.
// Needs: Advanced SIMD, which is arm64.
TEXT ·diffMaskNEON(SB), NOSPLIT, $0-40
	MOVD	x+0(FP), R0
	MOVD	y+8(FP), R1
	MOVD	mask+16(FP), R3
	MOVD	n+24(FP), R2
	CLEAR
	SUBS	$64, R2, R2
	BLE	last

loop:
	LOADP(R0, V4, V5, V6, V7)
	LOADP(R1, V16, V17, V18, V19)
	LOADP(R3, V20, V21, V22, V23)
	XOR(V16, V17, V18, V19)
	XOR(V20, V21, V22, V23)
	COLLECT
	SUBS	$64, R2, R2
	BGT	loop

	// R2 is what is left less 64: the distance from here to the last 64 bytes.
last:
	ADD	R2, R0, R0
	ADD	R2, R1, R1
	ADD	R2, R3, R3
	LOAD(R0, V4, V5, V6, V7)
	LOAD(R1, V16, V17, V18, V19)
	LOAD(R3, V20, V21, V22, V23)
	XOR(V16, V17, V18, V19)
	XOR(V20, V21, V22, V23)
	COLLECT
	FINISH
	MOVD	R4, ret+32(FP)
	RET
