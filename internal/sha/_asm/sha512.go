package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// SHA-512 has the rounds in general registers, with RORX and ANDN, and the message
// schedule in vectors of two words, between the instructions of the rounds. A vector of
// two is what the recurrence lets one compute at a time: word t needs word t-2.

// A code512 is a function in the making.
type code512 struct {
	state []GPPhysical // a to h of the next round
	xor   [2]GPPhysical
	sum   Mem // 16 words: the next ones of the schedule, plus their constants
	later []func()
}

// pair is the 16 words of the schedule that are in hand, two in each.
var pair = []VecPhysical{X0, X1, X2, X3, X4, X5, X6, X7}

func newCode512() *code512 {
	return &code512{
		state: []GPPhysical{R8, R9, R10, R11, R12, R13, R14, R15},
		xor:   [2]GPPhysical{RBX, RDX},
		sum:   b.AllocLocal(128),
	}
}

// put writes the next n of the vector instructions that wait.
func (c *code512) put(n int) {
	for ; n > 0 && len(c.later) > 0; n-- {
		c.later[0]()
		c.later = c.later[1:]
	}
}

// start writes what comes before the first round: xor[0] = b ^ c.
func (c *code512) start() {
	b.MOVQ(c.state[1], c.xor[0])
	b.XORQ(c.state[2], c.xor[0])
}

// round writes a round that adds the memory words of wk. Before it, xor[0] = b ^ c, which
// is a ^ b of the round before.
//
// Rounds are a chain through e. So d, the next e, gets h before sigma1, the last term to be
// ready, and sigma1 is added to both: one instruction more, in a chain shorter by one. On
// Zen 3 that takes 5 % off.
func (c *code512) round(wk ...Mem) {
	s := c.state
	A, B, D, E, F, G, H := s[0], s[1], s[3], s[4], s[5], s[6], s[7]
	t, u := RAX, RCX
	b.RORXQ(Imm(14), E, t)
	b.RORXQ(Imm(18), E, u)
	for _, m := range wk {
		b.ADDQ(m, H)
	}
	c.put(1)
	b.XORQ(u, t)
	b.RORXQ(Imm(41), E, u)
	c.put(1)
	b.XORQ(u, t)
	// The two terms of Ch(e, f, g) have no bit in common.
	b.ANDNQ(G, E, u)
	c.put(1)
	b.ADDQ(u, H)
	b.MOVQ(F, u)
	b.ANDQ(E, u)
	c.put(1)
	b.ADDQ(u, H)
	c.put(1)
	b.ADDQ(H, D)
	b.ADDQ(t, D)
	b.ADDQ(t, H)
	c.put(1)
	// Maj(a, b, c) = ((a ^ b) & (b ^ c)) ^ b.
	b.MOVQ(A, c.xor[1])
	b.XORQ(B, c.xor[1])
	b.RORXQ(Imm(28), A, t)
	b.RORXQ(Imm(34), A, u)
	b.ANDQ(c.xor[1], c.xor[0])
	c.put(1)
	b.XORQ(u, t)
	b.RORXQ(Imm(39), A, u)
	b.XORQ(B, c.xor[0])
	c.put(1)
	b.XORQ(u, t)
	b.ADDQ(c.xor[0], H)
	c.put(2)
	b.ADDQ(t, H)
	c.put(2)
	c.xor[0], c.xor[1] = c.xor[1], c.xor[0]
	c.state = append([]GPPhysical{H}, s[:7]...)
}

