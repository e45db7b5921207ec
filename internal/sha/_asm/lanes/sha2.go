package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The frame of a SHA-2 kernel. Words 8 to 15 of a message are constant, and so is what
// they add to the rounds 8 to 15 and to the words 16 to 31 of the schedule.
const (
	sha2W        slot = 0          // the ring of schedule words; between blocks, the message
	sha2State         = sha2W + 16 // 8 vectors inner, 8 outer
	sha2Acc           = sha2State + 16
	sha2Keep          = sha2Acc + 8
	sha2Pad           = sha2Keep + 8
	sha2Rounds        = sha2Pad + 8    // for rounds 8 to 15, with the round constants
	sha2Schedule      = sha2Rounds + 8 // for words 16 to 31
	sha2Frame         = sha2Schedule + 16
)

// sha2Slot is where word i of a stream goes: inner, outer, U, acc.
func sha2Slot(i int) slot {
	switch {
	case i < 16:
		return sha2State + slot(i)
	case i < 24:
		return sha2W + slot(i-16)
	default:
		return sha2Acc + slot(i-24)
	}
}

// Registers beside the first eight, which are the state.
var (
	sha2New  = Y8                      // the last word of the schedule
	sha2Sums = [2]VecPhysical{Y9, Y10} // b^c and a^b, or the other way round, see round
	sha2Tmp  = Y[11:14]
	sha2Mask = Y14 // shuffles bytes for a rotation of 64-bit words by 8 bits
)

// A sha2 is one of the two sizes of SHA-2.
type sha2 struct {
	shape
	rounds int
	k      string // the Go variable with the round constants

	// Rotations and, last in the small ones, the shift. FIPS 180-4 §4.1.2 and §4.1.3.
	bigS0, bigS1, smallS0, smallS1 [3]int

	add, left, right, broadcast func(ops ...Op)
}

func lanes256() {
	h := &sha2{
		shape: shape{lanes: 8, stride: 32 * 4}, rounds: 64, k: "k256",
		bigS0: [3]int{2, 13, 22}, bigS1: [3]int{6, 11, 25},
		smallS0: [3]int{7, 18, 3}, smallS1: [3]int{17, 19, 10},
		add: b.VPADDD, left: b.VPSLLD, right: b.VPSRLD, broadcast: b.VPBROADCASTD,
	}
	h.kernel("loop256x8AVX2", "func(s, trim *byte, n int)")
}

func lanes512() {
	h := &sha2{
		shape: shape{lanes: 4, stride: 32 * 8}, rounds: 80, k: "k512",
		bigS0: [3]int{28, 34, 39}, bigS1: [3]int{14, 18, 41},
		smallS0: [3]int{1, 8, 7}, smallS1: [3]int{19, 61, 6},
		add: b.VPADDQ, left: b.VPSLLQ, right: b.VPSRLQ, broadcast: b.VPBROADCASTQ,
	}
	h.kernel("loop512x4AVX2", "func(s, trim *byte, n int)")
}

