package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// reduceTopADX takes the steps of reduceTopGeneric without complementing the value
// twice: to get u - q·m or u + q·m it complements the product, in registers, or does
// not. Between the two carry chains that leaves time for the exclusive ors, which
// destroy the flags.
//
// A step takes about as long as its two chains and its estimate one after the other, because
// an estimate needs the result of the step before. Estimating from the top limbs
// without the borrow from below, so that it can run beside the pass, is sound with
// a proof of its own, and gained nothing on Zen 3: the instructions that wait fill
// the schedulers. With the estimate ahead of the pass it took 1151 ns for 32 limbs,
// in the middle of it 1306, against 1122 for this.
func reduceTopADX() {
	function("reduceTopADX", "func(t, m []uint, shift, d1, d0, v uint)")
	tTop, blocks, rest := b.AllocLocal(8), b.AllocLocal(8), b.AllocLocal(8)
	b.Load(b.Param("t").Base(), RDI)
	b.Load(b.Param("t").Len(), RAX)
	b.Load(b.Param("m").Len(), RCX)
	b.MOVQ(RCX, RBX)
	b.SHRQ(Imm(3), RBX)
	b.MOVQ(RBX, blocks)
	b.MOVQ(RCX, RBX)
	b.ANDQ(Imm(7), RBX)
	b.MOVQ(RBX, rest)
	b.LEAQ(Mem{Base: RDI, Index: RAX, Scale: 8}, RDI)
	b.XORL(EBX, EBX)
	param := func(name string) Mem { // read where it lies
		c, err := b.Param(name).Resolve()
		if err != nil {
			panic(err)
		}
		return c.Addr
	}

	// Here DI is one limb above limb i, the top of u, and BX is the sign.
	align()
	b.Label("step")
	b.MOVQ(RDI, tTop)
	estimate(param)

	// BP = -1 to subtract q·m, 0 to add it.
	b.MOVQ(RBX, RBP)
	b.NOTQ(RBP)
	b.MOVQ(tTop, RDI)
	b.Load(b.Param("m").Len(), RAX)
	b.NEGQ(RAX)
	b.LEAQ(Mem{Base: RDI, Index: RAX, Scale: 8, Disp: -8}, RDI)
	b.Load(b.Param("m").Base(), RSI)
	b.XORL(EBX, EBX)
	b.MOVQ(RBP, RCX)

	b.MOVQ(rest, R15)
	b.TESTQ(R15, R15)
	b.JEQ(LabelRef("restDone"))
	b.Label("rest")
	b.MULXQ(at(RSI, 0), R8, R9)
	b.ADDQ(RBX, R8)
	b.ADCQ(Imm(0), R9)
	b.MOVQ(R9, RBX)
	b.XORQ(RBP, R8)
	b.ADDQ(RCX, RCX)
	b.ADCQ(at(RDI, 0), R8)
	b.MOVQ(R8, at(RDI, 0))
	b.SBBQ(RCX, RCX)
	b.ADDQ(Imm(8), RSI)
	b.ADDQ(Imm(8), RDI)
	b.DECQ(R15)
	b.JNE(LabelRef("rest"))
	b.Label("restDone")

	b.MOVQ(blocks, RAX)
	b.TESTQ(RAX, RAX)
	b.JEQ(LabelRef("blocksDone"))
	align()
	b.Label("block")
	w := newWindow()
	b.MULXQ(at(RSI, 0), R8, R9)
	b.ADDQ(RBX, R8)
	for i := 1; i < 8; i++ {
		hi := GPPhysical(RBX)
		if i < 7 {
			hi = w[i+1]
		}
		b.MULXQ(at(RSI, i), RAX, hi)
		b.ADCQ(RAX, w[i])
	}
	b.ADCQ(Imm(0), RBX)
	for _, r := range w {
		b.XORQ(RBP, r)
	}
	b.ADDQ(RCX, RCX)
	for i, r := range w {
		b.ADCQ(at(RDI, i), r)
		b.MOVQ(r, at(RDI, i))
	}
	b.SBBQ(RCX, RCX)
	b.ADDQ(Imm(64), RSI)
	b.ADDQ(Imm(64), RDI)
	b.LEAQ(Mem{Base: RDI, Disp: 8}, RAX)
	b.CMPQ(RAX, tTop)
	b.JNE(LabelRef("block"))
	b.Label("blocksDone")

	// The limb above is the new sign.
	b.XORQ(RBP, RBX)
	b.ADDQ(RCX, RCX)
	b.ADCQ(at(RDI, 0), RBX)
	b.Load(b.Param("t").Base(), RAX)
	b.Load(b.Param("m").Len(), RCX)
	b.LEAQ(Mem{Base: RAX, Index: RCX, Scale: 8}, RAX)
	b.CMPQ(RDI, RAX)
	b.JNE(LabelRef("step"))

	// A negative value gets m added.
	b.Load(b.Param("t").Base(), RDI)
	b.Load(b.Param("m").Base(), RSI)
	b.XORL(ECX, ECX)
	b.Load(b.Param("m").Len(), RDX)
	align()
	b.Label("fix")
	b.MOVQ(at(RSI, 0), RAX)
	b.ANDQ(RBX, RAX)
	b.ADDQ(RCX, RCX)
	b.ADCQ(RAX, at(RDI, 0))
	b.SBBQ(RCX, RCX)
	b.ADDQ(Imm(8), RSI)
	b.ADDQ(Imm(8), RDI)
	b.DECQ(RDX)
	b.JNE(LabelRef("fix"))
	b.RET()
}

