package bigmod

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math/big"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// kernelCases multiplies the number of random cases of the differential tests.
// The recorded sweeps use 100.
var kernelCases = flag.Int("kernelcases", 1, "multiply the number of random kernel cases by `n`")

// A kernelSet is one implementation of the kernels. Each architecture's test file
// has a function kernelSets that returns those the processor can run.
type kernelSet struct {
	name        string
	mul         func(z, x, y []uint)
	sqr         func(z, x []uint)
	montReduce  func(z, t, m []uint, m0inv uint)
	selectLimbs func(z, table []uint, i uint)
	reduceTop   func(t []uint, m *Modulus)

	// mul, sqr and montReduce take lengths of at least minLimbs that are multiples
	// of multiple, reduceTop moduli of at least minTop limbs.
	minLimbs, multiple, minTop int
}

var genericSet = kernelSet{
	name: "generic", mul: mulGeneric, sqr: sqrGeneric, montReduce: montReduceGeneric,
	selectLimbs: selectGeneric, reduceTop: reduceTopGeneric,
	minLimbs: 1, multiple: 1, minTop: 1,
}

// takes reports whether the products and the reduction of the set take n limbs.
func (k *kernelSet) takes(n int) bool { return n >= k.minLimbs && n%k.multiple == 0 }

const maxLimb = ^uint(0)

// edgeLimbs are the values at which carries start and stop.
var edgeLimbs = []uint{0, 1, 1 << (_W - 1), maxLimb - 1, maxLimb}

// An edgeRand draws numbers in which carries are far more frequent than in
// uniform ones.
type edgeRand struct{ *rand.Rand }

func (r edgeRand) limb() uint { return uint(r.Uint64()) }

// number returns n limbs of a kind that it draws.
func (r edgeRand) number(n int) []uint {
	x := make([]uint, n)
	kind := r.Intn(7)
	for i := range x {
		switch kind {
		case 0: // uniform
			x[i] = r.limb()
		case 1, 2: // edges at every place
			x[i] = edgeLimbs[r.Intn(len(edgeLimbs))]
		case 3: // edges and uniform limbs
			if x[i] = r.limb(); x[i]&1 == 0 {
				x[i] = edgeLimbs[r.Intn(len(edgeLimbs))]
			}
		case 4: // all ones
			x[i] = maxLimb
		case 5: // nearly all ones
			if x[i] = maxLimb; r.Intn(n) == 0 {
				x[i] -= uint(r.Intn(2))
			}
		}
	}
	if kind == 6 { // a single limb
		x[r.Intn(n)] = maxLimb - uint(r.Intn(2))
	}
	return x
}

// modulus returns an odd number of n limbs greater than one. Its top limb may be
// zero only if padded is set.
func (r edgeRand) modulus(n int, padded bool) []uint {
	m := r.number(n)
	switch r.Intn(8) {
	case 0: // 1 modulo a limb
		m[0] = 1
	case 1: // -1 modulo a limb
		m[0] = maxLimb
	case 2: // all ones
		for i := range m {
			m[i] = maxLimb
		}
	case 3: // all ones on top
		for i := range min(n, 1+r.Intn(4)) {
			m[n-1-i] = maxLimb
		}
	case 4: // top bit clear
		m[n-1] >>= 1
	case 5: // top limb 1
		m[n-1] = 1
	case 6: // a power of two and one
		clear(m)
		m[n-1] = 1 << r.Intn(_W)
		m[0] |= 1
	case 7:
		if padded {
			clear(m[1+r.Intn(n):])
		}
	}
	m[0] |= 1
	if m[n-1] == 0 && !padded {
		m[n-1] = r.limb() | 1
	}
	if n == 1 && m[0] == 1 || big2(m).Cmp(big.NewInt(1)) == 0 {
		m[0] = 3
	}
	return m
}

// below returns a number of the length of m below m, often 0, 1 or m - 1.
func (r edgeRand) below(m []uint) []uint {
	n := len(m)
	x := make([]uint, n)
	switch r.Intn(8) {
	case 0:
	case 1:
		x[0] = 1
	case 2, 3:
		subLimbs(x, m, append([]uint{1}, x[1:]...))
	default:
		copy(x, limbs2(new(big.Int).Mod(big2(r.number(n)), big2(m)), n))
	}
	return x
}

