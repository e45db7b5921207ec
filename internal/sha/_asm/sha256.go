package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The SHA-256 instructions have the state in two vectors, from the top A B E F and
// C D G H, and the message with word 0 at the bottom.

// A lane256 is what the code of one stream of SHA-256 works on. X0 is the sum of
// message and constant that SHA256RNDS2 reads.
type lane256 struct {
	abef, cdgh Register
	m          [4]Register
	wk         Register // the sums for the first two rounds
	mem        Mem      // 8 vectors, by the constants below
}

// The vectors of a lane256 in memory.
const (
	initABEF = 0 // of the inner hash; hash256 vectors on, of the outer
	initCDGH = 1 * 16
	initK    = 2 * 16 // initABEF in the order of a message, plus the first constants
	hash256  = 3 * 16
	accABEF  = 6 * 16
	accCDGH  = 7 * 16
	size256  = 8 * 16
)

// lanes256 returns the registers of n streams.
func lanes256(n int) []*lane256 {
	all := []*lane256{
		{abef: X1, cdgh: X2, m: [4]Register{X3, X4, X5, X6}, wk: X13},
		{abef: X7, cdgh: X8, m: [4]Register{X9, X10, X11, X12}, wk: X14},
	}
	for _, l := range all[:n] {
		l.mem = b.AllocLocal(size256)
	}
	return all[:n]
}

// rounds writes four rounds, with the sums of message and constant in X0.
func (l *lane256) rounds() {
	b.SHA256RNDS2(X0, l.abef, l.cdgh)
	l.next2()
}

// next2 writes the last two of the four rounds.
func (l *lane256) next2() {
	b.VPSHUFD(Imm(0x0e), X0, X0)
	b.SHA256RNDS2(X0, l.cdgh, l.abef)
}

// schedule puts words 4g+16 to 4g+19 in the place of words 4g to 4g+3. If zeros, words
// 9 to 12 are 0.
func (l *lane256) schedule(g int, t Register, zeros bool) {
	m0, m1, m2, m3 := l.m[g%4], l.m[(g+1)%4], l.m[(g+2)%4], l.m[(g+3)%4]
	b.SHA256MSG1(m1, m0)
	if g > 0 || !zeros {
		b.VPALIGNR(Imm(4), m2, m3, t)
		b.VPADDD(t, m0, m0)
	}
	b.SHA256MSG2(m3, m0)
}

// fromWords sets abef and cdgh to the state that lo and hi have in order.
func fromWords(lo, hi, abef, cdgh Register) {
	b.VPUNPCKLQDQ(lo, hi, abef)
	b.VPSHUFD(Imm(0xb1), abef, abef)
	b.VPUNPCKHQDQ(lo, hi, cdgh)
	b.VPSHUFD(Imm(0xb1), cdgh, cdgh)
}

// toWords is the inverse of fromWords.
func toWords(abef, cdgh, lo, hi Register) {
	b.VPUNPCKHQDQ(cdgh, abef, lo)
	b.VPSHUFD(Imm(0xb1), lo, lo)
	b.VPUNPCKLQDQ(cdgh, abef, hi)
	b.VPSHUFD(Imm(0xb1), hi, hi)
}

