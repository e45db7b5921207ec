package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The selections go over the table once for each group of columns: groups of as
// many limbs as four registers hold, then of one register, then single limbs.
//
// Registers: DI the output, SI the table from the current column on, R8 its end,
// BX the bytes of an entry, CX the limbs left.

func selectStart() {
	b.Load(b.Param("z").Base(), RDI)
	b.Load(b.Param("z").Len(), RCX)
	b.Load(b.Param("table").Base(), RSI)
	b.Load(b.Param("table").Len(), R8)
	b.LEAQ(Mem{Base: RSI, Index: R8, Scale: 8}, R8)
	b.MOVQ(RCX, RBX)
	b.SHLQ(Imm(3), RBX)
}

// selectGroups emits the loop over groups of the given number of limbs. start
// clears the sums and the counter, step adds an entry at DX, end stores the sums.
func selectGroups(label string, limbs int, start, step, end func()) {
	b.Label(label)
	b.CMPQ(RCX, U32(uint32(limbs)))
	b.JLT(LabelRef(label + "Done"))
	start()
	b.MOVQ(RSI, RDX)
	align()
	b.Label(label + "Entry")
	step()
	b.ADDQ(RBX, RDX)
	b.CMPQ(RDX, R8)
	b.JCS(LabelRef(label + "Entry"))
	end()
	b.ADDQ(U32(uint32(8*limbs)), RSI)
	b.ADDQ(U32(uint32(8*limbs)), RDI)
	b.SUBQ(U32(uint32(limbs)), RCX)
	b.JMP(LabelRef(label))
	b.Label(label + "Done")
}

func selectADX() {
	function("selectADX", "func(z, table []uint, i uint)")
	selectStart()
	// Y0 = i, Y1 = 1, Y2 = the number of the entry, Y3 = the mask, Y4-Y7 = the sums.
	b.VMOVQ(b.Load(b.Param("i"), RAX), X0)
	b.VPBROADCASTQ(X0, Y0)
	b.VPCMPEQQ(Y1, Y1, Y1)
	b.VPSRLQ(Imm(63), Y1, Y1)
	sums, tmps := []VecPhysical{Y4, Y5, Y6, Y7}, []VecPhysical{Y8, Y9, Y10, Y11}
	vectors := func(n int) (start, step, end func()) {
		return func() {
				b.VPXOR(Y2, Y2, Y2)
				for _, r := range sums[:n] {
					b.VPXOR(r, r, r)
				}
			}, func() {
				b.VPCMPEQQ(Y0, Y2, Y3)
				b.VPADDQ(Y1, Y2, Y2)
				for i, r := range sums[:n] {
					b.VPAND(Mem{Base: RDX, Disp: 32 * i}, Y3, tmps[i])
					b.VPOR(tmps[i], r, r)
				}
			}, func() {
				for i, r := range sums[:n] {
					b.VMOVDQU(r, Mem{Base: RDI, Disp: 32 * i})
				}
			}
	}
	start, step, end := vectors(4)
	selectGroups("quad", 16, start, step, end)
	start, step, end = vectors(1)
	selectGroups("vector", 4, start, step, end)
	selectGroups("limb", 1, start, func() {
		b.VPCMPEQQ(Y0, Y2, Y3)
		b.VPADDQ(Y1, Y2, Y2)
		b.VMOVQ(Mem{Base: RDX}, X8)
		b.VPAND(X8, X3, X8)
		b.VPOR(X8, X4, X4)
	}, func() {
		b.VMOVQ(X4, Mem{Base: RDI})
	})
	b.VZEROUPPER()
	b.RET()
}

func selectBase() {
	function("selectBase", "func(z, table []uint, i uint)")
	selectStart()
	// In 32-bit lanes: X0 = i, X1 = 1, X2 = the number of the entry, X3 = the mask,
	// X4-X7 = the sums.
	b.MOVQ(b.Load(b.Param("i"), RAX), X0)
	b.PSHUFD(Imm(0), X0, X0)
	b.PCMPEQL(X1, X1)
	b.PSRLL(Imm(31), X1)
	sums, tmps := []VecPhysical{X4, X5, X6, X7}, []VecPhysical{X8, X9, X10, X11}
	mask := func() {
		b.MOVO(X2, X3)
		b.PCMPEQL(X0, X3)
		b.PADDL(X1, X2)
	}
	vectors := func(n int) (start, step, end func()) {
		return func() {
				b.PXOR(X2, X2)
				for _, r := range sums[:n] {
					b.PXOR(r, r)
				}
			}, func() {
				mask()
				for i, r := range sums[:n] {
					b.MOVOU(Mem{Base: RDX, Disp: 16 * i}, tmps[i])
					b.PAND(X3, tmps[i])
					b.POR(tmps[i], r)
				}
			}, func() {
				for i, r := range sums[:n] {
					b.MOVOU(r, Mem{Base: RDI, Disp: 16 * i})
				}
			}
	}
	start, step, end := vectors(4)
	selectGroups("quad", 8, start, step, end)
	start, step, end = vectors(1)
	selectGroups("vector", 2, start, step, end)
	selectGroups("limb", 1, start, func() {
		mask()
		b.MOVQ(Mem{Base: RDX}, X8)
		b.PAND(X3, X8)
		b.POR(X8, X4)
	}, func() {
		b.MOVQ(X4, Mem{Base: RDI})
	})
	b.RET()
}
