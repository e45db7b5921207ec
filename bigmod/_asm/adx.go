package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/mmcloughlin/avo/ir"
)

// This file holds the kernels that use MULX (BMI2), ADCX and ADOX (ADX). They work
// on blocks of eight limbs: eight registers hold the middle of a sum, each row adds
// the product of eight limbs with one, in two carry chains, and shifts the sum down
// by a limb, which is final and goes to memory.
//
// Register use, where nothing else is said:
//
//	R8-R15  the accumulators, rotating
//	DX      the multiplier of a row
//	AX      zero in rows
//	BX, CX  low and high half of a product
//	SI      the multiplicand, moving
//	DI      the sum, moving
//	BP      the multipliers of the rows

// window is eight accumulators, lowest first.
type window [8]GPPhysical

func newWindow() window { return window{R8, R9, R10, R11, R12, R13, R14, R15} }

// at returns limb i at the address in r.
func at(r Register, i int) Mem { return Mem{Base: r, Disp: 8 * i} }

// align puts what follows, the head of a loop, at the start of a decoder's window.
func align() {
	b.Instruction(&ir.Instruction{Opcode: "PCALIGN", Operands: []Op{U64(32)}})
}

// clear zeroes the window.
func (w *window) clear() {
	for _, r := range w {
		b.XORL(r.As32(), r.As32())
	}
}

// rotate makes the lowest accumulator the highest.
func (w *window) rotate() {
	low := w[0]
	copy(w[:], w[1:])
	w[7] = low
}

// row sets window = (window + DX·x) >> 64, where x are eight limbs at SI. It
// passes the limb that drops out to store. AX must be zero, and CF and OF clear.
func (w *window) row(store func(GPPhysical)) {
	for i := range 8 {
		hi := GPPhysical(RCX)
		if i == 7 {
			hi = w[0]
		}
		b.MULXQ(at(RSI, i), RBX, hi)
		b.ADCXQ(RBX, w[i])
		if i == 0 {
			store(w[0])
		}
		if i < 7 {
			b.ADOXQ(RCX, w[i+1])
		}
	}
	b.ADOXQ(RAX, w[0])
	b.ADCXQ(RAX, w[0])
	w.rotate()
}

// block sets the eight limbs at DI, and the window above them, to the window plus
// the product of the eight limbs at SI with the eight at y.
func (w *window) block(y Register) {
	for k := range 8 {
		b.MOVQ(at(y, k), RDX)
		b.XORL(EAX, EAX)
		w.row(func(r GPPhysical) { b.MOVQ(r, at(RDI, k)) })
	}
}

// add adds the eight limbs at DI to the window, with the carry in and out in the
// given memory, as 0 or -1.
func (w *window) add(carry Mem) {
	b.MOVQ(carry, RAX)
	b.ADDQ(RAX, RAX)
	for i, r := range w {
		b.ADCQ(at(RDI, i), r)
	}
	b.SBBQ(RAX, RAX)
	b.MOVQ(RAX, carry)
}

// store stores the window at DI.
func (w *window) store() {
	for i, r := range w {
		b.MOVQ(r, at(RDI, i))
	}
}

// addCarry adds the carry in memory, 0 or -1, to the window.
func (w *window) addCarry(carry Mem) {
	b.MOVQ(carry, RAX)
	b.ADDQ(RAX, RAX)
	for _, r := range w {
		b.ADCQ(Imm(0), r)
	}
}

