//go:build !purego

#include "textflag.h"

// SHA-512 by the instructions of FEAT_SHA512. A vector has two words of the state or of
// the message, the first in the lower lane.

// Registers of stream 0 and stream 1. S and T are the state, in four of five registers
// whose roles move on with every two rounds, M and N the message. They leave six: the
// constants of two rounds, which become a sum for the last stream that reads them, the
// same sum for stream 0, and what of the state lies across vectors.
#define S0 V0
#define S1 V1
#define S2 V2
#define S3 V3
#define S4 V4
#define T0 V5
#define T1 V6
#define T2 V7
#define T3 V8
#define T4 V9
#define M0 V10
#define M1 V11
#define M2 V12
#define M3 V13
#define M4 V14
#define M5 V15
#define M6 V16
#define M7 V17
#define N0 V18
#define N1 V19
#define N2 V20
#define N3 V21
#define N4 V22
#define N5 V23
#define N6 V24
#define N7 V25
#define K V26
#define W V27
#define FG V28
#define DE V29
#define FG1 V30
#define DE1 V31

#define BASE R0
#define N R1
#define KEEP R2
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
#define PAD R13
#define PAD8 R14
#define MSG R1
#define LEN R2

// ROUNDS is two rounds with the words m. The new state is gh, ab, free, ef.
#define ROUNDS(k, w, fg, de, ab, cd, ef, gh, free, m) \
	VADD	k.D2, m.D2, w.D2 \
	VEXT	$8, w.B16, w.B16, w.B16 \
	VEXT	$8, gh.B16, ef.B16, fg.B16 \
	VEXT	$8, ef.B16, cd.B16, de.B16 \
	VADD	w.D2, gh.D2, gh.D2 \
	SHA512H	de.D2, fg, gh \
	VADD	gh.D2, cd.D2, free.D2 \
	SHA512H2	ab.D2, cd, gh

// SCHEDULE makes m0 the words 16 further on.
#define SCHEDULE(t, m0, m1, m4, m5, m7) \
	VEXT	$8, m5.B16, m4.B16, t.B16 \
	SHA512SU0	m1.D2, m0.D2 \
	SHA512SU1	t.D2, m7.D2, m0.D2

// LAST and STEP are two rounds of stream 0, without and with a step of the schedule.
#define LAST(ab, cd, ef, gh, free, m0) \
	VLD1.P	16(KP), [K.D2] \
	ROUNDS(K, W, FG, DE, ab, cd, ef, gh, free, m0)
#define STEP(ab, cd, ef, gh, free, m0, m1, m4, m5, m7) \
	LAST(ab, cd, ef, gh, free, m0) \
	SCHEDULE(W, m0, m1, m4, m5, m7)

// LAST1 and STEP1 follow them for stream 1 and overwrite K.
#define LAST1(ab, cd, ef, gh, free, m0) \
	ROUNDS(K, K, FG1, DE1, ab, cd, ef, gh, free, m0)
#define STEP1(ab, cd, ef, gh, free, m0, m1, m4, m5, m7) \
	LAST1(ab, cd, ef, gh, free, m0) \
	SCHEDULE(K, m0, m1, m4, m5, m7)

