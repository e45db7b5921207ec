//go:build !purego

package bigmod

import "golang.org/x/sys/cpu"

//go:generate go -C _asm run . -decl ../kernel_amd64.go,../lanes_amd64.go -asm ../bigmod_amd64.s

// A kernel names a set of assembly functions. Which one runs is decided here, at
// start, and by nothing else.
type kernel uint8

const (
	// kernelBase needs what every amd64 processor has.
	kernelBase kernel = iota

	// kernelADX needs ADX, BMI2 and AVX2.
	kernelADX
)

// activeKernel is the set in use.
var activeKernel = chooseKernel(cpu.X86.HasADX, cpu.X86.HasBMI2, cpu.X86.HasAVX2)

// kernelName is what [KernelName] returns.
var kernelName = nameKernels(activeKernel, activeLanes)

func nameKernels(k kernel, l laneKernel) string {
	if l == laneAVX2 {
		return k.String() + ", avx2 lanes"
	}
	return k.String()
}

func chooseKernel(adx, bmi2, avx2 bool) kernel {
	if adx && bmi2 && avx2 {
		return kernelADX
	}
	return kernelBase
}

// String returns the name for [KernelName].
func (k kernel) String() string {
	if k == kernelADX {
		return "adx+bmi2+avx2"
	}
	return "mulq"
}

const (
	// maxAsmLimbs is the length up to which the assembly runs, 16384 bits. The
	// runtime cannot preempt it, and a multiplication of that length takes about
	// 25 µs. Longer operands take the generic functions.
	maxAsmLimbs = 256

	// maxSelectLimbs is the length of a table up to which the assembly runs: 32
	// entries of maxAsmLimbs.
	maxSelectLimbs = 32 * maxAsmLimbs

	// reduceTopMinLimbs is the least length of a modulus for which reduceTopADX is
	// the faster of the two.
	reduceTopMinLimbs = 8
)

func montWidth(n int) int                   { return activeKernel.montWidth(n) }
func mulLimbs(z, x, y []uint)               { activeKernel.mul(z, x, y) }
func sqrLimbs(z, x []uint)                  { activeKernel.sqr(z, x) }
func montReduce(z, t, m []uint, m0inv uint) { activeKernel.montReduce(z, t, m, m0inv) }
func selectLimbs(z, table []uint, i uint)   { activeKernel.selectLimbs(z, table, i) }
func reduceTop(t []uint, m *Modulus)        { activeKernel.reduceTop(t, m) }

// montMul is mulLimbs and montReduce, z = x · y · R⁻¹ mod m, in one call. z may be x or
// y. t has twice their length.
func montMul(z, x, y, t, m []uint, m0inv uint) { activeKernel.montMul(z, x, y, t, m, m0inv) }

// montSqrs is count times sqrLimbs and montReduce, the first time of x, then of z, in one
// call. z may be x. t has twice their length.
func montSqrs(z, x, t, m []uint, m0inv uint, count int) {
	activeKernel.montSqrs(z, x, t, m, m0inv, count)
}

// montWidth returns the number of limbs that a modulus of n limbs is extended to
// for Montgomery arithmetic: the next multiple of eight, except where a squaring
// and a reduction of n limbs take the other functions less time than those of the
// multiple take the ADX functions. Measured on Zen 3.
func (k kernel) montWidth(n int) int {
	if k != kernelADX || n > maxAsmLimbs || n <= 5 || n >= 9 && n <= 11 || n >= 17 && n <= 18 {
		return n
	}
	return (n + 7) &^ 7
}

// The methods below have the contracts of the generic functions. They check
// lengths, which are public, because assembly does not.

func (k kernel) mul(z, x, y []uint) {
	n := len(x)
	checkLen(len(y), n)
	checkLen(len(z), 2*n)
	switch {
	case n == 0:
	case n > maxAsmLimbs:
		mulGeneric(z, x, y)
	case k == kernelADX && n%8 == 0:
		mulADX(z, x, y)
	default:
		mulBase(z, x, y)
	}
}

func (k kernel) sqr(z, x []uint) {
	n := len(x)
	checkLen(len(z), 2*n)
	switch {
	case n == 0:
	case n > maxAsmLimbs:
		sqrGeneric(z, x)
	case k == kernelADX && n == 16:
		sqrADX16(z, x)
	case k == kernelADX && n%8 == 0:
		sqrADX(z, x)
	default:
		sqrBase(z, x)
	}
}

func (k kernel) montReduce(z, t, m []uint, m0inv uint) {
	n := len(m)
	checkLen(len(z), n)
	checkLen(len(t), 2*n)
	switch {
	case n == 0:
	case n > maxAsmLimbs:
		montReduceGeneric(z, t, m, m0inv)
	case k == kernelADX && n == 16:
		montReduceADX16(z, t, m, m0inv)
	case k == kernelADX && n%8 == 0:
		montReduceADX(z, t, m, m0inv)
	default:
		montReduceBase(z, t, m, m0inv)
	}
}

