package bigmod

import "unsafe"

// This file holds the exponentiations for processors that multiply four numbers of 32
// bits at a time faster than one of 64: numbers are cut into short digits, four of which
// lie in the four lanes of a vector, so that no carries run between them.
//
// A number x has digits xᵢ, i < n, of r bits. Its vectors are numbered j < h; with two lanes
// to a number, vector j has xⱼ and xⱼ₊ₕ, with four, xⱼ, xⱼ₊ₕ, xⱼ₊₂ₕ and xⱼ₊₃ₕ. Two lanes
// leave room for two numbers, which is how the two halves of a private operation run side by
// side. A product is a sum of rows: row i multiplies all vectors with digit i, in all lanes,
// and adds the result to the sums i to i+h-1. So lane l of sum t counts for digit t+l·h.
// When the sums below t have been dealt with, what higher lanes of sum t-h hold is moved
// one lane down and added to sum t, so that the lowest lane of sum t is the whole of digit t.
//
// The modulus is not m but N = k·m with k = -m⁻¹ mod 2^(z·r), which ends in z digits of ones:
// N = M·2^(z·r) - 1. So the next digit of the Montgomery quotient, q = -T·N⁻¹ mod 2^r, is the
// lowest digit of T itself, and T + q·N = (T - q) + q·M·2^(z·r) needs no product with the z lowest
// digits. z is 1 for two numbers and 2 for one, where a digit would wait longer for its
// predecessors.
//
// Results are not reduced. With R = 2^(r·n) and 4N <= R, the product (x·y + q·N)/R of two
// numbers below 2N is below (4N² + R·N)/R <= 2N.
//
// Nor are digits: the sums are brought from 64 bits close to r bits by adding what is above r
// bits of each to the next one, twice. That leaves digits d < 2^r + 2^(64-2r). A digit of
// the product before that is the sum of at most n products of digits of the factors, n of q
// with N, whose digits are at most 2^r, and a carry: below 2n·(2^r + 2^(64-2r))² + 2^(64-r),
// which for r = 28 is below 2^64 if n <= 124, for r = 27 if n <= 508. Everything that the
// kernels add up on the way is a part of such a sum. A doubled digit fits in the 32 bits that
// the instruction multiplies.

// A laneForm says how numbers lie in vectors. The names in the text above are in brackets.
type laneForm struct {
	each   int // lanes for each number, 2 or 4
	radix  int // bits of a digit [r]
	digits int // digits of R, a multiple of 4 [n]
	width  int // vectors with digits, each·width >= digits [h]
}

const (
	// laneMinWidth is the least width that the kernels take.
	laneMinWidth = 20

	// laneConstants are the vectors in front of a modulus, which the kernels need.
	laneConstants = 4
)

// zeros returns the number of digits in which N ends in ones. [z]
func (f *laneForm) zeros() int { return f.each / 2 }

// newLaneForm returns the form for numbers of the given size in bits, and false if the
// kernels do not take it.
func newLaneForm(each, size int) (f laneForm, ok bool) {
	f.each = each
	for _, radix := range [...]int{28, 27} {
		f.radix = radix
		// m·2^(z·r) > N, and two bits for 4N <= R.
		need := size + f.zeros()*radix + 2
		f.digits = roundUp4((need + radix - 1) / radix)
		f.width = (f.digits + each - 1) / each
		if each == 2 || f.width%4 != 3 {
			f.width = roundUp4(f.width)
		}
		if f.digits <= 124 {
			break
		}
	}
	return f, roundUp4(f.width) >= laneMinWidth && f.digits <= 508
}

func roundUp4(n int) int { return (n + 3) &^ 3 }

// vector returns the length of a number, or of all that lie side by side. Vectors beyond the
// width, which make their number a multiple of four, are zero.
func (f *laneForm) vector() int { return 4 * roundUp4(f.width) }

// scratch returns the length of the scratch memory of the kernels: width zeros in front
// of the sums, and for the rest see _asm/lanes.go.
func (f *laneForm) scratch() int { return (2+3*f.each)*f.vector() + 4*5 }

// at returns where digit i of number s lies.
func (f *laneForm) at(s, i int) int { return i%f.width*4 + s*f.each + i/f.width }

