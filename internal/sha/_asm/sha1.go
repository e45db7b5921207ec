package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The SHA-1 instructions have word 0 of four at the top, both in the state A B C D and in
// the message, and E at the top of four words. So the A B C D of a digest are its first
// message vector as they stand. SHA1NEXTE rotates the word at the top of its destination,
// adds that of its source, and takes the other words from its source: with a source of
// the initial E and the first word of padding it makes the second message vector.

// A lane1 is what the code of one stream of SHA-1 works on.
type lane1 struct {
	abcd Register
	e    [2]Register // the current and the next E
	m    [4]Register
	mem  Mem // 8 vectors, by the constants below
}

// The vectors of a lane1 in memory.
const (
	initABCD = 0      // of the inner hash; hash1 vectors on, of the outer
	initE    = 1 * 16 // E and the first word of padding
	initFold = 2 * 16 // initABCD plus the E that the next hash starts with
	hash1    = 3 * 16
	accABCD  = 6 * 16
	accE     = 7 * 16
	size1    = 8 * 16
)

// lanes1 returns the registers of n streams.
func lanes1(n int) []*lane1 {
	all := []*lane1{
		{abcd: X0, e: [2]Register{X1, X2}, m: [4]Register{X3, X4, X5, X6}},
		{abcd: X7, e: [2]Register{X8, X9}, m: [4]Register{X10, X11, X12, X13}},
	}
	for _, l := range all[:n] {
		l.mem = b.AllocLocal(size1)
	}
	return all[:n]
}

// quad1 writes rounds 4g to 4g+3 of a stream, and puts words 4g+16 to 4g+19 of the
// schedule in the place of words 4g to 4g+3. If digest, words 8 to 15 are the padding of a
// digest; then m[2] is 0 and the first E is that of the hash plus word 0 already.
func (l *lane1) quad1(g int, digest bool) {
	m0, m1, m2, m3 := l.m[g%4], l.m[(g+1)%4], l.m[(g+2)%4], l.m[(g+3)%4]
	switch {
	case g > 0:
		b.SHA1NEXTE(m0, l.e[0])
	case !digest:
		b.VPADDD(m0, l.e[0], l.e[0])
	}
	b.VMOVDQA(l.abcd, l.e[1])
	b.SHA1RNDS4(Imm(uint64(g/5)), l.e[0], l.abcd)
	l.e[0], l.e[1] = l.e[1], l.e[0]
	if g < 16 {
		b.SHA1MSG1(m1, m0)
		if g > 0 || !digest {
			b.VPXOR(m2, m0, m0)
		}
		b.SHA1MSG2(m3, m0)
	}
}