func (k kernel) montMul(z, x, y, t, m []uint, m0inv uint) {
	n := len(m)
	if k != kernelADX || n%8 != 0 || n == 0 || n > maxAsmLimbs {
		k.mul(t, x, y)
		k.montReduce(z, t, m, m0inv)
		return
	}
	checkLen(len(z), n)
	checkLen(len(x), n)
	checkLen(len(y), n)
	checkLen(len(t), 2*n)
	if n == 16 {
		montMulADX16(z, x, y, t, m, m0inv)
	} else {
		montMulADX(z, x, y, t, m, m0inv)
	}
}

func (k kernel) montSqrs(z, x, t, m []uint, m0inv uint, count int) {
	n := len(m)
	// 64 limbs 16 times take about 45 µs.
	step := 16
	if n > 64 {
		step = 1
	}
	for ; count > 0; count -= step {
		step = min(step, count)
		switch {
		case k != kernelADX || n%8 != 0 || n == 0 || n > maxAsmLimbs:
			step = 1
			k.sqr(t, x)
			k.montReduce(z, t, m, m0inv)
		default:
			checkLen(len(z), n)
			checkLen(len(x), n)
			checkLen(len(t), 2*n)
			if n == 16 {
				montSqrsADX16(z, x, t, m, m0inv, step)
			} else {
				montSqrsADX(z, x, t, m, m0inv, step)
			}
		}
		x = z
	}
}

func (k kernel) selectLimbs(z, table []uint, i uint) {
	switch {
	case len(z) == 0 || len(table) == 0 || len(table) > maxSelectLimbs:
		selectGeneric(z, table, i)
	case k == kernelADX:
		selectADX(z, table, i)
	default:
		selectBase(z, table, i)
	}
}

func (k kernel) reduceTop(t []uint, m *Modulus) {
	n := len(m.nat.limbs)
	switch {
	case n > maxAsmLimbs:
		reduceTopGeneric(t, m)
	case k == kernelADX && n >= reduceTopMinLimbs:
		reduceTopSplit(t, m)
	default:
		reduceTopBase(t, m)
	}
}

// reduceTopSplit does what reduceTopGeneric does. It calls reduceTopADX for at
// most maxAsmLimbs steps at a time, which leaves t as the next call needs it.
func reduceTopSplit(t []uint, m *Modulus) {
	n := len(m.nat.limbs)
	for k := len(t) - n; k > 0; {
		step := min(k, maxAsmLimbs)
		k -= step
		reduceTopADX(t[k:k+n+step], m.nat.limbs, m.shift, m.d1, m.d0, m.v)
	}
}

// reduceTopBase does what reduceTopGeneric does.
func reduceTopBase(t []uint, m *Modulus) {
	mod := m.nat.limbs
	n := len(mod)
	var sign uint
	for j := len(t) - n - 1; j >= 0; j-- {
		q := m.estimate(t, j+n, sign)
		sign = reduceStepBase(t[j:j+n+1], mod, q, sign)
	}
	addMasked(t[:n], mod, sign)
}

// mulADX sets z = x · y.
//
// Lengths: x and y have n limbs, a multiple of 8 and not 0; z has 2n.
// Aliasing: z overlaps neither x nor y; x and y may be the same.
// Secret: all values. Public: n.
// Needs: ADX, BMI2.
//
//go:noescape
func mulADX(z, x, y []uint)

// sqrADX sets z = x².
//
// Lengths: x has n limbs, a multiple of 8 and not 0; z has 2n.
// Aliasing: z does not overlap x.
// Secret: all values. Public: n.
// Needs: ADX, BMI2.
//
//go:noescape
func sqrADX(z, x []uint)

// montReduceADX sets z = t · 2^(-64n) mod m and destroys t.
//
// Lengths: z and m have n limbs, a multiple of 8 and not 0; t has 2n.
// On entry: t < m·2^(64n), m is odd, m0inv = -m⁻¹ mod 2^64.
// On return: z < m.
// Aliasing: z overlaps neither t nor m, t does not overlap m.
// Secret: all values. Public: n.
// Needs: ADX, BMI2.
//
//go:noescape
func montReduceADX(z, t, m []uint, m0inv uint)

// sqrADX16 sets z = x² for 16 limbs. The rest is as for sqrADX.
//
//go:noescape
func sqrADX16(z, x []uint)

// montReduceADX16 sets z = t · 2^(-1024) mod m for 16 limbs. The rest is as for
// montReduceADX.
//
//go:noescape
func montReduceADX16(z, t, m []uint, m0inv uint)

