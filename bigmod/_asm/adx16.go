package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// This file holds the kernels for 16 limbs, the halves of a 2048-bit key: those of
// adx.go without loops, so that carries and sums stay in registers between blocks.

// blockAt is block for the multiplicand at x, the multipliers at y and the sum at z.
func (w *window) blockAt(x, y, z Mem) {
	for k := range 8 {
		b.MOVQ(y.Offset(8*k), RDX)
		b.XORL(EAX, EAX)
		w.rowAt(x, func(r GPPhysical) { b.MOVQ(r, z.Offset(8*k)) })
	}
}

// addSquare adds the square of the limb at x to the double of lo and hi, registers or
// memory, in the two chains, and stores the sum at z. The first of a sequence also
// adds BP, at most 2, and starts the chains. It uses AX, BX, CX and DX.
func addSquare(x Mem, lo, hi Op, z Mem, first bool) {
	b.MOVQ(x, RDX)
	b.MULXQ(RDX, RBX, RCX)
	if first {
		b.ADDQ(RBP, RBX)
		b.ADCQ(Imm(0), RCX)
		b.XORL(EAX, EAX)
	}
	for i, v := range []Op{lo, hi} {
		r, ok := v.(GPPhysical)
		if !ok {
			r = RAX
			b.MOVQ(v, r)
		}
		b.ADCXQ(r, r)
		b.ADOXQ([]GPPhysical{RBX, RCX}[i], r)
		b.MOVQ(r, z.Offset(8*i))
	}
}

func sqrADX16() {
	function("sqrADX16", "func(z, x []uint)")
	b.MOVQ(base("z"), RDI)
	b.MOVQ(base("x"), RSI)
	square16()
	b.RET()
}

// square16 sets the 32 limbs at DI to the square of the 16 at SI.
func square16() {
	x, z := Mem{Base: RSI}, Mem{Base: RDI}
	w := newWindow()

	// The products of the lowest limb start the window.
	b.MOVQ(x, RDX)
	b.MULXQ(x.Offset(8), w[1], w[2])
	for l := 2; l < 8; l++ {
		b.MULXQ(x.Offset(8*l), RBX, w[(l+1)%8])
		if l == 2 {
			b.ADDQ(RBX, w[l])
		} else {
			b.ADCQ(RBX, w[l])
		}
	}
	b.ADCQ(Imm(0), w[0])
	b.MOVQ(w[1], z.Offset(8))
	b.MOVQ(w[2], z.Offset(16))
	w.triangleAt(x, z, 1)
	w.blockAt(x.Offset(64), x, z.Offset(64))

	// The lower half is final before doubling: its squares. Their chains, which
	// are long, run beside the second triangle.
	b.XORL(EBP, EBP)
	for i := range 8 {
		var lo Op = z.Offset(16 * i)
		if i == 0 {
			lo = RAX // the lowest limb has no product of different limbs
			b.XORL(EAX, EAX)
		}
		addSquare(x.Offset(8*i), lo, z.Offset(16*i+8), z.Offset(16*i), i == 0)
	}
	b.MOVL(U32(0), EBP)
	b.MOVL(U32(0), EAX)
	b.ADCXQ(RAX, RBP)
	b.ADOXQ(RAX, RBP)

	b.MOVQ(w[0], z.Offset(128))
	w.triangleAt(x.Offset(64), z.Offset(128), 0)
	for i := range 4 {
		addSquare(x.Offset(64+8*i), z.Offset(128+16*i), z.Offset(128+16*i+8), z.Offset(128+16*i), i == 0)
	}
	for i := range 4 {
		addSquare(x.Offset(96+8*i), w[2*i], w[2*i+1], z.Offset(192+16*i), false)
	}
}

func montReduceADX16() {
	function("montReduceADX16", "func(z, t, m []uint, m0inv uint)")
	b.Load(b.Param("t").Base(), RDI)
	b.Load(b.Param("m").Base(), RSI)
	reduce16()
	b.RET()
}

func montMulADX16() {
	function("montMulADX16", "func(z, x, y, t, m []uint, m0inv uint)")
	multiply("mul", base("t"), base("x"), base("y"), length("m"))
	b.MOVQ(base("t"), RDI)
	b.MOVQ(base("m"), RSI)
	reduce16()
	b.RET()
}