func mulADX() {
	function("mulADX", "func(z, x, y []uint)")
	carry, xBase, xEnd, zBase, yEnd := b.AllocLocal(8), b.AllocLocal(8), b.AllocLocal(8), b.AllocLocal(8), b.AllocLocal(8)
	b.Load(b.Param("z").Base(), RDI)
	b.Load(b.Param("x").Base(), RSI)
	b.Load(b.Param("y").Base(), RBP)
	b.Load(b.Param("x").Len(), RAX)
	b.MOVQ(RDI, zBase)
	b.MOVQ(RSI, xBase)
	b.LEAQ(Mem{Base: RSI, Index: RAX, Scale: 8}, RBX)
	b.MOVQ(RBX, xEnd)
	b.LEAQ(Mem{Base: RBP, Index: RAX, Scale: 8}, RBX)
	b.MOVQ(RBX, yEnd)

	// The first eight limbs of y.
	w := newWindow()
	w.clear()
	align()
	b.Label("first")
	w.block(RBP)
	b.ADDQ(Imm(64), RDI)
	b.ADDQ(Imm(64), RSI)
	b.CMPQ(RSI, xEnd)
	b.JNE(LabelRef("first"))
	w.store()

	b.JMP(LabelRef("next"))
	b.Label("outer")
	b.MOVQ(zBase, RDI)
	b.ADDQ(Imm(64), RDI)
	b.MOVQ(RDI, zBase)
	b.MOVQ(xBase, RSI)
	b.MOVQ(U32(0), carry)
	w.clear()
	align()
	b.Label("inner")
	w.add(carry)
	w.block(RBP)
	b.ADDQ(Imm(64), RDI)
	b.ADDQ(Imm(64), RSI)
	b.CMPQ(RSI, xEnd)
	b.JNE(LabelRef("inner"))
	w.addCarry(carry)
	w.store()
	b.Label("next")
	b.ADDQ(Imm(64), RBP)
	b.CMPQ(RBP, yEnd)
	b.JNE(LabelRef("outer"))
	b.RET()
}

// triangle sets the eight limbs at DI, and the window above them, to themselves
// plus the products of different limbs among the eight at SI. The window holds the
// eight limbs at DI on entry.
func (w *window) triangle() {
	for k := range 7 {
		b.MOVQ(at(RSI, k), RDX)
		b.XORL(EAX, EAX)
		// Position p, counted from DI, is in register p mod 8.
		for l := k + 1; l < 8; l++ {
			p := k + l
			hi := GPPhysical(RCX)
			if l == 7 {
				hi = w[(p+1)%8]
			}
			b.MULXQ(at(RSI, l), RBX, hi)
			b.ADCXQ(RBX, w[p%8])
			// The row's lowest two limbs are final, as the next starts at 2k + 3.
			if p == 2*k+1 && p < 8 {
				b.MOVQ(w[p], at(RDI, p))
			}
			if l < 7 {
				b.ADOXQ(RCX, w[(p+1)%8])
			}
		}
		top := w[(k+8)%8]
		b.ADOXQ(RAX, top)
		b.ADCXQ(RAX, top)
		if p := 2*k + 2; p < 8 {
			b.MOVQ(w[p], at(RDI, p))
		}
	}
	b.XORL(w[7].As32(), w[7].As32())
}

