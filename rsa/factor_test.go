package rsa

import (
	"bytes"
	"crypto"
	"crypto/md5"
	"crypto/rand"
	"errors"
	"math/big"
	mathrand "math/rand/v2"
	"slices"
	"testing"

	"github.com/fastrsa/fastrsa/bigmod"
)

func limbsOf(x *big.Int) []uint { return limbs(x, nil) }

// primeOf returns a random prime of the given size. Tests use it for numbers that have
// to be prime and nothing else.
func primeOf(t *testing.T, bits int) *big.Int {
	t.Helper()
	p, err := rand.Prime(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestGCDAndExactDivision(t *testing.T) {
	t.Parallel()
	r := mathrand.New(mathrand.NewPCG(1, 2))
	number := func(bits int) *big.Int {
		x := new(big.Int)
		for range bits {
			x.Lsh(x, 1).Or(x, big.NewInt(int64(r.IntN(2))))
		}
		return x
	}
	for range 300 {
		common := number(1 + r.IntN(300))
		common.SetBit(common, 0, 1)
		a, b := number(1+r.IntN(300)), number(1+r.IntN(300))
		f := new(big.Int).Mul(a.SetBit(a, 0, 1), common)
		g := new(big.Int).Mul(b, common)
		want := new(big.Int).GCD(nil, nil, f, g)
		fLimbs := limbsOf(f)
		got := gcdOdd(fLimbs, limbsOf(g))
		gcd := toBig(bigmod.NewNat().SetBits(got))
		if len(got) != len(fLimbs) || gcd.Cmp(want) != 0 {
			t.Fatalf("gcd(%x, %x) = %x, want %x", f, g, gcd, want)
		}
		quotient := toBig(bigmod.NewNat().SetBits(divideExactLong(fLimbs, got)))
		if quotient.Mul(quotient, want).Cmp(f) != 0 {
			t.Fatalf("%x / %x is not %x", f, want, quotient)
		}
	}
	// The longest operands, and those with the most carries.
	ones := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 4096), big.NewInt(1))
	three := big.NewInt(3)
	for _, x := range []*big.Int{ones, three, new(big.Int).Div(ones, three)} {
		gcd := toBig(bigmod.NewNat().SetBits(gcdOdd(limbsOf(ones), limbsOf(x))))
		if want := new(big.Int).GCD(nil, nil, ones, x); gcd.Cmp(want) != 0 {
			t.Errorf("gcd(2^4096-1, %x) = %x, want %x", x, gcd, want)
		}
		quotient := toBig(bigmod.NewNat().SetBits(divideExactLong(limbsOf(ones), limbsOf(x))))
		if quotient.Mul(quotient, x).Cmp(ones) != 0 {
			t.Errorf("(2^4096-1) / %x is not %x", x, quotient)
		}
	}
}

func recoverFrom(t *testing.T, n *big.Int, e uint, d *big.Int) (p, q *big.Int, err error) {
	t.Helper()
	m, err := bigmod.MakeModulus(limbsOf(n))
	if err != nil {
		t.Fatal(err)
	}
	return recoverPrimes(&m, e, bigmod.NewNat().SetBits(limbsOf(d)).ExpandFor(&m))
}