// schedule makes the next two words in the place of pair i, and at the end of sum[i] their
// sums with the constants at k.
func (c *code512) schedule(i int, k Mem) {
	x := func(j int) VecPhysical { return pair[(i+j)%8] }
	t, u, v, s := X8, X9, X10, X11
	do := func(f func()) { c.later = append(c.later, f) }
	shift := func(left bool, n uint64, x, dst VecPhysical) {
		do(func() {
			if left {
				b.VPSLLQ(Imm(n), x, dst)
			} else {
				b.VPSRLQ(Imm(n), x, dst)
			}
		})
	}
	xor := func(x, dst VecPhysical) { do(func() { b.VPXOR(x, dst, dst) }) }
	add := func(x, dst VecPhysical) { do(func() { b.VPADDQ(x, dst, dst) }) }

	// s = sigma1 of words t-2 and t-1.
	shift(false, 19, x(7), s)
	shift(true, 64-19, x(7), t)
	shift(false, 61, x(7), u)
	xor(t, s)
	shift(true, 64-61, x(7), v)
	xor(u, s)
	shift(false, 6, x(7), t)
	xor(v, s)
	xor(t, s)
	// Words t-15, t-14 and t-7, t-6 straddle two vectors.
	do(func() { b.VPALIGNR(Imm(8), x(4), x(5), u) })
	do(func() { b.VPALIGNR(Imm(8), x(0), x(1), v) })
	add(u, x(0))
	shift(false, 1, v, t)
	shift(true, 63, v, u)
	add(s, x(0))
	xor(u, t)
	do(func() { b.VPSHUFB(X12, v, u) })
	shift(false, 7, v, v)
	xor(u, t)
	xor(v, t)
	add(t, x(0))
	do(func() { b.VPADDQ(k, x(0), t) })
	do(func() { b.VMOVDQU(t, c.sum.Offset(16*i)) })
}

// sixteen writes 16 rounds, the sums of message and constant being words(t), and the
// schedule for the next, with constants at k, unless last.
func (c *code512) sixteen(words func(t int) []Mem, k Mem, last bool) {
	for t := range 16 {
		if t%2 == 0 && !last {
			c.schedule(t/2, k.Offset(8*t))
		}
		c.round(words(t)...)
		if t%2 == 1 {
			c.put(len(c.later))
		}
	}
}

// sums is for sixteen: the words at sum.
func (c *code512) sums(t int) []Mem { return []Mem{c.sum.Offset(8 * t)} }

// rest writes rounds 16 to 79, after sixteen with its schedule. It uses SI.
func (c *code512) rest() {
	b.LEAQ(goSymbol("k512", 8*32), RSI)
	align()
	b.Label("rounds")
	c.sixteen(c.sums, mem(RSI, 0), false)
	b.ADDQ(Imm(128), RSI)
	// The loop ends with the schedule of the last 16 words.
	b.LEAQ(goSymbol("k512", 8*80), RAX)
	b.CMPQ(RSI, RAX)
	b.JNE(LabelRef("rounds"))
	c.sixteen(c.sums, Mem{}, true)
}

