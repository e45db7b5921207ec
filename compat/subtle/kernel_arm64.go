//go:build !purego

package subtle

import (
	"crypto/fips140"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// kernelNEON needs Advanced SIMD, which every arm64 processor has that Go runs on.
const kernelNEON = firstAssembly

// activeKernel is the one in use.
var activeKernel = chooseKernel(fips140.Enabled(), cpu.ARM64.HasASIMD)

func chooseKernel(fips, asimd bool) kernel {
	switch {
	case fips:
		return kernelStandard
	case asimd:
		return kernelNEON
	default:
		return kernelGeneric
	}
}

// String returns the name of the instruction set.
func (k kernel) String() string {
	if k == kernelNEON {
		return "asimd"
	}
	return k.portableName()
}

// compareLong returns 1 if the n bytes at p and q are equal, and 0 if not. n is above
// maxWords. It does what kernel.compare does in fewer calls, which count here.
func compareLong(p, q unsafe.Pointer, n int) int {
	if activeKernel != kernelNEON || n > maxChunk {
		return activeKernel.compare(p, q, n)
	}
	return isZero(diffNEON((*byte)(p), (*byte)(q), n))
}

// diff has the contract of [diffGeneric], for n above 64.
func (k kernel) diff(p, q unsafe.Pointer, n int) uint64 {
	if k == kernelNEON {
		return diffNEON((*byte)(p), (*byte)(q), n)
	}
	return diffGeneric(p, q, n)
}

// diffMask has the contract of [diffMaskGeneric], for n above 64.
func (k kernel) diffMask(p, q, m unsafe.Pointer, n int) uint64 {
	if k == kernelNEON {
		return diffMaskNEON((*byte)(p), (*byte)(q), (*byte)(m), n)
	}
	return diffMaskGeneric(p, q, m, n)
}

// diffNEON returns 0 if the n bytes at x and y are equal, and another number if not.
//
// Lengths: n is at least 64.
// Aliasing: any; nothing is written.
// Secret: all bytes, and the result. Public: n.
// Needs: Advanced SIMD, which is arm64.
//
//go:noescape
func diffNEON(x, y *byte, n int) uint64

// diffMaskNEON returns 0 if the n bytes at x and y, xor-ed, equal those at mask, and
// another number if not.
//
// Lengths: n is at least 64.
// Aliasing: any; nothing is written.
// Secret: all bytes, and the result. Public: n.
// Needs: Advanced SIMD, which is arm64.
//
//go:noescape
func diffMaskNEON(x, y, mask *byte, n int) uint64