// big2 returns the value of x.
func big2(x []uint) *big.Int {
	w := make([]big.Word, len(x))
	for i, v := range x {
		w[i] = big.Word(v)
	}
	return new(big.Int).SetBits(w)
}

// limbs2 returns x in n limbs.
func limbs2(x *big.Int, n int) []uint {
	z := make([]uint, n)
	for i, v := range x.Bits() {
		z[i] = uint(v)
	}
	return z
}

// limbModulus returns the modulus with the given limbs, which it takes over.
func limbModulus(t testing.TB, limbs []uint) *Modulus {
	m, err := MakeModulus(limbs)
	if err != nil {
		t.Fatal(err)
	}
	return &m
}

// junk returns n limbs that are not zero, for outputs.
func junk(n int) []uint {
	z := make([]uint, n)
	for i := range z {
		z[i] = 0xa5a5a5a5
	}
	return z
}

// caseCount returns how many random cases to try with operands of n limbs. The
// sets that take multiples of eight only get 10,000 from the lengths up to 80.
func caseCount(n int) int {
	count := 150
	if n%8 == 0 {
		count = 1024
	}
	if testing.Short() {
		count /= 8
	}
	return count * *kernelCases
}

// minCases is what a differential test must have tried of each kernel.
func minCases() int {
	if testing.Short() {
		return 1000
	}
	return 10000
}

// TestKernelProducts compares multiplication and squaring of every set with
// math/big, and so with the generic functions, which are a set. With operands made
// of edge limbs it looks for what emmansun/gmsm#560 had and openssl/openssl#29865
// claims: one of the two carry chains destroyed by an instruction of the other.
func TestKernelProducts(t *testing.T) {
	t.Parallel()
	sets := kernelSets()
	tried := make([]int, len(sets))
	r := edgeRand{rand.New(rand.NewSource(1))}
	for n := 1; n <= 80; n++ {
		for range caseCount(n) {
			x, y := r.number(n), r.number(n)
			product := limbs2(new(big.Int).Mul(big2(x), big2(y)), 2*n)
			square := limbs2(new(big.Int).Mul(big2(x), big2(x)), 2*n)
			x0, y0 := slices.Clone(x), slices.Clone(y)
			for i, set := range sets {
				if !set.takes(n) {
					continue
				}
				tried[i]++
				z := junk(2 * n)
				if set.mul(z, x, y); !slices.Equal(z, product) {
					t.Fatalf("%s: mul of %d limbs\n%x · %x\n= %x, want %x", set.name, n, x, y, z, product)
				}
				z = junk(2 * n)
				if set.sqr(z, x); !slices.Equal(z, square) {
					t.Fatalf("%s: sqr of %d limbs\n%x²\n= %x, want %x", set.name, n, x, z, square)
				}
				z = junk(2 * n)
				if set.mul(z, x, x); !slices.Equal(z, square) {
					t.Fatalf("%s: mul of %d limbs with itself\n%x²\n= %x, want %x", set.name, n, x, z, square)
				}
				if !slices.Equal(x, x0) || !slices.Equal(y, y0) {
					t.Fatalf("%s: product of %d limbs changed an operand", set.name, n)
				}
			}
		}
	}
	for i, set := range sets {
		if tried[i] < minCases() {
			t.Errorf("%s: only %d cases tried", set.name, tried[i])
		}
	}
}

