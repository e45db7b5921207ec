package subtle

import (
	"crypto/subtle"
	"errors"
	"unsafe"
)

// ErrLength is returned by [Mask] for operands of unequal length.
var ErrLength = errors.New("subtle: lengths differ")

// ConstantTimeCompare returns 1 if x and y are equal and 0 if not. It returns 0 at
// once if their lengths, which are public, differ; nil and empty slices are equal.
// The contents are secret.
func ConstantTimeCompare(x, y []byte) int {
	return compare(x, y, compareWords)
}

// SecureCompare reports whether x and y are equal. The rest is as for
// [ConstantTimeCompare].
func SecureCompare(x, y []byte) bool {
	return compare(x, y, compareWords) != 0
}

// SecureCompareString reports whether x and y are equal, without copying them. The
// rest is as for [ConstantTimeCompare].
func SecureCompareString(x, y string) bool {
	return compare(unsafe.Slice(unsafe.StringData(x), len(x)), unsafe.Slice(unsafe.StringData(y), len(y)), compareWords) != 0
}

// compare is what [ConstantTimeCompare] does. The caller passes [compareWords] as
// words: in the compiler's accounts calling a parameter is so cheap that this
// function, and those above with it, can be inlined. Inputs that are too short
// for compareWords to be worth a call are then compared in place, as crypto/subtle,
// which is also inlined, does.
func compare(x, y []byte, words func(x, y []byte) int) int {
	if len(x) != len(y) {
		return 0
	}
	if len(x) >= minCall {
		return words(x, y)
	}
	var d byte
	for i := range x {
		d |= x[i] ^ y[i]
	}
	return subtle.ConstantTimeByteEq(d, 0)
}

// MaskedCompare reports whether left ^ right = mask, that is whether left and right
// are equal after one of them was masked. It returns false at once if the three
// lengths, which are public, are not equal. The contents are secret. It does in one
// pass and without memory what xor and comparison do in two.
func MaskedCompare(left, right, mask []byte) bool {
	n := len(left)
	if len(right) != n || len(mask) != n {
		return false
	}
	if n < minCall {
		var d byte
		for i := range left {
			d |= left[i] ^ right[i] ^ mask[i]
		}
		return subtle.ConstantTimeByteEq(d, 0) != 0
	}
	return maskedCompareWords(left, right, mask) != 0
}

// Mask sets dst = a ^ mask. The lengths are public; if they are not all equal it
// returns [ErrLength] and writes nothing. dst may be a or mask; if it overlaps
// one of them in another way, Mask panics, as [XORBytes] does. The contents are
// secret.
func Mask(dst, a, mask []byte) error {
	if len(a) != len(mask) || len(dst) != len(a) {
		return ErrLength
	}
	subtle.XORBytes(dst, a, mask)
	return nil
}
