package rsa

import (
	"crypto/rsa"
	"errors"
	"io"
	"math/big"
	"math/bits"

	"github.com/fastrsa/fastrsa/bigmod"
)

// publicExponent is the e of every generated key.
const publicExponent = 65537

// GenerateKey returns a new key with a modulus of exactly the given size in bits,
// two random primes and e = 65537, generated as FIPS 186-5, appendix A.1.3, says:
// each candidate is drawn anew, with its two top bits set, and d is the inverse
// of e modulo lcm(p-1, q-1).
//
// random should be [crypto/rand.Reader]. With any other Reader, and for less than
// 1024 bits, the call is handed to crypto/rsa: since Go 1.26 that ignores the
// Reader unless GODEBUG says cryptocustomrand=1, and it refuses small keys unless
// GODEBUG says rsa1024min=0.
//
// The time taken depends on the candidates that were drawn and discarded, and is
// not constant for the primes of the key either.
func GenerateKey(random io.Reader, bits int) (*PrivateKey, error) {
	if delegated(bits) || !isSystemRand(random) {
		return rsa.GenerateKey(random, bits)
	}
	for {
		p, err := randomPrime(random, (bits+1)/2)
		if err != nil {
			return nil, err
		}
		q, err := randomPrime(random, bits/2)
		if err != nil {
			return nil, err
		}
		var key *PrivateKey
		d, ok := privateExponent(p, q)
		if ok {
			key, err = newKey(p, q, d, bits)
		}
		for _, x := range []*bigmod.Nat{p, q, d} {
			x.Wipe()
		}
		if ok {
			return key, err
		}
	}
}

// newKey returns the key with the given primes and private exponent.
func newKey(p, q, d *bigmod.Nat, bits int) (*PrivateKey, error) {
	P, Q := toBig(p), toBig(q)
	priv := &PrivateKey{
		PublicKey: PublicKey{N: new(big.Int).Mul(P, Q), E: publicExponent},
		D:         toBig(d),
		Primes:    []*big.Int{P, Q},
	}
	if priv.N.BitLen() != bits {
		return nil, errors.New("crypto/rsa: internal error: modulus size incorrect")
	}
	// Both of these fail with a probability below 2^-97, if p and q are too close
	// or d is too small.
	var mem keyMemory
	k, err := newPrivateKey(priv, &mem)
	if err != nil {
		return nil, err
	}
	defer k.wipe()
	priv.Precomputed.Dp = new(big.Int).SetBytes(k.dP)
	priv.Precomputed.Dq = new(big.Int).SetBytes(k.dQ)
	priv.Precomputed.Qinv = toBig(&k.qInv)
	// Completes the unexported part of Precomputed, which the methods of the key
	// use, and validates the key once more by code that is not ours.
	priv.Precompute()
	if err := priv.Validate(); err != nil {
		return nil, err
	}
	return priv, nil
}

// GenerateMultiPrimeKey is [GenerateKey] if nprimes is two. For other numbers the
// call is handed to crypto/rsa.
//
// Deprecated: keys of more than two primes are rare, and neither crypto/rsa nor
// this package uses their structure to be faster.
func GenerateMultiPrimeKey(random io.Reader, nprimes int, bits int) (*PrivateKey, error) {
	if nprimes == 2 {
		return GenerateKey(random, bits)
	}
	return rsa.GenerateMultiPrimeKey(random, nprimes, bits)
}

func toBig(x *bigmod.Nat) *big.Int {
	words := make([]big.Word, len(x.Bits()))
	for i, v := range x.Bits() {
		words[i] = big.Word(v)
	}
	return new(big.Int).SetBits(words)
}

// privateExponent returns e⁻¹ mod lcm(p-1, q-1) for the public exponent e, and
// zero and false if it does not exist or gcd(p-1, q-1) is too large to divide by. It
// leaks p and q.
func privateExponent(p, q *bigmod.Nat) (d *bigmod.Nat, ok bool) {
	d = new(bigmod.Nat)
	minusOne := func(x *bigmod.Nat) *bigmod.Nat {
		x = new(bigmod.Nat).SetBits(x.Bits())
		x.Bits()[0]-- // x is odd
		return x
	}
	a, b, gcd, lambda, rest := minusOne(p), minusOne(q), new(bigmod.Nat), new(bigmod.Nat), new(bigmod.Nat)
	defer func() {
		for _, x := range []*bigmod.Nat{a, b, gcd, lambda, rest} {
			x.Wipe()
		}
	}()
	// lcm(a, b) = a · (b / gcd(a, b)). The powers of two in the number that has
	// fewer of them do not count, and without them the gcd is odd.
	az, bz := a.TrailingZeroBitsVarTime(), b.TrailingZeroBitsVarTime()
	if az < bz {
		a.ShiftRightVarTime(az)
	} else {
		b.ShiftRightVarTime(bz)
	}
	if _, err := gcd.GCDVarTime(a, b); err != nil || gcd.BitLenVarTime() > 32 {
		return d, false
	}
	if b.DivShortVarTime(gcd.Bits()[0]) != 0 {
		return d, false
	}
	lambda.MulAdd(a, b, new(bigmod.Nat))

	// d = (1 + k·λ) / e with k = -λ⁻¹ mod e.
	r := rest.SetBits(lambda.Bits()).DivShortVarTime(publicExponent)
	if r == 0 {
		return d, false
	}
	k := publicExponent - inverseModE(r)
	d.MulAdd(lambda, new(bigmod.Nat).SetUint(k), new(bigmod.Nat).SetUint(1))
	return d, d.DivShortVarTime(publicExponent) == 0
}

