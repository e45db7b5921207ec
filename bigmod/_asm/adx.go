package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/mmcloughlin/avo/gotypes"
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

// param returns where the parameter is, base where the pointer of one that is a
// slice is, length where its length is.
func param(name string) Mem  { return where(b.Param(name)) }
func base(name string) Mem   { return where(b.Param(name).Base()) }
func length(name string) Mem { return where(b.Param(name).Len()) }

func where(c gotypes.Component) Mem {
	v, err := c.Resolve()
	if err != nil {
		panic(err)
	}
	return v.Addr
}

// slot returns a stack slot for a register.
func slot() Mem { return b.AllocLocal(8) }

// align puts what follows, the head of a loop, at a multiple of 32 bytes.
func align() {
	b.Instruction(&ir.Instruction{Opcode: "PCALIGN", Operands: []Op{U64(32)}})
}

// pace puts the one-byte no-op behind a product. The assembler's NOP emits nothing.
//
// On Zen 3, eight rows take 82 cycles with a no-op behind seven of the eight products of
// each, and 95 with none or fewer than six; where they stand and what instruction it is makes no
// difference. The multiplier takes its work from one of four schedulers, which
// otherwise fills with additions that wait. Processors that allocate four instructions a cycle
// (Intel before Ice Lake) pay for it.
func pace() { b.Instruction(&ir.Instruction{Opcode: "BYTE", Operands: []Op{U8(0x90)}}) }

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
func (w *window) row(store func(GPPhysical)) { w.rowAt(Mem{Base: RSI}, store) }

