//go:build !purego

#include "textflag.h"

// SHA-1 by the instructions of FEAT_SHA1. A vector has four words of the state or of the
// message, the first in the lowest lane; e is alone in its vector, with zeros above.

// Registers of stream 0 and stream 1: a to d, e, a copy of the former, the sum of words and
// constant, the message, and the state that a block starts from.
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

// The round constants, FIPS 180-4 §4.2.1; words 4 to 7 and 12 to 15 of the message without
// the digest; and what is read of acc.
#define K0 V20
#define K1 V21
#define K2 V22
#define K3 V23
#define PAD1 V24
#define PAD3 V25
#define X V26
#define Y V27

#define BASE R0
#define N R1
#define T R2
#define ST R3
#define LEFT R4
#define OUTER R5
#define U R6
#define ACC R7
#define U1 R9
#define ACC1 R10
#define ST1 R11
#define MSG R1
#define LEN R2

// CONSTANTS loads the round constants.
#define CONSTANTS \
	MOVD	$0x5a827999, T \
	VDUP	T, K0.S4 \
	MOVD	$0x6ed9eba1, T \
	VDUP	T, K1.S4 \
	MOVD	$0x8f1bbcdc, T \
	VDUP	T, K2.S4 \
	MOVD	$0xca62c1d6, T \
	VDUP	T, K3.S4

// PADDING loads the constant part of a message of 20 bytes after a block of 64.
#define PADDING \
	VEOR	PAD1.B16, PAD1.B16, PAD1.B16 \
	VEOR	PAD3.B16, PAD3.B16, PAD3.B16 \
	MOVD	$0x80000000, T \
	VMOV	T, PAD1.S[1] \
	MOVD	$672, T \
	VMOV	T, PAD3.S[3]

// ROUNDS is four rounds with the words m. On entry and on return t is a copy of a, so that
// SHA1H can come after the operation on a, for which the next four rounds wait.
#define ROUNDS(op, k, a, e, t, w, m) \
	VADD	k.S4, m.S4, w.S4 \
	op	w.S4, e, a \
	SHA1H	t, e \
	VMOV	a.B16, t.B16

// STEP is four rounds, after which m0 becomes the words 16 further on.
#define STEP(op, k, a, e, t, w, m0, m1, m2, m3) \
	ROUNDS(op, k, a, e, t, w, m0) \
	SHA1SU0	m2.S4, m1.S4, m0.S4 \
	SHA1SU1	m3.S4, m0.S4

// BLOCK is the 80 rounds of stream 0.
#define BLOCK \
	STEP(SHA1C, K0, A0, E0, T0, W0, M0, M1, M2, M3) \
	STEP(SHA1C, K0, A0, E0, T0, W0, M1, M2, M3, M0) \
	STEP(SHA1C, K0, A0, E0, T0, W0, M2, M3, M0, M1) \
	STEP(SHA1C, K0, A0, E0, T0, W0, M3, M0, M1, M2) \
	STEP(SHA1C, K0, A0, E0, T0, W0, M0, M1, M2, M3) \
	STEP(SHA1P, K1, A0, E0, T0, W0, M1, M2, M3, M0) \
	STEP(SHA1P, K1, A0, E0, T0, W0, M2, M3, M0, M1) \
	STEP(SHA1P, K1, A0, E0, T0, W0, M3, M0, M1, M2) \
	STEP(SHA1P, K1, A0, E0, T0, W0, M0, M1, M2, M3) \
	STEP(SHA1P, K1, A0, E0, T0, W0, M1, M2, M3, M0) \
	STEP(SHA1M, K2, A0, E0, T0, W0, M2, M3, M0, M1) \
	STEP(SHA1M, K2, A0, E0, T0, W0, M3, M0, M1, M2) \
	STEP(SHA1M, K2, A0, E0, T0, W0, M0, M1, M2, M3) \
	STEP(SHA1M, K2, A0, E0, T0, W0, M1, M2, M3, M0) \
	STEP(SHA1M, K2, A0, E0, T0, W0, M2, M3, M0, M1) \
	STEP(SHA1P, K3, A0, E0, T0, W0, M3, M0, M1, M2) \
	ROUNDS(SHA1P, K3, A0, E0, T0, W0, M0) \
	ROUNDS(SHA1P, K3, A0, E0, T0, W0, M1) \
	ROUNDS(SHA1P, K3, A0, E0, T0, W0, M2) \
	ROUNDS(SHA1P, K3, A0, E0, T0, W0, M3)

