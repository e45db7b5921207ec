package rsa

import (
	"crypto/rand"
	"errors"
	"math/big"
	"math/bits"
	"slices"

	"github.com/fastrsa/fastrsa/bigmod"
)

// factorTries is the number of bases that recoverPrimes tries. A base fails for at most
// half of all choices if n has two different prime factors, so that the bound is met by
// chance once in 2^32 keys, and a modulus that cannot be factored, a prime or a power of
// one, costs 32 exponentiations.
const factorTries = 32

var (
	errExponents = errors.New("crypto/rsa: d is not an inverse of e")
	errNoFactors = errors.New("crypto/rsa: modulus has no two prime factors")
)

// recoverPrimes returns a factor of n and its cofactor, the larger one first, from the
// exponents of a key, as NIST SP 800-56B, appendix C.1, does. They are the primes of n if
// it has exactly two.
//
// With e·d - 1 = 2^t·r for an odd r, a random base g has g^(2^t·r) = 1 mod n. The last
// value of the sequence g^r, g^2r, g^4r, … that is not 1 is a square root of one, and if it
// is not -1 either then, less one, it has a factor in common with n.
//
// The numbers are secret; what leaks is t, and how many bases and squarings it took,
// which is random.
func recoverPrimes(n *bigmod.Modulus, e uint, d *bigmod.Nat) (p, q *big.Int, err error) {
	// m = e·d - 1 has a limb more than n.
	m := bigmod.NewNat()
	defer m.Wipe()
	eNat := bigmod.NewNat().SetUint(e)
	m.MulAdd(d, eNat, bigmod.NewNat())
	borrow := uint(1)
	for i, v := range m.Bits() {
		m.Bits()[i], borrow = bits.Sub(v, 0, borrow)
	}
	t := m.TrailingZeroBitsVarTime()
	if borrow != 0 || m.IsZero() == 1 || t == 0 {
		return nil, nil, errExponents
	}
	m.ShiftRightVarTime(t)
	r := make([]byte, len(m.Bits())*bits.UintSize/8)
	defer wipe(r)
	m.FillBytes(r)

	y, last := bigmod.NewNat(), bigmod.NewNat()
	defer y.Wipe()
	defer last.Wipe()
	base := make([]byte, n.Size())
	for range factorTries {
		if err := randomBelow(y, base, n); err != nil {
			return nil, nil, err
		}
		y.Exp(y, r, n)
		// last is 0 as long as y was never anything but 1.
		clear(last.SetBits(y.Bits()).Bits())
		for i := uint(0); y.IsOne() == 0; i++ {
			if i == t {
				// Not so if the base has a factor in common with n.
				if _, err := y.SetBytes(base, n); err != nil {
					return nil, nil, err
				}
				p, q = factors(n, y)
				if q.BitLen() == 1 {
					return nil, nil, errExponents
				}
				return p, q, nil
			}
			last.SetBits(y.Bits())
			y.Mul(y, n)
		}
		if last.IsZero() == 1 || last.IsMinusOne(n) == 1 {
			continue
		}
		p, q = factors(n, last.SubOne(n))
		return p, q, nil
	}
	return nil, nil, errNoFactors
}

// randomBelow sets x to a random number below n, in the memory of b, which has the size
// of n. The numbers of n.BitLen() bits are rejected until one is below n, on average less
// than once.
func randomBelow(x *bigmod.Nat, b []byte, n *bigmod.Modulus) error {
	for {
		if _, err := rand.Read(b); err != nil {
			return err
		}
		b[0] &= 0xff >> (8*len(b) - n.BitLen())
		if _, err := x.SetBytes(b, n); err == nil {
			return nil
		}
	}
}

// factors returns gcd(n, x) and its cofactor, the larger one first.
func factors(n *bigmod.Modulus, x *bigmod.Nat) (p, q *big.Int) {
	nat := n.Nat()
	g := gcdOdd(nat.Bits(), x.Bits())
	gcd := bigmod.NewNat().SetBits(g)
	c := divideExactLong(nat.Bits(), gcd.Bits())
	cofactor := bigmod.NewNat().SetBits(c)
	p, q = toBig(gcd), toBig(cofactor)
	gcd.Wipe()
	cofactor.Wipe()
	clear(g)
	clear(c)
	if p.Cmp(q) < 0 {
		p, q = q, p
	}
	return p, q
}

// gcdOdd is [oddGCD] for results of any size. It has the length of f.
func gcdOdd(f, g []uint) []uint {
	n := max(len(f), len(g)) + 1
	buf := make([]uint, 2*n)
	x, y := buf[:n], buf[n:]
	copy(x, f)
	copy(y, g)
	delta := 1
	for steps := (49*(n-1)*bits.UintSize + 80) / 17; steps > 0; steps -= gcdBatch {
		var m gcdMatrix
		m, delta = divisionSteps(delta, x[0], y[0])
		m.apply(x, y)
	}
	sign := uint(int(x[n-1]) >> (bits.UintSize - 1))
	carry := sign & 1
	for i, v := range x {
		x[i], carry = bits.Add(v^sign, 0, carry)
	}
	clear(y)
	return x[:len(f)]
}

// divideExactLong returns x / y, with the length of x, where y is odd and divides x.
//
// Each limb of the quotient, from the lowest up, is what makes the lowest limb that is
// left zero.
func divideExactLong(x, y []uint) []uint {
	rest, q := slices.Clone(x), make([]uint, len(x))
	inverse := inverseLimb(y[0])
	for i := range q {
		q[i] = rest[i] * inverse
		// rest = rest - q[i]·y·2^(W·i)
		var carry uint
		for j := range rest[i:] {
			var hi, lo, c uint
			if j < len(y) {
				hi, lo = bits.Mul(q[i], y[j])
			}
			lo, c = bits.Add(lo, carry, 0)
			hi += c
			rest[i+j], c = bits.Sub(rest[i+j], lo, 0)
			carry = hi + c
		}
	}
	clear(rest)
	return q
}