// rowAt is row for a multiplicand at x.
func (w *window) rowAt(x Mem, store func(GPPhysical)) {
	for i := range 8 {
		hi := GPPhysical(RCX)
		if i == 7 {
			hi = w[0]
		}
		b.MULXQ(x.Offset(8*i), RBX, hi)
		b.ADCXQ(RBX, w[i])
		if i == 0 {
			store(w[0])
		}
		if i < 7 {
			b.ADOXQ(RCX, w[i+1])
		}
		if i < 7 {
			pace()
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
	multiply("", base("z"), base("x"), base("y"), length("x"))
	b.RET()
}

// multiply sets z to the product of x and y. The operands are where the pointers and
// the length of x and y lie. The names of the labels start with label.
func multiply(label string, z, x, y, n Mem) {
	carry, xBase, xEnd, zBase, yEnd := slot(), slot(), slot(), slot(), slot()
	b.MOVQ(z, RDI)
	b.MOVQ(x, RSI)
	b.MOVQ(y, RBP)
	b.MOVQ(n, RAX)
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
	b.Label(label + "first")
	w.block(RBP)
	b.ADDQ(Imm(64), RDI)
	b.ADDQ(Imm(64), RSI)
	b.CMPQ(RSI, xEnd)
	b.JNE(LabelRef(label + "first"))
	w.store()

	b.JMP(LabelRef(label + "next"))
	b.Label(label + "outer")
	b.MOVQ(zBase, RDI)
	b.ADDQ(Imm(64), RDI)
	b.MOVQ(RDI, zBase)
	b.MOVQ(xBase, RSI)
	b.MOVQ(U32(0), carry)
	w.clear()
	align()
	b.Label(label + "inner")
	w.add(carry)
	w.block(RBP)
	b.ADDQ(Imm(64), RDI)
	b.ADDQ(Imm(64), RSI)
	b.CMPQ(RSI, xEnd)
	b.JNE(LabelRef(label + "inner"))
	w.addCarry(carry)
	w.store()
	b.Label(label + "next")
	b.ADDQ(Imm(64), RBP)
	b.CMPQ(RBP, yEnd)
	b.JNE(LabelRef(label + "outer"))
}

// triangle sets the eight limbs at DI, and the window above them, to themselves
// plus the products of different limbs among the eight at SI. The window holds the
// eight limbs at DI on entry.
func (w *window) triangle() { w.triangleAt(Mem{Base: RSI}, Mem{Base: RDI}, 0) }

// triangleAt is triangle for limbs at x and a sum at z, from the given row on.
func (w *window) triangleAt(x, z Mem, from int) {
	for k := from; k < 7; k++ {
		b.MOVQ(x.Offset(8*k), RDX)
		b.XORL(EAX, EAX)
		// Position p, counted from DI, is in register p mod 8.
		for l := k + 1; l < 8; l++ {
			p := k + l
			hi := GPPhysical(RCX)
			if l == 7 {
				hi = w[(p+1)%8]
			}
			b.MULXQ(x.Offset(8*l), RBX, hi)
			b.ADCXQ(RBX, w[p%8])
			// The row's lowest two limbs are final, as the next starts at 2k + 3.
			if p == 2*k+1 && p < 8 {
				b.MOVQ(w[p], z.Offset(8*p))
			}
			if l < 7 {
				b.ADOXQ(RCX, w[(p+1)%8])
				pace()
			}
		}
		top := w[(k+8)%8]
		if k < 6 {
			b.ADOXQ(RAX, top)
		}
		b.ADCXQ(RAX, top)
		if p := 2*k + 2; p < 8 {
			b.MOVQ(w[p], z.Offset(8*p))
		}
	}
	b.XORL(w[7].As32(), w[7].As32())
}

func sqrADX() {
	function("sqrADX", "func(z, x []uint)")
	square("", base("z"), base("x"), length("x"))
	b.RET()
}

// square sets z to the square of x, as multiply does.
func square(label string, z, x, n Mem) {
	carry, xEnd, zRow := slot(), slot(), slot()
	b.MOVQ(z, RDI)
	b.MOVQ(x, RSI)
	b.MOVQ(n, RAX)
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
	b.JEQ(LabelRef(label + "firstDone"))
	align()
	b.Label(label + "first")
	w.block(RBP)
	b.ADDQ(Imm(64), RDI)
	b.ADDQ(Imm(64), RSI)
	b.CMPQ(RSI, xEnd)
	b.JNE(LabelRef(label + "first"))
	b.Label(label + "firstDone")
	w.store()
	b.ADDQ(Imm(64), RBP)
	b.CMPQ(RBP, xEnd)
	b.JEQ(LabelRef(label + "double"))

	b.Label(label + "outer")
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
	b.JEQ(LabelRef(label + "innerDone"))
	align()
	b.Label(label + "inner")
	w.add(carry)
	w.block(RBP)
	b.ADDQ(Imm(64), RDI)
	b.ADDQ(Imm(64), RSI)
	b.CMPQ(RSI, xEnd)
	b.JNE(LabelRef(label + "inner"))
	b.Label(label + "innerDone")
	w.addCarry(carry)
	w.store()
	b.ADDQ(Imm(64), RBP)
	b.CMPQ(RBP, xEnd)
	b.JNE(LabelRef(label + "outer"))

	// Doubled, with the squares added, in two chains through the whole length: the
	// loop leaves CF and OF alone.
	b.Label(label + "double")
	b.MOVQ(z, RDI)
	b.MOVQ(x, RSI)
	b.MOVQ(n, RCX)
	b.SHRQ(Imm(2), RCX)
	b.XORL(EAX, EAX)
	align()
	b.Label(label + "squares")
	for i := range 4 {
		b.MOVQ(at(RSI, i), RDX)
		b.MULXQ(RDX, RAX, RBX)
		for j, half := range []GPPhysical{RAX, RBX} {
			sum := w[2*i+j]
			b.MOVQ(at(RDI, 2*i+j), sum)
			b.ADCXQ(sum, sum)
			b.ADOXQ(half, sum)
			b.MOVQ(sum, at(RDI, 2*i+j))
		}
	}
	b.LEAQ(at(RDI, 8), RDI)
	b.LEAQ(at(RSI, 4), RSI)
	b.LEAQ(Mem{Base: RCX, Disp: -1}, RCX)
	b.Instruction(&ir.Instruction{Opcode: "JCXZQ", Operands: []Op{LabelRef(label + "done")}, IsBranch: true, IsConditional: true})
	b.JMP(LabelRef(label + "squares"))
	b.Label(label + "done")
}

func montReduceADX() {
	function("montReduceADX", "func(z, t, m []uint, m0inv uint)")
	reduce("", base("z"), base("t"), base("m"), length("m"))
	b.RET()
}

func montMulADX() {
	function("montMulADX", "func(z, x, y, t, m []uint, m0inv uint)")
	multiply("mul", base("t"), base("x"), base("y"), length("m"))
	reduce("reduce", base("z"), base("t"), base("m"), length("m"))
	b.RET()
}

func montSqrsADX() {
	function("montSqrsADX", "func(z, x, t, m []uint, m0inv uint, k int)")
	from, left := slot(), slot()
	b.MOVQ(base("x"), RSI)
	b.MOVQ(param("k"), RAX)
	b.Label("again")
	b.MOVQ(RSI, from)
	b.MOVQ(RAX, left)
	square("sqr", base("t"), from, length("m"))
	reduce("reduce", base("z"), base("t"), base("m"), length("m"))
	b.MOVQ(base("z"), RSI)
	b.MOVQ(left, RAX)
	b.DECQ(RAX)
	b.JNE(LabelRef("again"))
	b.RET()
}

// reduce sets z to the Montgomery reduction of t modulo m, as multiply does. n is
// the length of m; the parameter m0inv is used.
func reduce(label string, z, t, m, n Mem) {
	carry, top, mEnd, tLast, borrow, zPtr := slot(), slot(), slot(), slot(), slot(), slot()
	b.MOVQ(z, RDI)
	b.MOVQ(t, RBP)
	b.MOVQ(m, RSI)
	b.MOVQ(n, RAX)
	b.MOVQ(RDI, zPtr)
	b.LEAQ(Mem{Base: RSI, Index: RAX, Scale: 8}, RBX)
	b.MOVQ(RBX, mEnd)
	b.LEAQ(Mem{Base: RBP, Index: RAX, Scale: 8, Disp: -64}, RBX)
	b.MOVQ(RBX, tLast)
	b.MOVQ(U32(0), top)
	b.MOVQ(U32(0), borrow)
	w := newWindow()

	// Eight limbs of t, at BP: the multiple of m that clears them, whose factor takes
	// their place, is added to the n limbs from there on. For the last eight, that
	// gives the limbs of the result, and afterwards takes eight at a time.
	clearEight := func(label string, afterwards func()) {
		for i, r := range w {
			b.MOVQ(at(RBP, i), r)
		}
		b.MOVQ(m, RSI)
		for k := range 8 {
			b.MOVQ(w[0], RDX)
			b.IMULQ(param("m0inv"), RDX)
			b.MOVQ(RDX, at(RBP, k))
			b.XORL(EAX, EAX)
			w.row(func(GPPhysical) {})
		}
		b.MOVQ(U32(0), carry)
		b.LEAQ(at(RBP, 8), RDI)
		b.ADDQ(Imm(64), RSI)
		b.CMPQ(RSI, mEnd)
		b.JEQ(LabelRef(label + "Done"))
		align()
		b.Label(label)
		w.add(carry)
		w.block(RBP)
		afterwards()
		b.ADDQ(Imm(64), RDI)
		b.ADDQ(Imm(64), RSI)
		b.CMPQ(RSI, mEnd)
		b.JNE(LabelRef(label))
		b.Label(label + "Done")

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
		afterwards()
	}

	b.CMPQ(RBP, tLast)
	b.JEQ(LabelRef(label + "last"))
	align()
	b.Label(label + "outer")
	clearEight(label+"inner", func() {})
	b.ADDQ(Imm(64), RBP)
	b.CMPQ(RBP, tLast)
	b.JNE(LabelRef(label + "outer"))
	b.Label(label + "last")
	// z = result - m.
	clearEight(label+"lastInner", func() {
		b.MOVQ(borrow, RAX)
		b.MOVQ(zPtr, RDX)
		b.ADDQ(RAX, RAX)
		for i := range 8 {
			b.MOVQ(at(RDI, i), RCX)
			b.SBBQ(at(RSI, i-8), RCX)
			b.MOVQ(RCX, at(RDX, i))
		}
		b.SBBQ(RAX, RAX)
		b.ADDQ(Imm(64), RDX)
		b.MOVQ(RAX, borrow)
		b.MOVQ(RDX, zPtr)
	})

	// The result itself if there is a borrow and no carry to take it from.
	b.NOTQ(RBX)
	b.ANDQ(RBX, RAX)
	b.MOVQ(n, RCX)
	b.SHRQ(Imm(3), RCX)
	b.ADDQ(Imm(64), RDI)
	align()
	b.Label(label + "choose")
	b.SUBQ(Imm(64), RDI)
	b.SUBQ(Imm(64), RDX)
	b.TESTQ(RAX, RAX)
	for i, r := range w {
		b.MOVQ(at(RDX, i), r)
		b.CMOVQNE(at(RDI, i), r)
		b.MOVQ(r, at(RDX, i))
	}
	b.DECQ(RCX)
	b.JNE(LabelRef(label + "choose"))
}