// TestKernelReduce compares Montgomery reduction of every set with math/big.
func TestKernelReduce(t *testing.T) {
	t.Parallel()
	sets := kernelSets()
	tried := make([]int, len(sets))
	// What happened at the end of the reductions: sums beyond n limbs, sums of at
	// least m without that, sums that are m itself.
	var carried, subtracted, equal int
	r := edgeRand{rand.New(rand.NewSource(2))}
	for n := 1; n <= 80; n++ {
		R := new(big.Int).Lsh(big.NewInt(1), uint(n*_W))
		mask := new(big.Int).Sub(R, big.NewInt(1))
		const perModulus = 16
		for range (caseCount(n) + perModulus - 1) / perModulus {
			m := r.modulus(n, true)
			M := big2(m)
			m0inv := negInverse(m[0])
			inv := new(big.Int).ModInverse(M, R)
			inv.Sub(R, inv)
			limit := new(big.Int).Mul(M, R)
			for range perModulus {
				var T *big.Int
				switch r.Intn(6) {
				case 0: // the largest values
					T = new(big.Int).Sub(limit, big.NewInt(1+r.Int63n(3)))
				case 1: // edges throughout
					T = new(big.Int).Mod(big2(r.number(2*n)), limit)
				case 2: // out of Montgomery form
					T = big2(r.below(m))
				case 3: // a multiple of m, which reduces to zero
					T = new(big.Int).Mul(M, big2(r.number(n)))
				case 4: // a product with one factor that is not reduced
					T = new(big.Int).Mul(big2(r.below(m)), big2(r.number(n)))
				default:
					T = new(big.Int).Mul(big2(r.below(m)), big2(r.below(m)))
				}
				in := limbs2(T, 2*n)
				q := new(big.Int).And(T, mask)
				q.Mul(q, inv).And(q, mask)
				sum := q.Mul(q, M)
				sum.Add(sum, T).Rsh(sum, uint(n*_W))
				switch {
				case sum.BitLen() > n*_W:
					carried++
				case sum.Cmp(M) == 0:
					equal++
				case sum.Cmp(M) > 0:
					subtracted++
				}
				if sum.Cmp(M) >= 0 {
					sum.Sub(sum, M)
				}
				want := limbs2(sum, n)
				m1 := slices.Clone(m)
				for i, set := range sets {
					if !set.takes(n) {
						continue
					}
					tried[i]++
					z := junk(n)
					set.montReduce(z, slices.Clone(in), m, m0inv)
					if !slices.Equal(z, want) {
						t.Fatalf("%s: montReduce of %d limbs\n%x mod %x\n= %x, want %x", set.name, n, in, m, z, want)
					}
					if !slices.Equal(m, m1) {
						t.Fatalf("%s: montReduce of %d limbs changed the modulus", set.name, n)
					}
				}
			}
		}
	}
	for i, set := range sets {
		if tried[i] < minCases() {
			t.Errorf("%s: only %d cases tried", set.name, tried[i])
		}
	}
	if carried < 100 || subtracted < 100 || equal < 100 {
		t.Errorf("only %d cases with a final carry, %d with a subtraction without one, %d of m itself", carried, subtracted, equal)
	}
}

// TestKernelReduceTop compares the reduction from the top of every set with
// math/big. Moduli may be even.
func TestKernelReduceTop(t *testing.T) {
	t.Parallel()
	sets := kernelSets()
	tried := make([]int, len(sets))
	var capped int
	r := edgeRand{rand.New(rand.NewSource(3))}
	for n := 1; n <= 80; n++ {
		for range caseCount(n) {
			mod := r.modulus(n, false)
			if n > 1 && r.Intn(4) == 0 {
				mod[0]--
			}
			top := r.below(mod)
			m := limbModulus(t, slices.Clone(mod))
			in := append(r.number(1+r.Intn(n+3)), top...)
			if m.estimate(in, len(in)-1, 0) == maxLimb {
				capped++
			}
			want := limbs2(new(big.Int).Mod(big2(in), big2(mod)), n)
			for i, set := range sets {
				if n < set.minTop {
					continue
				}
				tried[i]++
				z := slices.Clone(in)
				if set.reduceTop(z, m); !slices.Equal(z[:n], want) {
					t.Fatalf("%s: reduceTop\n%x mod %x\n= %x, want %x", set.name, in, mod, z[:n], want)
				}
			}
			if !slices.Equal(m.nat.limbs, mod) {
				t.Fatal("reduceTop changed the modulus")
			}
		}
	}
	for i, set := range sets {
		if tried[i] < minCases() {
			t.Errorf("%s: only %d cases tried", set.name, tried[i])
		}
	}
	if capped < 100 {
		t.Errorf("only %d cases with the largest quotient", capped)
	}
}

