package bigmod

import (
	"fmt"
	"math/big"
	"math/rand"
	"slices"
	"testing"
)

// lanesInvariants checks what lanes.go relies on for form f of numbers of the given size.
func lanesInvariants(t *testing.T, f laneForm, size int) {
	t.Helper()
	bad := func(what string) { t.Fatalf("%d bits: %+v: %s", size, f, what) }
	if size+f.zeros()*f.radix+2 > f.radix*f.digits {
		bad("4N may be above R")
	}
	if f.digits%4 != 0 || f.width%4 != 0 && (f.each == 2 || f.width%4 != 3) ||
		f.digits > f.each*f.width || f.digits < (f.each-1)*f.width+4 {
		bad("rows and width do not fit")
	}
	if roundUp4(f.width) < laneMinWidth {
		bad("too narrow")
	}
	// 2n·(2^r + 2^(64-2r))² + 2^(64-r)
	digit := new(big.Int).Lsh(big.NewInt(1), uint(f.radix))
	digit.Add(digit, new(big.Int).Lsh(big.NewInt(1), uint(64-2*f.radix)))
	if digit.BitLen() > 31 {
		bad("a doubled digit is longer than 32 bits")
	}
	sum := digit.Mul(digit, digit)
	sum.Mul(sum, big.NewInt(int64(2*f.digits)))
	sum.Add(sum, new(big.Int).Lsh(big.NewInt(1), uint(64-f.radix)))
	if sum.BitLen() > 64 {
		bad("a sum is longer than 64 bits")
	}
}

func TestLaneForm(t *testing.T) {
	for _, each := range []int{2, 4} {
		forms := 0
		for size := 2; size <= 14000; size++ {
			f, ok := newLaneForm(each, size)
			if !ok {
				continue
			}
			forms++
			lanesInvariants(t, f, size)
		}
		if forms < 6000 {
			t.Errorf("%d lanes: %d sizes have a form", each, forms)
		}
	}
	// Where it counts, as measured: digits are cheap, an unused one is not.
	for _, c := range []struct{ each, size, radix, digits, width int }{
		{2, 1024, 28, 40, 20}, {2, 1536, 28, 56, 28}, {2, 2048, 28, 76, 40}, {2, 4096, 27, 156, 80},
		{4, 2048, 28, 76, 19}, {4, 3072, 28, 112, 28}, {4, 4096, 27, 156, 39}, {4, 8192, 27, 308, 80},
	} {
		want := laneForm{c.each, c.radix, c.digits, c.width}
		if f, ok := newLaneForm(c.each, c.size); !ok || f != want {
			t.Errorf("%d bits: %+v, want %+v", c.size, f, want)
		}
	}
}

// A laneCase is a form with moduli, as many as it has numbers.
type laneCase struct {
	laneForm
	m   []*Modulus
	big []*big.Int // N
	mod []uint64
}

func (r edgeRand) laneCase(t *testing.T, f laneForm, size int) *laneCase {
	c := &laneCase{laneForm: f, mod: make([]uint64, 4*laneConstants+f.vector())}
	for s := range 4 / f.each {
		// size bits, or up to an eighth less for a second number.
		n := size - s*r.Intn(size/8)
		limbs := r.modulus((n+_W-1)/_W, false)
		limbs[len(limbs)-1] |= 1 << (_W - 1)
		limbs[len(limbs)-1] >>= (_W - n%_W) % _W
		limbs[0] |= 1
		m := limbModulus(t, limbs)
		c.m = append(c.m, m)
		f.setModulus(c.mod, s, m, make([]uint, len(limbs)+64/_W))

		// N = k·m with k = -m⁻¹ mod 2^(z·r)
		B := new(big.Int).Lsh(big.NewInt(1), uint(f.zeros()*f.radix))
		k := new(big.Int).ModInverse(big2(m.nat.limbs), B)
		c.big = append(c.big, k.Sub(B, k).Mul(k, big2(m.nat.limbs)))
	}
	return c
}

// number returns numbers below 2N in lanes, edges among them, with some digits that have
// borrowed from the next one.
func (r edgeRand) lanes(c *laneCase) []uint64 {
	z := make([]uint64, c.vector())
	for s, N := range c.big {
		max := new(big.Int).Lsh(N, 1)
		x := new(big.Int)
		switch r.Intn(6) {
		case 0:
			x.SetUint64(uint64(r.Intn(3)))
		case 1, 2:
			x.Sub(max, big.NewInt(1+int64(r.Intn(2))))
		default:
			x.Mod(big2(r.number(max.BitLen()/_W+1)), max)
		}
		c.split(z, s, limbs2(x, c.digits*c.radix/_W+2))
		for i := range c.digits - 1 {
			d, next := &z[c.at(s, i)], &z[c.at(s, i+1)]
			if *next > 0 && *d < 1<<(64-2*c.radix) && r.Intn(2) == 0 {
				*next--
				*d += 1 << c.radix
			}
		}
	}
	return z
}