func montSqrsADX16() {
	function("montSqrsADX16", "func(z, x, t, m []uint, m0inv uint, k int)")
	b.Load(b.Param("t").Base(), RDI)
	b.Load(b.Param("x").Base(), RSI)
	left := slot()
	b.Load(b.Param("k"), RAX)
	b.MOVQ(RAX, left)
	align()
	b.Label("again")
	square16()
	b.Load(b.Param("m").Base(), RSI)
	reduce16()
	b.MOVQ(RDX, RSI)
	b.DECQ(left)
	b.JNE(LabelRef("again"))
	b.RET()
}

// reduce16 sets the 16 limbs of z to the Montgomery reduction of the 32 at DI modulo
// those at SI. It leaves DI, and sets DX to z.
func reduce16() {
	carry := slot()
	t, m := Mem{Base: RDI}, Mem{Base: RSI}
	w := newWindow()
	diagonal := func(t Mem) {
		for k := range 8 {
			b.MOVQ(w[0], RDX)
			b.IMULQ(param("m0inv"), RDX)
			b.MOVQ(RDX, t.Offset(8*k))
			b.XORL(EAX, EAX)
			w.rowAt(m, func(GPPhysical) {})
		}
	}
	// plus adds eight limbs to the window, without a carry in.
	plus := func(t Mem) {
		for i, r := range w {
			if i == 0 {
				b.ADDQ(t, r)
			} else {
				b.ADCQ(t.Offset(8*i), r)
			}
		}
	}

	// The lower eight limbs of t.
	for i, r := range w {
		b.MOVQ(t.Offset(8*i), r)
	}
	diagonal(t)
	plus(t.Offset(64))
	b.SBBQ(RBP, RBP)
	w.blockAt(m.Offset(64), t, t.Offset(64))
	b.ADDQ(RBP, RBP)
	for i, r := range w {
		b.ADCQ(t.Offset(128+8*i), r)
		b.MOVQ(r, t.Offset(128+8*i))
	}
	b.SBBQ(RBP, RBP)

	// The next eight. BP is the carry above the limbs just stored.
	for i, r := range w {
		b.MOVQ(t.Offset(64+8*i), r)
	}
	diagonal(t.Offset(64))
	plus(t.Offset(128))
	b.SBBQ(RAX, RAX)
	b.MOVQ(RAX, carry)
	w.blockAt(m.Offset(64), t.Offset(64), t.Offset(128))

	// z = result - m, the low half of it while the rest is added up.
	b.Load(b.Param("z").Base(), RDX)
	z := Mem{Base: RDX}
	subtract := func(i int, r GPPhysical) {
		if i == 0 {
			b.SUBQ(m, r)
		} else {
			b.SBBQ(m.Offset(8*i), r)
		}
		b.MOVQ(r, z.Offset(8*i))
	}
	for i := range 8 {
		b.MOVQ(t.Offset(128+8*i), RAX)
		subtract(i, RAX)
	}
	b.SBBQ(RCX, RCX)

	b.XORL(EAX, EAX)
	b.MOVQ(carry, RBX)
	b.ADCXQ(RBX, RBX)
	b.ADOXQ(RBP, RBP)
	for i, r := range w {
		b.ADCXQ(t.Offset(192+8*i), r)
		b.ADOXQ(RAX, r)
	}
	b.MOVL(U32(0), EBP)
	b.ADCXQ(RAX, RBP)
	b.ADOXQ(RAX, RBP)

	// The upper half of the result is in the window. The result itself if there is
	// a borrow and no carry to take it from.
	b.ADDQ(RCX, RCX)
	for i, r := range w {
		b.MOVQ(r, RAX)
		subtract(8+i, RAX)
	}
	b.SBBQ(Imm(0), RBP)
	for i := range 16 {
		b.MOVQ(z.Offset(8*i), RAX)
		if i < 8 {
			b.CMOVQCS(t.Offset(128+8*i), RAX)
		} else {
			b.CMOVQCS(w[i-8], RAX)
		}
		b.MOVQ(RAX, z.Offset(8*i))
	}
}
