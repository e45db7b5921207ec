//go:build !purego

package bigmod

import "golang.org/x/sys/cpu"

// A kernel names a set of functions. Which one runs is decided here, at start,
// and by nothing else.
type kernel uint8

const (
	// kernelGeneric is the Go functions alone.
	kernelGeneric kernel = iota

	// kernelARM64 needs Advanced SIMD, which every arm64 processor has that Go
	// runs on.
	kernelARM64
)

// activeKernel is the set in use.
var activeKernel = chooseKernel(cpu.ARM64.HasASIMD)

// kernelName is what [KernelName] returns.
var kernelName = activeKernel.String()

// chooseKernel returns the set for a processor. As there is nothing to choose
// from but for GODEBUG=cpu.asimd=off, that turns off all of the assembly.
func chooseKernel(asimd bool) kernel {
	if asimd {
		return kernelARM64
	}
	return kernelGeneric
}

// String returns the name for [KernelName].
func (k kernel) String() string {
	if k == kernelARM64 {
		return "arm64 UMULH+ASIMD"
	}
	return "generic"
}

const (
	// asmLimbs is what lengths are a multiple of in assembly.
	asmLimbs = 4

	// maxAsmLimbs is the length up to which the assembly runs, 16384 bits, because
	// the runtime cannot preempt it. At seven cycles per product and 2.5 GHz, which
	// is a slow core, a multiplication takes 46 µs at half of that length, and
	// 180 µs at all of it. Longer operands take the generic functions.
	maxAsmLimbs = 256

	// maxSelectLimbs is the length of a table up to which the assembly runs: 32
	// entries of maxAsmLimbs.
	maxSelectLimbs = 32 * maxAsmLimbs

	// reduceTopMinLimbs is the least length of a modulus for reduceTopARM64: with
	// less, the estimate reads limbs below its window, which it has not
	// complemented yet.
	reduceTopMinLimbs = 3
)

func montWidth(n int) int                   { return activeKernel.montWidth(n) }
func mulLimbs(z, x, y []uint)               { activeKernel.mul(z, x, y) }
func sqrLimbs(z, x []uint)                  { activeKernel.sqr(z, x) }
func montReduce(z, t, m []uint, m0inv uint) { activeKernel.montReduce(z, t, m, m0inv) }
func selectLimbs(z, table []uint, i uint)   { activeKernel.selectLimbs(z, table, i) }
func reduceTop(t []uint, m *Modulus)        { activeKernel.reduceTop(t, m) }

// montWidth returns the number of limbs that a modulus of n limbs is extended to
// for Montgomery arithmetic.
func (k kernel) montWidth(n int) int {
	if k == kernelARM64 && n <= maxAsmLimbs {
		return (n + asmLimbs - 1) &^ (asmLimbs - 1)
	}
	return n
}

// runs reports whether mul, sqr and montReduce of n limbs run in assembly.
func (k kernel) runs(n int) bool {
	return k == kernelARM64 && n%asmLimbs == 0 && 0 < n && n <= maxAsmLimbs
}

// The methods below have the contracts of the generic functions. They check
// lengths, which are public, because assembly does not.

func (k kernel) mul(z, x, y []uint) {
	n := len(x)
	checkLen(len(y), n)
	checkLen(len(z), 2*n)
	if k.runs(n) {
		mulARM64(z, x, y)
	} else {
		mulGeneric(z, x, y)
	}
}

func (k kernel) sqr(z, x []uint) {
	n := len(x)
	checkLen(len(z), 2*n)
	if k.runs(n) {
		sqrARM64(z, x)
	} else {
		sqrGeneric(z, x)
	}
}

func (k kernel) montReduce(z, t, m []uint, m0inv uint) {
	n := len(m)
	checkLen(len(z), n)
	checkLen(len(t), 2*n)
	if k.runs(n) {
		montReduceARM64(z, t, m, m0inv)
	} else {
		montReduceGeneric(z, t, m, m0inv)
	}
}

