package bigmod

import "math/bits"

// This file holds the kernels in Go: what runs on architectures without assembly
// and under the purego tag, and the twin that assembly is tested against.
//
// They are excluded from the race detector for the reason given in limbs.go.

// mulGeneric sets z = x · y. x and y have n limbs each, z has 2n and overlaps
// neither. All values are secret.
//
//go:norace
func mulGeneric(z, x, y []uint) {
	n := len(x)
	clear(z[:n])
	for i, v := range y[:n] {
		z[n+i] = addMulVVW(z[i:i+n], x, v)
	}
}

// sqrGeneric sets z = x². x has n limbs, z has 2n and does not overlap x. All
// values are secret.
//
// The n(n-1)/2 products of different limbs are computed once and doubled.
//
//go:norace
func sqrGeneric(z, x []uint) {
	n := len(x)
	z = z[:2*n]
	clear(z[:n])
	for i := range n - 1 {
		z[n+i] = addMulVVW(z[2*i+1:n+i], x[i+1:], x[i])
	}
	z[2*n-1] = 0
	var carry, out uint
	for i, v := range x {
		hi, lo := bits.Mul(v, v)
		a, b := z[2*i], z[2*i+1]
		lo2, hi2 := a<<1|out, b<<1|a>>(_W-1)
		out = b >> (_W - 1)
		z[2*i], carry = bits.Add(lo2, lo, carry)
		z[2*i+1], carry = bits.Add(hi2, hi, carry)
	}
}

// montReduceGeneric sets z = t · 2^(-W·n) mod m and destroys t. z and m have n
// limbs, t has 2n, and z overlaps neither t nor m. m0inv is -m⁻¹ mod 2^W. The
// result is reduced if t < m·2^(W·n), in particular if t is the product of a
// value below m and one of n limbs. All values are secret.
//
// This is Montgomery reduction: a multiple of m clears the low half of t limb by
// limb. What is left in the upper half is below m + m.
//
//go:norace
func montReduceGeneric(z, t, m []uint, m0inv uint) {
	n := len(m)
	var carry uint
	for i := range n {
		c := addMulVVW(t[i:i+n], m, t[i]*m0inv)
		t[i+n], carry = bits.Add(t[i+n], c, carry)
	}
	copy(z[:n], t[n:2*n])
	reduceOnce(z[:n], m, carry)
}

// selectGeneric sets z to entry i of table, an array of entries with the length
// of z. It reads the whole table. i is secret and must be in range.
//
//go:norace
func selectGeneric(z, table []uint, i uint) {
	n := len(z)
	clear(z)
	for j := uint(0); n > 0 && len(table) >= n; j++ {
		mask := ctEq(i, j).mask()
		for k, v := range table[:n] {
			z[k] |= v & mask
		}
		table = table[n:]
	}
}

// addMulVVW sets z = z + x · y for one limb y and returns the carry. z and x
// have the same length.
//
//go:norace
func addMulVVW(z, x []uint, y uint) (carry uint) {
	_ = z[:len(x)]
	for len(x) >= 4 && len(z) >= 4 {
		var c uint
		h0, l0 := bits.Mul(x[0], y)
		h1, l1 := bits.Mul(x[1], y)
		h2, l2 := bits.Mul(x[2], y)
		h3, l3 := bits.Mul(x[3], y)
		l1, c = bits.Add(l1, h0, 0)
		l2, c = bits.Add(l2, h1, c)
		l3, c = bits.Add(l3, h2, c)
		h3 += c
		l0, c = bits.Add(l0, carry, 0)
		l1, c = bits.Add(l1, 0, c)
		l2, c = bits.Add(l2, 0, c)
		l3, c = bits.Add(l3, 0, c)
		h3 += c
		z[0], c = bits.Add(z[0], l0, 0)
		z[1], c = bits.Add(z[1], l1, c)
		z[2], c = bits.Add(z[2], l2, c)
		z[3], c = bits.Add(z[3], l3, c)
		carry = h3 + c
		x, z = x[4:], z[4:]
	}
	for i := range x {
		hi, lo := bits.Mul(x[i], y)
		lo, c := bits.Add(lo, z[i], 0)
		hi += c
		lo, c = bits.Add(lo, carry, 0)
		carry = hi + c
		z[i] = lo
	}
	return carry
}
