//go:build !purego

#include "textflag.h"

// SHA-256 by the instructions of FEAT_SHA256. A vector has four words of the state or of
// the message, the first in the lowest lane.

// Registers of stream 0 and stream 1: a to d, e to h, a to d before the rounds, the sum of
// words and constants, the message, and the state that a block starts from.
#define A0 V0
#define E0 V1
#define T0 V2
#define W0 V3
#define M0 V4
#define M1 V5
#define M2 V6
#define M3 V7
#define A1 V8
#define E1 V9
#define T1 V10
#define W1 V11
#define N0 V12
#define N1 V13
#define N2 V14
#define N3 V15
#define SA0 V16
#define SE0 V17
#define SA1 V18
#define SE1 V19

// Constants of 16 rounds, the trim, and what is read of acc.
#define K0 V20
#define K1 V21
#define K2 V22
#define K3 V23
#define KEEP0 V24
#define KEEP1 V25
#define PAD0 V26
#define PAD1 V27
#define PAD2 V28
#define PAD3 V29
#define X V30
#define Y V31

#define BASE R0
#define N R1
#define TRIM R2
#define ST R3
#define LEFT R4
#define OUTER R5
#define U R6
#define ACC R7
#define ST1 R8
#define U1 R9
#define ACC1 R10
#define KTAB R11
#define KP R12
#define MSG R1
#define LEN R2

// ROUNDS is four rounds with the words m.
#define ROUNDS(k, a, e, t, w, m) \
	VADD	k.S4, m.S4, w.S4 \
	VMOV	a.B16, t.B16 \
	SHA256H	w.S4, e, a \
	SHA256H2	w.S4, t, e

// STEP is four rounds, after which m0 becomes the words 16 further on.
#define STEP(k, a, e, t, w, m0, m1, m2, m3) \
	ROUNDS(k, a, e, t, w, m0) \
	SHA256SU0	m1.S4, m0.S4 \
	SHA256SU1	m3.S4, m2.S4, m0.S4

// DIGEST adds the state that the block started from, which makes a and e the digest, and m0
// and m1 the message with it, by the shorter way, since the next rounds wait for that.
#define DIGEST(a, e, sa, se, m0, m1) \
	VADD	sa.S4, a.S4, m0.S4 \
	VADD	se.S4, e.S4, m1.S4 \
	VBIF	KEEP0.B16, PAD0.B16, m0.B16 \
	VBIF	KEEP1.B16, PAD1.B16, m1.B16 \
	VADD	sa.S4, a.S4, a.S4 \
	VADD	se.S4, e.S4, e.S4 \
	VAND	KEEP0.B16, a.B16, a.B16 \
	VAND	KEEP1.B16, e.B16, e.B16

// BLOCK is the 64 rounds of stream 0.
#define BLOCK \
	MOVD	KTAB, KP \
	VLD1.P	64(KP), [K0.S4, K1.S4, K2.S4, K3.S4] \
	STEP(K0, A0, E0, T0, W0, M0, M1, M2, M3) \
	STEP(K1, A0, E0, T0, W0, M1, M2, M3, M0) \
	STEP(K2, A0, E0, T0, W0, M2, M3, M0, M1) \
	STEP(K3, A0, E0, T0, W0, M3, M0, M1, M2) \
	VLD1.P	64(KP), [K0.S4, K1.S4, K2.S4, K3.S4] \
	STEP(K0, A0, E0, T0, W0, M0, M1, M2, M3) \
	STEP(K1, A0, E0, T0, W0, M1, M2, M3, M0) \
	STEP(K2, A0, E0, T0, W0, M2, M3, M0, M1) \
	STEP(K3, A0, E0, T0, W0, M3, M0, M1, M2) \
	VLD1.P	64(KP), [K0.S4, K1.S4, K2.S4, K3.S4] \
	STEP(K0, A0, E0, T0, W0, M0, M1, M2, M3) \
	STEP(K1, A0, E0, T0, W0, M1, M2, M3, M0) \
	STEP(K2, A0, E0, T0, W0, M2, M3, M0, M1) \
	STEP(K3, A0, E0, T0, W0, M3, M0, M1, M2) \
	VLD1.P	64(KP), [K0.S4, K1.S4, K2.S4, K3.S4] \
	ROUNDS(K0, A0, E0, T0, W0, M0) \
	ROUNDS(K1, A0, E0, T0, W0, M1) \
	ROUNDS(K2, A0, E0, T0, W0, M2) \
	ROUNDS(K3, A0, E0, T0, W0, M3)