// TestKernelSelect selects every entry of tables of every length, at every offset
// from a multiple of eight limbs.
func TestKernelSelect(t *testing.T) {
	t.Parallel()
	r := edgeRand{rand.New(rand.NewSource(4))}
	for _, set := range kernelSets() {
		for n := 1; n <= 80; n++ {
			for _, entries := range []int{1, 2, 31, 32, 33} {
				if testing.Short() && entries != 32 {
					continue
				}
				offset := r.Intn(8)
				table := make([]uint, offset+entries*n)[offset:]
				for i := range table {
					table[i] = r.limb()
				}
				buf := junk(n + 9)
				z := buf[r.Intn(8)+1:][:n]
				table0, buf0 := slices.Clone(table), slices.Clone(buf)
				for i := range entries {
					set.selectLimbs(z, table, uint(i))
					if !slices.Equal(z, table[i*n:(i+1)*n]) {
						t.Fatalf("%s: entry %d of %d, of %d limbs", set.name, i, entries, n)
					}
				}
				copy(z, junk(n))
				if !slices.Equal(table, table0) || !slices.Equal(buf, buf0) {
					t.Fatalf("%s: wrote outside of its output, %d limbs", set.name, n)
				}
			}
		}
	}
}

// tuples calls f with every way to fill x with values of set.
func tuples(x, set []uint, f func()) {
	if len(x) == 0 {
		f()
		return
	}
	for _, x[0] = range set {
		tuples(x[1:], set, f)
	}
}

// TestKernelExhaustive tries all operands of small domains: tiny numbers, and
// short ones made of edge limbs.
func TestKernelExhaustive(t *testing.T) {
	t.Parallel()
	check := func(set kernelSet, x, y []uint) {
		n := len(x)
		want, z := make([]uint, 2*n), junk(2*n)
		mulGeneric(want, x, y)
		if set.mul(z, x, y); !slices.Equal(z, want) {
			t.Fatalf("%s: %x · %x = %x, want %x", set.name, x, y, z, want)
		}
		sqrGeneric(want, x)
		if set.sqr(z, x); !slices.Equal(z, want) {
			t.Fatalf("%s: %x² = %x, want %x", set.name, x, z, want)
		}
	}
	for _, set := range kernelSets() {
		// One limb, padded to what the set takes: all moduli and factors up to 31.
		n := set.minLimbs
		m, x, y := make([]uint, n), make([]uint, n), make([]uint, n)
		p, z, want := make([]uint, 2*n), make([]uint, n), make([]uint, n)
		for m[0] = 3; m[0] < 32; m[0] += 2 {
			for x[0] = 0; x[0] < m[0]; x[0]++ {
				for y[0] = 0; y[0] < m[0]; y[0]++ {
					check(set, x, y)
					// A product, and y·R + x.
					mulGeneric(p, x, y)
					for range 2 {
						in := slices.Clone(p)
						montReduceGeneric(want, slices.Clone(p), m, negInverse(m[0]))
						set.montReduce(z, in, m, negInverse(m[0]))
						if !slices.Equal(z, want) || z[0] >= m[0] {
							t.Fatalf("%s: montReduce %x mod %d = %x, want %x", set.name, p, m[0], z, want)
						}
						copy(p, x)
						copy(p[n:], y)
					}
				}
			}
		}

		// Limbs 0 and all ones at all places of two numbers of up to 8 limbs; all
		// edges at those of up to 3.
		for n := 1; n <= 8; n++ {
			if !set.takes(n) {
				continue
			}
			limbs := []uint{0, maxLimb}
			if n <= 3 {
				limbs = edgeLimbs
			}
			if testing.Short() && n > 6 {
				limbs = limbs[1:]
			}
			xy := make([]uint, 2*n)
			tuples(xy, limbs, func() { check(set, xy[:n], xy[n:]) })
		}

		// Moduli of 3 limbs and dividends of 4, of edge limbs.
		const k = 3
		mod, u := make([]uint, k), make([]uint, k+1)
		tuples(mod, edgeLimbs, func() {
			if mod[k-1] == 0 {
				return
			}
			m := limbModulus(t, slices.Clone(mod))
			tuples(u, edgeLimbs, func() {
				if subLimbs(make([]uint, k), u[1:], mod) == 0 {
					return // not reduced above
				}
				got, want := slices.Clone(u), slices.Clone(u)
				set.reduceTop(got, m)
				reduceTopGeneric(want, m)
				if !slices.Equal(got[:k], want[:k]) {
					t.Fatalf("%s: %x mod %x = %x, want %x", set.name, u, mod, got[:k], want[:k])
				}
			})
		})
	}
}