// BLOCK is the 80 rounds of stream 0.
#define BLOCK \
	MOVD	KTAB, KP \
	STEP(S0, S1, S2, S3, S4, M0, M1, M4, M5, M7) \
	STEP(S3, S0, S4, S2, S1, M1, M2, M5, M6, M0) \
	STEP(S2, S3, S1, S4, S0, M2, M3, M6, M7, M1) \
	STEP(S4, S2, S0, S1, S3, M3, M4, M7, M0, M2) \
	STEP(S1, S4, S3, S0, S2, M4, M5, M0, M1, M3) \
	STEP(S0, S1, S2, S3, S4, M5, M6, M1, M2, M4) \
	STEP(S3, S0, S4, S2, S1, M6, M7, M2, M3, M5) \
	STEP(S2, S3, S1, S4, S0, M7, M0, M3, M4, M6) \
	STEP(S4, S2, S0, S1, S3, M0, M1, M4, M5, M7) \
	STEP(S1, S4, S3, S0, S2, M1, M2, M5, M6, M0) \
	STEP(S0, S1, S2, S3, S4, M2, M3, M6, M7, M1) \
	STEP(S3, S0, S4, S2, S1, M3, M4, M7, M0, M2) \
	STEP(S2, S3, S1, S4, S0, M4, M5, M0, M1, M3) \
	STEP(S4, S2, S0, S1, S3, M5, M6, M1, M2, M4) \
	STEP(S1, S4, S3, S0, S2, M6, M7, M2, M3, M5) \
	STEP(S0, S1, S2, S3, S4, M7, M0, M3, M4, M6) \
	STEP(S3, S0, S4, S2, S1, M0, M1, M4, M5, M7) \
	STEP(S2, S3, S1, S4, S0, M1, M2, M5, M6, M0) \
	STEP(S4, S2, S0, S1, S3, M2, M3, M6, M7, M1) \
	STEP(S1, S4, S3, S0, S2, M3, M4, M7, M0, M2) \
	STEP(S0, S1, S2, S3, S4, M4, M5, M0, M1, M3) \
	STEP(S3, S0, S4, S2, S1, M5, M6, M1, M2, M4) \
	STEP(S2, S3, S1, S4, S0, M6, M7, M2, M3, M5) \
	STEP(S4, S2, S0, S1, S3, M7, M0, M3, M4, M6) \
	STEP(S1, S4, S3, S0, S2, M0, M1, M4, M5, M7) \
	STEP(S0, S1, S2, S3, S4, M1, M2, M5, M6, M0) \
	STEP(S3, S0, S4, S2, S1, M2, M3, M6, M7, M1) \
	STEP(S2, S3, S1, S4, S0, M3, M4, M7, M0, M2) \
	STEP(S4, S2, S0, S1, S3, M4, M5, M0, M1, M3) \
	STEP(S1, S4, S3, S0, S2, M5, M6, M1, M2, M4) \
	STEP(S0, S1, S2, S3, S4, M6, M7, M2, M3, M5) \
	STEP(S3, S0, S4, S2, S1, M7, M0, M3, M4, M6) \
	LAST(S2, S3, S1, S4, S0, M0) \
	LAST(S4, S2, S0, S1, S3, M1) \
	LAST(S1, S4, S3, S0, S2, M2) \
	LAST(S0, S1, S2, S3, S4, M3) \
	LAST(S3, S0, S4, S2, S1, M4) \
	LAST(S2, S3, S1, S4, S0, M5) \
	LAST(S4, S2, S0, S1, S3, M6) \
	LAST(S1, S4, S3, S0, S2, M7)