// split sets number s in z to x, which must be below R.
//
//go:norace
func (f *laneForm) split(z []uint64, s int, x []uint) {
	z = z[:4*f.width]
	radix := uint(f.radix)
	mask := uint64(1)<<(radix&63) - 1
	// The next bits are those of low from off on, then those of high.
	low, high, off, i := word(x, 0), word(x, 1), uint(0), 2
	for lane := range f.each {
		for j := s*f.each + lane; j < len(z); j += 8 {
			d := low>>(off&63) | high<<1<<(63-off&63)
			z[j] = d & mask
			off += radix
			if j+4 < len(z) {
				z[j+4] = d >> (radix & 63) & mask
				off += radix
			}
			if off >= 64 {
				off -= 64
				low, high = high, word(x, i)
				i++
			}
		}
	}
}

// word returns word i of x, of 64 bits, where x has zeros above.
func word(x []uint, i int) (v uint64) {
	i *= 64 / _W
	if i < len(x) {
		v = uint64(x[i])
	}
	if _W < 64 && i+1 < len(x) {
		v |= uint64(x[i+1]) << 32
	}
	return v
}

// join sets x to number s in z, modulo 2^W to the length of x.
//
//go:norace
func (f *laneForm) join(x []uint, z []uint64, s int) {
	z = z[:4*f.width]
	radix := uint(f.radix)
	mask := uint64(1)<<(radix&63) - 1
	var low, carry uint64
	var off uint
	i := 0
	for lane := range f.each {
		for j := s*f.each + lane; j < len(z); j += 8 {
			carry += z[j]
			d, size := carry&mask, radix
			carry >>= radix & 63
			if j+4 < len(z) {
				carry += z[j+4]
				d |= carry & mask << (radix & 63)
				carry >>= radix & 63
				size += radix
			}
			low |= d << (off & 63)
			if off += size; off >= 64 {
				off -= 64
				setWord(x, i, low)
				i++
				low = d >> (size - off&63)
			}
		}
	}
	for ; i*64 < len(x)*_W; i++ {
		setWord(x, i, low)
		low = 0
	}
}

// setWord sets word i of x, as far as x reaches.
func setWord(x []uint, i int, v uint64) {
	i *= 64 / _W
	if i < len(x) {
		x[i] = uint(v)
	}
	if _W < 64 && i+1 < len(x) {
		x[i+1] = uint(v >> 32)
	}
}

// setModulus sets number s of z, a modulus with the constants in front, to N for m, as the
// kernels take it: M·2^(z·r) in the lanes of the number. t has 64 bits more than m.
func (f *laneForm) setModulus(z []uint64, s int, m *Modulus, t []uint) {
	n := len(m.nat.limbs)
	// A step of Newton's makes -m⁻¹ mod 2^64 of that modulo 2^32, see [negInverse].
	inverse := -uint64(m.m0inv)
	inverse *= 2 - word(m.nat.limbs, 0)*inverse
	k := -inverse & (1<<(f.zeros()*f.radix) - 1)
	t = t[:n+64/_W]
	clear(t)
	for i := range 64 / _W {
		t[n+i] = addMulVVW(t[i:n+i], m.nat.limbs, uint(k>>(i*_W)))
	}
	const start = 4 * laneConstants
	f.split(z[start:], s, t)
	for i := range f.zeros() {
		z[start+f.at(s, i)] = 0
	}
	z[start+f.at(s, f.zeros())]++

	// The lowest digit of a number; the counts of shifts that move it down to make the carry,
	// and clear the other lanes; the same for all lanes.
	mask, shift := uint64(1)<<f.radix-1, uint64(f.radix)
	for lane := s * f.each; lane < (s+1)*f.each; lane++ {
		z[lane], z[4+lane] = 0, 64
		z[8+lane], z[12+lane] = mask, shift
	}
	z[s*f.each], z[4+s*f.each] = mask, shift
}