// montMulADX sets z = x · y · 2^(-64n) mod m and destroys t.
//
// Lengths: z, x, y and m have n limbs, a multiple of 8 and not 0; t has 2n.
// On entry: x or y is below m, m is odd, m0inv = -m⁻¹ mod 2^64.
// On return: z < m.
// Aliasing: z may be x or y or both; apart from that, and from x and y, nothing
// overlaps.
// Secret: all values. Public: n.
// Needs: ADX, BMI2.
//
//go:noescape
func montMulADX(z, x, y, t, m []uint, m0inv uint)

// montSqrsADX squares k times in Montgomery form,
// z = x^(2^k) · 2^(-64n·(2^k - 1)) mod m, and destroys t.
//
// Lengths: z, x and m have n limbs, a multiple of 8 and not 0; t has 2n. k is at
// least 1.
// On entry: x < m, m is odd, m0inv = -m⁻¹ mod 2^64.
// On return: z < m.
// Aliasing: z may be x; apart from that, nothing overlaps.
// Secret: all values but k. Public: n, k.
// Needs: ADX, BMI2.
//
//go:noescape
func montSqrsADX(z, x, t, m []uint, m0inv uint, k int)

// montMulADX16 is montMulADX for 16 limbs.
//
//go:noescape
func montMulADX16(z, x, y, t, m []uint, m0inv uint)

// montSqrsADX16 is montSqrsADX for 16 limbs.
//
//go:noescape
func montSqrsADX16(z, x, t, m []uint, m0inv uint, k int)

// reduceTopADX sets t[:n] = t mod m and leaves the rest of t unspecified.
//
// Lengths: m has n limbs, at least 3; t has more than n.
// On entry: the top n limbs of t are below m; shift, d1, d0 and v are the fields
// of the [Modulus].
// On return: t[:n] < m.
// Aliasing: t does not overlap m.
// Secret: all values but shift. Public: n, the length of t, shift.
// Needs: BMI2.
//
// It takes the steps of reduceTopGeneric in the form that reduceStepBase
// describes.
//
//go:noescape
func reduceTopADX(t, m []uint, shift, d1, d0, v uint)

// selectADX sets z to entry i of table, reading all of it.
//
// Lengths: z has n limbs, at least 1; table is a multiple of n and not 0.
// On entry: i < len(table)/n.
// Aliasing: z does not overlap table.
// Secret: all values, with i. Public: the lengths.
// Needs: AVX2.
//
//go:noescape
func selectADX(z, table []uint, i uint)

// mulBase sets z = x · y.
//
// Lengths: x and y have n limbs, at least 1; z has 2n.
// Aliasing: z overlaps neither x nor y; x and y may be the same.
// Secret: all values. Public: n.
// Needs: amd64.
//
//go:noescape
func mulBase(z, x, y []uint)

// sqrBase sets z = x².
//
// Lengths: x has n limbs, at least 1; z has 2n.
// Aliasing: z does not overlap x.
// Secret: all values. Public: n.
// Needs: amd64.
//
//go:noescape
func sqrBase(z, x []uint)

// montReduceBase sets z = t · 2^(-64n) mod m and destroys t.
//
// Lengths: z and m have n limbs, at least 1; t has 2n.
// On entry: t < m·2^(64n), m is odd, m0inv = -m⁻¹ mod 2^64.
// On return: z < m.
// Aliasing: z overlaps neither t nor m, t does not overlap m.
// Secret: all values. Public: n.
// Needs: amd64.
//
//go:noescape
func montReduceBase(z, t, m []uint, m0inv uint)

// reduceStepBase sets the low n limbs of u to those of u - q·m if sign is 0, and
// to those of u + q·m if it is all ones. It returns the limb above them.
//
// Lengths: m has n limbs, at least 1; u has n + 1.
// On entry: sign is 0 or all ones; the result as a signed number of n + 1 limbs,
// modulo 2^(64(n+1)), is in [-m, m).
// On return: the limb returned is 0, or all ones if the result is negative. That
// is the sign of the next step of reduceTopGeneric: the negation of what the
// multiple of m is subtracted from is here that of the multiple instead.
// Aliasing: u does not overlap m.
// Secret: all values. Public: n.
// Needs: amd64.
//
//go:noescape
func reduceStepBase(u, m []uint, q, sign uint) uint

// selectBase sets z to entry i of table, reading all of it.
//
// Lengths: z has n limbs, at least 1; table is a multiple of n and not 0.
// On entry: i < len(table)/n < 2^32.
// Aliasing: z does not overlap table.
// Secret: all values, with i. Public: the lengths.
// Needs: SSE2, which is amd64.
//
//go:noescape
func selectBase(z, table []uint, i uint)