// BLOCKS is the 80 rounds of both streams.
#define BLOCKS \
	MOVD	KTAB, KP \
	STEP(S0, S1, S2, S3, S4, M0, M1, M4, M5, M7) \
	STEP1(T0, T1, T2, T3, T4, N0, N1, N4, N5, N7) \
	STEP(S3, S0, S4, S2, S1, M1, M2, M5, M6, M0) \
	STEP1(T3, T0, T4, T2, T1, N1, N2, N5, N6, N0) \
	STEP(S2, S3, S1, S4, S0, M2, M3, M6, M7, M1) \
	STEP1(T2, T3, T1, T4, T0, N2, N3, N6, N7, N1) \
	STEP(S4, S2, S0, S1, S3, M3, M4, M7, M0, M2) \
	STEP1(T4, T2, T0, T1, T3, N3, N4, N7, N0, N2) \
	STEP(S1, S4, S3, S0, S2, M4, M5, M0, M1, M3) \
	STEP1(T1, T4, T3, T0, T2, N4, N5, N0, N1, N3) \
	STEP(S0, S1, S2, S3, S4, M5, M6, M1, M2, M4) \
	STEP1(T0, T1, T2, T3, T4, N5, N6, N1, N2, N4) \
	STEP(S3, S0, S4, S2, S1, M6, M7, M2, M3, M5) \
	STEP1(T3, T0, T4, T2, T1, N6, N7, N2, N3, N5) \
	STEP(S2, S3, S1, S4, S0, M7, M0, M3, M4, M6) \
	STEP1(T2, T3, T1, T4, T0, N7, N0, N3, N4, N6) \
	STEP(S4, S2, S0, S1, S3, M0, M1, M4, M5, M7) \
	STEP1(T4, T2, T0, T1, T3, N0, N1, N4, N5, N7) \
	STEP(S1, S4, S3, S0, S2, M1, M2, M5, M6, M0) \
	STEP1(T1, T4, T3, T0, T2, N1, N2, N5, N6, N0) \
	STEP(S0, S1, S2, S3, S4, M2, M3, M6, M7, M1) \
	STEP1(T0, T1, T2, T3, T4, N2, N3, N6, N7, N1) \
	STEP(S3, S0, S4, S2, S1, M3, M4, M7, M0, M2) \
	STEP1(T3, T0, T4, T2, T1, N3, N4, N7, N0, N2) \
	STEP(S2, S3, S1, S4, S0, M4, M5, M0, M1, M3) \
	STEP1(T2, T3, T1, T4, T0, N4, N5, N0, N1, N3) \
	STEP(S4, S2, S0, S1, S3, M5, M6, M1, M2, M4) \
	STEP1(T4, T2, T0, T1, T3, N5, N6, N1, N2, N4) \
	STEP(S1, S4, S3, S0, S2, M6, M7, M2, M3, M5) \
	STEP1(T1, T4, T3, T0, T2, N6, N7, N2, N3, N5) \
	STEP(S0, S1, S2, S3, S4, M7, M0, M3, M4, M6) \
	STEP1(T0, T1, T2, T3, T4, N7, N0, N3, N4, N6) \
	STEP(S3, S0, S4, S2, S1, M0, M1, M4, M5, M7) \
	STEP1(T3, T0, T4, T2, T1, N0, N1, N4, N5, N7) \
	STEP(S2, S3, S1, S4, S0, M1, M2, M5, M6, M0) \
	STEP1(T2, T3, T1, T4, T0, N1, N2, N5, N6, N0) \
	STEP(S4, S2, S0, S1, S3, M2, M3, M6, M7, M1) \
	STEP1(T4, T2, T0, T1, T3, N2, N3, N6, N7, N1) \
	STEP(S1, S4, S3, S0, S2, M3, M4, M7, M0, M2) \
	STEP1(T1, T4, T3, T0, T2, N3, N4, N7, N0, N2) \
	STEP(S0, S1, S2, S3, S4, M4, M5, M0, M1, M3) \
	STEP1(T0, T1, T2, T3, T4, N4, N5, N0, N1, N3) \
	STEP(S3, S0, S4, S2, S1, M5, M6, M1, M2, M4) \
	STEP1(T3, T0, T4, T2, T1, N5, N6, N1, N2, N4) \
	STEP(S2, S3, S1, S4, S0, M6, M7, M2, M3, M5) \
	STEP1(T2, T3, T1, T4, T0, N6, N7, N2, N3, N5) \
	STEP(S4, S2, S0, S1, S3, M7, M0, M3, M4, M6) \
	STEP1(T4, T2, T0, T1, T3, N7, N0, N3, N4, N6) \
	STEP(S1, S4, S3, S0, S2, M0, M1, M4, M5, M7) \
	STEP1(T1, T4, T3, T0, T2, N0, N1, N4, N5, N7) \
	STEP(S0, S1, S2, S3, S4, M1, M2, M5, M6, M0) \
	STEP1(T0, T1, T2, T3, T4, N1, N2, N5, N6, N0) \
	STEP(S3, S0, S4, S2, S1, M2, M3, M6, M7, M1) \
	STEP1(T3, T0, T4, T2, T1, N2, N3, N6, N7, N1) \
	STEP(S2, S3, S1, S4, S0, M3, M4, M7, M0, M2) \
	STEP1(T2, T3, T1, T4, T0, N3, N4, N7, N0, N2) \
	STEP(S4, S2, S0, S1, S3, M4, M5, M0, M1, M3) \
	STEP1(T4, T2, T0, T1, T3, N4, N5, N0, N1, N3) \
	STEP(S1, S4, S3, S0, S2, M5, M6, M1, M2, M4) \
	STEP1(T1, T4, T3, T0, T2, N5, N6, N1, N2, N4) \
	STEP(S0, S1, S2, S3, S4, M6, M7, M2, M3, M5) \
	STEP1(T0, T1, T2, T3, T4, N6, N7, N2, N3, N5) \
	STEP(S3, S0, S4, S2, S1, M7, M0, M3, M4, M6) \
	STEP1(T3, T0, T4, T2, T1, N7, N0, N3, N4, N6) \
	LAST(S2, S3, S1, S4, S0, M0) \
	LAST1(T2, T3, T1, T4, T0, N0) \
	LAST(S4, S2, S0, S1, S3, M1) \
	LAST1(T4, T2, T0, T1, T3, N1) \
	LAST(S1, S4, S3, S0, S2, M2) \
	LAST1(T1, T4, T3, T0, T2, N2) \
	LAST(S0, S1, S2, S3, S4, M3) \
	LAST1(T0, T1, T2, T3, T4, N3) \
	LAST(S3, S0, S4, S2, S1, M4) \
	LAST1(T3, T0, T4, T2, T1, N4) \
	LAST(S2, S3, S1, S4, S0, M5) \
	LAST1(T2, T3, T1, T4, T0, N5) \
	LAST(S4, S2, S0, S1, S3, M6) \
	LAST1(T4, T2, T0, T1, T3, N6) \
	LAST(S1, S4, S3, S0, S2, M7) \
	LAST1(T1, T4, T3, T0, T2, N7)