// dirty returns x with anything in the upper half of each word that has a digit.
func (r edgeRand) dirty(c *laneCase, x []uint64) []uint64 {
	z := slices.Clone(x)
	for i := range 4 * c.width {
		z[i] |= r.Uint64() << 32
	}
	return z
}

func (c *laneCase) value(z []uint64, s int) *big.Int {
	x := make([]uint, c.digits*c.radix/_W+2)
	c.join(x, z, s)
	return big2(x)
}

// check fails unless z has x·y/R mod m, below 2N, in digits that the next product can take.
func (c *laneCase) check(t *testing.T, what string, z, x, y []uint64) {
	t.Helper()
	for i, d := range z {
		if d >= 1<<c.radix+1<<(64-2*c.radix) {
			t.Fatalf("%s, %+v: digit at %d is %#x", what, c.laneForm, i, d)
		}
	}
	R := new(big.Int).Lsh(big.NewInt(1), uint(c.radix*c.digits))
	for s, N := range c.big {
		m := big2(c.m[s].nat.limbs)
		got := c.value(z, s)
		if got.Cmp(new(big.Int).Lsh(N, 1)) >= 0 {
			t.Fatalf("%s, %+v: number %d is not below 2N", what, c.laneForm, s)
		}
		want := new(big.Int).Mul(c.value(x, s), c.value(y, s))
		got.Mul(got, R).Sub(got, want)
		if got.Mod(got, m).Sign() != 0 {
			t.Fatalf("%s, %+v: number %d is wrong", what, c.laneForm, s)
		}
	}
}

// laneForms calls f with forms of all widths that the exponentiations use, and a size for each.
func laneForms(r edgeRand, do func(f laneForm, size int)) {
	for _, each := range []int{2, 4} {
		last := 0
		for size := 256; ; size += 8 {
			f, ok := newLaneForm(each, size)
			if f.width > 80 {
				break
			}
			if !ok || f.digits == last {
				continue
			}
			last = f.digits
			// The sizes with this form end before the next multiple of radix.
			for next, _ := newLaneForm(each, size+1); next == f && r.Intn(4) > 0; next, _ = newLaneForm(each, size+1) {
				size++
			}
			do(f, size)
		}
	}
}

func TestLanesGeneric(t *testing.T) {
	t.Parallel()
	r := edgeRand{rand.New(rand.NewSource(21))}
	laneForms(r, func(f laneForm, size int) {
		if testing.Short() && f.width > 28 {
			return
		}
		for range 4 {
			c := r.laneCase(t, f, size)
			x, y, z := r.lanes(c), r.lanes(c), make([]uint64, f.vector())
			montMulLanesGeneric(&f, z, r.dirty(c, x), r.dirty(c, y), c.mod)
			c.check(t, "product", z, x, y)
			montSqrsLanesGeneric(&f, z, x, c.mod, 1)
			c.check(t, "square", z, x, x)
			twice := make([]uint64, f.vector())
			montSqrsLanesGeneric(&f, twice, x, c.mod, 2)
			c.check(t, "second square", twice, z, z)
		}
	})
}

// TestLanesSplit checks that join undoes split, for numbers of all lengths, and so
// does leave enter.
func TestLanesSplit(t *testing.T) {
	t.Parallel()
	r := edgeRand{rand.New(rand.NewSource(22))}
	laneForms(r, func(f laneForm, size int) {
		c := r.laneCase(t, f, size)
		z := make([]uint64, f.vector())
		for s, m := range c.m {
			n := len(m.nat.limbs)
			limbs := make([]uint, f.shiftedLen(n))
			for _, x := range [][]uint{r.number(n), r.number(1), nil} {
				f.split(z, s, x)
				if got := c.value(z, s); got.Cmp(big2(x)) != 0 {
					t.Fatalf("%+v: number %d is %x, want %x", f, s, got, big2(x))
				}
			}
			x := r.below(m.nat.limbs)
			f.enter(z, s, x, m, limbs)
			want := new(big.Int).Lsh(big2(x), uint(f.radix*f.digits))
			want.Mod(want, big2(m.nat.limbs))
			if got := c.value(z, s); got.Cmp(want) != 0 {
				t.Fatalf("%+v: x·R mod m is wrong", f)
			}
			z = r.lanes(c)
			out := NewNat()
			f.leave(out, z, s, m, limbs)
			want.Mod(c.value(z, s), big2(m.nat.limbs))
			if big2(out.limbs).Cmp(want) != 0 || len(out.limbs) != n {
				t.Fatalf("%+v: reduction is wrong", f)
			}
		}
	})
}