// loop1 writes a kernel for n streams of SHA-1.
func loop1(name string, n int) {
	pad := b.StaticGlobal("padE1" + name)
	b.DataAttributes(attr.RODATA | attr.NOPTR)
	b.AppendDatum(U64(0))
	b.AppendDatum(U64(1 << 31))
	length := b.StaticGlobal("length1" + name)
	b.DataAttributes(attr.RODATA | attr.NOPTR)
	b.AppendDatum(U64((64 + 20) * 8))
	b.AppendDatum(U64(0))

	if n == 1 {
		function(name, "func(s *Stream1, n int)")
	} else {
		function(name, "func(s *[2]Stream1, n int)")
	}
	param("s", RDI)
	param("n", RCX)
	lanes := lanes1(n)
	t, pads := X14, X15
	b.VMOVDQU(pad, pads)
	top := func(src Mem, dst Register) {
		b.VMOVD(src, dst)
		b.VPSLLDQ(Imm(12), dst, dst)
	}
	for i, l := range lanes {
		s := func(disp int) Mem { return mem(RDI, 80*i+disp) }
		in := l.m
		// Inner and Outer.
		for h := range 2 {
			b.VPSHUFD(Imm(0x1b), s(20*h), in[2*h])
			top(s(20*h+16), in[2*h+1])
			b.VMOVDQU(in[2*h], l.mem.Offset(hash1*h+initABCD))
			b.VPOR(pads, in[2*h+1], t)
			b.VMOVDQU(t, l.mem.Offset(hash1*h+initE))
		}
		b.VPADDD(in[0], in[3], t)
		b.VMOVDQU(t, l.mem.Offset(initFold))
		b.VPADDD(in[2], in[1], t)
		b.VMOVDQU(t, l.mem.Offset(hash1+initFold))
		b.VPSHUFD(Imm(0x1b), s(60), t)
		b.VMOVDQU(t, l.mem.Offset(accABCD))
		top(s(60+16), t)
		b.VMOVDQU(t, l.mem.Offset(accE))
		// The first sum of E and word 0.
		b.VPSHUFD(Imm(0x1b), s(40), t)
		b.VPADDD(in[1], t, l.e[0])
		b.VMOVDQA(t, in[0])
		top(s(40+16), t)
		b.VPOR(pads, t, in[1])
	}

	align()
	b.Label("loop")
	for h := range 2 {
		for _, l := range lanes {
			b.VMOVDQU(l.mem.Offset(hash1*h+initABCD), l.abcd)
			b.VPXOR(l.m[2], l.m[2], l.m[2])
			b.VMOVDQU(length, l.m[3])
		}
		for g := range 20 {
			for _, l := range lanes {
				l.quad1(g, true)
			}
		}
		for _, l := range lanes {
			at := func(disp int) Mem { return l.mem.Offset(hash1*h + disp) }
			b.VMOVDQU(at(initE), l.m[1])
			b.SHA1NEXTE(l.m[1], l.e[0])
			b.VMOVDQA(l.e[0], l.m[1])
			b.VPADDD(at(initABCD), l.abcd, l.m[0])
			b.VPADDD(at(initFold), l.abcd, l.e[0])
			if h == 1 {
				b.VPXOR(l.mem.Offset(accABCD), l.m[0], t)
				b.VMOVDQU(t, l.mem.Offset(accABCD))
				b.VPXOR(l.mem.Offset(accE), l.m[1], t)
				b.VMOVDQU(t, l.mem.Offset(accE))
			}
		}
	}
	b.DECQ(RCX)
	b.JNE(LabelRef("loop"))

	for i, l := range lanes {
		s := func(disp int) Mem { return mem(RDI, 80*i+disp) }
		b.VPSHUFD(Imm(0x1b), l.m[0], t)
		b.VMOVDQU(t, s(40))
		b.VPEXTRD(Imm(3), l.m[1], s(40+16))
		b.VPSHUFD(Imm(0x1b), l.mem.Offset(accABCD), t)
		b.VMOVDQU(t, s(60))
		b.VMOVDQU(l.mem.Offset(accE), t)
		b.VPEXTRD(Imm(3), t, s(60+16))
		wipe(l.mem, size1, t)
	}
	wipeRegisters()
	b.RET()
}

// wipe clears size bytes of memory through a register.
func wipe(m Mem, size int, t Register) {
	b.VPXOR(t, t, t)
	for i := 0; i < size; i += 16 {
		b.VMOVDQU(t, m.Offset(i))
	}
}

// wipeRegisters clears the vector registers.
func wipeRegisters() {
	for _, x := range []Register{X0, X1, X2, X3, X4, X5, X6, X7, X8, X9, X10, X11, X12, X13, X14, X15} {
		b.VPXOR(x, x, x)
	}
}

func blocks1SHANI() {
	swap := b.StaticGlobal("swap1")
	b.DataAttributes(attr.RODATA | attr.NOPTR)
	b.AppendDatum(U64(0x08090a0b0c0d0e0f))
	b.AppendDatum(U64(0x0001020304050607))

	function("blocks1SHANI", "func(h *[5]uint32, p []byte)")
	param("h", RDI)
	b.Load(b.Param("p").Base(), RSI)
	b.Load(b.Param("p").Len(), RCX)
	l := &lane1{abcd: X0, e: [2]Register{X1, X2}, m: [4]Register{X3, X4, X5, X6}}
	abcd, e, order := X7, X8, X9
	b.VMOVDQU(swap, order)
	b.VPSHUFD(Imm(0x1b), mem(RDI, 0), abcd)
	b.VMOVD(mem(RDI, 16), e)
	b.VPSLLDQ(Imm(12), e, e)

	align()
	b.Label("loop")
	b.VMOVDQA(abcd, l.abcd)
	b.VMOVDQA(e, l.e[0])
	for i, m := range l.m {
		b.VMOVDQU(mem(RSI, 16*i), m)
		b.VPSHUFB(order, m, m)
	}
	for g := range 20 {
		l.quad1(g, false)
	}
	b.SHA1NEXTE(e, l.e[0])
	b.VMOVDQA(l.e[0], e)
	b.VPADDD(l.abcd, abcd, abcd)
	b.ADDQ(Imm(64), RSI)
	b.SUBQ(Imm(64), RCX)
	b.JNE(LabelRef("loop"))

	b.VPSHUFD(Imm(0x1b), abcd, abcd)
	b.VMOVDQU(abcd, mem(RDI, 0))
	b.VPEXTRD(Imm(3), e, mem(RDI, 16))
	wipeRegisters()
	b.RET()
}