// enter sets number s of z to x·R mod m, its Montgomery form. x is reduced. t has the length
// that shiftedLen returns.
func (f *laneForm) enter(z []uint64, s int, x []uint, m *Modulus, t []uint) {
	n := len(m.nat.limbs)
	if len(x) > n {
		panic("bigmod: base of an exponentiation is longer than the modulus")
	}
	shift := f.radix * f.digits
	i, off := shift/_W, shift%_W
	t = t[:i+n+1]
	clear(t)
	for j, v := range x {
		t[i+j] |= v << off
		t[i+j+1] = v >> (_W - off) // 0 if off is
	}
	// The top n limbs are x·2^off / 2^W, below m.
	reduceTop(t, m)
	f.split(z, s, t[:n])
}

// shiftedLen returns the length of the scratch memory of enter, for a modulus of n limbs.
func (f *laneForm) shiftedLen(n int) int { return f.radix*f.digits/_W + n + 1 }

// leave sets x to number s of z mod m, with the length of m. t has 64 bits more than m.
func (f *laneForm) leave(x *Nat, z []uint64, s int, m *Modulus, t []uint) {
	n := len(m.nat.limbs)
	t = t[:n+64/_W]
	// The number is below 2N < 2^(1+z·r)·m < 2^64·m, so the top n limbs are below m.
	f.join(t, z, s)
	reduceTop(t, m)
	copy(x.resized(n), t)
}

// A laneKernel names a set of functions for numbers in lanes.
type laneKernel uint8

const (
	// laneNone has none.
	laneNone laneKernel = iota

	// laneGeneric is there to check others by.
	laneGeneric

	// laneAVX2 needs AVX2, and is worth it where that multiplies two vectors a cycle.
	laneAVX2
)

// ExpPair computes x1 = y1^e1 mod m1 and x2 = y2^e2 mod m2, both as [Nat.Exp] does, for
// secret, big-endian exponents. Where the processor has a kernel for it and m1 and m2
// have nearly the same size, of 1024 bits or more, it takes less time than two calls of that:
// about two thirds. x1 may be y1 and x2 may be y2; apart from that x1 and x2 must be neither the
// same nor the other's base.
//
// The lengths of e1 and e2 in bytes leak, as do those of m1 and m2 in bits.
//
// ExpPair panics if m1 or m2 is even.
func ExpPair(x1, y1 *Nat, e1 []byte, m1 *Modulus, x2, y2 *Nat, e2 []byte, m2 *Modulus) {
	m1.checkOdd()
	m2.checkOdd()
	if f, ok := pairForm(m1, m2); ok && activeLanes != laneNone {
		expPair(x1, y1, e1, m1, x2, y2, e2, m2, activeLanes, &f)
		return
	}
	x1.Exp(y1, e1, m1)
	x2.Exp(y2, e2, m2)
}

// pairForm returns the form for two moduli side by side, and false if there is none or
// the smaller one would be filled up by more than an eighth.
func pairForm(m1, m2 *Modulus) (f laneForm, ok bool) {
	large, small := m1.BitLen(), m2.BitLen()
	if small > large {
		large, small = small, large
	}
	f, ok = newLaneForm(2, large)
	return f, ok && f.width <= pairMaxWidth && large-small <= large/8
}

const (
	// pairMaxWidth is the width up to which ExpPair runs numbers side by side, for primes of
	// 4096 bits. Five squarings of that length, one call, take about 20 µs.
	pairMaxWidth = 80

	// pairStackWidth is the width up to which it allocates nothing: primes of 2048 bits.
	pairStackWidth = 40
)