// estimate sets DX to the quotient of a step, for the limbs of t below DI and the
// sign in BX, which stays. It uses all other registers but BP.
func estimate(param func(string) Mem) {
	b.MOVQ(at(RDI, -1), R8)
	b.MOVQ(at(RDI, -2), R9)
	b.MOVQ(at(RDI, -3), R10)
	b.MOVQ(at(RDI, -4), R11)
	b.MOVQ(param("shift"), RCX)
	for _, r := range []GPPhysical{R8, R9, R10, R11} {
		b.XORQ(RBX, r)
	}
	// Shifted left by CX: the other part comes from a shift by 1, then 63 - CX.
	b.MOVQ(RCX, R12)
	b.NOTQ(R12)
	for _, p := range [][2]GPPhysical{{R8, R9}, {R9, R10}, {R10, R11}} {
		b.MOVQ(p[1], R13)
		b.SHRQ(Imm(1), R13)
		b.SHRXQ(R12, R13, R13)
		b.SHLXQ(RCX, p[0], p[0])
		b.ORQ(R13, p[0])
	}
	// R14 = 0 if the quotient has to be capped.
	b.MOVQ(param("d1"), R14)
	b.MOVQ(param("d0"), R15)
	b.XORQ(R8, R14)
	b.XORQ(R9, R15)
	b.ORQ(R15, R14)

	b.MOVQ(param("v"), RDX)
	b.MULXQ(R8, RAX, R11)
	b.ADDQ(R9, RAX)
	b.ADCQ(R8, R11)
	b.MOVQ(R11, R13)
	b.IMULQ(param("d1"), R13)
	b.SUBQ(R13, R9)
	b.MOVQ(R11, RDX)
	b.MULXQ(param("d0"), R12, R13)
	b.SUBQ(R12, R10)
	b.SBBQ(R13, R9)
	b.SUBQ(param("d0"), R10)
	b.SBBQ(param("d1"), R9)
	b.INCQ(R11)
	// One too many?
	b.CMPQ(R9, RAX)
	b.SBBQ(R13, R13)
	b.NOTQ(R13)
	b.ADDQ(R13, R11)
	b.MOVQ(R13, R12)
	b.ANDQ(param("d0"), R12)
	b.ANDQ(param("d1"), R13)
	b.ADDQ(R12, R10)
	b.ADCQ(R13, R9)
	// One too few?
	b.SUBQ(param("d0"), R10)
	b.SBBQ(param("d1"), R9)
	b.SBBQ(I8(-1), R11)
	b.NEGQ(R14)
	b.SBBQ(R14, R14)
	b.NOTQ(R14)
	b.ORQ(R14, R11)
	b.MOVQ(R11, RDX)
}