func TestPack(t *testing.T) {
	x := make([]uint64, 160)
	for i := range x {
		x[i] = uint64(i+1) << 20
	}
	z, y := make([]uint64, 80), make([]uint64, 160)
	pack(z, x)
	if unpack(y, z); !slices.Equal(x, y) {
		t.Error("unpack does not undo pack")
	}
}

// laneKernels returns the sets that the processor can run.
func laneKernels() []laneKernel {
	sets := []laneKernel{laneGeneric}
	if activeLanes != laneNone {
		sets = append(sets, activeLanes)
	}
	return sets
}

// expModulus returns an odd modulus of the given size in bits and its value.
func (r edgeRand) expModulus(t testing.TB, size int) (*Modulus, *big.Int) {
	limbs := r.modulus((size+_W-1)/_W, false)
	limbs[len(limbs)-1] |= 1 << (_W - 1)
	limbs[len(limbs)-1] >>= (_W - size%_W) % _W
	limbs[0] |= 1
	m := limbModulus(t, limbs)
	return m, big2(m.nat.limbs)
}

func TestExpPair(t *testing.T) {
	t.Parallel()
	r := edgeRand{rand.New(rand.NewSource(23))}
	exponent := func(n int) []byte {
		e := make([]byte, n)
		switch r.Intn(4) {
		case 0: // zero
		case 1:
			for i := range e {
				e[i] = 0xff
			}
		default:
			r.Read(e)
		}
		return e
	}
	for _, set := range laneKernels() {
		for _, c := range []struct{ size1, size2, e1, e2 int }{
			{1024, 1024, 12, 12}, {1000, 1024, 10, 0}, {1024, 1023, 1, 20}, {1088, 1024, 3, 7},
			{1030, 1018, 128, 128}, {1536, 1536, 9, 9}, {1600, 1500, 0, 0}, {2048, 2048, 11, 8},
			{2048, 1800, 5, 5}, {3072, 3072, 6, 6}, {3500, 3500, 4, 4}, {4096, 4096, 5, 5},
		} {
			if set == laneGeneric && (c.e1 > 20 || c.size1 > 2048) || testing.Short() && c.size1 > 2048 {
				continue
			}
			for range 3 {
				m1, n1 := r.expModulus(t, c.size1)
				m2, n2 := r.expModulus(t, c.size2)
				f, ok := pairForm(m1, m2)
				if !ok {
					t.Fatalf("no form for %d and %d bits", c.size1, c.size2)
				}
				y1, y2 := &Nat{r.below(m1.nat.limbs)}, &Nat{r.below(m2.nat.limbs)}
				e1, e2 := exponent(c.e1), exponent(c.e2)
				want1 := new(big.Int).Exp(big2(y1.limbs), new(big.Int).SetBytes(e1), n1)
				want2 := new(big.Int).Exp(big2(y2.limbs), new(big.Int).SetBytes(e2), n2)
				x1, x2 := NewNat(), NewNat()
				expPair(x1, y1, e1, m1, x2, y2, e2, m2, set, &f)
				if big2(x1.limbs).Cmp(want1) != 0 || len(x1.limbs) != len(m1.nat.limbs) {
					t.Fatalf("kernel %d: first power of %+v is wrong", set, c)
				}
				if big2(x2.limbs).Cmp(want2) != 0 || len(x2.limbs) != len(m2.nat.limbs) {
					t.Fatalf("kernel %d: second power of %+v is wrong", set, c)
				}
				expPair(y1, y1, e1, m1, y2, y2, e2, m2, set, &f)
				if y1.Equal(x1) == no || y2.Equal(x2) == no {
					t.Fatalf("kernel %d: powers of %+v in place are wrong", set, c)
				}
			}
		}
	}
}