// expPair is ExpPair with the given kernel and form.
func expPair(x1, y1 *Nat, e1 []byte, m1 *Modulus, x2, y2 *Nat, e2 []byte, m2 *Modulus, k laneKernel, f *laneForm) {
	const (
		entries   = 1 << expWindow
		stackSize = 4*(laneConstants+5) + 4*(2+3*2)*pairStackWidth + (3*4+2*entries)*pairStackWidth
	)
	v := f.vector()
	var stack [stackSize + alignment]uint64
	buf := aligned(stack[:], 4*laneConstants+f.scratch()+3*v+entries*v/2)
	defer wipeDigits(buf)
	mod, rest := buf[:4*laneConstants+v], buf[4*laneConstants+v:]
	acc, entry, rest := rest[:v], rest[v:2*v], rest[2*v:]
	table, t := rest[:entries*v/2], rest[entries*v/2:]

	var stackLimbs [2*expStackLimbs + 4]uint
	limbs := scratch(stackLimbs[:], f.shiftedLen(max(len(m1.nat.limbs), len(m2.nat.limbs))))
	defer wipe(limbs)
	f.setModulus(mod, 0, m1, limbs)
	f.setModulus(mod, 1, m2, limbs)

	// table[i] = y^i, in Montgomery form.
	at := func(i int) []uint64 { return table[v/2*i : v/2*(i+1)] }
	one := [...]uint{1}
	f.enter(acc, 0, one[:], m1, limbs)
	f.enter(acc, 1, one[:], m2, limbs)
	pack(at(0), acc)
	f.enter(entry, 0, y1.limbs, m1, limbs)
	f.enter(entry, 1, y2.limbs, m2, limbs)
	pack(at(1), entry)
	for i := 2; i < entries; i += 2 {
		unpack(acc, at(i/2))
		k.montSqrs(f, acc, acc, t, mod, 1)
		pack(at(i), acc)
		k.montMul(f, acc, acc, entry, t, mod)
		pack(at(i+1), acc)
	}

	// As in Exp; the shorter exponent has zeros in front.
	size := max(len(e1), len(e2)) * 8
	first := size % expWindow
	k.selectPair(acc, table, window(e1, size-first, first), window(e2, size-first, first))
	for i := size - first - expWindow; i >= 0; i -= expWindow {
		k.montSqrs(f, acc, acc, t, mod, expWindow)
		k.selectPair(entry, table, window(e1, i, expWindow), window(e2, i, expWindow))
		k.montMul(f, acc, acc, entry, t, mod)
	}

	// Multiplication by one leaves Montgomery form.
	clear(entry)
	entry[f.at(0, 0)], entry[f.at(1, 0)] = 1, 1
	k.montMul(f, acc, acc, entry, t, mod)
	f.leave(x1, acc, 0, m1, limbs)
	f.leave(x2, acc, 1, m2, limbs)
}

const low32 = 1<<32 - 1

// pack puts two vectors into one, whose lanes have room for two digits.
//
//go:norace
func pack(z, x []uint64) {
	low, high := x[:len(z)], x[len(z):]
	for i := range z {
		z[i] = low[i] | high[i]<<32
	}
}

// unpack undoes pack.
//
//go:norace
func unpack(z, x []uint64) {
	low, high := z[:len(x)], z[len(x):]
	for i, v := range x {
		low[i], high[i] = v&low32, v>>32
	}
}

const (
	// quadMinSquarings is the least number of squarings that makes up for the way into lanes
	// and back.
	quadMinSquarings = 12

	// quadMaxWidth is the width up to which the chain of a public exponent runs in lanes, for
	// a modulus of 8192 bits.
	quadMaxWidth = 80

	// quadStackWidth is the width up to which it allocates nothing: a modulus of 4096 bits.
	quadStackWidth = 40
)

// quadForm returns the form for one modulus in four lanes, and false if there is none.
func quadForm(m *Modulus) (f laneForm, ok bool) {
	f, ok = newLaneForm(4, m.BitLen())
	return f, ok && f.width <= quadMaxWidth
}

// expQuad is expChainVarTime with numbers in lanes, for e > 1.
func (x *Nat) expQuad(y *Nat, e []byte, m *Modulus, k laneKernel, f *laneForm) *Nat {
	const stackSize = 4*(laneConstants+5) + 4*(2+3*4)*quadStackWidth + 4*4*quadStackWidth
	v := f.vector()
	var stack [stackSize + alignment]uint64
	buf := aligned(stack[:], 4*laneConstants+f.scratch()+4*v)
	defer wipeDigits(buf)
	mod, rest := buf[:4*laneConstants+v], buf[4*laneConstants+v:]
	acc, base, plain, t := rest[:v], rest[v:2*v], rest[2*v:3*v], rest[3*v:]

	var stackLimbs [2*chainStackLimbs + 4]uint
	limbs := scratch(stackLimbs[:], f.shiftedLen(len(m.nat.limbs)))
	defer wipe(limbs)
	f.setModulus(mod, 0, m, limbs)
	f.split(plain, 0, y.limbs)
	f.enter(base, 0, y.limbs, m, limbs)
	copy(acc, base)
	if !chain(e, func(count int) {
		for ; count > 0; count -= laneMaxSquarings {
			k.montSqrs(f, acc, acc, t, mod, min(count, laneMaxSquarings))
		}
	}, func(last bool) {
		if last {
			k.montMul(f, acc, acc, plain, t, mod)
		} else {
			k.montMul(f, acc, acc, base, t, mod)
		}
	}) {
		clear(plain)
		plain[0] = 1
		k.montMul(f, acc, acc, plain, t, mod)
	}
	f.leave(x, acc, 0, m, limbs)
	return x
}

