package subtle

import (
	"crypto/subtle"
	"unsafe"
)

// A kernel names what compares inputs longer than 64 bytes. Which one runs is
// decided once, at start, by chooseKernel, and by nothing else.
type kernel uint8

const (
	// kernelStandard is crypto/subtle, at every length, for FIPS 140-3 mode: that
	// package belongs to the validated module and this one does not.
	kernelStandard kernel = iota

	// kernelGeneric is the Go functions alone.
	kernelGeneric

	// firstAssembly is where the kernels of an architecture start.
	firstAssembly
)

// Inputs of minCall to maxWords bytes are compared by [compareWords] and
// [maskedCompareWords] without a kernel. These are variables because kernelStandard
// leaves no length to them.
var minCall, maxWords = activeKernel.wordLengths()

func (k kernel) wordLengths() (least, most int) {
	if k == kernelStandard {
		return 0, -1
	}
	return 8, 64
}

// maxChunk is the length up to which one call of assembly runs, because the runtime
// cannot preempt it: with all operands in memory at 5 GB/s, 75 µs.
const maxChunk = 128 << 10

// portableName is the name of a kernel that exists on all architectures.
func (k kernel) portableName() string {
	if k == kernelStandard {
		return "crypto/subtle"
	}
	return "generic"
}

// compare returns 1 if the n bytes at p and q are equal, and 0 if not. n is above 64,
// or any number for kernelStandard.
func (k kernel) compare(p, q unsafe.Pointer, n int) int {
	if k == kernelStandard {
		return subtle.ConstantTimeCompare(unsafe.Slice((*byte)(p), n), unsafe.Slice((*byte)(q), n))
	}
	var d uint64
	// What is left in the end is above 64 too.
	for ; n > maxChunk+64; n -= maxChunk {
		d |= k.diff(p, q, maxChunk)
		p, q = unsafe.Add(p, maxChunk), unsafe.Add(q, maxChunk)
	}
	return isZero(d | k.diff(p, q, n))
}

// maskedCompare returns 1 if the n bytes at p and q, xor-ed, equal those at m, and 0
// if not. n is above 64, or any number for kernelStandard.
func (k kernel) maskedCompare(p, q, m unsafe.Pointer, n int) int {
	if k == kernelStandard {
		return maskedCompareStandard(unsafe.Slice((*byte)(p), n), unsafe.Slice((*byte)(q), n), unsafe.Slice((*byte)(m), n))
	}
	var d uint64
	for ; n > maxChunk+64; n -= maxChunk {
		d |= k.diffMask(p, q, m, maxChunk)
		p, q, m = unsafe.Add(p, maxChunk), unsafe.Add(q, maxChunk), unsafe.Add(m, maxChunk)
	}
	return isZero(d | k.diffMask(p, q, m, n))
}

// maskedCompareStandard is [MaskedCompare] for slices of the same length by means of
// crypto/subtle alone.
func maskedCompareStandard(x, y, mask []byte) int {
	var buf [256]byte
	defer clear(buf[:])
	equal := 1
	for len(x) > 0 {
		n := subtle.XORBytes(buf[:], x[:min(len(x), len(buf))], y)
		equal &= subtle.ConstantTimeCompare(buf[:n], mask[:n])
		x, y, mask = x[n:], y[n:], mask[n:]
	}
	return equal
}
