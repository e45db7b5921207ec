package bigmod

import "math/bits"

const (
	// expWindow is the width of the windows of a secret exponent, in bits. For
	// exponents of 512 to 4096 bits, 5 needs the fewest multiplications.
	expWindow = 5

	// expStackLimbs is the width up to which [Nat.Exp] keeps its table on the
	// stack: the CRT halves of 4096-bit keys.
	expStackLimbs = 2048 / _W

	// chainStackLimbs is the same for the exponentiations with a public
	// exponent, which need no table: a 4096-bit modulus.
	chainStackLimbs = 4096 / _W
)

// montMul sets z = x · y · R⁻¹ mod m. All have the width w of m.mont, t has 2w
// limbs. z may be x or y. The result is reduced if one of x and y is.
func (m *Modulus) montMul(z, x, y, t []uint) { montMul(z, x, y, t, m.mont, m.m0inv) }

// montSqrs squares count times, at least once, in Montgomery form: z = x² · R⁻¹ mod
// m, then z = z² · R⁻¹ mod m. The rest is as for montMul.
func (m *Modulus) montSqrs(z, x, t []uint, count int) { montSqrs(z, x, t, m.mont, m.m0inv, count) }

// toMont sets z = x · R mod m. x is reduced and not longer than m. z has the width
// w of m.mont, t has 2w limbs; x overlaps neither.
func (m *Modulus) toMont(z, x, t []uint) {
	n, w := len(m.nat.limbs), len(m.mont)
	if len(x) > n {
		panic("bigmod: base of an exponentiation is longer than the modulus")
	}
	clear(t[:w])
	clear(t[w+copy(t[w:], x):])
	reduceTop(t[:w+n], m)
	clear(z[copy(z, t[:n]):])
}

// montOne sets z = R mod m, the Montgomery form of one. z has the width w of
// m.mont, t has 2w limbs.
func (m *Modulus) montOne(z, t []uint) {
	n, w := len(m.nat.limbs), len(m.mont)
	// R = 2^(W·w), whose top n limbs would be 1, 0, …: below m unless m is 2^(W·(n-1)),
	// which is not odd.
	clear(t)
	t[w] = 1
	reduceTop(t[:w+1], m)
	clear(z[copy(z, t[:n]):])
}

// fromMont sets z = x · R⁻¹ mod m. x and z have the width w of m.mont and may be
// the same, t has 2w limbs.
func (m *Modulus) fromMont(z, x, t []uint) {
	w := len(m.mont)
	copy(t, x)
	clear(t[w:])
	montReduce(z, t, m.mont, m.m0inv)
}

func (m *Modulus) checkOdd() {
	if m.mont == nil {
		panic("bigmod: modulus of an exponentiation is even")
	}
}

// Exp computes x = y^e mod m for a secret, big-endian exponent e, with the length
// of m. y must be reduced modulo m. The length of e in bytes leaks, its value
// does not; an empty e is zero.
//
// Exp panics if m is even.
func (x *Nat) Exp(y *Nat, e []byte, m *Modulus) *Nat {
	m.checkOdd()
	n, w := len(m.nat.limbs), len(m.mont)

	// One allocation for all: the table, the accumulator, an entry of the table
	// and a product.
	const entries = 1 << expWindow
	var stack [(entries+4)*expStackLimbs + alignment]uint
	buf := aligned(stack[:], (entries+4)*w)
	table, buf := buf[:entries*w], buf[entries*w:]
	acc, entry, t := buf[:w], buf[w:2*w], buf[2*w:4*w]

	// table[i] = y^i, in Montgomery form.
	at := func(i int) []uint { return table[i*w : (i+1)*w] }
	m.montOne(at(0), t)
	m.toMont(at(1), y.limbs, t)
	for i := 2; i < entries; i += 2 {
		m.montSqrs(at(i), at(i/2), t, 1)
		m.montMul(at(i+1), at(i), at(1), t)
	}

	// From the top, the first window takes what is not a multiple of the width.
	size := len(e) * 8
	first := size % expWindow
	selectLimbs(acc, table, window(e, size-first, first))
	for i := size - first - expWindow; i >= 0; i -= expWindow {
		m.montSqrs(acc, acc, t, expWindow)
		selectLimbs(entry, table, window(e, i, expWindow))
		m.montMul(acc, acc, entry, t)
	}

	m.fromMont(acc, acc, t)
	copy(x.resized(n), acc)
	wipe(table)
	wipe(buf)
	return x
}