func sqrADX() {
	function("sqrADX", "func(z, x []uint)")
	carry, xEnd, zRow := b.AllocLocal(8), b.AllocLocal(8), b.AllocLocal(8)
	b.Load(b.Param("z").Base(), RDI)
	b.Load(b.Param("x").Base(), RSI)
	b.Load(b.Param("x").Len(), RAX)
	b.LEAQ(Mem{Base: RSI, Index: RAX, Scale: 8}, RBX)
	b.MOVQ(RBX, xEnd)
	b.MOVQ(RSI, RBP)

	// The products of different limbs, once: first those with the lowest eight.
	w := newWindow()
	w.clear()
	b.MOVQ(RDI, zRow)
	b.MOVQ(R8, at(RDI, 0))
	w.triangle()
	b.ADDQ(Imm(64), RDI)
	b.ADDQ(Imm(64), RSI)
	b.CMPQ(RSI, xEnd)
	b.JEQ(LabelRef("firstDone"))
	align()
	b.Label("first")
	w.block(RBP)
	b.ADDQ(Imm(64), RDI)
	b.ADDQ(Imm(64), RSI)
	b.CMPQ(RSI, xEnd)
	b.JNE(LabelRef("first"))
	b.Label("firstDone")
	w.store()
	b.ADDQ(Imm(64), RBP)
	b.CMPQ(RBP, xEnd)
	b.JEQ(LabelRef("double"))

	b.Label("outer")
	b.MOVQ(zRow, RDI)
	b.ADDQ(U32(128), RDI)
	b.MOVQ(RDI, zRow)
	for i, r := range w {
		b.MOVQ(at(RDI, i), r)
	}
	b.MOVQ(RBP, RSI)
	w.triangle()
	b.MOVQ(U32(0), carry)
	b.ADDQ(Imm(64), RDI)
	b.ADDQ(Imm(64), RSI)
	b.CMPQ(RSI, xEnd)
	b.JEQ(LabelRef("innerDone"))
	align()
	b.Label("inner")
	w.add(carry)
	w.block(RBP)
	b.ADDQ(Imm(64), RDI)
	b.ADDQ(Imm(64), RSI)
	b.CMPQ(RSI, xEnd)
	b.JNE(LabelRef("inner"))
	b.Label("innerDone")
	w.addCarry(carry)
	w.store()
	b.ADDQ(Imm(64), RBP)
	b.CMPQ(RBP, xEnd)
	b.JNE(LabelRef("outer"))

	// Doubled, with the squares added, for four limbs of x at a time. R12 and R13
	// are the carries of the two chains, 0 or 1.
	b.Label("double")
	b.Load(b.Param("z").Base(), RDI)
	b.Load(b.Param("x").Base(), RSI)
	b.MOVQ(xEnd, RBP)
	b.XORL(R12L, R12L)
	b.XORL(R13L, R13L)
	align()
	b.Label("squares")
	b.MOVQ(at(RSI, 0), RDX)
	b.MULXQ(RDX, RBX, RCX)
	b.ADDQ(R13, RBX)
	b.ADCQ(Imm(0), RCX)
	b.XORL(R13L, R13L)
	b.ADDQ(I8(-1), R12)
	// ADD -1 leaves the carry of R12 in CF and clears OF.
	for i := range 4 {
		if i > 0 {
			b.MOVQ(at(RSI, i), RDX)
			b.MULXQ(RDX, RBX, RCX)
		}
		b.MOVQ(at(RDI, 2*i), R8)
		b.ADCXQ(R8, R8)
		b.ADOXQ(RBX, R8)
		b.MOVQ(R8, at(RDI, 2*i))
		b.MOVQ(at(RDI, 2*i+1), R9)
		b.ADCXQ(R9, R9)
		b.ADOXQ(RCX, R9)
		b.MOVQ(R9, at(RDI, 2*i+1))
	}
	b.MOVL(U32(0), R12L)
	b.ADCXQ(R13, R12)
	b.ADOXQ(R13, R13)
	b.LEAQ(Mem{Base: RDI, Disp: 64}, RDI)
	b.LEAQ(Mem{Base: RSI, Disp: 32}, RSI)
	b.CMPQ(RSI, RBP)
	b.JNE(LabelRef("squares"))
	b.RET()
}