// TestExpPairSizes drives the exported function through sizes on both sides of every
// limit, whatever it uses for them.
func TestExpPairSizes(t *testing.T) {
	t.Parallel()
	r := edgeRand{rand.New(rand.NewSource(24))}
	for _, c := range [][2]int{
		{2, 2}, {64, 65}, {512, 512}, {900, 1000}, {1003, 1003}, {1004, 1004}, {1024, 512}, {1024, 896},
		{1024, 895}, {2048, 2049}, {4096, 4095}, {4110, 4110}, {4300, 4100},
	} {
		m1, n1 := r.expModulus(t, c[0])
		m2, n2 := r.expModulus(t, c[1])
		y1, y2 := &Nat{r.below(m1.nat.limbs)}, &Nat{r.below(m2.nat.limbs)}
		e1, e2 := []byte{0xa7, 1, 2}, []byte{0x13}
		x1, x2 := NewNat(), NewNat()
		ExpPair(x1, y1, e1, m1, x2, y2, e2, m2)
		want1 := new(big.Int).Exp(big2(y1.limbs), new(big.Int).SetBytes(e1), n1)
		want2 := new(big.Int).Exp(big2(y2.limbs), new(big.Int).SetBytes(e2), n2)
		if big2(x1.limbs).Cmp(want1) != 0 || big2(x2.limbs).Cmp(want2) != 0 {
			t.Errorf("%v bits: wrong", c)
		}
	}
	even := limbModulus(t, []uint{4})
	odd := limbModulus(t, []uint{5})
	for _, m := range [][2]*Modulus{{even, odd}, {odd, even}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic for an even modulus")
				}
			}()
			ExpPair(NewNat(), &Nat{[]uint{1}}, []byte{1}, m[0], NewNat(), &Nat{[]uint{1}}, []byte{1}, m[1])
		}()
	}
}

func TestExpQuad(t *testing.T) {
	t.Parallel()
	r := edgeRand{rand.New(rand.NewSource(25))}
	for _, set := range laneKernels() {
		for _, size := range []int{2000, 2048, 2049, 2500, 3072, 3100, 4096, 4097, 6000, 8192} {
			if set == laneGeneric && size > 3072 || testing.Short() && size > 4096 {
				continue
			}
			for _, e := range []uint{3, 65537, 65536, 1<<17 - 1, 0x8001_0000, 0xffff_ffff} {
				m, n := r.expModulus(t, size)
				f, ok := quadForm(m)
				if !ok {
					t.Fatalf("no form for %d bits", size)
				}
				y := &Nat{r.below(m.nat.limbs)}
				want := new(big.Int).Exp(big2(y.limbs), new(big.Int).SetUint64(uint64(e)), n)
				x := NewNat()
				x.expQuad(y, trimZeros([]byte{byte(e >> 24), byte(e >> 16), byte(e >> 8), byte(e)}), m, set, &f)
				if big2(x.limbs).Cmp(want) != 0 || len(x.limbs) != len(m.nat.limbs) {
					t.Fatalf("kernel %d: %d bits, exponent %d: wrong", set, size, e)
				}
				if y.ExpShortVarTime(y, e, m); y.Equal(x) == no {
					t.Fatalf("%d bits, exponent %d: ExpShortVarTime is wrong", size, e)
				}
			}
		}
	}
}

// TestLanesAllocations checks that numbers in lanes live on the stack up to the sizes that
// the constants say.
func TestLanesAllocations(t *testing.T) {
	r := edgeRand{rand.New(rand.NewSource(26))}
	for _, size := range []int{1024, 1536, 2048} {
		m1, _ := r.expModulus(t, size)
		m2, _ := r.expModulus(t, size)
		x1, x2 := &Nat{r.below(m1.nat.limbs)}, &Nat{r.below(m2.nat.limbs)}
		e := []byte{1, 2, 3}
		if n := testing.AllocsPerRun(5, func() { ExpPair(x1, x1, e, m1, x2, x2, e, m2) }); n != 0 {
			t.Errorf("ExpPair, %d bits: %v allocations", size, n)
		}
	}
	for _, size := range []int{2048, 3072, 4096} {
		m, _ := r.expModulus(t, size)
		x := &Nat{r.below(m.nat.limbs)}
		if n := testing.AllocsPerRun(5, func() { x.ExpShortVarTime(x, 65537, m) }); n != 0 {
			t.Errorf("ExpShortVarTime, %d bits: %v allocations", size, n)
		}
	}
}