// hexBig returns the number with the given hexadecimal digits, which may be spaced.
func hexBig(t *testing.T, digits string) *big.Int {
	x, ok := new(big.Int).SetString(strings.ReplaceAll(digits, " ", ""), 16)
	if !ok {
		t.Fatalf("bad digits %q", digits)
	}
	return x
}

// TestSquareCarry is the operand of openssl/openssl#17258, at which a squaring lost
// a carry, at every place of lengths up to 80 limbs.
func TestSquareCarry(t *testing.T) {
	a := hexBig(t, "4aaac919 62056c84 fba7334e 1a6be678 022181ba fd3aa878 899b2346 ee210f45")
	square := hexBig(t, "15c72e32605a3061d11b10123c1874836df96999bd0c22bad3e7d4374724a82f"+
		"912c5e616a187efe8f7c47fcf6945fe575be8e3d97ed17d47950b4653cb32899")
	k := 256 / _W
	for _, set := range kernelSets() {
		for n := k; n <= 80; n++ {
			if !set.takes(n) {
				continue
			}
			for at := 0; at+k <= n; at += 1 + n/16 {
				x := limbs2(new(big.Int).Lsh(a, uint(at*_W)), n)
				want := limbs2(new(big.Int).Lsh(square, uint(2*at*_W)), 2*n)
				z := junk(2 * n)
				if set.sqr(z, x); !slices.Equal(z, want) {
					t.Fatalf("%s: sqr of %d limbs, at limb %d: %x", set.name, n, at, z)
				}
				z = junk(2 * n)
				if set.mul(z, x, x); !slices.Equal(z, want) {
					t.Fatalf("%s: mul of %d limbs, at limb %d: %x", set.name, n, at, z)
				}
			}
		}
	}
}

// modSquare returns x² mod m as the set computes it: by a product and the reduction
// from the top, and by Montgomery squaring in the least length that the set takes.
func modSquare(t *testing.T, set kernelSet, x, m *big.Int) (direct, montgomery *big.Int) {
	n := (m.BitLen() + _W - 1) / _W
	w := max(n, set.minLimbs)
	w = (w + set.multiple - 1) / set.multiple * set.multiple
	if n < set.minTop {
		t.Fatalf("modulus of %d limbs is too short for %s", n, set.name)
	}
	mod := limbModulus(t, limbs2(m, n))
	p := junk(2 * w)
	set.sqr(p, limbs2(x, w))
	set.reduceTop(p[:2*n], mod)
	direct = new(big.Int).Set(big2(p[:n]))

	mont, m0inv := limbs2(m, w), negInverse(mod.nat.limbs[0])
	in := append(make([]uint, w), limbs2(x, n)...)
	set.reduceTop(in, mod)
	y, z := append(slices.Clone(in[:n]), make([]uint, w-n)...), junk(w)
	p = junk(2 * w)
	set.sqr(p, y)
	set.montReduce(z, p, mont, m0inv)
	p = append(slices.Clone(z), make([]uint, w)...)
	set.montReduce(z, p, mont, m0inv)
	return direct, big2(z)
}

// TestModSquareP521 is openssl/openssl#15587: a wrong Montgomery square modulo
// 2^521 - 1, whose length is not a multiple of the limb's.
func TestModSquareP521(t *testing.T) {
	m := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 521), big.NewInt(1))
	a := hexBig(t, "1DEA64498CAE6197AB5283F8A8A05F343D0CCA7F5F05EDF3C9892F80851E0E40A39"+
		"BD8855B4824C5BCC86727312D6979965FA131365CB24ED1C52E4E3B54CD01E0C")
	want := hexBig(t, "c6db9a8c67dd1d105b099b570fcc457a8a9fb658e0d9f47e557d9a9c5e7b8f397b9"+
		"781398f119e07c464afab0eaec9bfc8e3d7b4bd5416b81800ffeccf29daa196")
	for _, set := range kernelSets() {
		direct, montgomery := modSquare(t, set, a, m)
		if direct.Cmp(want) != 0 || montgomery.Cmp(want) != 0 {
			t.Errorf("%s: %x and %x, want %x", set.name, direct, montgomery, want)
		}
	}
}

