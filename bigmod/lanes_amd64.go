//go:build !purego

package bigmod

import "golang.org/x/sys/cpu"

// activeLanes is the set in use.
var activeLanes = chooseLanes(cpu.X86.HasAVX2, cpu.X86.HasAVX2 && hasVAES())

// chooseLanes decides by AES on vectors, which is not used here: it came with AMD's Zen 3 and
// Intel's Ice Lake, and all processors that have it start two multiplications of
// vectors a cycle. Older ones start one, or take two cycles for each, and then
// the kernels with MULX are faster.
func chooseLanes(avx2, vaes bool) laneKernel {
	if avx2 && vaes {
		return laneAVX2
	}
	return laneNone
}

func (k laneKernel) montMul(f *laneForm, z, x, y, t, m []uint64) {
	switch {
	case k != laneAVX2:
		montMulLanesGeneric(f, z, x, y, m)
	case f.each == 2:
		f.check(z, x, y, t, m)
		montMulPairAVX2(z, x, y, t, m, f.digits)
	case f.width%4 == 0:
		f.check(z, x, y, t, m)
		montMulQuadAVX2(z, x, y, t, m, f.digits)
	default:
		f.check(z, x, y, t, m)
		montMulQuad3AVX2(z, x, y, t, m, f.digits)
	}
}

func (k laneKernel) montSqrs(f *laneForm, z, x, t, m []uint64, count int) {
	switch {
	case k != laneAVX2:
		montSqrsLanesGeneric(f, z, x, m, count)
	case f.each == 2:
		f.check(z, x, x, t, m)
		montSqrsPairAVX2(z, x, t, m, f.digits, count)
	case f.width%4 == 0:
		f.check(z, x, x, t, m)
		montSqrsQuadAVX2(z, x, t, m, f.digits, count)
	default:
		f.check(z, x, x, t, m)
		montSqrsQuad3AVX2(z, x, t, m, f.digits, count)
	}
}

func (k laneKernel) selectPair(z, table []uint64, i, j uint) {
	if k != laneAVX2 {
		selectPairGeneric(z, table, i, j)
		return
	}
	checkLen(len(table), len(z)/2<<expWindow)
	selectPairAVX2(z, table, i, j)
}

// check panics if lengths are not as the kernels need them.
func (f *laneForm) check(z, x, y, t, m []uint64) {
	v := f.vector()
	checkLen(len(z), v)
	checkLen(len(x), v)
	checkLen(len(y), v)
	checkLen(len(t), f.scratch())
	checkLen(len(m), 4*laneConstants+v)
}

// hasVAES reports whether the processor has the VEX forms of the AES instructions,
// CPUID leaf 7, ECX bit 9, which golang.org/x/sys/cpu does not tell. The leaf must
// exist, as it does with AVX2.
//
//go:noescape
func hasVAES() bool

// montMulPairAVX2 sets z = x · y / R mod m, for two numbers with two lanes each.
//
// Lengths: z, x and y have h vectors of four words, where h is a multiple of 4 and at
// least 20; m has four more; t has 8h + 5. n is a multiple of 4, n <= 2h, n >= h + 4,
// and at most 124 for digits of 28 bits or 508 for digits of 27 bits.
// On entry: x, y < 2N, with digits below 2^r + 2^(64-2r), and anything in the upper 32
// bits of a word; m is from laneForm.setModulus; t is zero, or as another call with the same
// n and h left it.
// On return: z as x, with zeros in the upper 32 bits.
// Aliasing: z may be x or y or both; x and y may be the same; apart from that nothing
// overlaps.
// Secret: all values but n. Public: n, h.
// Needs: AVX2.
//
//go:noescape
func montMulPairAVX2(z, x, y, t, m []uint64, n int)

// montSqrsPairAVX2 squares count times, z = x² / R mod m, then z = z² / R mod m. count is at
// least 1 and public. The rest is as for montMulPairAVX2.
//
//go:noescape
func montSqrsPairAVX2(z, x, t, m []uint64, n, count int)

// montMulQuadAVX2 sets z = x · y / R mod m, for a number with four lanes.
//
// Lengths: z, x and y have h vectors of four words, where h is a multiple of 4 and at
// least 20; m has four more; t has 14h + 5. n is a multiple of 4, n <= 4h, n >= 3h + 4,
// and at most 124 for digits of 28 bits or 508 for digits of 27 bits.
// On entry: x, y < 2N, with digits below 2^r + 2^(64-2r), and anything in the upper 32
// bits of a word; m is from laneForm.setModulus; t is zero, or as another call with the same
// n and h left it.
// On return: z as x, with zeros in the upper 32 bits.
// Aliasing: z may be x or y or both; x and y may be the same; apart from that nothing
// overlaps.
// Secret: all values but n. Public: n, h.
// Needs: AVX2.
//
//go:noescape
func montMulQuadAVX2(z, x, y, t, m []uint64, n int)

// montSqrsQuadAVX2 squares count times, z = x² / R mod m, then z = z² / R mod m. count is at
// least 1 and public. The rest is as for montMulQuadAVX2.
//
//go:noescape
func montSqrsQuadAVX2(z, x, t, m []uint64, n, count int)

// montMulQuad3AVX2 is montMulQuadAVX2 for h vectors with digits, where h is 3 modulo 4
// and at least 19, and one more. That of z, x, y and m is zero on entry and on return; t has
// 14h + 19.
//
//go:noescape
func montMulQuad3AVX2(z, x, y, t, m []uint64, n int)

// montSqrsQuad3AVX2 is montSqrsQuadAVX2 with the lengths of montMulQuad3AVX2.
//
//go:noescape
func montSqrsQuad3AVX2(z, x, t, m []uint64, n, count int)

// selectPairAVX2 sets z to entry i of table for the first number, and to entry j for the
// second, reading all of it.
//
// Lengths: z has h vectors of four words, h is a multiple of 4 and not 0; table has 32
// entries of h/2 vectors, packed.
// On entry: i, j < 32.
// On return: the upper half of a word of z holds anything.
// Aliasing: z does not overlap table.
// Secret: all values, with i and j. Public: h.
// Needs: AVX2.
//
//go:noescape
func selectPairAVX2(z, table []uint64, i, j uint)
