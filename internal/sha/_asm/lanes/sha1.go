package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The frame of the SHA-1 kernel. Words 5 to 15 of a message are constant, and 6 to 14 are 0.
const (
	sha1W     slot = 0          // the ring of schedule words; between blocks, the message
	sha1State      = sha1W + 16 // 5 vectors inner, 5 outer
	sha1Acc        = sha1State + 10
	sha1W5         = sha1Acc + 5 // message word 5
	sha1W15        = sha1W5 + 1  // message word 15
	sha1K          = sha1W15 + 1 // the round constants
	sha1Frame      = sha1K + 4
	sha1None  slot = -1 // in place of a vector that is 0
)

// sha1Slot is where word i of a stream goes: inner, outer, U, acc.
func sha1Slot(i int) slot {
	switch {
	case i < 10:
		return sha1State + slot(i)
	case i < 15:
		return sha1W + slot(i-10)
	default:
		return sha1Acc + slot(i-15)
	}
}

// sha1Words is the size of a stream. The last vector of a row overlaps the one before.
const sha1Words = 20

func lanes1() {
	h := shape{lanes: 8, stride: sha1Words * 4}
	start("loop1x8AVX2", "func(s *byte, n int)", sha1Frame)
	for _, from := range []int{0, 8, sha1Words - 8} {
		h.load(from, sha1Slot)
	}
	b.Comment("Constants")
	for _, c := range []struct {
		slot
		value uint32
	}{
		{sha1W5, 1 << 31}, {sha1W15, (64 + 20) * 8},
		// FIPS 180-4 §4.2.1.
		{sha1K, 0x5a827999}, {sha1K + 1, 0x6ed9eba1}, {sha1K + 2, 0x8f1bbcdc}, {sha1K + 3, 0xca62c1d6},
	} {
		b.MOVL(U32(c.value), EAX)
		b.VMOVD(EAX, X0)
		b.VPBROADCASTD(X0, Y0)
		b.VMOVDQU(Y0, c.mem())
	}

	b.Label("iteration")
	b.LEAQ(sha1State.mem(), regState)

	b.Label("block")
	for i := range 5 {
		b.VMOVDQU(Mem{Base: regState, Disp: vector * i}, Y[i])
	}
	for t := range 80 {
		sha1Round(t)
	}
	// The digest becomes the next message.
	for i := range 5 {
		b.VPADDD(Mem{Base: regState, Disp: vector * i}, Y[i], Y[i])
		b.VMOVDQU(Y[i], (sha1W + slot(i)).mem())
	}
	b.LEAQ((sha1State + 5).mem(), R9)
	b.CMPQ(regState, R9)
	b.MOVQ(R9, regState)
	b.JNE(LabelRef("block"))
	for i := range 5 {
		b.VPXOR((sha1Acc + slot(i)).mem(), Y[i], Y5)
		b.VMOVDQU(Y5, (sha1Acc + slot(i)).mem())
	}
	b.DECQ(regN)
	b.JNE(LabelRef("iteration"))

	for _, from := range []int{8, sha1Words - 8} {
		h.store(from, sha1Slot)
	}
	finish(sha1Frame)
}

// sha1Word is the slot of word t of the schedule.
func sha1Word(t int) slot {
	switch {
	case t == 5:
		return sha1W5
	case t == 15:
		return sha1W15
	case 5 < t && t < 15:
		return sha1None
	default:
		return sha1W + slot(t%16)
	}
}

// sha1Round emits round t, with its step of the schedule.
func sha1Round(t int) {
	reg := func(i int) VecPhysical { return Y[(i+80-t)%5] }
	va, vb, vc, vd, ve := reg(0), reg(1), reg(2), reg(3), reg(4)
	new, t0, t1, t2 := Y5, Y6, Y7, Y8

	if t < 16 {
		if w := sha1Word(t); w != sha1None {
			b.VPADDD(w.mem(), ve, ve)
		}
	} else {
		var x Op
		for _, back := range []int{16, 14, 8, 3} {
			w := sha1Word(t - back)
			switch {
			case w == sha1None:
			case x == nil:
				b.VMOVDQU(w.mem(), new)
				x = new
			default:
				b.VPXOR(w.mem(), new, new)
			}
		}
		b.VPSRLD(U8(31), new, t0)
		b.VPADDD(new, new, new)
		b.VPOR(t0, new, new)
		if t+3 < 80 {
			b.VMOVDQU(new, (sha1W + slot(t%16)).mem())
		}
		b.VPADDD(new, ve, ve)
	}
	b.VPADDD((sha1K + slot(t/20)).mem(), ve, ve)
	switch t / 20 {
	case 0:
		b.VPXOR(vc, vd, t0)
		b.VPAND(vb, t0, t0)
		b.VPXOR(vd, t0, t0)
		b.VPADDD(t0, ve, ve)
	case 2:
		// The two terms have no bit in common.
		b.VPAND(vc, vd, t0)
		b.VPADDD(t0, ve, ve)
		b.VPXOR(vc, vd, t0)
		b.VPAND(vb, t0, t0)
		b.VPADDD(t0, ve, ve)
	default:
		b.VPXOR(vc, vd, t0)
		b.VPXOR(vb, t0, t0)
		b.VPADDD(t0, ve, ve)
	}
	b.VPSLLD(U8(5), va, t1)
	b.VPSRLD(U8(27), va, t2)
	b.VPOR(t2, t1, t1)
	b.VPADDD(t1, ve, ve)
	b.VPSLLD(U8(30), vb, t1)
	b.VPSRLD(U8(2), vb, t2)
	b.VPOR(t2, t1, vb)
}