func montReduceADX() {
	function("montReduceADX", "func(z, t, m []uint, m0inv uint)")
	carry, top, mEnd, tEnd, m0inv := b.AllocLocal(8), b.AllocLocal(8), b.AllocLocal(8), b.AllocLocal(8), b.AllocLocal(8)
	b.Load(b.Param("t").Base(), RBP)
	b.Load(b.Param("m").Base(), RSI)
	b.Load(b.Param("m").Len(), RAX)
	b.Load(b.Param("m0inv"), RBX)
	b.MOVQ(RBX, m0inv)
	b.LEAQ(Mem{Base: RSI, Index: RAX, Scale: 8}, RBX)
	b.MOVQ(RBX, mEnd)
	b.LEAQ(Mem{Base: RBP, Index: RAX, Scale: 8}, RBX)
	b.MOVQ(RBX, tEnd)
	b.MOVQ(U32(0), top)

	// Eight limbs of t at a time: the multiple of m that clears them, whose factor
	// takes their place, is added to the n limbs from there on.
	w := newWindow()
	align()
	b.Label("outer")
	for i, r := range w {
		b.MOVQ(at(RBP, i), r)
	}
	b.Load(b.Param("m").Base(), RSI)
	for k := range 8 {
		b.MOVQ(w[0], RDX)
		b.IMULQ(m0inv, RDX)
		b.MOVQ(RDX, at(RBP, k))
		b.XORL(EAX, EAX)
		w.row(func(GPPhysical) {})
	}
	b.MOVQ(U32(0), carry)
	b.LEAQ(at(RBP, 8), RDI)
	b.ADDQ(Imm(64), RSI)
	b.CMPQ(RSI, mEnd)
	b.JEQ(LabelRef("innerDone"))
	align()
	b.Label("inner")
	w.add(carry)
	w.block(RBP)
	b.ADDQ(Imm(64), RDI)
	b.ADDQ(Imm(64), RSI)
	b.CMPQ(RSI, mEnd)
	b.JNE(LabelRef("inner"))
	b.Label("innerDone")

	// The window joins the eight limbs above, with its carry and that of the
	// eight limbs before: one of the chains carries out at most.
	b.XORL(EAX, EAX)
	b.MOVQ(carry, RBX)
	b.MOVQ(top, RCX)
	b.ADCXQ(RBX, RBX)
	b.ADOXQ(RCX, RCX)
	for i, r := range w {
		b.ADCXQ(at(RDI, i), r)
		b.ADOXQ(RAX, r)
		b.MOVQ(r, at(RDI, i))
	}
	b.MOVL(U32(0), EBX)
	b.ADCXQ(RAX, RBX)
	b.ADOXQ(RAX, RBX)
	b.NEGQ(RBX)
	b.MOVQ(RBX, top)
	b.ADDQ(Imm(64), RBP)
	b.CMPQ(RBP, tEnd)
	b.JNE(LabelRef("outer"))

	// BP is now at the upper half of t. z = that - m, then t again if it was less.
	b.Load(b.Param("z").Base(), RDI)
	b.Load(b.Param("m").Base(), RSI)
	subtractOnce(RBX)
	b.RET()
}

// subtractOnce sets the limbs at DI to t - m if top, 0 or -1, is set or t >= m, and
// to t otherwise. t are the limbs at BP, m those at SI, a multiple of eight, and
// the length of the parameter m.
func subtractOnce(top GPPhysical) {
	w := newWindow()
	b.XORL(EAX, EAX)
	b.Load(b.Param("m").Len(), RCX)
	b.SHRQ(Imm(3), RCX)
	b.MOVQ(RCX, RDX)
	align()
	b.Label("subtract")
	b.ADDQ(RAX, RAX)
	for i, r := range w {
		b.MOVQ(at(RBP, i), r)
		b.SBBQ(at(RSI, i), r)
		b.MOVQ(r, at(RDI, i))
	}
	b.SBBQ(RAX, RAX)
	b.ADDQ(Imm(64), RBP)
	b.ADDQ(Imm(64), RSI)
	b.ADDQ(Imm(64), RDI)
	b.DECQ(RCX)
	b.JNE(LabelRef("subtract"))

	// Keep t if there is a borrow and nothing to borrow from.
	b.NOTQ(top)
	b.ANDQ(top, RAX)
	align()
	b.Label("choose")
	b.SUBQ(Imm(64), RBP)
	b.SUBQ(Imm(64), RDI)
	b.TESTQ(RAX, RAX)
	for i, r := range w {
		b.MOVQ(at(RDI, i), r)
		b.CMOVQNE(at(RBP, i), r)
		b.MOVQ(r, at(RDI, i))
	}
	b.DECQ(RDX)
	b.JNE(LabelRef("choose"))
}