// TestFinalSubtraction is golang/go#13907 and AztecProtocol/barretenberg#978: with
// all ones on top of the modulus, the last subtraction was missed. (m-1)² is 1.
func TestFinalSubtraction(t *testing.T) {
	r := edgeRand{rand.New(rand.NewSource(8))}
	one := big.NewInt(1)
	for _, set := range kernelSets() {
		for n := 8; n <= 80; n += 1 + n/16 {
			for ones := 1; ones <= 4; ones++ {
				mod := r.number(n)
				mod[0] |= 1
				for i := range ones {
					mod[n-1-i] = maxLimb
				}
				m := big2(mod)
				direct, montgomery := modSquare(t, set, new(big.Int).Sub(m, one), m)
				if direct.Cmp(one) != 0 || montgomery.Cmp(one) != 0 {
					t.Errorf("%s: (m-1)² mod m for m = %x: %x and %x", set.name, m, direct, montgomery)
				}
				// x + (m - x) is m, which has to become zero.
				x := &Nat{r.below(mod)}
				y := new(Nat).set(x)
				M := limbModulus(t, slices.Clone(mod))
				if z := new(Nat).reset(n).Sub(x, M).Add(y, M); z.IsZero() != yes {
					t.Errorf("x + (m - x) mod m = %x", z.limbs)
				}
			}
		}
	}
}