// BLOCKS is the 80 rounds of both streams.
#define BLOCKS \
	STEP(SHA1C, K0, A0, E0, T0, W0, M0, M1, M2, M3) \
	STEP(SHA1C, K0, A1, E1, T1, W1, N0, N1, N2, N3) \
	STEP(SHA1C, K0, A0, E0, T0, W0, M1, M2, M3, M0) \
	STEP(SHA1C, K0, A1, E1, T1, W1, N1, N2, N3, N0) \
	STEP(SHA1C, K0, A0, E0, T0, W0, M2, M3, M0, M1) \
	STEP(SHA1C, K0, A1, E1, T1, W1, N2, N3, N0, N1) \
	STEP(SHA1C, K0, A0, E0, T0, W0, M3, M0, M1, M2) \
	STEP(SHA1C, K0, A1, E1, T1, W1, N3, N0, N1, N2) \
	STEP(SHA1C, K0, A0, E0, T0, W0, M0, M1, M2, M3) \
	STEP(SHA1C, K0, A1, E1, T1, W1, N0, N1, N2, N3) \
	STEP(SHA1P, K1, A0, E0, T0, W0, M1, M2, M3, M0) \
	STEP(SHA1P, K1, A1, E1, T1, W1, N1, N2, N3, N0) \
	STEP(SHA1P, K1, A0, E0, T0, W0, M2, M3, M0, M1) \
	STEP(SHA1P, K1, A1, E1, T1, W1, N2, N3, N0, N1) \
	STEP(SHA1P, K1, A0, E0, T0, W0, M3, M0, M1, M2) \
	STEP(SHA1P, K1, A1, E1, T1, W1, N3, N0, N1, N2) \
	STEP(SHA1P, K1, A0, E0, T0, W0, M0, M1, M2, M3) \
	STEP(SHA1P, K1, A1, E1, T1, W1, N0, N1, N2, N3) \
	STEP(SHA1P, K1, A0, E0, T0, W0, M1, M2, M3, M0) \
	STEP(SHA1P, K1, A1, E1, T1, W1, N1, N2, N3, N0) \
	STEP(SHA1M, K2, A0, E0, T0, W0, M2, M3, M0, M1) \
	STEP(SHA1M, K2, A1, E1, T1, W1, N2, N3, N0, N1) \
	STEP(SHA1M, K2, A0, E0, T0, W0, M3, M0, M1, M2) \
	STEP(SHA1M, K2, A1, E1, T1, W1, N3, N0, N1, N2) \
	STEP(SHA1M, K2, A0, E0, T0, W0, M0, M1, M2, M3) \
	STEP(SHA1M, K2, A1, E1, T1, W1, N0, N1, N2, N3) \
	STEP(SHA1M, K2, A0, E0, T0, W0, M1, M2, M3, M0) \
	STEP(SHA1M, K2, A1, E1, T1, W1, N1, N2, N3, N0) \
	STEP(SHA1M, K2, A0, E0, T0, W0, M2, M3, M0, M1) \
	STEP(SHA1M, K2, A1, E1, T1, W1, N2, N3, N0, N1) \
	STEP(SHA1P, K3, A0, E0, T0, W0, M3, M0, M1, M2) \
	STEP(SHA1P, K3, A1, E1, T1, W1, N3, N0, N1, N2) \
	ROUNDS(SHA1P, K3, A0, E0, T0, W0, M0) \
	ROUNDS(SHA1P, K3, A1, E1, T1, W1, N0) \
	ROUNDS(SHA1P, K3, A0, E0, T0, W0, M1) \
	ROUNDS(SHA1P, K3, A1, E1, T1, W1, N1) \
	ROUNDS(SHA1P, K3, A0, E0, T0, W0, M2) \
	ROUNDS(SHA1P, K3, A1, E1, T1, W1, N2) \
	ROUNDS(SHA1P, K3, A0, E0, T0, W0, M3) \
	ROUNDS(SHA1P, K3, A1, E1, T1, W1, N3)

// LOAD sets a and e to the state at p. Their names as floating-point registers are fe, ….
#define LOAD(p, a, fe) \
	VLD1	(p), [a.S4] \
	FMOVS	16(p), fe

#define STORE(a, fe, p) \
	VST1	[a.S4], (p) \
	FMOVS	fe, 16(p)

// func loop1x1SHA1(s *Stream1, n int)
//
// loop1x1SHA1 runs n iterations of HMAC-SHA-1 in a stream: U = HMAC(U), Acc = Acc ^ U.
//
// On entry: n is at least 1.
// Secret: all words of the stream. Public: n.
// Needs: FEAT_SHA1.
TEXT ·loop1x1SHA1(SB), NOSPLIT, $0-16
	MOVD	s+0(FP), BASE
	ADD	$20, BASE, OUTER
	ADD	$40, BASE, U
	ADD	$60, BASE, ACC
	CONSTANTS
	PADDING
	MOVD	n+8(FP), N
	LOAD(U, M0, F5)
	VORR	PAD1.B16, M1.B16, M1.B16