// LOAD starts a block of a stream from the state at p, with the constant half of a message.
#define LOAD(p, s0, s1, s2, s3, m4, m5, m6, m7) \
	VLD1	(p), [s0.D2, s1.D2, s2.D2, s3.D2] \
	VLD1	(PAD8), [m4.D2, m5.D2, m6.D2, m7.D2]

// DIGEST adds the state at p, which makes s the digest, and m0 to m3 the message with it.
#define DIGEST(p, s0, s1, s2, s3, m0, m1, m2, m3) \
	VLD1	(p), [m0.D2, m1.D2, m2.D2, m3.D2] \
	VADD	m0.D2, s0.D2, s0.D2 \
	VADD	m1.D2, s1.D2, s1.D2 \
	VADD	m2.D2, s2.D2, s2.D2 \
	VADD	m3.D2, s3.D2, s3.D2 \
	VLD1	(KEEP), [m0.D2, m1.D2, m2.D2, m3.D2] \
	VAND	m0.B16, s0.B16, s0.B16 \
	VAND	m1.B16, s1.B16, s1.B16 \
	VAND	m2.B16, s2.B16, s2.B16 \
	VAND	m3.B16, s3.B16, s3.B16 \
	MESSAGE(s0, s1, s2, s3, m0, m1, m2, m3)

// MESSAGE sets m0 to m3 to the message with the digest s.
#define MESSAGE(s0, s1, s2, s3, m0, m1, m2, m3) \
	VLD1	(PAD), [m0.D2, m1.D2, m2.D2, m3.D2] \
	VORR	s0.B16, m0.B16, m0.B16 \
	VORR	s1.B16, m1.B16, m1.B16 \
	VORR	s2.B16, m2.B16, m2.B16 \
	VORR	s3.B16, m3.B16, m3.B16

// SUM exclusive-ors the digest s to the words at p, by way of the registers x.
#define SUM(p, s0, s1, s2, s3, x0, x1, x2, x3) \
	VLD1	(p), [x0.D2, x1.D2, x2.D2, x3.D2] \
	VEOR	s0.B16, x0.B16, x0.B16 \
	VEOR	s1.B16, x1.B16, x1.B16 \
	VEOR	s2.B16, x2.B16, x2.B16 \
	VEOR	s3.B16, x3.B16, x3.B16 \
	VST1	[x0.D2, x1.D2, x2.D2, x3.D2], (p)

// func loop512x1SHA512(s *Stream512, trim *Trim512, n int)
//
// loop512x1SHA512 runs n iterations of HMAC-SHA-512, trimmed, in a stream: U = HMAC(U),
// Acc = Acc ^ U.
//
// On entry: n is at least 1; the first 8 words of trim.Pad have no bit in common with
// trim.Keep; U is 0 wherever trim.Keep is.
// Aliasing: s does not overlap trim.
// Secret: all words of the stream. Public: n, trim.
// Needs: FEAT_SHA512.
TEXT ·loop512x1SHA512(SB), NOSPLIT, $0-24
	MOVD	s+0(FP), BASE
	MOVD	trim+8(FP), KEEP
	MOVD	n+16(FP), N
	MOVD	$·k512(SB), KTAB
	ADD	$64, KEEP, PAD
	ADD	$128, KEEP, PAD8
	ADD	$64, BASE, OUTER
	ADD	$128, BASE, U
	ADD	$192, BASE, ACC
	VLD1	(U), [S0.D2, S1.D2, S2.D2, S3.D2]
	MESSAGE(S0, S1, S2, S3, M0, M1, M2, M3)

iteration:
	MOVD	BASE, ST