// loop256 writes a kernel for n streams of SHA-256, trimmed or not.
func loop256(name string, n int, trim bool) {
	stream := "*Stream256"
	if n == 2 {
		stream = "*[2]Stream256"
	}
	if trim {
		function(name, fmt.Sprintf("func(s %s, trim *Trim256, n int)", stream))
		param("trim", RSI)
	} else {
		function(name, fmt.Sprintf("func(s %s, n int)", stream))
	}
	param("s", RDI)
	param("n", RCX)
	lanes := lanes256(n)
	t := X15
	k := func(g int) Mem { return goSymbol("k256", 16*g) }
	// The padding behind the digest words, and its sums with the round constants.
	sums := b.AllocLocal(32)
	var tail, tailK [2]Mem
	for i := range 2 {
		tail[i] = goSymbol("pad256", 32+16*i)
		if trim {
			tail[i] = mem(RSI, 32+32+16*i)
		}
		tailK[i] = sums.Offset(16 * i)
		b.VMOVDQU(tail[i], t)
		b.VPADDD(k(2+i), t, t)
		b.VMOVDQU(t, tailK[i])
	}
	// padded makes message words of the digest words in m[0] and m[1].
	padded := func(l *lane256) {
		if trim {
			for i := range 2 {
				b.VPAND(mem(RSI, 16*i), l.m[i], l.m[i])
				b.VPOR(mem(RSI, 32+16*i), l.m[i], l.m[i])
			}
		}
	}
	for i, l := range lanes {
		s := func(disp int) Mem { return mem(RDI, 128*i+disp) }
		for h := range 2 {
			at := func(disp int) Mem { return l.mem.Offset(hash256*h + disp) }
			b.VMOVDQU(s(32*h), X0)
			b.VMOVDQU(s(32*h+16), t)
			fromWords(X0, t, l.abef, l.cdgh)
			b.VMOVDQU(l.abef, at(initABEF))
			b.VMOVDQU(l.cdgh, at(initCDGH))
			b.VPADDD(k(0), X0, X0)
			b.VMOVDQU(X0, at(initK))
		}
		b.VMOVDQU(s(96), X0)
		b.VMOVDQU(s(96+16), t)
		fromWords(X0, t, l.abef, l.cdgh)
		b.VMOVDQU(l.abef, l.mem.Offset(accABEF))
		b.VMOVDQU(l.cdgh, l.mem.Offset(accCDGH))
		b.VMOVDQU(s(64), l.m[0])
		b.VMOVDQU(s(64+16), l.m[1])
		padded(l)
	}

	for _, l := range lanes {
		b.VPADDD(k(0), l.m[0], l.wk)
	}
	align()
	b.Label("loop")
	for h := range 2 {
		for _, l := range lanes {
			b.VMOVDQU(l.mem.Offset(hash256*h+initABEF), l.abef)
			b.VMOVDQU(l.mem.Offset(hash256*h+initCDGH), l.cdgh)
			b.VMOVDQU(tail[0], l.m[2])
			b.VMOVDQU(tail[1], l.m[3])
		}
		for g := range 16 {
			for _, l := range lanes {
				switch g {
				case 0:
					b.VMOVDQA(l.wk, X0)
					b.SHA256RNDS2(X0, l.abef, l.cdgh)
					b.VPADDD(k(0), l.m[0], X0)
					l.next2()
					continue
				case 2, 3:
					b.VMOVDQU(tailK[g-2], X0)
				default:
					b.VPADDD(k(g), l.m[g%4], X0)
				}
				l.rounds()
				if g >= 3 && g < 15 {
					l.schedule(g-3, t, !trim)
				}
			}
		}
		for _, l := range lanes {
			at := func(disp int) Mem { return l.mem.Offset(hash256*h + disp) }
			if !trim {
				// The first words of the next message on their shortest way.
				b.VPSHUFD(Imm(0x1b), l.abef, l.wk)
				b.VPADDD(at(initK), l.wk, l.wk)
			}
			b.VPADDD(at(initABEF), l.abef, l.abef)
			b.VPADDD(at(initCDGH), l.cdgh, l.cdgh)
			toWords(l.abef, l.cdgh, l.m[0], l.m[1])
			padded(l)
			if trim {
				b.VPADDD(k(0), l.m[0], l.wk)
			}
			if h == 1 {
				b.VPXOR(l.mem.Offset(accABEF), l.abef, l.abef)
				b.VMOVDQU(l.abef, l.mem.Offset(accABEF))
				b.VPXOR(l.mem.Offset(accCDGH), l.cdgh, l.cdgh)
				b.VMOVDQU(l.cdgh, l.mem.Offset(accCDGH))
			}
		}
	}
	b.DECQ(RCX)
	b.JNE(LabelRef("loop"))

	for i, l := range lanes {
		s := func(disp int) Mem { return mem(RDI, 128*i+disp) }
		b.VMOVDQU(l.mem.Offset(accABEF), l.abef)
		b.VMOVDQU(l.mem.Offset(accCDGH), l.cdgh)
		toWords(l.abef, l.cdgh, l.m[2], l.m[3])
		for i, m := range l.m {
			if trim {
				b.VPAND(mem(RSI, 16*(i%2)), m, m)
			}
			b.VMOVDQU(m, s(64+16*i))
		}
		wipe(l.mem, size256, t)
	}
	wipeRegisters()
	b.RET()
}

func blocks256SHANI() {
	swap := b.StaticGlobal("swap256")
	b.DataAttributes(attr.RODATA | attr.NOPTR)
	b.AppendDatum(U64(0x0405060700010203))
	b.AppendDatum(U64(0x0c0d0e0f08090a0b))

	function("blocks256SHANI", "func(h *[8]uint32, p []byte)")
	param("h", RDI)
	b.Load(b.Param("p").Base(), RSI)
	b.Load(b.Param("p").Len(), RCX)
	l := &lane256{abef: X1, cdgh: X2, m: [4]Register{X3, X4, X5, X6}}
	abef, cdgh, order, t := X7, X8, X9, X10
	b.VMOVDQU(swap, order)
	b.VMOVDQU(mem(RDI, 0), X0)
	b.VMOVDQU(mem(RDI, 16), t)
	fromWords(X0, t, abef, cdgh)

	align()
	b.Label("loop")
	b.VMOVDQA(abef, l.abef)
	b.VMOVDQA(cdgh, l.cdgh)
	for i, m := range l.m {
		b.VMOVDQU(mem(RSI, 16*i), m)
		b.VPSHUFB(order, m, m)
	}
	for g := range 16 {
		b.VPADDD(goSymbol("k256", 16*g), l.m[g%4], X0)
		l.rounds()
		if g >= 3 && g < 15 {
			l.schedule(g-3, t, false)
		}
	}
	b.VPADDD(l.abef, abef, abef)
	b.VPADDD(l.cdgh, cdgh, cdgh)
	b.ADDQ(Imm(64), RSI)
	b.SUBQ(Imm(64), RCX)
	b.JNE(LabelRef("loop"))

	toWords(abef, cdgh, X0, t)
	b.VMOVDQU(X0, mem(RDI, 0))
	b.VMOVDQU(t, mem(RDI, 16))
	wipeRegisters()
	b.RET()
}