func (h *sha2) kernel(name, signature string) {
	start(name, signature, sha2Frame)
	b.Load(b.Param("trim"), regTrim)
	for from := 0; from < 32; from += h.lanes {
		h.load(from, sha2Slot)
	}
	b.LEAQ(Mem{Symbol: Symbol{Name: "·" + h.k}, Base: StaticBase}, regK)
	h.constants()
	for i := range slot(8) {
		b.VMOVDQU((sha2W + i).mem(), Y0)
		b.VPOR((sha2Pad + i).mem(), Y0, Y0)
		b.VMOVDQU(Y0, (sha2W + i).mem())
	}

	b.Label("iteration")
	b.LEAQ(sha2State.mem(), regState)

	b.Label("block")
	b.LEAQ(Mem{Symbol: Symbol{Name: "·" + h.k}, Base: StaticBase}, regK)
	for i := range 8 {
		b.VMOVDQU(Mem{Base: regState, Disp: vector * i}, Y[i])
	}
	b.VPXOR(Y1, Y2, sha2Sums[0])
	for t := range 16 {
		h.round(t)
	}
	h.rounds16(16)
	b.MOVL(U32(uint32(h.rounds/16-2)), regGroups.As32())
	b.Label("rounds")
	h.rounds16(32)
	b.DECQ(regGroups)
	b.JNE(LabelRef("rounds"))

	// The digest becomes the next message.
	for i := range 8 {
		h.add(Mem{Base: regState, Disp: vector * i}, Y[i], Y[i])
		b.VPAND((sha2Keep + slot(i)).mem(), Y[i], Y[i])
		b.VPOR((sha2Pad + slot(i)).mem(), Y[i], Y8)
		b.VMOVDQU(Y8, (sha2W + slot(i)).mem())
	}
	b.LEAQ((sha2State + 8).mem(), R9)
	b.CMPQ(regState, R9)
	b.MOVQ(R9, regState)
	b.JNE(LabelRef("block"))
	for i := range 8 {
		b.VPXOR((sha2Acc + slot(i)).mem(), Y[i], Y8)
		b.VMOVDQU(Y8, (sha2Acc + slot(i)).mem())
	}
	b.DECQ(regN)
	b.JNE(LabelRef("iteration"))

	// U is still in the registers; in the message, it has the padding.
	for i := range 8 {
		b.VMOVDQU(Y[i], (sha2W + slot(i)).mem())
	}
	for from := 16; from < 32; from += h.lanes {
		h.store(from, sha2Slot)
	}
	finish(sha2Frame)
}

// constants sets sha2Mask and fills the part of the frame that depends on nothing but the
// trim.
func (h *sha2) constants() {
	b.Comment("Constants")
	if h.lanes == 4 {
		b.MOVQ(U64(0x00_07_06_05_04_03_02_01), R9)
		b.VMOVQ(R9, X0)
		b.MOVQ(U64(0x08_0f_0e_0d_0c_0b_0a_09), R9)
		b.VMOVQ(R9, X1)
		b.VPUNPCKLQDQ(X1, X0, X0)
		b.VINSERTI128(Imm(1), X0, Y0, sha2Mask)
	}
	size := vector / h.lanes
	for i := range 8 {
		h.broadcast(Mem{Base: regTrim, Disp: size * i}, Y0)
		b.VMOVDQU(Y0, (sha2Keep + slot(i)).mem())
		h.broadcast(Mem{Base: regTrim, Disp: size * (8 + i)}, Y0)
		b.VMOVDQU(Y0, (sha2Pad + slot(i)).mem())
	}
	words := Y[:8]
	for i, r := range words {
		h.broadcast(Mem{Base: regTrim, Disp: size * (16 + i)}, r)
		h.broadcast(Mem{Base: regK, Disp: size * (8 + i)}, Y8)
		h.add(r, Y8, Y8)
		b.VMOVDQU(Y8, (sha2Rounds + slot(i)).mem())
	}
	out, tmp := sha2Tmp[0], sha2Tmp[1]
	for t := 16; t < 32; t++ {
		b.VPXOR(Y8, Y8, Y8)
		if isPadding(t - 16) {
			h.add(words[t-16-8], Y8, Y8)
		}
		if isPadding(t - 15) {
			h.sigma(words[t-15-8], h.smallS0, shift, out, tmp)
			h.add(out, Y8, Y8)
		}
		if isPadding(t - 7) {
			h.add(words[t-7-8], Y8, Y8)
		}
		if isPadding(t - 2) {
			h.sigma(words[t-2-8], h.smallS1, shift, out, tmp)
			h.add(out, Y8, Y8)
		}
		b.VMOVDQU(Y8, (sha2Schedule + slot(t-16)).mem())
	}
}

// isPadding reports whether word t of the schedule is constant.
func isPadding(t int) bool { return 8 <= t && t < 16 }