// BLOCKS is the 64 rounds of both streams.
#define BLOCKS \
	MOVD	KTAB, KP \
	VLD1.P	64(KP), [K0.S4, K1.S4, K2.S4, K3.S4] \
	STEP(K0, A0, E0, T0, W0, M0, M1, M2, M3) \
	STEP(K0, A1, E1, T1, W1, N0, N1, N2, N3) \
	STEP(K1, A0, E0, T0, W0, M1, M2, M3, M0) \
	STEP(K1, A1, E1, T1, W1, N1, N2, N3, N0) \
	STEP(K2, A0, E0, T0, W0, M2, M3, M0, M1) \
	STEP(K2, A1, E1, T1, W1, N2, N3, N0, N1) \
	STEP(K3, A0, E0, T0, W0, M3, M0, M1, M2) \
	STEP(K3, A1, E1, T1, W1, N3, N0, N1, N2) \
	VLD1.P	64(KP), [K0.S4, K1.S4, K2.S4, K3.S4] \
	STEP(K0, A0, E0, T0, W0, M0, M1, M2, M3) \
	STEP(K0, A1, E1, T1, W1, N0, N1, N2, N3) \
	STEP(K1, A0, E0, T0, W0, M1, M2, M3, M0) \
	STEP(K1, A1, E1, T1, W1, N1, N2, N3, N0) \
	STEP(K2, A0, E0, T0, W0, M2, M3, M0, M1) \
	STEP(K2, A1, E1, T1, W1, N2, N3, N0, N1) \
	STEP(K3, A0, E0, T0, W0, M3, M0, M1, M2) \
	STEP(K3, A1, E1, T1, W1, N3, N0, N1, N2) \
	VLD1.P	64(KP), [K0.S4, K1.S4, K2.S4, K3.S4] \
	STEP(K0, A0, E0, T0, W0, M0, M1, M2, M3) \
	STEP(K0, A1, E1, T1, W1, N0, N1, N2, N3) \
	STEP(K1, A0, E0, T0, W0, M1, M2, M3, M0) \
	STEP(K1, A1, E1, T1, W1, N1, N2, N3, N0) \
	STEP(K2, A0, E0, T0, W0, M2, M3, M0, M1) \
	STEP(K2, A1, E1, T1, W1, N2, N3, N0, N1) \
	STEP(K3, A0, E0, T0, W0, M3, M0, M1, M2) \
	STEP(K3, A1, E1, T1, W1, N3, N0, N1, N2) \
	VLD1.P	64(KP), [K0.S4, K1.S4, K2.S4, K3.S4] \
	ROUNDS(K0, A0, E0, T0, W0, M0) \
	ROUNDS(K0, A1, E1, T1, W1, N0) \
	ROUNDS(K1, A0, E0, T0, W0, M1) \
	ROUNDS(K1, A1, E1, T1, W1, N1) \
	ROUNDS(K2, A0, E0, T0, W0, M2) \
	ROUNDS(K2, A1, E1, T1, W1, N2) \
	ROUNDS(K3, A0, E0, T0, W0, M3) \
	ROUNDS(K3, A1, E1, T1, W1, N3)

// func loop256x1SHA2(s *Stream256, trim *Trim256, n int)
//
// loop256x1SHA2 runs n iterations of HMAC-SHA-256, trimmed, in a stream: U = HMAC(U),
// Acc = Acc ^ U.
//
// On entry: n is at least 1; the first 8 words of trim.Pad have no bit in common with
// trim.Keep; U is 0 wherever trim.Keep is.
// Aliasing: s does not overlap trim.
// Secret: all words of the stream. Public: n, trim.
// Needs: FEAT_SHA256.
TEXT ·loop256x1SHA2(SB), NOSPLIT, $0-24
	MOVD	s+0(FP), BASE
	MOVD	trim+8(FP), TRIM
	MOVD	n+16(FP), N
	MOVD	$·k256(SB), KTAB
	ADD	$32, BASE, OUTER
	ADD	$64, BASE, U
	ADD	$96, BASE, ACC
	VLD1.P	32(TRIM), [KEEP0.S4, KEEP1.S4]
	VLD1	(TRIM), [PAD0.S4, PAD1.S4, PAD2.S4, PAD3.S4]
	VLD1	(U), [M0.S4, M1.S4]
	VORR	PAD0.B16, M0.B16, M0.B16
	VORR	PAD1.B16, M1.B16, M1.B16

iteration:
	MOVD	BASE, ST