// TestExpReports are powers that other implementations had wrong: golang/go#13515,
// with zero low words, and golang/go#22830 and golang/go#9826, with the exponent 1
// and results in the place of operands.
func TestExpReports(t *testing.T) {
	decimal := func(s string) *big.Int {
		x, _ := new(big.Int).SetString(s, 10)
		return x
	}
	for _, c := range []struct{ x, e, m, want *big.Int }{
		{hexBig(t, "AAAAAAAA00000000"), hexBig(t, "AAAAAAAA00000000"), hexBig(t, "FFFFFFFF00000001"), big.NewInt(1)},
		{decimal("84555555300000000000"), big.NewInt(1), decimal("66666670001111111111"), decimal("17888885298888888889")},
		{big.NewInt(5), big.NewInt(1), big.NewInt(3), big.NewInt(2)},
	} {
		m, err := NewModulus(c.m.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		base := func() *Nat {
			return new(Nat).Mod(&Nat{limbs2(c.x, len(c.x.Bits()))}, m)
		}
		x := base()
		for name, z := range map[string]*Nat{
			"Exp":               new(Nat).Exp(x, c.e.Bytes(), m),
			"Exp, in place":     x.Exp(x, c.e.Bytes(), m),
			"Exp, over junk":    (&Nat{junk(9)}).Exp(base(), c.e.Bytes(), m),
			"ExpVarTime":        new(Nat).ExpVarTime(base(), c.e.Bytes(), m),
			"ExpVarTime, chain": new(Nat).expChainVarTime(base(), c.e.Bytes(), m),
		} {
			if big2(z.limbs).Cmp(c.want) != 0 {
				t.Errorf("%s: %v^%v mod %v = %v, want %v", name, c.x, c.e, c.m, big2(z.limbs), c.want)
			}
		}
	}
}

// TestReduceTopSmallRest reduces multiples of the modulus with little added, and with
// little taken off. Then the rest of the division that estimates the quotient is next to
// zero, where its own carries show.
func TestReduceTopSmallRest(t *testing.T) {
	r := edgeRand{rand.New(rand.NewSource(13))}
	for _, set := range kernelSets() {
		for n := max(3, set.minTop); n <= 16; n++ {
			for range caseCount(8) {
				mod := r.number(n)
				mod[n-1] |= 1 << (_W - 1)
				if r.Intn(2) == 0 {
					clear(mod[:n-2])
				}
				mod[0] |= 1
				m := limbModulus(t, slices.Clone(mod))
				rest := append(r.number(n-1-r.Intn(2)), 0, 0)[:n]
				u := new(big.Int).Mul(big2(mod), big2(r.number(1)))
				if r.Intn(4) == 0 && u.Sign() > 0 {
					u.Sub(u, big.NewInt(1))
					rest = limbs2(new(big.Int).Sub(big2(mod), big.NewInt(1)), n)
				} else {
					u.Add(u, big2(rest))
				}
				z := limbs2(u, n+1)
				if set.reduceTop(z, m); !slices.Equal(z[:n], rest) {
					t.Fatalf("%s: %x mod %x = %x, want %x", set.name, u, mod, z[:n], rest)
				}
			}
		}
	}
}

// TestReduceTopShifts tries every shift that the bit length of a modulus asks for,
// of which golang/go#31084 had special ones wrong on one architecture.
func TestReduceTopShifts(t *testing.T) {
	r := edgeRand{rand.New(rand.NewSource(9))}
	for _, set := range kernelSets() {
		for _, n := range []int{set.minTop, 8, 9, 17, 32} {
			for shift := range _W {
				for range 10 {
					mod := r.number(n)
					mod[n-1] = mod[n-1]>>shift | 1<<(_W-1-shift)
					if n == 1 && mod[0] == 1 {
						continue
					}
					m := limbModulus(t, slices.Clone(mod))
					if m.shift != uint(shift) {
						t.Fatalf("shift %d, want %d", m.shift, shift)
					}
					in := append(r.number(n+1), make([]uint, n)...)
					copy(in[n+1:], limbs2(new(big.Int).Mod(big2(r.number(n)), big2(mod)), n))
					want := limbs2(new(big.Int).Mod(big2(in), big2(mod)), n)
					if set.reduceTop(in, m); !slices.Equal(in[:n], want) {
						t.Fatalf("%s: shift %d: mod %x: %x, want %x", set.name, shift, mod, in[:n], want)
					}
				}
			}
		}
	}
}

// TestKernelLong tries lengths around those where assembly hands over to the
// generic functions, through the functions that decide it.
func TestKernelLong(t *testing.T) {
	t.Parallel()
	lengths := []int{127, 128, 129, 255, 256, 257, 264}
	if testing.Short() {
		lengths = lengths[3:]
	}
	r := edgeRand{rand.New(rand.NewSource(5))}
	for _, n := range lengths {
		for range 4 {
			mod := r.modulus(n, false)
			m := limbModulus(t, slices.Clone(mod))
			w := len(m.mont)
			x, y := r.below(mod), r.below(mod)
			z, p := make([]uint, w), make([]uint, 2*w)
			m.toMont(z, x, p)
			m.montMul(z, z, append(slices.Clone(y), make([]uint, w-n)...), p)
			want := new(big.Int).Mul(big2(x), big2(y))
			if want.Mod(want, big2(mod)); big2(z).Cmp(want) != 0 {
				t.Fatalf("%d limbs: %x · %x mod %x = %x, want %x", n, x, y, mod, z, want)
			}
			long := r.number(3*n + 5)
			got := new(Nat).Mod(&Nat{long}, m)
			if want.Mod(big2(long), big2(mod)); big2(got.limbs).Cmp(want) != 0 {
				t.Fatalf("%d limbs: %x mod %x = %x, want %x", n, long, mod, got.limbs, want)
			}
			table := append(slices.Clone(x), y...)
			if selectLimbs(z[:n], table, 1); !slices.Equal(z[:n], y) {
				t.Fatalf("%d limbs: wrong entry", n)
			}
		}
	}
}

// FuzzKernels compares all sets with the generic one on operands made of the
// input, in which bytes of small value stand for edge limbs.
func FuzzKernels(f *testing.F) {
	f.Add(uint8(1), []byte{4, 4, 4})
	f.Add(uint8(8), slices.Repeat([]byte{4}, 40))
	f.Add(uint8(16), slices.Repeat([]byte{4, 0, 1, 3}, 30))
	f.Add(uint8(17), slices.Repeat([]byte{2, 9, 1, 2, 3, 4, 5, 6, 7, 8}, 20))
	f.Add(uint8(24), slices.Repeat([]byte{4, 4, 4, 4, 4, 4, 4, 0}, 30))
	f.Add(uint8(32), []byte("a carry that is lost shows only with the right neighbours"))
	f.Fuzz(func(t *testing.T, size uint8, data []byte) {
		n := int(size%80) + 1
		next := func(n int) []uint {
			x := make([]uint, n)
			for i := range x {
				if len(data) == 0 {
					break
				}
				b := data[0]
				data = data[1:]
				if int(b) < len(edgeLimbs) {
					x[i] = edgeLimbs[b]
					continue
				}
				var v [8]byte
				data = data[copy(v[:], data):]
				x[i] = uint(binary.LittleEndian.Uint64(v[:]))
			}
			return x
		}
		x, y, mod := next(n), next(n), next(n)
		mod[0] |= 1
		if mod[n-1] == 0 {
			mod[n-1] = 1
		}
		if n == 1 && mod[0] == 1 {
			mod[0] = 3
		}
		m := limbModulus(t, slices.Clone(mod))
		// t = y'·R + x with y' below m.
		y1 := limbs2(new(big.Int).Mod(big2(y), big2(mod)), n)
		in := append(slices.Clone(x), y1...)
		product, square, reduced, top := junk(2*n), junk(2*n), junk(n), slices.Clone(in)
		mulGeneric(product, x, y)
		sqrGeneric(square, x)
		montReduceGeneric(reduced, slices.Clone(in), mod, negInverse(mod[0]))
		reduceTopGeneric(top, m)
		for _, set := range kernelSets() {
			if set.takes(n) {
				z := junk(2 * n)
				if set.mul(z, x, y); !slices.Equal(z, product) {
					t.Errorf("%s: mul", set.name)
				}
				if set.sqr(z, x); !slices.Equal(z, square) {
					t.Errorf("%s: sqr", set.name)
				}
				if set.montReduce(z[:n], slices.Clone(in), mod, negInverse(mod[0])); !slices.Equal(z[:n], reduced) {
					t.Errorf("%s: montReduce", set.name)
				}
			}
			if n >= set.minTop {
				z := slices.Clone(in)
				if set.reduceTop(z, m); !slices.Equal(z[:n], top[:n]) {
					t.Errorf("%s: reduceTop", set.name)
				}
			}
			z := junk(n)
			if set.selectLimbs(z, in, 1); !slices.Equal(z, y1) {
				t.Errorf("%s: selectLimbs", set.name)
			}
		}
	})
}

// BenchmarkKernels times each kernel of each set. One operation of reducetop takes
// n steps, which is the way into Montgomery form.
func BenchmarkKernels(b *testing.B) {
	r := rand.New(rand.NewSource(1))
	for _, set := range kernelSets() {
		for _, n := range []int{4, 6, 8, 9, 16, 24, 32, 33, 48, 64, 128} {
			limbs := func(n int) []uint {
				x := make([]uint, n)
				for i := range x {
					x[i] = uint(r.Uint64())
				}
				return x
			}
			mod := limbs(n)
			mod[0] |= 1
			mod[n-1] |= 1 << (_W - 1)
			m := limbModulus(b, mod)
			mod = m.nat.limbs
			x, y, z, t := limbs(n), limbs(n), make([]uint, n), make([]uint, 2*n)
			x[n-1] >>= 1
			table := limbs(32 * n)
			run := func(op string, f func()) {
				b.Run(fmt.Sprintf("kernel=%s/op=%s/limbs=%d", set.name, op, n), func(b *testing.B) {
					for b.Loop() {
						f()
					}
				})
			}
			if set.takes(n) {
				run("mul", func() { set.mul(t, x, y) })
				run("sqr", func() { set.sqr(t, x) })
				// What a reduction leaves in t is below m·2^(W·n) in any case: its
				// upper half is what z had been, or that and m.
				run("reduce", func() {
					copy(t, x)
					copy(t[n:], z)
					set.montReduce(z, t, mod, m.m0inv)
				})
			}
			run("select", func() { set.selectLimbs(z, table, 17) })
			if n >= set.minTop {
				run("reducetop", func() {
					clear(t[:n])
					copy(t[n:], x)
					set.reduceTop(t, m)
				})
			}
		}
	}
}