// rounds16 emits the rounds t to t + 15 and their steps of the schedule. t is 16, or 32 for
// any later multiple of 16.
func (h *sha2) rounds16(t int) {
	b.ADDQ(U32(uint32(16*vector/h.lanes)), regK)
	for i := range 16 {
		h.schedule(t + i)
		h.round(t + i)
	}
}

// schedule sets sha2New and its place in the ring to word t of the schedule.
func (h *sha2) schedule(t int) {
	ring := func(t int) Mem { return (sha2W + slot(t%16)).mem() }
	x, out, tmp := sha2Tmp[0], sha2Tmp[1], sha2Tmp[2]
	// The first term is in memory.
	first := true
	sum := func(term Op) {
		if first {
			b.VMOVDQU(term, sha2New)
		} else {
			h.add(term, sha2New, sha2New)
		}
		first = false
	}
	if t < 32 {
		sum((sha2Schedule + slot(t-16)).mem())
	}
	if !isPadding(t - 16) {
		sum(ring(t - 16))
	}
	if !isPadding(t - 7) {
		sum(ring(t - 7))
	}
	if !isPadding(t - 15) {
		b.VMOVDQU(ring(t-15), x)
		h.sigma(x, h.smallS0, shift, out, tmp)
		sum(out)
	}
	if !isPadding(t - 2) {
		b.VMOVDQU(ring(t-2), x)
		h.sigma(x, h.smallS1, shift, out, tmp)
		sum(out)
	}
	b.VMOVDQU(sha2New, ring(t))
}

// What the third part of a sigma is.
const (
	rotation = false
	shift    = true
)

// sigma sets out to the exclusive or of x rotated to the right by three numbers, or by two
// and shifted by the third.
func (h *sha2) sigma(x VecPhysical, by [3]int, third bool, out, tmp VecPhysical) {
	width := 8 * vector / h.lanes
	for i, n := range by {
		if n == 8 {
			b.VPSHUFB(sha2Mask, x, tmp)
			b.VPXOR(tmp, out, out)
			continue
		}
		if i == 0 {
			h.right(U8(n), x, out)
		} else {
			h.right(U8(n), x, tmp)
			b.VPXOR(tmp, out, out)
		}
		if i < 2 || third == rotation {
			h.left(U8(width-n), x, tmp)
			b.VPXOR(tmp, out, out)
		}
	}
}

// round emits round t. From 16 on, its word of the schedule is in sha2New.
//
// The majority of a, b and c is (b^c)&(a^b) ^ b, and a^b is b^c of the next round.
func (h *sha2) round(t int) {
	reg := func(i int) VecPhysical { return Y[(i-t%8+8)%8] }
	va, vb, vd, ve, vf, vg, vh := reg(0), reg(1), reg(3), reg(4), reg(5), reg(6), reg(7)
	bc, ab := sha2Sums[t%2], sha2Sums[(t+1)%2]
	out, tmp := sha2Tmp[0], sha2Tmp[1]

	if isPadding(t) {
		h.add((sha2Rounds + slot(t-8)).mem(), vh, vh)
	} else {
		h.broadcast(Mem{Base: regK, Disp: vector / h.lanes * (t % 16)}, tmp)
		h.add(tmp, vh, vh)
		if t < 8 {
			h.add((sha2W + slot(t)).mem(), vh, vh)
		} else {
			h.add(sha2New, vh, vh)
		}
	}
	b.VPXOR(vf, vg, tmp)
	b.VPAND(ve, tmp, tmp)
	b.VPXOR(vg, tmp, tmp)
	h.add(tmp, vh, vh)
	h.sigma(ve, h.bigS1, rotation, out, tmp)
	h.add(out, vh, vh)
	h.add(vh, vd, vd)
	b.VPXOR(va, vb, ab)
	b.VPAND(ab, bc, bc)
	b.VPXOR(vb, bc, bc)
	h.add(bc, vh, vh)
	h.sigma(va, h.bigS0, rotation, out, tmp)
	h.add(out, vh, vh)
}