block:
	VLD1	(ST), [SA0.S4, SE0.S4]
	VMOV	SA0.B16, A0.B16
	VMOV	SE0.B16, E0.B16
	VMOV	PAD2.B16, M2.B16
	VMOV	PAD3.B16, M3.B16
	BLOCK
	DIGEST(A0, E0, SA0, SE0, M0, M1)
	SUB	ST, OUTER, LEFT
	MOVD	OUTER, ST
	CBNZ	LEFT, block

	VLD1	(ACC), [X.S4, Y.S4]
	VEOR	A0.B16, X.B16, X.B16
	VEOR	E0.B16, Y.B16, Y.B16
	VST1	[X.S4, Y.S4], (ACC)
	SUB	$1, N
	CBNZ	N, iteration
	VST1	[A0.S4, E0.S4], (U)
	RET

// func loop256x2SHA2(s *[2]Stream256, trim *Trim256, n int)
//
// loop256x2SHA2 runs n iterations of HMAC-SHA-256, trimmed, in each of two streams. The
// rest is as for loop256x1SHA2.
TEXT ·loop256x2SHA2(SB), NOSPLIT, $0-24
	MOVD	s+0(FP), BASE
	MOVD	trim+8(FP), TRIM
	MOVD	n+16(FP), N
	MOVD	$·k256(SB), KTAB
	ADD	$32, BASE, OUTER
	ADD	$64, BASE, U
	ADD	$96, BASE, ACC
	ADD	$128, U, U1
	ADD	$128, ACC, ACC1
	VLD1.P	32(TRIM), [KEEP0.S4, KEEP1.S4]
	VLD1	(TRIM), [PAD0.S4, PAD1.S4, PAD2.S4, PAD3.S4]
	VLD1	(U), [M0.S4, M1.S4]
	VLD1	(U1), [N0.S4, N1.S4]
	VORR	PAD0.B16, M0.B16, M0.B16
	VORR	PAD1.B16, M1.B16, M1.B16
	VORR	PAD0.B16, N0.B16, N0.B16
	VORR	PAD1.B16, N1.B16, N1.B16

iteration:
	MOVD	BASE, ST

block:
	ADD	$128, ST, ST1
	VLD1	(ST), [SA0.S4, SE0.S4]
	VLD1	(ST1), [SA1.S4, SE1.S4]
	VMOV	SA0.B16, A0.B16
	VMOV	SE0.B16, E0.B16
	VMOV	SA1.B16, A1.B16
	VMOV	SE1.B16, E1.B16
	VMOV	PAD2.B16, M2.B16
	VMOV	PAD3.B16, M3.B16
	VMOV	PAD2.B16, N2.B16
	VMOV	PAD3.B16, N3.B16
	BLOCKS
	DIGEST(A0, E0, SA0, SE0, M0, M1)
	DIGEST(A1, E1, SA1, SE1, N0, N1)
	SUB	ST, OUTER, LEFT
	MOVD	OUTER, ST
	CBNZ	LEFT, block

	VLD1	(ACC), [X.S4, Y.S4]
	VEOR	A0.B16, X.B16, X.B16
	VEOR	E0.B16, Y.B16, Y.B16
	VST1	[X.S4, Y.S4], (ACC)
	VLD1	(ACC1), [X.S4, Y.S4]
	VEOR	A1.B16, X.B16, X.B16
	VEOR	E1.B16, Y.B16, Y.B16
	VST1	[X.S4, Y.S4], (ACC1)
	SUB	$1, N
	CBNZ	N, iteration
	VST1	[A0.S4, E0.S4], (U)
	VST1	[A1.S4, E1.S4], (U1)
	RET

// func blocks256SHA2(h *[8]uint32, p []byte)
//
// blocks256SHA2 replaces the state h by that after the message p.
//
// Lengths: p has a multiple of 64 bytes and is not empty.
// Aliasing: h does not overlap p.
// Secret: all values. Public: the length of p.
// Needs: FEAT_SHA256.
TEXT ·blocks256SHA2(SB), NOSPLIT, $0-32
	MOVD	h+0(FP), BASE
	MOVD	p_base+8(FP), MSG
	MOVD	p_len+16(FP), LEN
	MOVD	$·k256(SB), KTAB
	VLD1	(BASE), [A0.S4, E0.S4]

block:
	VMOV	A0.B16, SA0.B16
	VMOV	E0.B16, SE0.B16
	VLD1.P	64(MSG), [M0.B16, M1.B16, M2.B16, M3.B16]
	VREV32	M0.B16, M0.B16
	VREV32	M1.B16, M1.B16
	VREV32	M2.B16, M2.B16
	VREV32	M3.B16, M3.B16
	BLOCK
	VADD	SA0.S4, A0.S4, A0.S4
	VADD	SE0.S4, E0.S4, E0.S4
	SUB	$64, LEN
	CBNZ	LEN, block
	VST1	[A0.S4, E0.S4], (BASE)
	RET
