package bigmod

import "math/bits"

// This file reduces from the top, limb by limb, with the quotient of each step
// estimated from the top limbs. A step is the work of one row of a
// multiplication, so n of them cost about half of a Montgomery multiplication,
// and they need no constant that depends on R.
//
// The estimate is the division of three limbs by two of
//
//	Niels Möller, Torbjörn Granlund: Improved division by invariant integers.
//	IEEE Transactions on Computers 60(2), 2011, algorithms 4 to 6,
//
// with its conditional corrections turned into masks.

// reciprocal2by1 returns ⌊(2^(2W) - 1) / d⌋ - 2^W, for a d whose top bit is set.
// In constant time: one bit of the quotient after the other.
func reciprocal2by1(d uint) uint {
	// 2^(2W) - 1 - 2^W·d = (^d)·2^W + (2^W - 1), and ^d < d.
	r := ^d
	var q uint
	for range _W {
		carry := r >> (_W - 1)
		r = r<<1 | 1
		diff, borrow := bits.Sub(r, d, 0)
		take := carry | (borrow ^ 1)
		r = ctSelect(Choice(take), diff, r)
		q = q<<1 | take
	}
	return q
}

// reciprocal3by2 returns ⌊(2^(3W) - 1) / (d1·2^W + d0)⌋ - 2^W, for a d1 whose top
// bit is set and v = reciprocal2by1(d1). This is algorithm 6 of the paper.
func reciprocal3by2(d1, d0, v uint) uint {
	// p = d1·v + d0 mod 2^W. Where the sum or a later one overflows, v is too
	// large by one for each multiple of d1 that has to go.
	p, overflow := bits.Add(d1*v, d0, 0)
	v -= overflow
	again := overflow & uint(ctGeq(p, d1))
	v -= again
	p -= d1 & -again
	p -= d1 & -overflow

	t1, t0 := bits.Mul(v, d0)
	p, overflow = bits.Add(p, t1, 0)
	v -= overflow
	// ⟨p, t0⟩ >= ⟨d1, d0⟩ takes off one more.
	_, borrow := bits.Sub(t0, d0, 0)
	_, borrow = bits.Sub(p, d1, borrow)
	return v - overflow&(borrow^1)
}

// div3by2 returns ⌊⟨u2,u1,u0⟩ / ⟨d1,d0⟩⌋, capped at 2^W - 1, for ⟨u2,u1⟩ <=
// ⟨d1,d0⟩ and v = reciprocal3by2(d1, d0, …). This is algorithm 4 of the paper.
func div3by2(u2, u1, u0, d1, d0, v uint) uint {
	// ⟨u2,u1⟩ = ⟨d1,d0⟩ is outside of the algorithm's domain; the quotient is
	// then 2^W or a little more.
	capped := ctEq(u2, d1) & ctEq(u1, d0)

	q1, q0 := bits.Mul(v, u2)
	q0, carry := bits.Add(q0, u1, 0)
	q1, _ = bits.Add(q1, u2, carry)

	// ⟨r1,r0⟩ = ⟨u2,u1,u0⟩ - (q1 + 1)·⟨d1,d0⟩ mod 2^(2W)
	r1 := u1 - q1*d1
	t1, t0 := bits.Mul(d0, q1)
	r0, borrow := bits.Sub(u0, t0, 0)
	r1, _ = bits.Sub(r1, t1, borrow)
	r0, borrow = bits.Sub(r0, d0, 0)
	r1, _ = bits.Sub(r1, d1, borrow)
	q1++

	// One too many, which shows in r1 >= q0: back.
	back := ctGeq(r1, q0).mask()
	q1 += back
	r0, carry = bits.Add(r0, d0&back, 0)
	r1, _ = bits.Add(r1, d1&back, carry)

	// One too few, which is rare: r >= d.
	_, borrow = bits.Sub(r0, d0, 0)
	_, borrow = bits.Sub(r1, d1, borrow)
	q1 += borrow ^ 1

	return q1 | capped.mask()
}