// loop512 writes a kernel for one stream of SHA-512, trimmed or not.
func loop512(name string, trim bool) {
	ror8 := rotation(name)
	if trim {
		function(name, "func(s *Stream512, trim *Trim512, n int)")
	} else {
		function(name, "func(s *Stream512, n int)")
	}
	const (
		outer = 64
		u     = 128
		acc   = 192
	)
	c := newCode512()
	count := b.AllocLocal(8)
	message := b.AllocLocal(128)
	tailK := b.AllocLocal(64)
	param("s", RDI)
	param("n", RCX)
	b.MOVQ(RCX, count)
	b.VMOVDQU(ror8, X12)
	pad := goSymbol("pad512", 0)
	if trim {
		param("trim", RSI)
		pad = mem(RSI, 64)
	}
	for i := range 4 {
		b.VMOVDQU(pad.Offset(64+16*i), X8)
		b.VMOVDQU(X8, message.Offset(64+16*i))
		b.VPADDQ(goSymbol("k512", 64+16*i), X8, X8)
		b.VMOVDQU(X8, tailK.Offset(16*i))
		b.VMOVDQU(mem(RDI, u+16*i), X9)
		if trim {
			b.VPOR(pad.Offset(16*i), X9, X9)
		}
		b.VMOVDQU(X9, message.Offset(16*i))
	}
	// load puts the initial state at disp in its registers. A, which is word 0 of the
	// message, joins the h of round 0 here, not by way of memory.
	load := func(disp int) {
		last := len(c.state) - 1
		b.MOVQ(mem(RDI, disp+8*last), c.state[last])
		b.ADDQ(c.state[0], c.state[last])
		for i, r := range c.state[:last] {
			b.MOVQ(mem(RDI, disp+8*i), r)
		}
	}
	// BP is the initial state of the hash in hand.
	b.MOVQ(RDI, RBP)
	b.MOVQ(message, c.state[0])
	load(0)

	align()
	b.Label("hash")
	for i, x := range pair {
		b.VMOVDQU(message.Offset(16*i), x)
	}
	c.start()
	c.sixteen(func(t int) []Mem {
		switch {
		case t == 0:
			return []Mem{goSymbol("k512", 0)}
		case t < 8:
			return []Mem{goSymbol("k512", 8*t), message.Offset(8 * t)}
		}
		return []Mem{tailK.Offset(8*t - 64)}
	}, goSymbol("k512", 8*16), false)
	c.rest()
	if trim {
		param("trim", RSI)
	}
	for i, r := range c.state {
		b.ADDQ(mem(RBP, 8*i), r)
		if trim {
			b.ANDQ(mem(RSI, 8*i), r)
			b.ORQ(mem(RSI, 64+8*i), r)
		}
		b.MOVQ(r, message.Offset(8*i))
	}
	b.CMPQ(RBP, RDI)
	b.JNE(LabelRef("second"))
	b.ADDQ(Imm(outer), RBP)
	load(outer)
	b.JMP(LabelRef("hash"))

	b.Label("second")
	for i, r := range c.state {
		b.XORQ(r, mem(RDI, acc+8*i))
	}
	b.MOVQ(RDI, RBP)
	load(0)
	b.DECQ(count)
	b.JNE(LabelRef("hash"))

	for i := range 4 {
		b.VMOVDQU(message.Offset(16*i), X8)
		if trim {
			b.VPAND(mem(RSI, 16*i), X8, X8)
			b.VMOVDQU(mem(RDI, acc+16*i), X9)
			b.VPAND(mem(RSI, 16*i), X9, X9)
			b.VMOVDQU(X9, mem(RDI, acc+16*i))
		}
		b.VMOVDQU(X8, mem(RDI, u+16*i))
	}
	wipe(message, 64, X8)
	c.wipe()
	b.RET()
}

// wipe clears the sums and the registers.
func (c *code512) wipe() {
	wipe(c.sum, 128, X8)
	wipeRegisters()
	for _, r := range append(c.state, RAX, RBX, RCX, RDX) {
		b.XORL(r.As32(), r.As32())
	}
}

// rotation is the shuffle that rotates two words right by 8 bits.
func rotation(name string) Mem {
	m := b.StaticGlobal("ror8" + name)
	b.DataAttributes(attr.RODATA | attr.NOPTR)
	b.AppendDatum(U64(0x0007060504030201))
	b.AppendDatum(U64(0x080f0e0d0c0b0a09))
	return m
}

func blocks512AVX() {
	ror8 := rotation("blocks512AVX")
	swap := b.StaticGlobal("swap512")
	b.DataAttributes(attr.RODATA | attr.NOPTR)
	b.AppendDatum(U64(0x0001020304050607))
	b.AppendDatum(U64(0x08090a0b0c0d0e0f))

	function("blocks512AVX", "func(h *[8]uint64, p []byte)")
	c := newCode512()
	b.Load(b.Param("h"), RDI)
	b.Load(b.Param("p").Base(), RBP)
	left := b.AllocLocal(8)
	b.Load(b.Param("p").Len(), RCX)
	b.MOVQ(RCX, left)
	b.VMOVDQU(ror8, X12)
	for i, r := range c.state {
		b.MOVQ(mem(RDI, 8*i), r)
	}

	align()
	b.Label("hash")
	b.VMOVDQU(swap, X13)
	for i, x := range pair {
		b.VMOVDQU(mem(RBP, 16*i), x)
		b.VPSHUFB(X13, x, x)
		b.VPADDQ(goSymbol("k512", 16*i), x, X8)
		b.VMOVDQU(X8, c.sum.Offset(16*i))
	}
	c.start()
	c.sixteen(c.sums, goSymbol("k512", 8*16), false)
	c.rest()
	for i, r := range c.state {
		b.ADDQ(mem(RDI, 8*i), r)
		b.MOVQ(r, mem(RDI, 8*i))
	}
	b.ADDQ(Imm(128), RBP)
	b.SUBQ(Imm(128), left)
	b.JNE(LabelRef("hash"))
	c.wipe()
	b.RET()
}