func (k kernel) selectLimbs(z, table []uint, i uint) {
	if k == kernelARM64 && len(z) > 0 && len(table) <= maxSelectLimbs {
		selectARM64(z, table, i)
	} else {
		selectGeneric(z, table, i)
	}
}

func (k kernel) reduceTop(t []uint, m *Modulus) {
	if k == kernelARM64 && len(m.nat.limbs) >= reduceTopMinLimbs {
		reduceTopARM64(t, m)
	} else {
		reduceTopGeneric(t, m)
	}
}

// reduceTopARM64 does what [reduceTopGeneric] does, in the same steps with the
// same quotients, but arranged so that a step complements each limb once, when
// it is loaded, and only adds.
//
// In the terms of that function, a step computes r = v - q·m. Since -a = ^a + 1,
//
//	^r = ^v + q·m,
//
// so t holds X = ^r where the other has r or ^r: the window of t is a number X in
// [-m, m), and sign its sign. v is X or ^X, whichever is not negative, so
// v = X ^ sign, and the step adds q·m to X ^ ^sign.
//
// What is lost is which of X and ^X is congruent to the number being reduced.
// flip says that: 0 or all ones, so that X ^ flip is. It is known without looking
// back, because each step complements X when it uses ^sign = all ones and not
// otherwise. A limb that enters from below is complemented along.
func reduceTopARM64(t []uint, m *Modulus) {
	mod := m.nat.limbs
	n := len(mod)
	var sign, flip uint
	for j := len(t) - n - 1; j >= 0; j-- {
		t[j] ^= flip
		q := m.estimate(t, j+n, sign)
		carry := addMulFlipARM64(t[j:j+n], mod, q, ^sign)
		flip ^= ^sign
		// The limb above the window, which is all sign.
		sign = t[j+n] ^ ^sign + carry
	}
	// X ^ flip is in [-m, m).
	for i := range n {
		t[i] ^= flip
	}
	addMasked(t[:n], mod, sign^flip)
}

// mulARM64 sets z = x · y.
//
// Lengths: x and y have n limbs, a multiple of 4 and not 0; z has 2n.
// Aliasing: z overlaps neither x nor y; x and y may be the same.
// Secret: all values. Public: n.
// Needs: arm64.
//
//go:noescape
func mulARM64(z, x, y []uint)

// sqrARM64 sets z = x².
//
// Lengths: x has n limbs, a multiple of 4 and not 0; z has 2n.
// Aliasing: z does not overlap x.
// Secret: all values. Public: n.
// Needs: arm64.
//
//go:noescape
func sqrARM64(z, x []uint)

// montReduceARM64 sets z = t · 2^(-64n) mod m and destroys t.
//
// Lengths: z and m have n limbs, a multiple of 4 and not 0; t has 2n.
// On entry: t < m·2^(64n), m is odd, m0inv = -m⁻¹ mod 2^64.
// On return: z < m.
// Aliasing: z overlaps neither t nor m, t does not overlap m.
// Secret: all values. Public: n.
// Needs: arm64.
//
//go:noescape
func montReduceARM64(z, t, m []uint, m0inv uint)

// selectARM64 sets z to entry i of table, reading all of it.
//
// Lengths: z has n limbs, at least 1; table is a multiple of n.
// On entry: i < len(table)/n.
// Aliasing: z does not overlap table.
// Secret: all values, with i. Public: the lengths.
// Needs: Advanced SIMD, which is arm64.
//
//go:noescape
func selectARM64(z, table []uint, i uint)

// addMulFlipARM64 sets t = (t ^ flip) + q · m and returns the carry, a limb.
//
// Lengths: t and m have n limbs, at least 1.
// On entry: flip is 0 or all ones.
// Aliasing: t does not overlap m.
// Secret: all values. Public: n.
// Needs: arm64.
//
//go:noescape
func addMulFlipARM64(t, m []uint, q, flip uint) (carry uint)
