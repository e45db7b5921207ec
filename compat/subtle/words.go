package subtle

import (
	"encoding/binary"
	"unsafe"
)

// compareWords is [ConstantTimeCompare] for slices of the same length, at least
// minCall. Up to maxWords it takes a fixed number of words for each range of
// lengths, which overlap if the length is not their sum.
//
// All of an authenticator or a session token is compared here, in a few
// nanoseconds, of which the bounds checks of slices would be a fifth. Hence the
// pointers.
func compareWords(x, y []byte) int {
	n := len(x)
	p, q := unsafe.Pointer(unsafe.SliceData(x)), unsafe.Pointer(unsafe.SliceData(y))
	if n > maxWords {
		return compareLong(p, q, n)
	}
	d := diffWord(p, q, 0) | diffWord(p, q, n-8)
	if n > 16 {
		d |= diffWord(p, q, 8) | diffWord(p, q, n-16)
		if n > 32 {
			d |= diffWord(p, q, 16) | diffWord(p, q, 24)
			d |= diffWord(p, q, n-32) | diffWord(p, q, n-24)
		}
	}
	return isZero(d)
}

// maskedCompareWords is [MaskedCompare] for slices of the same length, at least
// minCall.
func maskedCompareWords(x, y, mask []byte) int {
	n := len(x)
	p, q, m := unsafe.Pointer(unsafe.SliceData(x)), unsafe.Pointer(unsafe.SliceData(y)), unsafe.Pointer(unsafe.SliceData(mask))
	if n > maxWords {
		return activeKernel.maskedCompare(p, q, m, n)
	}
	d := diffWord(p, q, n-8) ^ word(m, n-8)
	for i := 0; i < n-8; i += 8 {
		d |= diffWord(p, q, i) ^ word(m, i)
	}
	return isZero(d)
}

// diffGeneric returns 0 if the n bytes at p and q are equal, and another number if
// not. n is at least 32.
func diffGeneric(p, q unsafe.Pointer, n int) uint64 {
	var d uint64
	for i := 0; ; i += 32 {
		// The last 32 bytes, some of which may have been seen before.
		last := i >= n-32
		if last {
			i = n - 32
		}
		d |= diffWord(p, q, i) | diffWord(p, q, i+8)
		d |= diffWord(p, q, i+16) | diffWord(p, q, i+24)
		if last {
			return d
		}
	}
}

// diffMaskGeneric returns 0 if the n bytes at p and q, xor-ed, equal those at m, and
// another number if not. n is at least 16.
func diffMaskGeneric(p, q, m unsafe.Pointer, n int) uint64 {
	var d uint64
	for i := 0; ; i += 16 {
		last := i >= n-16
		if last {
			i = n - 16
		}
		d |= diffWord(p, q, i) ^ word(m, i)
		d |= diffWord(p, q, i+8) ^ word(m, i+8)
		if last {
			return d
		}
	}
}

// diffWord returns the xor of the words at p + i and q + i.
func diffWord(p, q unsafe.Pointer, i int) uint64 {
	return word(p, i) ^ word(q, i)
}

// word returns the 8 bytes at p + i. It compiles to one load where that may be
// unaligned.
func word(p unsafe.Pointer, i int) uint64 {
	return binary.NativeEndian.Uint64((*[8]byte)(unsafe.Add(p, i))[:])
}

// isZero returns 1 if d is 0, and 0 if not: unless d is 0, d or -d has the highest
// bit set.
func isZero(d uint64) int {
	return int((d|-d)>>63 ^ 1)
}