func TestRecoverPrimes(t *testing.T) {
	t.Parallel()
	one := big.NewInt(1)
	// d may be the inverse of e modulo any multiple of lcm(p-1, q-1).
	inverses := func(e uint, primes ...*big.Int) (n *big.Int, d []*big.Int) {
		n, phi, lambda := big.NewInt(1), big.NewInt(1), big.NewInt(1)
		for _, p := range primes {
			n.Mul(n, p)
			p1 := new(big.Int).Sub(p, one)
			phi.Mul(phi, p1)
			g := new(big.Int).GCD(nil, nil, lambda, p1)
			lambda.Mul(lambda, p1.Div(p1, g))
		}
		for _, m := range []*big.Int{phi, lambda} {
			if x := new(big.Int).ModInverse(big.NewInt(int64(e)), m); x != nil {
				d = append(d, x)
			}
		}
		return n, d
	}
	for _, sizes := range [][2]int{{512, 512}, {256, 700}, {700, 256}, {512, 10}, {64, 63}, {8, 8}} {
		for range 3 {
			p, q := primeOf(t, sizes[0]), primeOf(t, sizes[1])
			if p.Cmp(q) == 0 {
				continue
			}
			if p.Cmp(q) < 0 {
				p, q = q, p
			}
			for _, e := range []uint{3, 17, 65537, 1<<31 - 1} {
				n, ds := inverses(e, p, q)
				for _, d := range ds {
					gotP, gotQ, err := recoverFrom(t, n, e, d)
					if err != nil || gotP.Cmp(p) != 0 || gotQ.Cmp(q) != 0 {
						t.Fatalf("n = %v · %v, e = %d: %v, %v, %v", p, q, e, gotP, gotQ, err)
					}
				}
			}
		}
	}

	// Primes p = q = 1 mod 2^100: many squarings until the root appears.
	find := func(odd int64) *big.Int {
		for k := odd; ; k += 2 {
			p := new(big.Int).Lsh(big.NewInt(k), 100)
			if p.Add(p, one).ProbablyPrime(20) {
				return p
			}
		}
	}
	p, q := find(1<<20+1), find(1<<30+1)
	n, ds := inverses(65537, p, q)
	if gotP, gotQ, err := recoverFrom(t, n, 65537, ds[0]); err != nil || gotP.Cmp(q) != 0 || gotQ.Cmp(p) != 0 {
		t.Errorf("primes 1 mod 2^100: %v, %v, %v", gotP, gotQ, err)
	}

	// Three primes: some factor, and its cofactor.
	p, q, r := primeOf(t, 200), primeOf(t, 201), primeOf(t, 202)
	n, ds = inverses(65537, p, q, r)
	gotP, gotQ, err := recoverFrom(t, n, 65537, ds[0])
	if err != nil || gotP.Cmp(gotQ) <= 0 || gotQ.Cmp(one) <= 0 || new(big.Int).Mul(gotP, gotQ).Cmp(n) != 0 {
		t.Errorf("three primes: %v, %v, %v", gotP, gotQ, err)
	}

	// Nothing to find.
	p, q = primeOf(t, 300), primeOf(t, 301)
	n, ds = inverses(65537, p, q)
	square := new(big.Int).Mul(p, p)
	dSquare := new(big.Int).ModInverse(big.NewInt(65537), new(big.Int).Mul(p, new(big.Int).Sub(p, one)))
	for name, c := range map[string]struct {
		n    *big.Int
		d    *big.Int
		want error
	}{
		"d+2":       {n, new(big.Int).Add(ds[0], big.NewInt(2)), errExponents},
		"d even":    {n, new(big.Int).Add(ds[0], one), errExponents},
		"d = 0":     {n, new(big.Int), errExponents},
		"d = 1":     {n, one, errExponents},
		"a prime":   {p, new(big.Int).ModInverse(big.NewInt(65537), new(big.Int).Sub(p, one)), errNoFactors},
		"a square":  {square, dSquare, errNoFactors},
		"another n": {new(big.Int).Mul(p, primeOf(t, 301)), ds[0], errExponents},
	} {
		if p, q, err := recoverFrom(t, c.n, 65537, c.d); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v, %v, want %v", name, p, q, err, c.want)
		}
	}
}

func TestRandomBelow(t *testing.T) {
	t.Parallel()
	for _, n := range []uint{2, 3, 5, 128, 255, 257} {
		m, err := bigmod.MakeModulus([]uint{n})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[uint]bool{}
		x, b := bigmod.NewNat(), make([]byte, m.Size())
		for range 40 * n {
			if err := randomBelow(x, b, &m); err != nil {
				t.Fatal(err)
			}
			seen[x.Bits()[0]] = true
		}
		// One of n values is missed by 40·n draws with a chance of n·e^-40.
		if len(seen) != int(n) {
			t.Errorf("below %d: %d values", n, len(seen))
		}
	}
}

// TestHasher compares the one-shot hashes and those behind an interface with hash.Hash.
func TestHasher(t *testing.T) {
	t.Parallel()
	input := make([]byte, 1000)
	for i := range input {
		input[i] = byte(i * 7)
	}
	direct := 0
	for id := crypto.Hash(1); id < 64; id++ {
		if !id.Available() {
			continue
		}
		h := newHasher(id)
		if h.h == nil {
			direct++
		}
		behind := hasherOf(id.New())
		for _, size := range []int{0, 1, 63, 64, 65, 127, 128, 129, 1000, 3} {
			reference := id.New()
			reference.Write(input[:size])
			want := reference.Sum(nil)
			for _, h := range []*hasher{&h, &behind} {
				got := make([]byte, h.size)
				h.sum(got, input[:size])
				if !bytes.Equal(got, want) {
					t.Errorf("%v of %d bytes: %x, want %x", id, size, got, want)
				}
			}
		}
		behind.wipe()
		if i := slices.IndexFunc(behind.buf, func(c byte) bool { return c != 0 }); i >= 0 || len(behind.buf) < 1000 {
			t.Errorf("%v: %d bytes of scratch, byte %d is not wiped", id, len(behind.buf), i)
		}
	}
	if direct != 11 {
		t.Errorf("%d hash functions are computed without an interface, want 11", direct)
	}
	_ = md5.Size // linked in, so that there is one behind an interface
	if h := newHasher(crypto.MD5); h.h == nil {
		t.Error("MD5 is not behind an interface")
	}
}
