package main

import (
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// This file holds the kernels that multiply four digits at a time (VPMULUDQ, AVX2). What
// the numbers look like, and why nothing overflows, is said in lanes.go of the package.
//
// The work is done by rows: a row multiplies all vectors of one factor by one digit of the
// other and adds the products to the sums, the first to sum i for digit i. Four rows
// run side by side, so that a sum stays in a register until all four have been added.
//
// Register use:
//
//	SI   x, the factor whose vectors are read
//	R11  the multipliers of the next rows; in a reduction the sums h vectors below DI
//	R8   the modulus, four vectors ahead, where its digits start
//	R9   32·h, the length of a factor in bytes
//	R10  32·n, the rows in bytes of sums
//	R12  the sums
//	R15  five vectors: the digits of the quotient and the carry of the last of them
//	DI   the sums of the first row of a block
//	DX, BX, CX  vectors, sums and count of the inner loop
//	AX   count of the outer loop
//
// Pointers are four vectors ahead of what they are used for where that makes offsets
// fit in a byte.

// A lanes is a form of the numbers: how many lanes belong to one number.
type lanes struct {
	name  string
	each  int
	zeros int // see reduce
	odd   int // the width modulo 4
}

var (
	pair  = lanes{"Pair", 2, 1, 0}
	quad  = lanes{"Quad", 4, 2, 0}
	quad3 = lanes{"Quad3", 4, 2, 3}
)

// vec returns vector i at the address in r.
func vec(r Register, i int) Mem { return Mem{Base: r, Disp: 32 * i} }

// move moves a pointer by n vectors, next by four. 128 does not fit in a signed byte, -128
// does.
func move(r Register, n int) {
	if n != 0 {
		b.SUBQ(I8(int8(-32*n)), r)
	}
}

func next(r Register) { move(r, 4) }

// sums is a window of four sums, lowest first. Between steps the last one is free.
type sums [4]VecPhysical

func (w *sums) rotate() { w[0], w[1], w[2], w[3] = w[1], w[2], w[3], w[0] }

// rows is what the inner loop needs: the multipliers of four rows, and two registers.
type rows struct {
	mul       [4]VecPhysical
	next, tmp VecPhysical
}

// steps returns the instructions of count steps, in groups. A step takes the next vector
// at DX, adds its products with the multipliers to the window, and stores the
// lowest sum. fresh says that the sum that enters the window is new, and not in
// memory yet. BX is four vectors ahead.
func (r *rows) steps(w *sums, count int, fresh bool) (groups []func()) {
	for j := range count {
		v := *w
		groups = append(groups, func() {
			b.VMOVDQU(vec(RDX, j), r.next)
			b.VPMULUDQ(r.next, r.mul[0], r.tmp)
			b.VPADDQ(r.tmp, v[0], v[0])
			b.VMOVDQU(v[0], vec(RBX, j-4))
		}, func() {
			b.VPMULUDQ(r.next, r.mul[3], v[3])
			if !fresh {
				b.VPADDQ(vec(RBX, j-1), v[3], v[3])
			}
			b.VPMULUDQ(r.next, r.mul[1], r.tmp)
			b.VPADDQ(r.tmp, v[1], v[1])
		}, func() {
			b.VPMULUDQ(r.next, r.mul[2], r.tmp)
			b.VPADDQ(r.tmp, v[2], v[2])
		})
		w.rotate()
	}
	return append(groups, func() {
		move(RDX, count)
		move(RBX, count)
	})
}

// run emits groups of instructions.
func run(groups []func()) {
	for _, f := range groups {
		f()
	}
}

// weave emits two sequences, each in its order, spread over each other.
func weave(x, y []func()) {
	done := 0
	for i, f := range x {
		f()
		for ; done*len(x) < (i+1)*len(y); done++ {
			y[done]()
		}
	}
}

// loop emits steps, CX times four, at least once.
func (r *rows) loop(label string, w *sums, fresh bool) {
	align()
	b.Label(label)
	run(r.steps(w, 4, fresh))
	b.DECQ(RCX)
	b.JNE(LabelRef(label))
}

// store emits the end of a block of rows: what is left in the window.
func (w *sums) store(r Register, at int) {
	for k := range 3 {
		b.VMOVDQU(w[k], vec(r, at+k))
	}
}

func productRows() (*rows, *sums) {
	return &rows{[4]VecPhysical{Y0, Y1, Y2, Y3}, Y8, Y9}, &sums{Y4, Y5, Y6, Y7}
}

// block emits four rows over all of x. multiplier loads that of row k. The last sums
// that the rows reach are new, those of the first block of all are.
func (l lanes) block(label string, multiplier func(k int, r VecPhysical), first bool) {
	r, w := productRows()
	for k, y := range r.mul {
		multiplier(k, y)
	}
	for k := range 3 {
		if first {
			b.VPXOR(w[k], w[k], w[k])
		} else {
			b.VMOVDQU(vec(RDI, k), w[k])
		}
	}
	b.MOVQ(RSI, RDX)
	b.LEAQ(vec(RDI, 4), RBX)
	run(r.steps(w, l.odd, first))
	quads(RCX)
	b.DECQ(RCX)
	r.loop(label, w, first)
	run(r.steps(w, 4, true))
	w.store(RBX, -4)
	next(R11)
	next(RDI)
}

// blocks emits a loop of blocks, as many as AX says, at least one.
func (l lanes) blocks(label string, multiplier func(k int, r VecPhysical)) {
	b.Label(label)
	l.block(label+"Row", multiplier, false)
	b.DECQ(RAX)
	b.JNE(LabelRef(label))
}

// rows sets r to the number of blocks of rows for h vectors. The last one may have rows of zeros.
func (l lanes) rows(r Register) {
	quads(r)
	if l.odd != 0 {
		b.INCQ(r)
	}
}

// quads sets r to the number of fours in h.
func quads(r Register) {
	b.MOVQ(R9, r)
	b.SHRQ(Imm(7), r)
}

// broadcast loads the digit in lane i of each number into all of its lanes.
func (l lanes) broadcast(i int, m Mem, r VecPhysical) {
	if l.each == 2 {
		b.VPSHUFD(Imm([]uint64{0x44, 0xee}[i]), m, r)
	} else {
		b.VPERMQ(Imm([]uint64{0x00, 0x55, 0xaa, 0xff}[i]), m, r)
	}
}

// product emits: sums = x·y, with y at R11.
func (l lanes) product() {
	digit := func(i int) func(int, VecPhysical) {
		return func(k int, r VecPhysical) { l.broadcast(i, vec(R11, k), r) }
	}
	b.MOVQ(R12, RDI)
	l.block("first", digit(0), true)
	l.rows(RAX)
	b.DECQ(RAX)
	l.blocks("lane0", digit(0))
	for i := 1; i < l.each; i++ {
		// y again, and the row of its first digit in the next lane.
		b.SUBQ(R9, R11)
		if l.odd != 0 {
			move(R11, l.odd-4)
			move(RDI, l.odd-4)
		}
		if i < l.each-1 {
			l.rows(RAX)
		} else {
			// The rest of the n rows.
			b.MOVQ(R10, RAX)
			for range i {
				b.SUBQ(R9, RAX)
			}
			if l.odd != 0 {
				b.ADDQ(Imm(96), RAX)
			}
			b.SHRQ(Imm(7), RAX)
		}
		l.blocks([]string{"", "lane1", "lane2", "lane3"}[i], digit(i))
	}
}

// triangle emits: sums at DI = the sum of v_i·w_j + v_j·w_i over all i < j, and of v_i·w_i,
// where v are the vectors of x and w the same with the lanes permuted by what permute
// emits, a permutation that is its own inverse. v_i·w_j and v_j·w_i then are the same in other
// lanes, of which the sum is taken anyway: so it is 2·v_j·w_i for i < j.
func (l lanes) triangle(label string, permute func(m Mem, r VecPhysical)) {
	r, w := productRows()
	const (
		first = iota
		middle
		last
	)
	corner := func(kind int) {
		mul := r.mul
		for k, y := range mul {
			permute(vec(R11, k), y)
		}
		t := []VecPhysical{Y10, Y11, Y12, Y13}
		put := func(i int, y VecPhysical) {
			if kind == middle || kind == last && i < 3 {
				b.VPADDQ(vec(RDI, i), y, y)
			}
			b.VMOVDQU(y, vec(RDI, i))
		}
		times := func(i, j int, y VecPhysical) { b.VPMULUDQ(vec(R11, i), mul[j], y) }
		double := func(i int) { b.VPADDQ(mul[i], mul[i], mul[i]) }
		times(0, 0, t[0])
		put(0, t[0])
		double(0)
		times(1, 0, t[1])
		put(1, t[1])
		times(2, 0, t[2])
		times(1, 1, t[3])
		b.VPADDQ(t[3], t[2], t[2])
		put(2, t[2])
		double(1)
		times(3, 0, t[0])
		times(2, 1, t[1])
		b.VPADDQ(t[1], t[0], t[0])
		put(3, t[0])
		times(3, 1, w[0])
		times(2, 2, t[2])
		b.VPADDQ(t[2], w[0], w[0])
		double(2)
		times(3, 2, w[1])
		times(3, 3, w[2])
		if kind == last {
			w.store(RDI, 4)
			return
		}
		double(3)
		if kind == middle {
			for k := range 3 {
				b.VPADDQ(vec(RDI, 4+k), w[k], w[k])
			}
		}
		b.LEAQ(vec(R11, 4), RDX)
		b.LEAQ(vec(RDI, 8), RBX)
		b.MOVQ(RAX, RCX)
		b.DECQ(RCX)
	}
	b.MOVQ(RSI, R11)
	l.rows(RAX)
	b.DECQ(RAX)
	corner(first)
	r.loop(label+"First", w, true)
	run(r.steps(w, 4, true))
	w.store(RBX, -4)
	b.Label(label)
	next(R11)
	next(RDI)
	next(RDI)
	b.DECQ(RAX)
	b.JEQ(LabelRef(label + "Last"))
	corner(middle)
	b.JEQ(LabelRef(label + "End"))
	r.loop(label+"Row", w, false)
	b.Label(label + "End")
	run(r.steps(w, 4, true))
	w.store(RBX, -4)
	b.JMP(LabelRef(label))
	b.Label(label + "Last")
	corner(last)
}

// vectors emits a loop over the vectors of x, which moves the pointers.
func (l lanes) vectors(label string, body func(k int), pointers ...Register) {
	unroll := 2 - l.odd%2
	b.MOVQ(R9, RCX)
	b.SHRQ(Imm(uint64(4+unroll)), RCX)
	align()
	b.Label(label)
	for k := range unroll {
		body(k)
	}
	for _, p := range pointers {
		move(p, unroll)
	}
	b.DECQ(RCX)
	b.JNE(LabelRef(label))
}

// lane masks for VPBLENDD
const (
	lane0 = 0x03 << (2 * iota)
	lane1
	lane2
	lane3
)

// squarePair emits: sums = x². With x = a + b·D, D = 2^(radix·h), in lanes a and b, that is
// S + C·D where S has a² and b²·D² in its lanes, and C in each a share of 2ab.
func (l lanes) squarePair() {
	b.LEAQ(vec(R15, 5), RDI)
	l.triangle("same", func(m Mem, r VecPhysical) { b.VMOVDQU(m, r) })
	// Each triangle leaves DI at its last four of 2h sums.
	next(RDI)
	next(RDI)
	l.triangle("crossed", func(m Mem, r VecPhysical) { b.VPSHUFD(Imm(0x4e), m, r) })

	b.MOVQ(R12, RDI)
	b.LEAQ(vec(R15, 5), RDX)                         // S
	b.LEAQ(Mem{Base: RDX, Index: R9, Scale: 2}, RBX) // C
	b.MOVQ(RDX, R11)                                 // S, h below
	crossed := func(k int) {
		b.VMOVDQU(vec(RBX, k), Y0)
		b.VPSHUFD(Imm(0x4e), Y0, Y1)
		b.VPADDQ(Y1, Y0, Y0)
	}
	l.vectors("low", func(k int) {
		crossed(k)
		b.VPBLENDD(Imm(lane0|lane2), vec(RDX, k), Y0, Y0)
		b.VMOVDQU(Y0, vec(RDI, k))
	}, RDX, RBX, RDI)
	l.vectors("middle", func(k int) {
		crossed(k)
		b.VPADDQ(vec(R11, k), Y0, Y0)
		b.VPBLENDD(Imm(lane0|lane2), vec(RDX, k), Y0, Y0)
		b.VMOVDQU(Y0, vec(RDI, k))
	}, R11, RDX, RBX, RDI)
	b.VPXOR(Y1, Y1, Y1)
	l.vectors("high", func(k int) {
		b.VPBLENDD(Imm(lane1|lane3), vec(R11, k), Y1, Y0)
		b.VMOVDQU(Y0, vec(RDI, k))
	}, R11, RDI)
}

// reduce emits: z = sums/R modulo the modulus. It destroys SI and R8.
func (l lanes) reduce() {
	r := &rows{[4]VecPhysical{Y0, Y1, Y2, Y3}, Y12, Y13}
	w := sums{Y4, Y5, Y6, Y7}
	win := sums{Y8, Y9, Y10, Y11}
	zero := Y14 // where head is not under way
	const (
		maskLow  = -8 // the constants ahead of the digits of the modulus
		shiftLow = -7
		mask     = -6
		shift    = -5
	)
	// higher sets y to the sums at m moved down by a lane, from where they count for
	// the sums h vectors higher.
	higher := func(m Mem, y VecPhysical) {
		if l.each == 2 {
			b.VMOVDQU(m, y)
			b.VPSRLDQ(Imm(8), y, y)
		} else {
			b.VPERMQ(Imm(0x39), m, y)
			b.VPBLENDD(Imm(lane3), zero, y, y)
		}
	}
	// head returns the instructions that find four digits of the quotient and add their
	// products with the lowest digits of the modulus to the sums w. In the lowest lane
	// these digits are zero, as many as l.zeros, which shortens the way from one digit
	// to the next.
	head := func() (groups []func()) {
		d, p := Y14, Y15
		digits := [4]VecPhysical{}
		find := func(k int, d VecPhysical) {
			digits[k] = d
			groups = append(groups, func() {
				b.VPAND(vec(R8, maskLow), w[k], d)
				b.VPSRLVQ(vec(R8, shiftLow), w[k], p)
				if k < 3 {
					b.VPADDQ(p, w[k+1], w[k+1])
				} else {
					b.VMOVDQU(p, vec(R15, 4))
				}
				if l.each == 2 {
					b.VPSHUFD(Imm(0x44), d, d)
				} else {
					b.VPBROADCASTQ(d.AsX(), d)
				}
				b.VMOVDQU(d, vec(R15, k))
			})
		}
		add := func(k, j int) {
			d := digits[k]
			groups = append(groups, func() {
				b.VPMULUDQ(vec(R8, j-k-4), d, p)
				b.VPADDQ(p, w[j], w[j])
			})
		}
		done := func(k int) {
			groups = append(groups, func() { b.VMOVDQU(w[k], vec(RDI, k-4)) })
		}
		if l.zeros == 1 {
			for k := range 4 {
				find(k, d)
				for j := k + 1; j < 4; j++ {
					add(k, j)
				}
				add(k, k)
				done(k)
			}
			return groups
		}
		for k := 0; k < 4; k += 2 {
			find(k, d)
			add(k, k)
			done(k)
			find(k+1, w[k])
			if k == 0 {
				add(0, 2)
				add(1, 2)
				add(0, 3)
				add(1, 3)
			}
			add(k, k+1)
			add(k+1, k+1)
			done(k + 1)
		}
		return groups
	}
	// finish adds to the next four sums, in w, what the last four rows have for them,
	// and starts the window behind them. merge says that these sums are digits of the quotient
	// too.
	finish := func(merge bool) {
		next(RDI)
		next(R11)
		if merge && l.each == 4 {
			b.VPXOR(zero, zero, zero)
		}
		for k, y := range r.mul {
			b.VMOVDQU(vec(R15, k), y)
		}
		for k, y := range w {
			if merge {
				higher(vec(R11, k-4), y)
				b.VPADDQ(vec(RDI, k-4), y, y)
			} else {
				b.VMOVDQU(vec(RDI, k-4), y)
			}
		}
		b.VPADDQ(vec(R15, 4), w[0], w[0])
		// What digit j of the modulus and row i give belongs to sum i+j-4.
		targets := append(w[:], win[:3]...)
		for j := 1; j < 8; j++ {
			b.VMOVDQU(vec(R8, j-4), r.next)
			for i, q := range r.mul {
				k := i + j - 4
				switch {
				case k < 0:
				case i == 3 && k >= 4: // the first time
					b.VPMULUDQ(r.next, q, targets[k])
					b.VPADDQ(vec(RDI, k-4), targets[k], targets[k])
				default:
					b.VPMULUDQ(r.next, q, r.tmp)
					b.VPADDQ(r.tmp, targets[k], targets[k])
				}
			}
		}
		b.LEAQ(vec(R8, 4), RDX)
		b.LEAQ(vec(RDI, 4), RBX)
	}
	// begin returns the first steps behind that, of which there are at least as many, with
	// those that make the others a multiple of four.
	count := 3
	if l.odd != 0 {
		count = 2
	}
	begin := func() []func() {
		groups := r.steps(&win, l.odd, false)
		for range count {
			groups = append(groups, r.steps(&win, 4, false)...)
		}
		return groups
	}
	rest := func(label string) {
		quads(RCX)
		b.SUBQ(Imm(uint64(2+count)), RCX)
		b.JEQ(LabelRef(label + "Done"))
		r.loop(label, &win, false)
		b.Label(label + "Done")
		win.store(RBX, -4)
	}

	next(R8)
	b.LEAQ(vec(R12, 4), RDI)
	b.MOVQ(RDI, R11)
	b.SUBQ(R9, R11)
	for k, y := range w {
		b.VMOVDQU(vec(RDI, k-4), y)
	}
	run(head())
	b.MOVQ(R10, RAX)
	b.SHRQ(Imm(7), RAX)
	b.DECQ(RAX)
	align()
	b.Label("quotient")
	finish(true)
	weave(begin(), head())
	rest("quotientRow")
	b.DECQ(RAX)
	b.JNE(LabelRef("quotient"))
	finish(false)
	for k, y := range w {
		b.VMOVDQU(y, vec(RDI, k-4))
	}
	run(begin())
	rest("lastRow")

	// The result is in the sums from n on, which is DI - 4, and in higher lanes from n-h on,
	// which is R11 - 4. Its digits have up to 64 bits. Each keeps its low ones and gets the
	// others of the digit below, twice, which leaves little more than the radix.
	up := func(x, y VecPhysical) {
		if l.each == 2 {
			b.VPSLLDQ(Imm(8), x, y)
		} else {
			b.VPERMQ(Imm(0x93), x, y)
			b.VPBLENDD(Imm(lane0), zero, y, y)
		}
	}
	b.MOVQ(base("z"), RSI)
	b.VPXOR(zero, zero, zero)
	b.VMOVDQU(vec(R8, mask), Y12)
	b.VMOVDQU(vec(R8, shift), Y13)
	// The last two digits of each lane give the first carries of the next lane. The last
	// sum, number n+h-1, is out of the reach of the rows.
	b.LEAQ(Mem{Base: RDI, Index: R9, Scale: 1}, RBX)
	b.VMOVDQU(zero, vec(RBX, -5))
	higher(vec(RDI, -5), Y0)
	higher(vec(RDI, -6), Y1)
	b.VPADDQ(vec(RBX, -6), Y1, Y1)
	b.VPSRLVQ(Y13, Y1, Y1)
	b.VPAND(Y12, Y0, Y2)
	b.VPADDQ(Y1, Y2, Y2)
	b.VPSRLVQ(Y13, Y0, Y0)
	up(Y0, Y0)
	b.VPSRLVQ(Y13, Y2, Y2)
	up(Y2, Y1)
	carries := func(count int) {
		for k := range count {
			higher(vec(R11, k-4), Y2)
			b.VPADDQ(vec(RDI, k-4), Y2, Y2)
			b.VPAND(Y12, Y2, Y3)
			b.VPADDQ(Y0, Y3, Y3)
			b.VPSRLVQ(Y13, Y2, Y0)
			b.VPAND(Y12, Y3, Y4)
			b.VPADDQ(Y1, Y4, Y4)
			b.VPSRLVQ(Y13, Y3, Y1)
			b.VMOVDQU(Y4, vec(RSI, k))
		}
		move(R11, count)
		move(RDI, count)
		move(RSI, count)
	}
	carries(l.odd)
	quads(RCX)
	align()
	b.Label("carries")
	carries(4)
	b.DECQ(RCX)
	b.JNE(LabelRef("carries"))
}

// start loads the addresses of the scratch memory t: h vectors of zeros, the sums,
// the quotient, and what the squares need.
func (l lanes) start() {
	b.MOVQ(length("z"), R9)
	b.SHLQ(Imm(3), R9)
	if l.odd != 0 {
		move(R9, l.odd-4)
	}
	b.MOVQ(param("n"), R10)
	b.SHLQ(Imm(5), R10)
	b.MOVQ(base("t"), R12)
	b.ADDQ(R9, R12)
	b.LEAQ(Mem{Base: R12, Index: R9, Scale: uint8(l.each)}, R15)
	b.ADDQ(R9, R15)
	b.MOVQ(base("x"), RSI)
	b.MOVQ(base("m"), R8)
	next(R8)
}

func (l lanes) montMul() {
	function("montMul"+l.name+"AVX2", "func(z, x, y, t, m []uint64, n int)")
	l.start()
	b.MOVQ(base("y"), R11)
	l.product()
	l.reduce()
	b.VZEROUPPER()
	b.RET()
}

func (l lanes) montSqrs(square func()) {
	function("montSqrs"+l.name+"AVX2", "func(z, x, t, m []uint64, n, count int)")
	left := slot()
	l.start()
	b.MOVQ(param("count"), RAX)
	b.MOVQ(RAX, left)
	b.Label("again")
	square()
	l.reduce()
	b.MOVQ(base("z"), RSI)
	b.MOVQ(base("m"), R8)
	next(R8)
	b.DECQ(left)
	b.JNE(LabelRef("again"))
	b.VZEROUPPER()
	b.RET()
}

// squareQuad emits: sums = x². With x = a + b·D + c·D² + d·D³, D = 2^(radix·h), that is
// S + T + U where the lanes hold
//
//	S (even):    a², b²·D², c²·D⁴, d²·D⁶
//	T (odd):     2ab·D, 2bc·D³, 2cd·D⁵, 2da·D³
//	U (crossed): shares of 2ac·D², 2bd·D⁴, 2ac·D², 2bd·D⁴
func (l lanes) squareQuad() {
	b.LEAQ(vec(R15, 5), RDI)
	l.triangle("even", func(m Mem, r VecPhysical) { b.VMOVDQU(m, r) })
	next(RDI)
	next(RDI)
	l.triangle("crossed", func(m Mem, r VecPhysical) { b.VPERMQ(Imm(0x4e), m, r) })
	next(RDI)
	next(RDI)
	odd := func(k int, r VecPhysical) {
		b.VPERMQ(Imm(0x39), vec(R11, k), r)
		b.VPADDQ(r, r, r)
	}
	b.MOVQ(RSI, R11)
	l.block("oddFirst", odd, true)
	l.rows(RAX)
	b.DECQ(RAX)
	l.blocks("odd", odd)

	// Sum t gets what there is for D⁰ to D³, sum 2h+t what there is for D⁴ and D⁵ in the
	// lanes of D² and D³, sum 3h+t what there is for D⁶ in the lane of D³.
	b.MOVQ(R12, RDI)
	b.LEAQ(Mem{Base: R12, Index: R9, Scale: 2}, R11)
	b.LEAQ(vec(R15, 5), RDX) // S, and U 2h vectors on
	// These are of a multiple of four vectors.
	pad := 32 * ((4 - l.odd) % 4)
	b.LEAQ(Mem{Base: RDX, Index: R9, Scale: 4, Disp: 4 * pad}, RBX) // T
	b.MOVQ(RDX, RAX)                                                // S, h below
	b.VPXOR(Y15, Y15, Y15)
	body := func(k int, high bool) {
		u := Mem{Base: RDX, Index: R9, Scale: 2, Disp: 32*k + 2*pad}
		b.VMOVDQU(u, Y0)
		b.VPERMQ(Imm(0x4e), Y0, Y1)
		b.VPADDQ(Y1, Y0, Y0)
		b.VPSHUFD(Imm(0x4e), Y0, Y0)
		b.VPBLENDD(Imm(lane1|lane2), Y0, Y15, Y0)
		b.VPADDQ(vec(RDX, k), Y0, Y0) // D⁰, D², D⁴, D⁶
		b.VMOVDQU(vec(RBX, k), Y2)
		b.VEXTRACTI128(Imm(1), Y2, X3)
		b.VPBLENDD(Imm(lane1), Y3, Y15, Y3)
		b.VPADDQ(Y3, Y2, Y2) // D, D³, D⁵, and what is in D³ already
		b.VPUNPCKLQDQ(Y2, Y0, Y4)
		b.VPUNPCKHQDQ(Y2, Y0, Y5)
		b.VINSERTI128(Imm(1), X5, Y4, Y5)
		b.VMOVDQU(Y5, vec(RDI, k))
		b.VPBLENDD(Imm(lane0|lane1), Y15, Y4, Y4)
		if high {
			b.VPBLENDD(Imm(lane3), vec(RAX, k), Y15, Y0)
			b.VPADDQ(Y0, Y4, Y4)
		}
		b.VMOVDQU(Y4, vec(R11, k))
	}
	l.vectors("low", func(k int) { body(k, false) }, RDI, R11, RDX, RBX)
	l.vectors("high", func(k int) { body(k, true) }, RDI, R11, RDX, RBX, RAX)
	l.vectors("top", func(k int) {
		b.VPBLENDD(Imm(lane3), vec(RAX, k), Y15, Y0)
		b.VMOVDQU(Y0, vec(R11, k))
	}, R11, RAX)
}

func selectPair() {
	function("selectPairAVX2", "func(z, table []uint64, i, j uint)")
	b.Load(b.Param("z").Base(), RDI)
	b.Load(b.Param("z").Len(), RBX)
	b.Load(b.Param("table").Base(), RSI)
	// RBX: bytes of an entry, which are those of half of z. RCX: pairs of vectors left.
	b.SHLQ(Imm(2), RBX)
	b.MOVQ(RBX, RCX)
	b.SHRQ(Imm(6), RCX)
	// Y0 = i, i, j, j; Y1 = 1, Y2 = the number of the entry, Y3 = the masks.
	b.VMOVQ(param("i"), X0)
	b.VPUNPCKLQDQ(X0, X0, X0)
	b.VMOVQ(param("j"), X1)
	b.VPUNPCKLQDQ(X1, X1, X1)
	b.VINSERTI128(Imm(1), X1, Y0, Y0)
	b.VPCMPEQQ(Y1, Y1, Y1)
	b.VPSRLQ(Imm(63), Y1, Y1)
	// A group of vectors at a time, of all entries.
	group := func(label string, n int) {
		sums, tmps := []VecPhysical{Y4, Y5, Y6, Y7}[:n], []VecPhysical{Y8, Y9, Y10, Y11}[:n]
		b.VPXOR(Y2, Y2, Y2)
		for _, y := range sums {
			b.VPXOR(y, y, y)
		}
		b.MOVQ(RSI, RDX)
		b.MOVQ(U32(16), RAX)
		align()
		b.Label(label)
		for range 2 {
			b.VPCMPEQQ(Y0, Y2, Y3)
			b.VPADDQ(Y1, Y2, Y2)
			for k, y := range sums {
				b.VPAND(vec(RDX, k), Y3, tmps[k])
				b.VPOR(tmps[k], y, y)
			}
			b.ADDQ(RBX, RDX)
		}
		b.DECQ(RAX)
		b.JNE(LabelRef(label))
		for k, y := range sums {
			b.VMOVDQU(y, vec(RDI, k))
			b.VPSRLQ(Imm(32), y, y)
			m := vec(RDI, k)
			m.Index, m.Scale = RBX, 1
			b.VMOVDQU(y, m)
		}
		move(RSI, n)
		move(RDI, n)
	}
	b.SHRQ(Imm(1), RCX)
	b.JEQ(LabelRef("foursDone"))
	b.Label("fours")
	group("four", 4)
	b.DECQ(RCX)
	b.JNE(LabelRef("fours"))
	b.Label("foursDone")
	b.TESTQ(U32(64), RBX)
	b.JEQ(LabelRef("twoDone"))
	group("two", 2)
	b.Label("twoDone")
	b.VZEROUPPER()
	b.RET()
}

// vaes emits hasVAES.
func vaes() {
	function("hasVAES", "func() bool")
	b.MOVL(U32(7), EAX)
	b.XORL(ECX, ECX)
	b.CPUID()
	b.SHRL(Imm(9), ECX)
	b.ANDL(Imm(1), ECX)
	b.Store(CL, b.ReturnIndex(0))
	b.RET()
}
