package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// reduceTopADX takes the steps of reduceTopGeneric on complements: with v the value that is
// not negative, it turns w = ^v into w + q·m = ^(v - q·m), so that two carry chains can run side
// by side, which exclusive ors between them would destroy. The sign of the result is not
// known before its last limb, so that the next step complements what this one leaves,
// or does not, while it loads it.
//
// A step takes about as long as its chain and its estimate one after the other, because
// an estimate needs the result of the step before. Estimating from the top limbs
// without the borrow from below, so that it can run beside the pass, is sound with
// a proof of its own, and gained nothing on Zen 3: the instructions that wait fill
// the schedulers.
func reduceTopADX() {
	function("reduceTopADX", "func(t, m []uint, shift, d1, d0, v uint)")
	tTop, blocks, rest, sign := slot(), slot(), slot(), slot()
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
	b.MOVQ(RBX, sign)

	// Here DI is one limb above the top of u, v is what t holds, exclusive or BX, and sign
	// is the complement of the sign of the step before, which the next limb of t
	// has not seen yet.
	align()
	b.Label("step")
	b.MOVQ(RDI, tTop)
	b.Load(b.Param("m").Len(), RAX)
	b.NEGQ(RAX)
	b.MOVQ(sign, RCX)
	b.XORQ(RCX, Mem{Base: RDI, Index: RAX, Scale: 8, Disp: -8})
	b.XORQ(RBX, RCX)
	b.NOTQ(RCX)
	b.MOVQ(RCX, sign)
	estimate(param)

	// BP turns what t holds into ^v.
	b.MOVQ(RBX, RBP)
	b.NOTQ(RBP)
	b.MOVQ(tTop, RDI)
	b.Load(b.Param("m").Len(), RAX)
	b.NEGQ(RAX)
	b.LEAQ(Mem{Base: RDI, Index: RAX, Scale: 8, Disp: -8}, RDI)
	b.Load(b.Param("m").Base(), RSI)
	b.XORL(EBX, EBX)

	b.MOVQ(rest, R15)
	b.TESTQ(R15, R15)
	b.JEQ(LabelRef("restDone"))
	b.Label("rest")
	b.MOVQ(RBP, R10)
	b.XORQ(at(RDI, 0), R10)
	b.MULXQ(at(RSI, 0), R8, R9)
	b.ADDQ(RBX, R8)
	b.ADCQ(Imm(0), R9)
	b.ADDQ(R10, R8)
	b.ADCQ(Imm(0), R9)
	b.MOVQ(R8, at(RDI, 0))
	b.MOVQ(R9, RBX)
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
	for i, r := range w {
		b.MOVQ(at(RDI, i), r)
		b.XORQ(RBP, r)
	}
	b.XORL(EAX, EAX)
	b.ADOXQ(RBX, w[0])
	for i, r := range w {
		if i < 7 {
			b.MULXQ(at(RSI, i), RAX, RCX)
			b.ADCXQ(RAX, r)
			b.ADOXQ(RCX, w[i+1])
		} else {
			b.MULXQ(at(RSI, i), RAX, RBX)
			b.ADCXQ(RAX, r)
		}
		b.MOVQ(r, at(RDI, i))
	}
	b.MOVL(U32(0), EAX)
	b.ADCXQ(RAX, RBX)
	b.ADOXQ(RAX, RBX)
	b.ADDQ(Imm(64), RSI)
	b.ADDQ(Imm(64), RDI)
	b.LEAQ(Mem{Base: RDI, Disp: 8}, RAX)
	b.CMPQ(RAX, tTop)
	b.JNE(LabelRef("block"))
	b.Label("blocksDone")

	// The limb above is 0 or all ones.
	b.XORQ(at(RDI, 0), RBP)
	b.ADDQ(RBP, RBX)
	b.Load(b.Param("t").Base(), RAX)
	b.Load(b.Param("m").Len(), RCX)
	b.LEAQ(Mem{Base: RAX, Index: RCX, Scale: 8}, RAX)
	b.CMPQ(RDI, RAX)
	b.JNE(LabelRef("step"))

	// Out of the complement with BP, and a negative value gets m added.
	b.MOVQ(sign, RBP)
	b.XORQ(RBP, RBX)
	b.Load(b.Param("t").Base(), RDI)
	b.Load(b.Param("m").Base(), RSI)
	b.XORL(ECX, ECX)
	b.Load(b.Param("m").Len(), RDX)
	align()
	b.Label("fix")
	b.MOVQ(at(RSI, 0), RAX)
	b.ANDQ(RBX, RAX)
	b.MOVQ(RBP, R8)
	b.XORQ(at(RDI, 0), R8)
	b.ADDQ(RCX, RCX)
	b.ADCQ(RAX, R8)
	b.MOVQ(R8, at(RDI, 0))
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
