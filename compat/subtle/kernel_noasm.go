//go:build purego || !(amd64 || arm64)

package subtle

import (
	"crypto/fips140"
	"unsafe"
)

// activeKernel is the one in use.
var activeKernel = chooseKernel(fips140.Enabled())

func chooseKernel(fips bool) kernel {
	if fips {
		return kernelStandard
	}
	return kernelGeneric
}

// String returns the name of the kernel.
func (k kernel) String() string { return k.portableName() }

// compareLong returns 1 if the n bytes at p and q are equal, and 0 if not. n is above
// maxWords.
func compareLong(p, q unsafe.Pointer, n int) int { return activeKernel.compare(p, q, n) }

// diff has the contract of [diffGeneric].
func (k kernel) diff(p, q unsafe.Pointer, n int) uint64 { return diffGeneric(p, q, n) }

// diffMask has the contract of [diffMaskGeneric].
func (k kernel) diffMask(p, q, m unsafe.Pointer, n int) uint64 { return diffMaskGeneric(p, q, m, n) }