// FuzzExpPair compares ExpPair with math/big.
func FuzzExpPair(f *testing.F) {
	for seed := range int64(4) {
		f.Add(seed, uint16(1024+seed*300), uint16(1020+seed*300), []byte{1, 0}, []byte{0xff})
	}
	f.Fuzz(func(t *testing.T, seed int64, size1, size2 uint16, e1, e2 []byte) {
		r := edgeRand{rand.New(rand.NewSource(seed))}
		e1, e2 = e1[:min(len(e1), 8)], e2[:min(len(e2), 8)]
		m1, n1 := r.expModulus(t, 2+int(size1)%4400)
		m2, n2 := r.expModulus(t, 2+int(size2)%4400)
		y1, y2 := &Nat{r.below(m1.nat.limbs)}, &Nat{r.below(m2.nat.limbs)}
		x1, x2 := NewNat(), NewNat()
		ExpPair(x1, y1, e1, m1, x2, y2, e2, m2)
		if big2(x1.limbs).Cmp(new(big.Int).Exp(big2(y1.limbs), new(big.Int).SetBytes(e1), n1)) != 0 ||
			big2(x2.limbs).Cmp(new(big.Int).Exp(big2(y2.limbs), new(big.Int).SetBytes(e2), n2)) != 0 {
			t.Error("wrong power")
		}
		x1.ExpShortVarTime(y1, 65537, m1)
		if big2(x1.limbs).Cmp(new(big.Int).Exp(big2(y1.limbs), big.NewInt(65537), n1)) != 0 {
			t.Error("wrong power with the public exponent")
		}
	})
}

// BenchmarkExpPair times the two exponentiations of a private operation.
func BenchmarkExpPair(b *testing.B) {
	r := edgeRand{rand.New(rand.NewSource(27))}
	for _, size := range []int{1024, 1536, 2048} {
		m1, _ := r.expModulus(b, size)
		m2, _ := r.expModulus(b, size)
		x1, x2 := &Nat{r.below(m1.nat.limbs)}, &Nat{r.below(m2.nat.limbs)}
		e := make([]byte, size/8)
		r.Read(e)
		b.Run(fmt.Sprintf("bits=%d/impl=pair", size), func(b *testing.B) {
			for b.Loop() {
				ExpPair(x1, x1, e, m1, x2, x2, e, m2)
			}
		})
		b.Run(fmt.Sprintf("bits=%d/impl=two", size), func(b *testing.B) {
			for b.Loop() {
				x1.Exp(x1, e, m1)
				x2.Exp(x2, e, m2)
			}
		})
	}
}

// BenchmarkLanes times a product and a square of numbers in lanes, two of them or one, and what
// the same takes with limbs: of two numbers, one after the other, or of one.
func BenchmarkLanes(b *testing.B) {
	r := edgeRand{rand.New(rand.NewSource(28))}
	for _, c := range []struct{ each, size int }{
		{2, 1024}, {2, 1536}, {2, 2048}, {2, 3072}, {4, 2048}, {4, 3072}, {4, 4096}, {4, 8192},
	} {
		numbers := 4 / c.each
		f, _ := newLaneForm(c.each, c.size)
		m, _ := r.expModulus(b, c.size)
		mod := make([]uint64, 4*laneConstants+f.vector())
		limbs := make([]uint, f.shiftedLen(len(m.nat.limbs)))
		x, z := aligned[uint64](nil, f.vector()), aligned[uint64](nil, f.vector())
		scratch := aligned[uint64](nil, f.scratch())
		for s := range numbers {
			f.setModulus(mod, s, m, limbs)
			f.enter(x, s, r.below(m.nat.limbs), m, limbs)
		}
		w := len(m.mont)
		x1, z1, t1 := make([]uint, w), make([]uint, w), make([]uint, 2*w)
		copy(x1, r.below(m.nat.limbs))
		run := func(op, impl string, do func()) {
			b.Run(fmt.Sprintf("op=%s/numbers=%d/bits=%d/impl=%s", op, numbers, c.size, impl), func(b *testing.B) {
				for b.Loop() {
					do()
				}
			})
		}
		if activeLanes != laneNone {
			run("mul", "lanes", func() { activeLanes.montMul(&f, z, x, x, scratch, mod) })
			run("sqr", "lanes", func() { activeLanes.montSqrs(&f, z, x, scratch, mod, 1) })
		}
		run("mul", "limbs", func() {
			for range numbers {
				m.montMul(z1, x1, x1, t1)
			}
		})
		run("sqr", "limbs", func() {
			for range numbers {
				m.montSqrs(z1, x1, t1, 1)
			}
		})
	}
}
