package rsa

import (
	"bytes"
	"crypto/rand"
	"math/big"
	"testing"

	"github.com/fastrsa/fastrsa/bigmod"
)

func testPrime(t *testing.T, x *big.Int) bool {
	t.Helper()
	m, err := bigmod.NewModulus(x.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	prime, err := isPrime(rand.Reader, m)
	if err != nil {
		t.Fatal(err)
	}
	return prime
}

// TestIsPrime knows the answers: Mersenne numbers, and products that pass weaker
// tests. 2^4253 - 1 is larger than any buffer of this package on the stack.
func TestIsPrime(t *testing.T) {
	one := big.NewInt(1)
	mersenne := func(n uint) *big.Int {
		x := new(big.Int).Lsh(one, n)
		return x.Sub(x, one)
	}
	for _, n := range []uint{521, 607, 1279, 2203, 4253} {
		if !testPrime(t, mersenne(n)) {
			t.Errorf("2^%d - 1 is not found to be prime", n)
		}
	}
	// 2^1277 - 1 has no known factor, the others no small one.
	for _, n := range []uint{523, 1277, 2207} {
		if testPrime(t, mersenne(n)) {
			t.Errorf("2^%d - 1 is found to be prime", n)
		}
	}
	p, q := mersenne(521), mersenne(607)
	for name, x := range map[string]*big.Int{
		"the square of a prime":       new(big.Int).Mul(p, p),
		"the product of two primes":   new(big.Int).Mul(p, q),
		"a multiple of a small prime": new(big.Int).Mul(p, big.NewInt(2039)),
		"one of the next prime":       new(big.Int).Mul(p, big.NewInt(2053)),
	} {
		if testPrime(t, x) {
			t.Errorf("%s is found to be prime", name)
		}
	}
}

// TestMillerRabinCarmichael gives numbers that pass the Fermat test for every base
// prime to them: (6k+1)(12k+1)(18k+1) with three prime factors.
func TestMillerRabinCarmichael(t *testing.T) {
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
		m, err := bigmod.NewModulus(n.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if ok, err := millerRabin(rand.Reader, m, 40); ok || err != nil {
			t.Errorf("%v is found to be prime, %v", n, err)
		}
	}
}

// TestMillerRabinRound counts, for small odd numbers, the bases for which a number
// passes: all of them for a prime, at most a quarter for a composite.
func TestMillerRabinRound(t *testing.T) {
	for w := int64(9); w < 1000; w += 2 {
		m, err := bigmod.NewModulus(big.NewInt(w).Bytes())
		if err != nil {
			t.Fatal(err)
		}
		a := uint(0)
		for (w-1)>>a&1 == 0 {
			a++
		}
		exponent := big.NewInt((w - 1) >> a).Bytes()
		passes := int64(0)
		for base := int64(2); base < w-1; base++ {
			b, err := new(bigmod.Nat).SetBytes(big.NewInt(base).Bytes(), m)
			if err != nil {
				t.Fatal(err)
			}
			if millerRabinRound(new(bigmod.Nat).Exp(b, exponent, m), a, m) {
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

// TestRandomPrime checks the size and the two top bits, for sizes around whole
// bytes, and that a failing Reader is reported.
func TestRandomPrime(t *testing.T) {
	for bits := 512; bits <= 520; bits++ {
		p, err := randomPrime(rand.Reader, bits)
		if err != nil {
			t.Fatal(err)
		}
		x := toBig(p)
		if x.BitLen() != bits || x.Bit(bits-2) != 1 || !x.ProbablyPrime(20) {
			t.Errorf("randomPrime(%d) = %x", bits, x)
		}
	}
	if _, err := randomPrime(bytes.NewReader(make([]byte, 63)), 512); err == nil {
		t.Error("a short Reader was not noticed")
	}
}

// TestPrivateExponent compares with math/big, for primes whose p-1 and q-1 share
// powers of two in either order.
func TestPrivateExponent(t *testing.T) {
	one := big.NewInt(1)
	found := 0
	for p := int64(3); p < 400; p += 2 {
		for q := int64(3); q < 400; q += 2 {
			P, Q := big.NewInt(p), big.NewInt(q)
			if p == q || !P.ProbablyPrime(5) || !Q.ProbablyPrime(5) {
				continue
			}
			a, b := new(big.Int).Sub(P, one), new(big.Int).Sub(Q, one)
			lambda := new(big.Int).Mul(a, b)
			lambda.Div(lambda, new(big.Int).GCD(nil, nil, a, b))
			want := new(big.Int).ModInverse(big.NewInt(publicExponent), lambda)
			got, ok := privateExponent(new(bigmod.Nat).SetUint(uint(p)), new(bigmod.Nat).SetUint(uint(q)))
			if ok != (want != nil) || ok && toBig(got).Cmp(want) != 0 {
				t.Fatalf("privateExponent(%d, %d) = %v, %v, want %v", p, q, toBig(got), ok, want)
			}
			found++
		}
	}
	if found < 1000 {
		t.Errorf("only %d pairs", found)
	}
}