// laneMaxSquarings bounds the time of a call, which cannot be preempted: 8 squarings of
// 8192 bits take about 65 µs.
const laneMaxSquarings = 8

// aligned returns n limbs or digits, from stack if they fit with what alignment takes. They start
// at a cache line, so that no vector lies across two.
func aligned[T uint | uint64](stack []T, n int) []T {
	size := unsafe.Sizeof(T(0))
	if n+alignment > len(stack) {
		stack = make([]T, n+alignment)
	}
	skip := int(-uintptr(unsafe.Pointer(&stack[0])) / size % (cacheLine / size))
	return stack[skip : skip+n]
}

const (
	cacheLine = 64

	// alignment is how much longer memory for aligned must be.
	alignment = cacheLine/_S - 1
)

// wipeDigits is wipe for digits.
//
//go:noinline
func wipeDigits(z []uint64) { clear(z) }

// montMulLanesGeneric sets z = x · y / R mod m for each of the numbers that lie side by side.
//
// Lengths: as f says; t is scratch memory for other functions.
// On entry: x, y < 2N, with digits below 2^r + 2^(64-2r). The upper 32 bits of a lane may
// hold anything.
// On return: z likewise, with zeros in the upper 32 bits.
// Aliasing: z may be x or y.
// Secret: all values.
//
//go:norace
func montMulLanesGeneric(f *laneForm, z, x, y, m []uint64) {
	n, all := f.digits, f.each*f.width
	mask := uint64(1)<<f.radix - 1
	m = m[4*laneConstants:]
	sums := make([]uint64, n+all)
	for s := range 4 / f.each {
		clear(sums)
		for i := range n {
			d := y[f.at(s, i)] & low32
			for j := range all {
				sums[i+j] += d * (x[f.at(s, j)] & low32)
			}
		}
		for i := range n {
			q := sums[i] & mask
			sums[i+1] += sums[i] >> f.radix
			for j := range all {
				sums[i+j] += q * m[f.at(s, j)]
			}
		}
		r := sums[n:]
		for range 2 {
			var carry uint64
			for i, v := range r {
				r[i] = v&mask + carry
				carry = v >> f.radix
			}
		}
		for i, v := range r {
			z[f.at(s, i)] = v
		}
	}
	clear(sums)
}

// montSqrsLanesGeneric squares count times, at least once: z = x² / R mod m, then of z. The
// rest is as for montMulLanesGeneric.
func montSqrsLanesGeneric(f *laneForm, z, x, m []uint64, count int) {
	for range count {
		montMulLanesGeneric(f, z, x, x, m)
		x = z
	}
}

// selectPairGeneric sets z to entry i of the table for the first number, and to entry j for the
// second. The entries are packed; z has 32 entries of half its length. The upper 32 bits
// of a lane of z may hold anything.
//
// Secret: all values, with i and j, which must be below 32.
//
//go:norace
func selectPairGeneric(z, table []uint64, i, j uint) {
	half := len(z) / 2
	packed := z[:half]
	clear(packed)
	for k := range uint(1 << expWindow) {
		masks := [2]uint64{-uint64(ctEq(k, i)), -uint64(ctEq(k, j))}
		for l, v := range table[:half] {
			packed[l] |= v & masks[l/2%2]
		}
		table = table[half:]
	}
	for l, v := range packed {
		z[half+l] = v >> 32
	}
}