// inverseModE returns r⁻¹ mod 65537, a prime, for an r that is not zero.
func inverseModE(r uint) uint {
	// r^(65537-2), and 65535 is sixteen ones in binary.
	x := uint64(1)
	for range 16 {
		x = x * x % publicExponent * uint64(r) % publicExponent
	}
	return uint(x)
}

// randomPrime returns a random prime of the given size in bits, at least 512,
// whose two top bits are set, so that the product of two such primes has the sum
// of their sizes. That is more than FIPS 186-5 asks for in steps 4.4 and 5.4 of
// appendix A.1.3: 3/2·2^(bits-1) > √2·2^(bits-1).
func randomPrime(random io.Reader, bits int) (*bigmod.Nat, error) {
	b := make([]byte, (bits+7)/8)
	defer clear(b)
	for {
		if _, err := io.ReadFull(random, b); err != nil {
			return nil, err
		}
		// The excess bits of the first byte go, the next two are ones.
		excess := len(b)*8 - bits
		b[0] &= 0xff >> excess
		b[0] |= 0xc0 >> excess
		if excess == 7 {
			b[1] |= 0x80
		}
		b[len(b)-1] |= 1

		m, err := bigmod.NewModulus(b)
		if err != nil {
			return nil, err
		}
		prime, err := isPrime(random, m)
		p := m.Nat()
		m.Wipe()
		if prime && err == nil {
			return p, nil
		}
		p.Wipe()
		if err != nil {
			return nil, err
		}
	}
}

// smallPrimes are the odd primes below 2048 in groups, each with its product,
// which fits in a limb.
var smallPrimes = groupPrimes(2048)

type primeGroup struct {
	product uint
	primes  []uint
}

// groupPrimes returns the odd primes below limit, found by the sieve of
// Eratosthenes, in groups as large as a limb allows.
func groupPrimes(limit int) []primeGroup {
	composite := make([]bool, limit)
	groups := []primeGroup{{product: 1}}
	for n := 3; n < limit; n += 2 {
		if composite[n] {
			continue
		}
		for i := n * n; i < limit; i += 2 * n {
			composite[i] = true
		}
		last := &groups[len(groups)-1]
		if hi, _ := bits.Mul(last.product, uint(n)); hi != 0 {
			groups = append(groups, primeGroup{product: 1})
			last = &groups[len(groups)-1]
		}
		last.product *= uint(n)
		last.primes = append(last.primes, uint(n))
	}
	return groups
}

// isPrime reports whether w, an odd number of at least 512 bits, is prime. It is
// for random numbers: the number of rounds would not do for numbers that somebody
// chose to be taken for primes.
func isPrime(random io.Reader, w *bigmod.Modulus) (bool, error) {
	n, t := w.Nat(), new(bigmod.Nat)
	defer n.Wipe()
	defer t.Wipe()
	for _, group := range smallPrimes {
		r := t.SetBits(n.Bits()).DivShortVarTime(group.product)
		for _, p := range group.primes {
			if r%p == 0 {
				return false, nil
			}
		}
	}
	return millerRabin(random, w, millerRabinRounds(w.BitLen()))
}

// millerRabinRounds returns the number of rounds after which a random odd number
// of the given size passes as a prime although it is none with a probability of
// at most 2^-128, by the bound of Damgård, Landrock and Pomerance, Average case
// error estimates for the strong probable prime test, Mathematics of Computation
// 61(203), 1993. FIPS 186-5, table B.1, has the same numbers or smaller ones for
// the sizes in it.
func millerRabinRounds(bits int) int {
	switch {
	case bits >= 3747:
		return 3
	case bits >= 1345:
		return 4
	default: // at least 512
		return 5
	}
}

// millerRabin runs the given number of rounds of the Miller–Rabin test with random
// bases on w, FIPS 186-5, appendix B.3.1. w must be odd and greater than three.
func millerRabin(random io.Reader, w *bigmod.Modulus, rounds int) (bool, error) {
	// w - 1 = m·2^a
	m := w.Nat()
	m.Bits()[0]--
	a := m.TrailingZeroBitsVarTime()
	exponent := m.ShiftRightVarTime(a).Bytes(w)

	b := make([]byte, w.Size())
	excess := len(b)*8 - w.BitLen()
	base, z := new(bigmod.Nat), new(bigmod.Nat)
	defer func() {
		clear(exponent)
		for _, x := range []*bigmod.Nat{m, base, z} {
			x.Wipe()
		}
	}()
	for range rounds {
		for {
			if _, err := io.ReadFull(random, b); err != nil {
				return false, err
			}
			b[0] &= 0xff >> excess
			if _, err := base.SetBytes(b, w); err != nil {
				continue
			}
			if base.IsZero() == 0 && base.IsOne() == 0 && base.IsMinusOne(w) == 0 {
				break
			}
		}
		if !millerRabinRound(z.Exp(base, exponent, w), a, w) {
			return false, nil
		}
	}
	return true, nil
}

// millerRabinRound reports whether w may be a prime, for z = base^m mod w and
// w - 1 = m·2^a: whether z is one, or one of z, z², z⁴, … z^(2^(a-1)) is -1.
func millerRabinRound(z *bigmod.Nat, a uint, w *bigmod.Modulus) bool {
	if z.IsOne() == 1 || z.IsMinusOne(w) == 1 {
		return true
	}
	for range a - 1 {
		if z.Mul(z, w); z.IsMinusOne(w) == 1 {
			return true
		}
	}
	return false
}
