package rsa

import "math/bits"

// This file has what computing a private exponent takes in constant time: the greatest
// common divisor of two large numbers, and the exact division by a limb. Numbers are
// limbs, little-endian.

// inverseLimb returns x⁻¹ mod 2^W, for odd x.
func inverseLimb(x uint) uint {
	// Newton: if x·y = 1 + e then x·y(2 - x·y) = 1 - e². y = x is right modulo 8,
	// and each step doubles the number of right bits: 3, 6, 12, 24, 48, 96.
	y := x
	for range 5 {
		y *= 2 - x*y
	}
	return y
}

// divideExact sets x = x / y for an odd y and returns true, if y divides x. Otherwise
// it returns false and x is meaningless. x and y are secret, the length of x and the
// answer are not.
//
// From the lowest limb up, each limb of the quotient is what, times y, makes the lowest
// limb that is left zero (Jebelean, An algorithm for exact division, 1993).
func divideExact(x []uint, y uint) bool {
	inverse := inverseLimb(y)
	var carry uint
	for i, v := range x {
		s, borrow := bits.Sub(v, carry, 0)
		x[i] = s * inverse
		hi, _ := bits.Mul(x[i], y)
		carry = hi + borrow
	}
	return carry == 0
}

// oddGCD returns the greatest common divisor of f, which is odd, and g, and false if it
// does not fit in a limb. f and g are secret and left as they are; their lengths and
// whether the result fits are not secret.
//
// This is the algorithm of Bernstein and Yang, Fast constant-time gcd computation and
// modular inversion, TCHES 2019(3): a number of division steps that depends on nothing
// but the sizes, done in batches on the lowest limbs alone, after each of which a
// matrix is applied to the numbers.
func oddGCD(f, g []uint) (gcd uint, ok bool) {
	// One limb more than the longer number has, for the sign and for the factor
	// 2^(W-2) by which a matrix makes numbers longer before they are shifted.
	n := max(len(f), len(g)) + 1
	buf := make([]uint, 2*n)
	defer clear(buf)
	x, y := buf[:n], buf[n:]
	copy(x, f)
	copy(y, g)

	// Theorem 11.2 of the paper: after these many steps y is zero and x is plus or minus
	// the greatest common divisor.
	d := (n - 1) * bits.UintSize
	steps := (49*d + 80) / 17
	delta := 1
	for ; steps > 0; steps -= gcdBatch {
		var m gcdMatrix
		m, delta = divisionSteps(delta, x[0], y[0])
		m.apply(x, y)
	}

	sign := uint(int(x[n-1]) >> (bits.UintSize - 1))
	carry := sign & 1
	var rest uint
	for i, v := range x {
		v, carry = bits.Add(v^sign, 0, carry)
		if i == 0 {
			gcd = v
		} else {
			rest |= v
		}
	}
	return gcd, rest == 0
}

// gcdBatch is the number of division steps that are done on single limbs. Their
// matrix has entries of at most 2^gcdBatch.
const gcdBatch = bits.UintSize - 2

// A gcdMatrix takes a pair f, g to u·f + v·g, q·f + r·g, both divided by 2^gcdBatch.
// |u| + |v| and |q| + |r| are at most 2^gcdBatch.
type gcdMatrix struct{ u, v, q, r int }

// divisionSteps returns the matrix of gcdBatch division steps on numbers with the
// lowest limbs f and g, of which f is odd, and the new delta. One step is
//
//	delta, f, g = 1-delta, g, (g-f)/2            if delta > 0 and g is odd
//	              1+delta, f, (g + (g mod 2)·f)/2    otherwise
func divisionSteps(delta int, f, g uint) (gcdMatrix, int) {
	m := gcdMatrix{u: 1, r: 1}
	for range gcdBatch {
		odd := -int(g & 1)
		swap := odd & ((-delta) >> (bits.UintSize - 1)) // delta > 0
		// Negated for a swap, f and its row are added to g in both cases.
		addF := (f ^ uint(swap)) - uint(swap)
		addU, addV := (m.u^swap)-swap, (m.v^swap)-swap
		delta = (delta ^ swap) - swap + 1
		// The row of f moves up by a bit instead of that of g moving down.
		nextF := f ^ (f^g)&uint(swap)
		nextU, nextV := m.u^(m.u^m.q)&swap, m.v^(m.v^m.r)&swap
		g = (g + addF&uint(odd)) >> 1
		m.q, m.r = m.q+addU&odd, m.r+addV&odd
		f = nextF
		m.u, m.v = nextU<<1, nextV<<1
	}
	return m, delta
}

// apply applies m to the pair x, y of numbers in two's complement, which have the
// same length and room for gcdBatch bits more.
func (m gcdMatrix) apply(x, y []uint) {
	a, b := newCombination(m.u, m.v), newCombination(m.q, m.r)
	var lowX, lowY uint
	for i := range x {
		nextX, nextY := a.limb(x[i], y[i]), b.limb(x[i], y[i])
		if i > 0 {
			x[i-1] = lowX>>gcdBatch | nextX<<(bits.UintSize-gcdBatch)
			y[i-1] = lowY>>gcdBatch | nextY<<(bits.UintSize-gcdBatch)
		}
		lowX, lowY = nextX, nextY
	}
	x[len(x)-1] = uint(int(lowX) >> gcdBatch)
	y[len(y)-1] = uint(int(lowY) >> gcdBatch)
}

// A combination computes a·x + b·y limb by limb, from the lowest, for two numbers in
// two's complement and |a| + |b| <= 2^gcdBatch.
type combination struct {
	a, b         uint // absolute values
	signA, signB uint // 0, or all ones
	carry        uint
}

func newCombination(a, b int) combination {
	c := combination{
		signA: uint(a >> (bits.UintSize - 1)),
		signB: uint(b >> (bits.UintSize - 1)),
	}
	c.a, c.b = (uint(a)^c.signA)-c.signA, (uint(b)^c.signB)-c.signB
	// -a·x = |a|·(^x + 1): the limbs of x are inverted as they come, and the |a| that
	// is missing then is added ahead.
	c.carry = c.a&c.signA + c.b&c.signB
	return c
}

// limb returns the limb of a·x + b·y where x and y have theirs.
func (c *combination) limb(x, y uint) uint {
	// |a|·x + |b|·y + carry <= (|a| + |b|)·(2^W-1) + carry, so a carry of at most
	// |a| + |b| stays that small.
	hi, lo := bits.Mul(c.a, x^c.signA)
	hi2, lo2 := bits.Mul(c.b, y^c.signB)
	lo, carry := bits.Add(lo, lo2, 0)
	hi += hi2 + carry
	lo, carry = bits.Add(lo, c.carry, 0)
	c.carry = hi + carry
	return lo
}