// reduceTopGeneric sets t[:n] to t mod m, where n is the length of m, and leaves
// the rest of t unspecified. The top n limbs of t must be below m. All values are
// secret, their lengths are not.
//
// Each of the len(t)-n steps takes one limb off the top of t: with x the number
// in the n limbs above limb j, and w that limb, it turns u = x·2^W + w into u - q·m,
// which takes the place of x one limb lower.
//
// Signs. The step keeps x in [-m, m), in two's complement, and sign is its sign,
// 0 or all ones. Let v = u ^ sign, which is u or -u-1 and so in [0, m·2^W). Then
// r = v - q·m is in [-m, m) for the estimate q below, and r ^ sign, which is
// u - q·m or u + q·m, is in [-m, m) as well. That saves the addition of m in
// each step; one is left at the end.
//
// The estimate. Let V, M be v and m shifted left until the top bit of M is set,
// V₃ the value of the three top limbs of V and d that of the two top limbs of M,
// so that V₃·B <= V < (V₃+1)·B and d·B <= M < (d+1)·B for a power B of two.
// q = ⌊V₃/d⌋
//
//   - is not below ⌊v/m⌋, because v/m = V/M < (V₃+1)/d;
//   - is at most ⌊v/m⌋ + 1, because V₃/d - v/m < V₃/d - V₃/(d+1) = V₃/(d(d+1)),
//     which is below 1 since V₃ <= 2^W·d + 2^W - 1 < 2^W·(d+1) and d >= 2^(2W-1).
//
// For m of one or two limbs the three top limbs of V reach below v, into limbs of t
// that a later step takes. That adds a fraction less than one to v, and leaves ⌊v/m⌋
// as it is.
//
// If the two top limbs of V₃ equal d then V₃/d >= 2^W, and [div3by2] returns
// 2^W - 1. That is ⌊v/m⌋: not less because v < 2^W·m, and not more because
// v/m > 2^W·d/(d+1) > 2^W - 1.
//
//go:norace
func reduceTopGeneric(t []uint, m *Modulus) {
	mod := m.nat.limbs
	n := len(mod)
	var sign uint
	for j := len(t) - n - 1; j >= 0; j-- {
		q := m.estimate(t, j+n, sign)
		u := t[j : j+n]
		top := t[j+n] ^ sign
		var high, borrow uint
		for i, limb := range mod {
			hi, lo := bits.Mul(limb, q)
			lo, c := bits.Add(lo, high, 0)
			high = hi + c
			lo, borrow = bits.Sub(u[i]^sign, lo, borrow)
			u[i] = lo ^ sign
		}
		_, borrow = bits.Sub(top, high, borrow)
		sign ^= -borrow
	}
	addMasked(t[:n], mod, sign)
}

// estimate returns the quotient of a step of [reduceTopGeneric] on the limbs of t
// up to number i.
func (m *Modulus) estimate(t []uint, i int, sign uint) uint {
	var a, b, c, d uint
	a = t[i] ^ sign
	if i >= 3 {
		b, c, d = t[i-1]^sign, t[i-2]^sign, t[i-3]^sign
	} else if i == 2 {
		b, c = t[i-1]^sign, t[i-2]^sign
	} else {
		b = t[i-1] ^ sign
	}
	v2, v1, v0 := shiftTop(a, b, c, d, m.shift)
	return div3by2(v2, v1, v0, m.d1, m.d0, m.v)
}

// shiftTop returns the first three of four limbs, most significant first,
// shifted left by s < W bits.
func shiftTop(a, b, c, d, s uint) (v2, v1, v0 uint) {
	// A shift by W is zero in Go, as wanted for s = 0.
	return a<<s | b>>(_W-s), b<<s | c>>(_W-s), c<<s | d>>(_W-s)
}
