package rsa

import (
	"bytes"
	"context"
	"crypto/fips140"
	"crypto/rand"
	stdrsa "crypto/rsa"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/bits"
	mathrand "math/rand/v2"
	"testing"
	"time"

	"github.com/fastrsa/fastrsa/bigmod"
)

// seeded returns a Reader of random bytes that are the same in every run.
func seeded(name string) *mathrand.ChaCha8 {
	var seed [32]byte
	copy(seed[:], name)
	return mathrand.NewChaCha8(seed)
}

func testModulus(t testing.TB, x *big.Int) *bigmod.Modulus {
	t.Helper()
	m, err := bigmod.NewModulus(x.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// mersenne returns 2^n - 1.
func mersenne(n uint) *big.Int {
	x := new(big.Int).Lsh(big.NewInt(1), n)
	return x.Sub(x, big.NewInt(1))
}

// TestMillerRabin knows the answers: Mersenne numbers, and products of their primes.
// 2^4253 - 1 is larger than any buffer of this package on the stack.
func TestMillerRabin(t *testing.T) {
	t.Parallel()
	check := func(name string, x *big.Int, want bool) {
		t.Helper()
		m := testModulus(t, x)
		got, err := millerRabin(rand.Reader, m, millerRabinRounds(m.BitLen()))
		if got != want || err != nil {
			t.Errorf("%s: prime %v, %v, want %v", name, got, err, want)
		}
	}
	for n, prime := range map[uint]bool{
		521: true, 607: true, 1279: true, 2203: true, 4253: true,
		// 2^1277 - 1 has no known factor, the others no small one.
		523: false, 1277: false, 2207: false,
	} {
		check(fmt.Sprintf("2^%d - 1", n), mersenne(n), prime)
	}
	p, q := mersenne(521), mersenne(607)
	check("the square of a prime", new(big.Int).Mul(p, p), false)
	check("the product of two primes", new(big.Int).Mul(p, q), false)
	check("three times a prime", new(big.Int).Mul(p, big.NewInt(3)), false)
}

// TestMillerRabinCarmichael gives numbers that pass the Fermat test for every base
// prime to them: (6k+1)(12k+1)(18k+1) with three prime factors.
func TestMillerRabinCarmichael(t *testing.T) {
	t.Parallel()
	found := 0
	for k := int64(1); found < 20; k++ {
		n, prime := big.NewInt(1), true
		for _, c := range []int64{6, 12, 18} {
			f := big.NewInt(c*k + 1)
			prime = prime && f.ProbablyPrime(10)
			n.Mul(n, f)
		}
		if !prime {
			continue
		}
		found++
		if ok, err := millerRabin(rand.Reader, testModulus(t, n), adversarialRounds); ok || err != nil {
			t.Errorf("%v is found to be prime, %v", n, err)
		}
	}
}

// TestStrongTest counts, for small odd numbers, the bases for which a number passes: all
// of them for a prime, at most a quarter for a composite.
func TestStrongTest(t *testing.T) {
	t.Parallel()
	limit := int64(1000)
	if testing.Short() {
		limit = 400
	}
	for w := int64(9); w < limit; w += 2 {
		test := newStrongTest(testModulus(t, big.NewInt(w)))
		passes := int64(0)
		for base := int64(2); base < w-1; base++ {
			if _, err := test.base.SetBytes(big.NewInt(base).Bytes(), test.w); err != nil {
				t.Fatal(err)
			}
			exponentiate([]*strongTest{test})
			if test.passes() {
				passes++
			}
		}
		switch prime := big.NewInt(w).ProbablyPrime(20); {
		case prime && passes != w-3:
			t.Errorf("the prime %d passes for %d of %d bases", w, passes, w-3)
		case !prime && passes > (w-1)/4:
			t.Errorf("the composite %d passes for %d of %d bases", w, passes, w-3)
		}
	}
}

// TestStrongTestBases draws every number from 2 to w-2, and no other.
func TestStrongTestBases(t *testing.T) {
	t.Parallel()
	random := seeded("bases")
	for w := int64(5); w < 40; w += 2 {
		test := newStrongTest(testModulus(t, big.NewInt(w)))
		seen := make(map[uint]bool)
		for range 50 * w {
			if err := test.begin(random); err != nil {
				t.Fatal(err)
			}
			seen[test.base.Bits()[0]] = true
		}
		for x := range uint(w) + 3 {
			if want := x >= 2 && x <= uint(w)-2; seen[x] != want {
				t.Errorf("modulo %d: base %d seen %v, want %v", w, x, seen[x], want)
			}
		}
	}
}

// TestSmallPrimes counts the primes of the table, and divides by each of them.
func TestSmallPrimes(t *testing.T) {
	t.Parallel()
	primes := oddPrimes(sieveLimit)
	if len(primes) != 6541 { // π(2^16) = 6542
		t.Errorf("%d odd primes below %d", len(primes), sieveLimit)
	}
	i := 0
	for _, group := range smallPrimes() {
		product := uint(1)
		for _, p := range group.primes {
			hi, lo := bits.Mul(product, primes[i])
			if hi != 0 {
				t.Fatalf("the product of the group with %d does not fit", primes[i])
			}
			product = lo
			for _, r := range []uint{0, 1, primes[i] - 1, primes[i], primes[i] + 1, 3 * primes[i], ^uint(0), ^uint(0) - ^uint(0)%primes[i]} {
				one := primeGroup{primes: []smallPrime{p}}
				if got, want := one.divides(r), r%primes[i] == 0; (got == 1) != want {
					t.Errorf("%d divides %d: %d", primes[i], r, got)
				}
			}
			i++
		}
		if product != group.product || product*group.inverse != 1 {
			t.Errorf("group up to %d: product %d, inverse %d", primes[i-1], group.product, group.inverse)
		}
	}
	if i != len(primes) {
		t.Errorf("%d primes in the groups", i)
	}
}

// TestHasSmallDivisor compares with math/big: products with each small prime, alone and
// as the only divisor of a long number, and random numbers of every length.
func TestHasSmallDivisor(t *testing.T) {
	t.Parallel()
	limbsOf := func(x *big.Int, n int) []uint {
		z := make([]uint, n)
		setLimbs(z, x.Bytes())
		return z
	}
	primes, groups := oddPrimes(sieveLimit), smallPrimes()
	step := 1
	if testing.Short() {
		step = 17
	}
	// Neither has a small divisor.
	for _, cofactor := range []*big.Int{big.NewInt(1), mersenne(521)} {
		for i := 0; i < len(primes); i += step {
			x := new(big.Int).Mul(cofactor, new(big.Int).SetUint64(uint64(primes[i])))
			for extra := range 2 {
				n := (x.BitLen()+bits.UintSize-1)/bits.UintSize + extra
				if !hasSmallDivisor(limbsOf(x, n), groups) {
					t.Errorf("%d is not found in a number of %d bits", primes[i], x.BitLen())
				}
			}
		}
	}
	for _, x := range []*big.Int{mersenne(521), mersenne(607), new(big.Int).Mul(mersenne(521), big.NewInt(65537)), new(big.Int).Mul(mersenne(521), mersenne(521))} {
		if hasSmallDivisor(limbsOf(x, len(x.Bits())), groups) {
			t.Errorf("a number of %d bits without small divisors is found to have one", x.BitLen())
		}
	}
	product := big.NewInt(1)
	for _, p := range primes {
		product.Mul(product, new(big.Int).SetUint64(uint64(p)))
	}
	random := seeded("small divisors")
	for n := 1; n <= 40; n++ {
		for range 20 {
			b := make([]byte, n*bits.UintSize/8)
			random.Read(b)
			b[len(b)-1] |= 1
			x := new(big.Int).SetBytes(b)
			want := new(big.Int).GCD(nil, nil, x, product).Cmp(big.NewInt(1)) != 0
			if got := hasSmallDivisor(limbsOf(x, n), groups); got != want {
				t.Errorf("%x: %v, want %v", x, got, want)
			}
		}
	}
}

// TestPrimeSearch checks the size and the two top bits, for sizes around whole
// bytes, and that a failing Reader is reported.
func TestPrimeSearch(t *testing.T) {
	t.Parallel()
	for size := 512; size <= 520; size++ {
		s := newPrimeSearch(rand.Reader, size)
		p, err := s.find()
		if err != nil {
			t.Fatal(err)
		}
		x := toBig(p)
		if x.BitLen() != size || x.Bit(size-2) != 1 || !x.ProbablyPrime(20) {
			t.Errorf("a prime of %d bits: %x", size, x)
		}
	}
	if _, err := newPrimeSearch(bytes.NewReader(make([]byte, 63)), 512).find(); err == nil {
		t.Error("a short Reader was not noticed")
	}
	// The first candidate is a prime, and there is nothing to draw a base from.
	prime := mersenne(521).FillBytes(make([]byte, 66))
	if _, err := newPrimeSearch(bytes.NewReader(prime), 521).find(); !errors.Is(err, io.EOF) {
		t.Errorf("a Reader without a base: %v", err)
	}
}

// TestCandidates compares the candidates with what can be computed from the random
// bytes: each draw that has no small divisor, with the two top bits and the lowest
// set, and nothing that is not a draw, such as a draw plus a small number.
func TestCandidates(t *testing.T) {
	t.Parallel()
	product := big.NewInt(1)
	for _, p := range oddPrimes(sieveLimit) {
		product.Mul(product, new(big.Int).SetUint64(uint64(p)))
	}
	for size := 512; size <= 520; size++ {
		s, random := newPrimeSearch(seeded("candidates"), size), seeded("candidates")
		for range 10 {
			if err := s.candidate(s.words[0]); err != nil {
				t.Fatal(err)
			}
			want := new(big.Int)
			for {
				b := make([]byte, (size+7)/8)
				random.Read(b)
				want.SetBytes(b)
				for i := want.BitLen() - 1; i >= size; i-- {
					want.SetBit(want, i, 0)
				}
				for _, i := range []int{size - 1, size - 2, 0} {
					want.SetBit(want, i, 1)
				}
				if new(big.Int).GCD(nil, nil, want, product).Cmp(big.NewInt(1)) == 0 {
					break
				}
			}
			if got := toBig(new(bigmod.Nat).SetBits(s.words[0])); got.Cmp(want) != 0 {
				t.Fatalf("candidate of %d bits %x, want %x", size, got, want)
			}
		}
	}
}

// TestPrimeDistribution compares the primes found in small ranges with the uniform
// distribution over all primes there, by Pearson's chi-squared test, for each prime of
// 16 bits, and for those of 20 bits by size and by their residues modulo 30. The
// random bytes are the same in every run; with others, and the statistic up to 6.5
// standard deviations, the test would fail in one of 10^10 runs.
//
// The next prime after a random number, for instance, is a prime p with a probability
// proportional to its distance from the one before, and fails by far.
func TestPrimeDistribution(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		bits  int
		cells int
		cell  func(p int) int
	}{
		{"16 bits", 16, 1 << 14, func(p int) int { return p - 3<<14 }},
		{"20 bits by size", 20, 512, func(p int) int { return (p - 3<<18) >> 9 }},
		{"20 bits modulo 30", 20, 30, func(p int) int { return p % 30 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			primes := make(map[int]bool)
			population := make([]int, tt.cells)
			for _, p := range oddPrimes(1 << tt.bits) {
				if p := int(p); p >= 3<<(tt.bits-2) {
					primes[p] = true
					population[tt.cell(p)]++
				}
			}
			samples := 20000
			if testing.Short() {
				samples = 8000
			}
			found := make([]int, tt.cells)
			s := newPrimeSearch(seeded(tt.name), tt.bits)
			s.rounds = 12
			for range samples {
				x, err := s.find()
				if err != nil {
					t.Fatal(err)
				}
				p := int(x.Bits()[0])
				if len(x.Bits()) != 1 || !primes[p] {
					t.Fatalf("%d is not a prime with two top bits of %d", p, tt.bits)
				}
				found[tt.cell(p)]++
			}
			var chi2, degrees float64
			degrees = -1
			for i, n := range population {
				if n == 0 {
					continue
				}
				expected := float64(samples) * float64(n) / float64(len(primes))
				chi2 += (float64(found[i]) - expected) * (float64(found[i]) - expected) / expected
				degrees++
			}
			// For many degrees of freedom χ² has about the normal distribution with mean
			// k and variance 2k; Wilson and Hilferty's cube root makes that right for few too.
			h := 2 / (9 * degrees)
			z := (math.Cbrt(chi2/degrees) - (1 - h)) / math.Sqrt(h)
			t.Logf("χ² = %.1f for %.0f degrees of freedom, %.2f standard deviations", chi2, degrees, z)
			if math.Abs(z) > 6.5 {
				t.Errorf("the primes are not uniformly distributed: %.1f standard deviations", z)
			}
		})
	}
}

// TestOddGCD compares with math/big: small numbers exhaustively, and large ones with
// known divisors, of different and extreme sizes.
func TestOddGCD(t *testing.T) {
	t.Parallel()
	check := func(f, g *big.Int, n, m int) {
		t.Helper()
		x, y := make([]uint, n), make([]uint, m)
		setLimbs(x, f.Bytes())
		setLimbs(y, g.Bytes())
		want := new(big.Int).GCD(nil, nil, f, g)
		got, ok := oddGCD(x, y)
		if wantOK := want.BitLen() <= bits.UintSize; ok != wantOK || ok && new(big.Int).SetUint64(uint64(got)).Cmp(want) != 0 {
			t.Fatalf("gcd(%x, %x) = %x, %v, want %x", f, g, got, ok, want)
		}
	}
	for f := int64(1); f < 100; f += 2 {
		for g := range int64(100) {
			check(big.NewInt(f), big.NewInt(g), 1, 1)
		}
	}
	random := seeded("gcd")
	number := func(limbs int) *big.Int {
		b := make([]byte, limbs*bits.UintSize/8)
		switch random.Uint64() % 4 {
		case 0: // all ones
			for i := range b {
				b[i] = 0xff
			}
		case 1: // sparse
			b[0], b[len(b)-1] = 0x80, 1
		default:
			random.Read(b)
		}
		return new(big.Int).SetBytes(b)
	}
	odd := func(x *big.Int) *big.Int { return x.SetBit(x, 0, 1) }
	for i := range 2000 {
		n, m := 1+i%20, 1+int(random.Uint64()%20)
		if i%100 == 0 {
			n, m = 64, 64
		}
		check(odd(number(n)), number(m), n, m)
		if n >= 3 && m >= 3 {
			// A common divisor of about a limb, on either side of what fits.
			common := odd(number(1))
			common.Rsh(common, uint(random.Uint64()%bits.UintSize))
			if i%5 == 0 {
				common.Lsh(common, 3)
			}
			odd(common)
			check(odd(new(big.Int).Mul(common, odd(number(n-2)))), new(big.Int).Mul(common, number(m-2)), n, m)
		}
		if i%10 == 0 {
			f := odd(number(n))
			check(f, f, n, n)
			check(f, new(big.Int), n, m)
		}
	}
}

func TestDivideExact(t *testing.T) {
	t.Parallel()
	random := seeded("divide")
	for i := range 2000 {
		n := 1 + i%20
		b := make([]byte, n*bits.UintSize/8)
		random.Read(b)
		y := uint(random.Uint64())>>(random.Uint64()%bits.UintSize) | 1
		Y := new(big.Int).SetUint64(uint64(y))
		quotient := new(big.Int).SetBytes(b)
		product := new(big.Int).Mul(quotient, Y)
		x := make([]uint, n+1)
		setLimbs(x, product.Bytes())
		if !divideExact(x, y) || toBig(new(bigmod.Nat).SetBits(x)).Cmp(quotient) != 0 {
			t.Fatalf("%x / %x = %x, want %x", product, y, x, quotient)
		}
		if y == 1 {
			continue
		}
		product.Add(product, big.NewInt(1))
		setLimbs(x, product.Bytes())
		if divideExact(x, y) {
			t.Fatalf("%x is divided by %x", product, y)
		}
	}
}

// TestModE takes all of the numbers modulo e, and the edges of single steps.
func TestModE(t *testing.T) {
	t.Parallel()
	for r := uint32(1); r < publicExponent; r++ {
		if got := uint64(inverseModE(r)) * uint64(r) % publicExponent; got != 1 {
			t.Fatalf("%d times its inverse is %d", r, got)
		}
		if x := r * 65535; foldE(x) != x%publicExponent {
			t.Fatalf("foldE(%d) = %d", x, foldE(x))
		}
	}
	random := seeded("mod e")
	for i := range 2000 {
		b := make([]byte, (1+i%20)*bits.UintSize/8)
		if i%3 > 0 {
			random.Read(b)
		}
		for j := range b {
			if i%3 == 1 && b[j]&1 == 0 {
				b[j] = 0xff
			}
		}
		x := new(big.Int).SetBytes(b)
		z := make([]uint, 1+i%20)
		setLimbs(z, b)
		if want := new(big.Int).Mod(x, big.NewInt(publicExponent)).Uint64(); uint64(modE(z)) != want {
			t.Fatalf("%x mod e = %d, want %d", x, modE(z), want)
		}
	}
}

// TestPrivateExponent compares with math/big, for small primes whose p-1 and q-1 share
// powers of two in either order, and for large ones.
func TestPrivateExponent(t *testing.T) {
	t.Parallel()
	one := big.NewInt(1)
	check := func(P, Q *big.Int) bool {
		t.Helper()
		a, b := new(big.Int).Sub(P, one), new(big.Int).Sub(Q, one)
		gcd := new(big.Int).GCD(nil, nil, a, b)
		lambda := new(big.Int).Mul(a, b)
		lambda.Div(lambda, gcd)
		want := new(big.Int).ModInverse(big.NewInt(publicExponent), lambda)
		if gcd.Rsh(gcd, gcd.TrailingZeroBits()).BitLen() > 32 {
			want = nil
		}
		nat := func(x *big.Int) *bigmod.Nat { return new(bigmod.Nat).SetBits(limbs(x, nil)) }
		got, ok := privateExponent(nat(P), nat(Q))
		if ok != (want != nil) || ok && toBig(got).Cmp(want) != 0 {
			t.Fatalf("privateExponent(%d, %d) = %v, %v, want %v", P, Q, toBig(got), ok, want)
		}
		return ok
	}
	var primes []*big.Int
	for _, p := range oddPrimes(400) {
		primes = append(primes, big.NewInt(int64(p)))
	}
	for _, p := range primes {
		for _, q := range primes {
			if p != q {
				check(p, q)
			}
		}
	}
	// p = 2·f·k + 1 for a common factor f of p-1 and q-1, and of the length of a limb.
	random := seeded("private exponent")
	prime := func(f *big.Int, size int) *big.Int {
		for {
			b := make([]byte, size/8)
			random.Read(b)
			x := new(big.Int).SetBytes(b)
			x.Mul(x, f).Lsh(x, 1).Add(x, one)
			if x.ProbablyPrime(10) {
				return x
			}
		}
	}
	outcomes := make(map[bool]int)
	for _, f := range []*big.Int{
		one, big.NewInt(105), big.NewInt(publicExponent), new(big.Int).Lsh(one, 20), new(big.Int).Lsh(one, 70),
		// Either side of 2^32. Another common divisor may lift those below over it.
		big.NewInt(1<<31 - 1), big.NewInt(1<<32 - 5), big.NewInt(1<<32 + 15), mersenne(61), mersenne(127),
	} {
		for range 3 {
			p, q, r := prime(f, 256), prime(f, 256), prime(one, 512)
			outcomes[check(p, q)]++
			check(p, r)
			check(r, p)
		}
	}
	if outcomes[true] < 12 || outcomes[false] < 12 {
		t.Errorf("the private exponent exists %d times and not %d times", outcomes[true], outcomes[false])
	}
}

// TestGenerateKeyProgress generates keys and looks at what is reported meanwhile.
func TestGenerateKeyProgress(t *testing.T) {
	t.Parallel()
	if fips140.Enabled() {
		t.Skip("in FIPS 140-3 mode crypto/rsa generates the key and reports nothing")
	}
	for _, size := range []int{1024, 1025} {
		var last KeyProgress
		calls, restarts := 0, 0
		key, err := GenerateKeyContext(t.Context(), rand.Reader, size, func(p KeyProgress) {
			calls++
			switch {
			case p.Primes == 0 && p.Tested == 1:
				restarts++
			case p.Primes == last.Primes && p.Tested == last.Tested+1:
			case p.Primes == last.Primes+1 && p.Tested == 0 && last.Tested > 0:
			default:
				t.Errorf("progress %+v after %+v", p, last)
			}
			// 512·ln 2 / (e^γ·ln 65536)
			if p.Expected != 18 {
				t.Errorf("progress %+v: the average is 18", p)
			}
			last = p
		})
		if err != nil || key.N.BitLen() != size || key.Validate() != nil {
			t.Fatalf("GenerateKeyContext: %v, %v", key, err)
		}
		if last.Primes != 2 || last.Tested != 0 || calls < 4 || restarts < 1 {
			t.Errorf("%d calls, the last %+v", calls, last)
		}
	}
}

// TestExpectedCandidates counts candidates.
func TestExpectedCandidates(t *testing.T) {
	t.Parallel()
	s := newPrimeSearch(seeded("expected"), 512)
	s.rounds = 1
	tested := 0
	s.tested = func() error { tested++; return nil }
	const primes = 100
	for range primes {
		if _, err := s.find(); err != nil {
			t.Fatal(err)
		}
	}
	// The standard deviation of a geometric distribution is about its mean.
	mean, want := float64(tested)/primes, float64(expectedCandidates(512))
	if math.Abs(mean-want) > 6*want/math.Sqrt(primes) {
		t.Errorf("%.1f candidates for a prime, expected %.1f", mean, want)
	}
}

func TestGenerateKeyCancel(t *testing.T) {
	t.Parallel()
	cause := func(err error) {
		t.Helper()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want %v", err, context.Canceled)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, size := range []int{8, 1024, 16384} {
		key, err := GenerateKeyContext(ctx, rand.Reader, size, func(KeyProgress) { t.Error("progress of a key that nobody wants") })
		if key != nil {
			t.Errorf("%d bits: a key", size)
		}
		cause(err)
	}
	if fips140.Enabled() {
		return
	}
	// Without cancellation the first of these takes minutes.
	for _, tt := range []struct{ bits, primes int }{{8192, 0}, {1024, 1}} {
		ctx, cancel := context.WithCancel(t.Context())
		after := 0
		key, err := GenerateKeyContext(ctx, rand.Reader, tt.bits, func(p KeyProgress) {
			if ctx.Err() != nil {
				after++
			}
			if p.Primes == tt.primes {
				cancel()
			}
		})
		if key != nil || after > 1 {
			t.Errorf("cancelled at %d primes: key %v, %d candidates after that", tt.primes, key, after)
		}
		cause(err)
	}
}

// BenchmarkTrialDivision divides a number by all primes of the table.
func BenchmarkTrialDivision(b *testing.B) {
	for _, size := range []int{1024, 1536, 2048} {
		b.Run(fmt.Sprintf("bits=%d", size), func(b *testing.B) {
			x := make([]uint, size/bits.UintSize)
			setLimbs(x, mersenne(521).Bytes())
			for b.Loop() {
				if hasSmallDivisor(x, smallPrimes()) {
					b.Fatal("a prime has a divisor")
				}
			}
		})
	}
}

// BenchmarkPrivateExponent is the part of a key generation between the primes and the
// validation.
func BenchmarkPrivateExponent(b *testing.B) {
	for _, size := range []int{2048, 3072, 4096} {
		b.Run(fmt.Sprintf("bits=%d", size), func(b *testing.B) {
			key, err := stdrsa.GenerateKey(rand.Reader, size)
			if err != nil {
				b.Fatal(err)
			}
			p := new(bigmod.Nat).SetBits(limbs(key.Primes[0], nil))
			q := new(bigmod.Nat).SetBits(limbs(key.Primes[1], nil))
			for b.Loop() {
				if _, ok := privateExponent(p, q); !ok {
					b.Fatal("no private exponent")
				}
			}
		})
	}
}

// BenchmarkGenerateKeyRatio makes a key with each implementation in turn, so that both
// see the same machine, and reports the ratio of the means. The time that a key takes
// varies by half: after 60 keys the ratio has a standard error of a tenth. -benchtime=400x
// gives 4 %.
func BenchmarkGenerateKeyRatio(b *testing.B) {
	for _, size := range []int{2048, 3072, 4096} {
		b.Run(fmt.Sprintf("bits=%d", size), func(b *testing.B) {
			var std, fast time.Duration
			keys := 0
			for b.Loop() {
				start := time.Now()
				if _, err := stdrsa.GenerateKey(rand.Reader, size); err != nil {
					b.Fatal(err)
				}
				middle := time.Now()
				if _, err := GenerateKey(rand.Reader, size); err != nil {
					b.Fatal(err)
				}
				fast += time.Since(middle)
				std += middle.Sub(start)
				keys++
			}
			b.ReportMetric(float64(std.Nanoseconds())/float64(keys), "std-ns/key")
			b.ReportMetric(float64(fast.Nanoseconds())/float64(keys), "fastrsa-ns/key")
			b.ReportMetric(float64(fast)/float64(std), "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}