// window returns the size bits of the big-endian number e from bit i up. size is
// at most 8.
func window(e []byte, i, size int) uint {
	at := len(e) - 1 - i/8
	if at < 0 {
		return 0
	}
	v := uint(e[at])
	if at > 0 {
		v |= uint(e[at-1]) << 8
	}
	return v >> (i % 8) & (1<<size - 1)
}

// ExpShortVarTime computes x = y^e mod m for a public exponent e, with the length
// of m. y must be reduced modulo m; it and m are secret, e leaks.
//
// It takes bitlen(e)-1 squarings and one multiplication for each further set bit
// of e: 16 and 1 for e = 65537.
//
// ExpShortVarTime panics if m is even.
func (x *Nat) ExpShortVarTime(y *Nat, e uint, m *Modulus) *Nat {
	var b [_S]byte
	putLimb(b[:], e)
	return x.expChainVarTime(y, b[:], m)
}

// trimZeros returns e without leading zero bytes.
func trimZeros(e []byte) []byte {
	for len(e) > 0 && e[0] == 0 {
		e = e[1:]
	}
	return e
}

// windowedBits is the length in bits from which [Nat.ExpVarTime] takes the
// windowed path. The chain costs about half a multiplication per bit; windows
// cost 31 multiplications ahead and one for each five bits, so they win from
// about 100 bits up whatever the size of the modulus. Measured: see
// BenchmarkExpVarTime.
const windowedBits = 104

// ExpVarTime computes x = y^e mod m for a public, big-endian exponent e of any
// length, with the length of m. y must be reduced modulo m; it and m are secret,
// e leaks. An empty e is zero.
//
// Exponents of less than 104 bits take the square-and-multiply chain of
// [Nat.ExpShortVarTime], longer ones the windows of [Nat.Exp].
//
// ExpVarTime panics if m is even.
func (x *Nat) ExpVarTime(y *Nat, e []byte, m *Modulus) *Nat {
	e = trimZeros(e)
	if len(e) > 0 && (len(e)-1)*8+bits.Len8(e[0]) >= windowedBits {
		return x.Exp(y, e, m)
	}
	return x.expChainVarTime(y, e, m)
}

// expChainVarTime computes x = y^e mod m by square-and-multiply from the top bit
// of e down.
func (x *Nat) expChainVarTime(y *Nat, e []byte, m *Modulus) *Nat {
	m.checkOdd()
	e = trimZeros(e)
	n, w := len(m.nat.limbs), len(m.mont)
	if len(e) == 0 {
		x.reset(n).limbs[0] = 1
		return x
	}

	if activeLanes != laneNone && (len(e)-1)*8+bits.Len8(e[0]) > quadMinSquarings {
		if f, ok := quadForm(m); ok {
			return x.expQuad(y, e, m, activeLanes, &f)
		}
	}

	var stack [5 * chainStackLimbs]uint
	buf := scratch(stack[:], 5*w)
	acc, base, plain, t := buf[:w], buf[w:2*w], buf[2*w:3*w], buf[3*w:5*w]
	m.toMont(base, y.limbs, t)
	clear(plain[copy(plain, y.limbs):])
	copy(acc, base)

	if !chain(e, func(count int) {
		m.montSqrs(acc, acc, t, count)
	}, func(last bool) {
		if last {
			m.montMul(acc, acc, plain, t)
		} else {
			m.montMul(acc, acc, base, t)
		}
	}) {
		m.fromMont(acc, acc, t)
	}
	copy(x.resized(n), acc)
	wipe(buf)
	return x
}

// chain calls what square-and-multiply from the top bit of e down consists of: so many
// squarings, a multiplication by the base, and so on. e has no leading zeros. It
// reports whether the last step is a multiplication, which then is by the base
// itself and not by its Montgomery form: that multiplies and leaves Montgomery form
// at once.
func chain(e []byte, square func(count int), multiply func(last bool)) (left bool) {
	squarings := 0
	for i := (len(e)-1)*8 + bits.Len8(e[0]) - 2; i >= 0; i-- {
		squarings++
		bit := e[len(e)-1-i/8] >> (i % 8) & 1
		if bit == 0 && i > 0 {
			continue
		}
		square(squarings)
		squarings = 0
		if bit == 1 {
			left = i == 0
			multiply(left)
		}
	}
	return left
}
