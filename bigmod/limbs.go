package bigmod

import "math/bits"

// The functions of this file work on limb slices of equal length. They are excluded
// from the race detector, which would instrument every access to a limb: that makes
// the loops several times slower and can find nothing, because the slices belong to
// one operation.

// addLimbs sets z = x + y and returns the carry. z may be x or y.
//
//go:norace
func addLimbs(z, x, y []uint) (carry uint) {
	checkLen(len(x), len(z))
	checkLen(len(y), len(z))
	for i := range z {
		z[i], carry = bits.Add(x[i], y[i], carry)
	}
	return carry
}

// subLimbs sets z = x - y and returns the borrow. z may be x or y.
//
//go:norace
func subLimbs(z, x, y []uint) (borrow uint) {
	checkLen(len(x), len(z))
	checkLen(len(y), len(z))
	for i := range z {
		z[i], borrow = bits.Sub(x[i], y[i], borrow)
	}
	return borrow
}

// addMasked sets z = z + (y & mask) and returns the carry.
//
//go:norace
func addMasked(z, y []uint, mask uint) (carry uint) {
	checkLen(len(y), len(z))
	for i := range z {
		z[i], carry = bits.Add(z[i], y[i]&mask, carry)
	}
	return carry
}

// subMasked sets z = z - (y & mask) and returns the borrow.
//
//go:norace
func subMasked(z, y []uint, mask uint) (borrow uint) {
	checkLen(len(y), len(z))
	for i := range z {
		z[i], borrow = bits.Sub(z[i], y[i]&mask, borrow)
	}
	return borrow
}

// reduceOnce sets z = carry·2^(W·n) + z - m if that is not negative and leaves z
// otherwise, where n is the common length and carry is 0 or 1. Its result is
// z mod m if the value on entry is below 2m.
//
//go:norace
func reduceOnce(z, m []uint, carry uint) {
	checkLen(len(m), len(z))
	var borrow uint
	for i := range z {
		_, borrow = bits.Sub(z[i], m[i], borrow)
	}
	// carry 1 and no borrow would be a value of 2m or more.
	subMasked(z, m, -(carry | (borrow ^ 1)))
}

// wipe overwrites z with zeros. It is not inlined, so that the compiler cannot
// drop stores to memory that is not read again.
//
//go:noinline
func wipe(z []uint) { clear(z) }