block:
	LOAD(ST, S0, S1, S2, S3, M4, M5, M6, M7)
	BLOCK
	DIGEST(ST, S0, S1, S2, S3, M0, M1, M2, M3)
	SUB	ST, OUTER, LEFT
	MOVD	OUTER, ST
	CBNZ	LEFT, block

	SUM(ACC, S0, S1, S2, S3, M4, M5, M6, M7)
	SUB	$1, N
	CBNZ	N, iteration
	VST1	[S0.D2, S1.D2, S2.D2, S3.D2], (U)
	RET

// func loop512x2SHA512(s *[2]Stream512, trim *Trim512, n int)
//
// loop512x2SHA512 runs n iterations of HMAC-SHA-512, trimmed, in each of two streams. The
// rest is as for loop512x1SHA512.
TEXT ·loop512x2SHA512(SB), NOSPLIT, $0-24
	MOVD	s+0(FP), BASE
	MOVD	trim+8(FP), KEEP
	MOVD	n+16(FP), N
	MOVD	$·k512(SB), KTAB
	ADD	$64, KEEP, PAD
	ADD	$128, KEEP, PAD8
	ADD	$64, BASE, OUTER
	ADD	$128, BASE, U
	ADD	$192, BASE, ACC
	ADD	$256, U, U1
	ADD	$256, ACC, ACC1
	VLD1	(U), [S0.D2, S1.D2, S2.D2, S3.D2]
	VLD1	(U1), [T0.D2, T1.D2, T2.D2, T3.D2]
	MESSAGE(S0, S1, S2, S3, M0, M1, M2, M3)
	MESSAGE(T0, T1, T2, T3, N0, N1, N2, N3)

iteration:
	MOVD	BASE, ST

block:
	ADD	$256, ST, ST1
	LOAD(ST, S0, S1, S2, S3, M4, M5, M6, M7)
	LOAD(ST1, T0, T1, T2, T3, N4, N5, N6, N7)
	BLOCKS
	DIGEST(ST, S0, S1, S2, S3, M0, M1, M2, M3)
	DIGEST(ST1, T0, T1, T2, T3, N0, N1, N2, N3)
	SUB	ST, OUTER, LEFT
	MOVD	OUTER, ST
	CBNZ	LEFT, block

	SUM(ACC, S0, S1, S2, S3, M4, M5, M6, M7)
	SUM(ACC1, T0, T1, T2, T3, N4, N5, N6, N7)
	SUB	$1, N
	CBNZ	N, iteration
	VST1	[S0.D2, S1.D2, S2.D2, S3.D2], (U)
	VST1	[T0.D2, T1.D2, T2.D2, T3.D2], (U1)
	RET

// func blocks512SHA512(h *[8]uint64, p []byte)
//
// blocks512SHA512 replaces the state h by that after the message p.
//
// Lengths: p has a multiple of 128 bytes and is not empty.
// Aliasing: h does not overlap p.
// Secret: all values. Public: the length of p.
// Needs: FEAT_SHA512.
TEXT ·blocks512SHA512(SB), NOSPLIT, $0-32
	MOVD	h+0(FP), BASE
	MOVD	p_base+8(FP), MSG
	MOVD	p_len+16(FP), LEN
	MOVD	$·k512(SB), KTAB
	VLD1	(BASE), [S0.D2, S1.D2, S2.D2, S3.D2]
	VLD1	(BASE), [T0.D2, T1.D2, T2.D2, T3.D2]

block:
	VLD1.P	64(MSG), [M0.B16, M1.B16, M2.B16, M3.B16]
	VLD1.P	64(MSG), [M4.B16, M5.B16, M6.B16, M7.B16]
	VREV64	M0.B16, M0.B16
	VREV64	M1.B16, M1.B16
	VREV64	M2.B16, M2.B16
	VREV64	M3.B16, M3.B16
	VREV64	M4.B16, M4.B16
	VREV64	M5.B16, M5.B16
	VREV64	M6.B16, M6.B16
	VREV64	M7.B16, M7.B16
	BLOCK
	VADD	T0.D2, S0.D2, S0.D2
	VADD	T1.D2, S1.D2, S1.D2
	VADD	T2.D2, S2.D2, S2.D2
	VADD	T3.D2, S3.D2, S3.D2
	VMOV	S0.B16, T0.B16
	VMOV	S1.B16, T1.B16
	VMOV	S2.B16, T2.B16
	VMOV	S3.B16, T3.B16
	SUB	$128, LEN
	CBNZ	LEN, block
	VST1	[S0.D2, S1.D2, S2.D2, S3.D2], (BASE)
	RET
