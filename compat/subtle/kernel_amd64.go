//go:build !purego

package subtle

import (
	"crypto/fips140"
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate go -C _asm run . -decl ../kernel_amd64.go -asm ../subtle_amd64.s

const (
	// kernelSSE2 needs what every amd64 processor has.
	kernelSSE2 kernel = iota + firstAssembly

	// kernelAVX2 needs AVX2.
	kernelAVX2
)

// minAVX2 is the least length for AVX2. SSE2 takes 64 bytes, and all that get here
// are longer.
const minAVX2 = 128

// activeKernel is the one in use.
var activeKernel = chooseKernel(fips140.Enabled(), cpu.X86.HasAVX2)

func chooseKernel(fips, avx2 bool) kernel {
	switch {
	case fips:
		return kernelStandard
	case avx2:
		return kernelAVX2
	default:
		return kernelSSE2
	}
}

// String returns the name of the instruction set.
func (k kernel) String() string {
	switch k {
	case kernelSSE2:
		return "sse2"
	case kernelAVX2:
		return "avx2"
	default:
		return k.portableName()
	}
}

// compareLong returns 1 if the n bytes at p and q are equal, and 0 if not. n is above
// maxWords. It does what kernel.compare does in fewer calls, which count here.
func compareLong(p, q unsafe.Pointer, n int) int {
	k := activeKernel
	switch {
	case k < firstAssembly || n > maxChunk:
		return k.compare(p, q, n)
	case k == kernelAVX2 && n >= minAVX2:
		return isZero(diffAVX2((*byte)(p), (*byte)(q), n))
	default:
		return isZero(diffSSE2((*byte)(p), (*byte)(q), n))
	}
}

// diff has the contract of [diffGeneric], for n above 64.
func (k kernel) diff(p, q unsafe.Pointer, n int) uint64 {
	switch {
	case k == kernelAVX2 && n >= minAVX2:
		return diffAVX2((*byte)(p), (*byte)(q), n)
	case k >= firstAssembly:
		return diffSSE2((*byte)(p), (*byte)(q), n)
	default:
		return diffGeneric(p, q, n)
	}
}

// diffMask has the contract of [diffMaskGeneric], for n above 64.
func (k kernel) diffMask(p, q, m unsafe.Pointer, n int) uint64 {
	switch {
	case k == kernelAVX2 && n >= minAVX2:
		return diffMaskAVX2((*byte)(p), (*byte)(q), (*byte)(m), n)
	case k >= firstAssembly:
		return diffMaskSSE2((*byte)(p), (*byte)(q), (*byte)(m), n)
	default:
		return diffMaskGeneric(p, q, m, n)
	}
}

// diffSSE2 returns 0 if the n bytes at x and y are equal, and another number if
// not.
//
// Lengths: n is at least 64.
// Aliasing: any; nothing is written.
// Secret: all bytes, and the result. Public: n.
// Needs: SSE2, which is amd64.
//
//go:noescape
func diffSSE2(x, y *byte, n int) uint64

// diffMaskSSE2 returns 0 if the n bytes at x and y, xor-ed, equal those at mask,
// and another number if not.
//
// Lengths: n is at least 64.
// Aliasing: any; nothing is written.
// Secret: all bytes, and the result. Public: n.
// Needs: SSE2, which is amd64.
//
//go:noescape
func diffMaskSSE2(x, y, mask *byte, n int) uint64

// diffAVX2 returns 0 if the n bytes at x and y are equal, and another number if
// not.
//
// Lengths: n is at least 128.
// Aliasing: any; nothing is written.
// Secret: all bytes, and the result. Public: n.
// Needs: AVX2.
//
//go:noescape
func diffAVX2(x, y *byte, n int) uint64

// diffMaskAVX2 returns 0 if the n bytes at x and y, xor-ed, equal those at mask,
// and another number if not.
//
// Lengths: n is at least 128.
// Aliasing: any; nothing is written.
// Secret: all bytes, and the result. Public: n.
// Needs: AVX2.
//
//go:noescape
func diffMaskAVX2(x, y, mask *byte, n int) uint64