iteration:
	MOVD	BASE, ST

block:
	LOAD(ST, SA0, F17)
	VMOV	SA0.B16, A0.B16
	VMOV	SA0.B16, T0.B16
	VMOV	SE0.B16, E0.B16
	VEOR	M2.B16, M2.B16, M2.B16
	VMOV	PAD3.B16, M3.B16
	BLOCK
	// The digest becomes the next message.
	VADD	SA0.S4, A0.S4, M0.S4
	VADD	SA0.S4, A0.S4, A0.S4
	VADD	SE0.S4, E0.S4, E0.S4
	VORR	PAD1.B16, E0.B16, M1.B16
	SUB	ST, OUTER, LEFT
	MOVD	OUTER, ST
	CBNZ	LEFT, block

	LOAD(ACC, X, F27)
	VEOR	A0.B16, X.B16, X.B16
	VEOR	E0.B16, Y.B16, Y.B16
	STORE(X, F27, ACC)
	SUB	$1, N
	CBNZ	N, iteration
	STORE(A0, F1, U)
	RET

// func loop1x2SHA1(s *[2]Stream1, n int)
//
// loop1x2SHA1 runs n iterations of HMAC-SHA-1 in each of two streams. The rest is as for
// loop1x1SHA1.
TEXT ·loop1x2SHA1(SB), NOSPLIT, $0-16
	MOVD	s+0(FP), BASE
	ADD	$20, BASE, OUTER
	ADD	$40, BASE, U
	ADD	$60, BASE, ACC
	ADD	$80, U, U1
	ADD	$80, ACC, ACC1
	CONSTANTS
	PADDING
	MOVD	n+8(FP), N
	LOAD(U, M0, F5)
	LOAD(U1, N0, F13)
	VORR	PAD1.B16, M1.B16, M1.B16
	VORR	PAD1.B16, N1.B16, N1.B16

iteration:
	MOVD	BASE, ST

block:
	ADD	$80, ST, ST1
	LOAD(ST, SA0, F17)
	LOAD(ST1, SA1, F19)
	VMOV	SA0.B16, A0.B16
	VMOV	SA0.B16, T0.B16
	VMOV	SE0.B16, E0.B16
	VMOV	SA1.B16, A1.B16
	VMOV	SA1.B16, T1.B16
	VMOV	SE1.B16, E1.B16
	VEOR	M2.B16, M2.B16, M2.B16
	VEOR	N2.B16, N2.B16, N2.B16
	VMOV	PAD3.B16, M3.B16
	VMOV	PAD3.B16, N3.B16
	BLOCKS
	// The digests become the next messages.
	VADD	SA0.S4, A0.S4, M0.S4
	VADD	SA1.S4, A1.S4, N0.S4
	VADD	SA0.S4, A0.S4, A0.S4
	VADD	SE0.S4, E0.S4, E0.S4
	VADD	SA1.S4, A1.S4, A1.S4
	VADD	SE1.S4, E1.S4, E1.S4
	VORR	PAD1.B16, E0.B16, M1.B16
	VORR	PAD1.B16, E1.B16, N1.B16
	SUB	ST, OUTER, LEFT
	MOVD	OUTER, ST
	CBNZ	LEFT, block

	LOAD(ACC, X, F27)
	VEOR	A0.B16, X.B16, X.B16
	VEOR	E0.B16, Y.B16, Y.B16
	STORE(X, F27, ACC)
	LOAD(ACC1, X, F27)
	VEOR	A1.B16, X.B16, X.B16
	VEOR	E1.B16, Y.B16, Y.B16
	STORE(X, F27, ACC1)
	SUB	$1, N
	CBNZ	N, iteration
	STORE(A0, F1, U)
	STORE(A1, F9, U1)
	RET

// func blocks1SHA1(h *[5]uint32, p []byte)
//
// blocks1SHA1 replaces the state h by that after the message p.
//
// Lengths: p has a multiple of 64 bytes and is not empty.
// Aliasing: h does not overlap p.
// Secret: all values. Public: the length of p.
// Needs: FEAT_SHA1.
TEXT ·blocks1SHA1(SB), NOSPLIT, $0-32
	MOVD	h+0(FP), BASE
	MOVD	p_base+8(FP), MSG
	CONSTANTS
	MOVD	p_len+16(FP), LEN
	LOAD(BASE, A0, F1)

block:
	VMOV	A0.B16, T0.B16
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
	STORE(A0, F1, BASE)
	RET
