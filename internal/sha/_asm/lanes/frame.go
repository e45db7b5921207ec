package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The kernels keep one word of every stream in a vector. What does not fit in the 16
// registers lies in the frame, as vectors that start at a multiple of 32 bytes, so that
// none of them crosses a cache line.
//
// Registers: SI the streams, BX the vectors of the frame, CX the iterations left, DX the
// trim, AX the chaining state of the block at work, DI the round constants, R8 the groups
// of rounds left.
var (
	regStreams = RSI
	regFrame   = RBX
	regN       = RCX
	regTrim    = RDX
	regState   = RAX
	regK       = RDI
	regGroups  = R8
)

const vector = 32

// A slot is the number of a vector in the frame.
type slot int

func (s slot) mem() Mem { return Mem{Base: regFrame, Disp: vector * int(s)} }

// start begins a kernel with the given number of vectors in its frame.
func start(name, signature string, vectors slot) {
	b.Function(name)
	b.SignatureExpr(signature)
	local := b.AllocLocal(vector * (int(vectors) + 1))
	b.LEAQ(local.Offset(vector-1), regFrame)
	b.ANDQ(I32(-vector), regFrame)
	b.Load(b.Param("s"), regStreams)
	b.Load(b.Param("n"), regN)
}

// finish ends a kernel. The frame held secrets, and so did the registers.
func finish(vectors slot) {
	b.Comment("Wipe")
	b.VPXOR(Y0, Y0, Y0)
	for i := range vectors {
		b.VMOVDQU(Y0, i.mem())
	}
	b.VZEROALL()
	b.RET()
}

// A shape is the width of the lanes and the size of a stream.
type shape struct {
	lanes  int // 8 of 32 bits or 4 of 64
	stride int // bytes of a stream
}

// row is the vector of stream i that starts at its word from.
func (s shape) row(i, from int) Mem {
	return Mem{Base: regStreams, Disp: s.stride*i + vector/s.lanes*from}
}

// load moves words from, from + 1, … of all streams, as many as there are lanes, to the
// slots that slotOf gives.
func (s shape) load(from int, slotOf func(int) slot) {
	rows := Y[:s.lanes]
	for i, r := range rows {
		b.VMOVDQU(s.row(i, from), r)
	}
	for i, r := range s.transpose(rows) {
		b.VMOVDQU(r, slotOf(from+i).mem())
	}
}

// store is load in the other direction.
func (s shape) store(from int, slotOf func(int) slot) {
	rows := Y[:s.lanes]
	for i, r := range rows {
		b.VMOVDQU(slotOf(from+i).mem(), r)
	}
	for i, r := range s.transpose(rows) {
		b.VMOVDQU(r, s.row(i, from))
	}
}

// transpose takes as many of the first registers as there are lanes, overwrites all, and
// returns those with the result.
func (s shape) transpose(in []VecPhysical) []VecPhysical {
	if s.lanes == 4 {
		t, out := Y[4:8], Y[8:12]
		for i := 0; i < 4; i += 2 {
			b.VPUNPCKLQDQ(in[i+1], in[i], t[i])
			b.VPUNPCKHQDQ(in[i+1], in[i], t[i+1])
		}
		halves(t[0], t[2], out[0], out[2])
		halves(t[1], t[3], out[1], out[3])
		return out
	}
	t := Y[8:16]
	for i := 0; i < 8; i += 2 {
		b.VPUNPCKLDQ(in[i+1], in[i], t[i])
		b.VPUNPCKHDQ(in[i+1], in[i], t[i+1])
	}
	// Each half of in[i] and in[i+4] now gets column i or i + 4 of four rows.
	for i := 0; i < 8; i += 4 {
		for k := range 2 {
			b.VPUNPCKLQDQ(t[i+2+k], t[i+k], in[i+2*k])
			b.VPUNPCKHQDQ(t[i+2+k], t[i+k], in[i+2*k+1])
		}
	}
	for i := range 4 {
		halves(in[i], in[i+4], t[i], t[i+4])
	}
	return t
}

// halves sets lo to the low halves of x and y, and hi to the high ones.
func halves(x, y, lo, hi VecPhysical) {
	b.VPERM2I128(Imm(0x20), y, x, lo)
	b.VPERM2I128(Imm(0x31), y, x, hi)
}

// Y is the registers by number.
var Y = []VecPhysical{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15}
