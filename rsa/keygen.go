package rsa

import (
	"context"
	"crypto/rsa"
	"errors"
	"io"
	"math"
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
// The time taken varies widely: it depends on how many candidates are drawn and
// discarded, and on their values, which say nothing about the primes of the key.
// About those it reveals
//
//   - the number of zero bits at the low end of p-1 and of q-1, that is two bits of
//     each on average; an attacker needs half the bits of a prime (Coppersmith,
//     EUROCRYPT '96);
//   - how many of the random bases that a prime was tested with had to be drawn
//     again for not being below it, a fraction of a bit;
//   - what the validation of a key reveals, see the package documentation.
//
// All else that is done with them is constant time. crypto/rsa, as of Go 1.27, also
// divides them by small primes, and computes d from them, in variable time.
func GenerateKey(random io.Reader, bits int) (*PrivateKey, error) {
	return GenerateKeyContext(context.Background(), random, bits, nil)
}

// KeyProgress says how far [GenerateKeyContext] has come. A search for a prime has
// no memory: however many candidates have failed, as many as Expected are still to
// be tested, on average. None of this is secret.
type KeyProgress struct {
	Primes   int // primes found so far, 0 to 2
	Tested   int // candidates tested so far for the next prime
	Expected int // the average of Tested when a prime is found
}

// GenerateKeyContext is [GenerateKey] for large keys, which take minutes. It returns
// the error of ctx soon after that is done: between two candidates, of which each
// takes about as long as a tenth to a half of a signature with the key.
//
// progress, unless it is nil, is called by the same goroutine after each candidate
// that was tested (those with a divisor below 65536 do not count) and after each
// prime that was found.
//
// Where the call is handed to crypto/rsa, see [GenerateKey], and in FIPS 140-3 mode,
// progress is not called, and ctx is looked at before and after.
func GenerateKeyContext(ctx context.Context, random io.Reader, bits int, progress func(KeyProgress)) (*PrivateKey, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if delegated(bits) || !isSystemRand(random) {
		key, err := rsa.GenerateKey(random, bits)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return key, err
	}
	for {
		p, q, err := generatePrimes(ctx, random, bits, progress)
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

// generatePrimes returns the primes of a key of the given size.
func generatePrimes(ctx context.Context, random io.Reader, bits int, progress func(KeyProgress)) (p, q *bigmod.Nat, err error) {
	var now KeyProgress
	find := func(bits int) (*bigmod.Nat, error) {
		s := newPrimeSearch(random, bits)
		defer s.wipe()
		now.Tested, now.Expected = 0, expectedCandidates(bits)
		s.tested = func() error {
			now.Tested++
			if progress != nil {
				progress(now)
			}
			return ctx.Err()
		}
		prime, err := s.find()
		if err != nil {
			return nil, err
		}
		now.Primes, now.Tested = now.Primes+1, 0
		if progress != nil {
			progress(now)
		}
		return prime, nil
	}
	if p, err = find((bits + 1) / 2); err != nil {
		return nil, nil, err
	}
	if q, err = find(bits / 2); err != nil {
		p.Wipe()
		return nil, nil, err
	}
	return p, q, nil
}

// expectedCandidates returns how many candidates of the given size are tested on
// average until one is prime: by the prime number theorem one number in ln x is,
// and by Mertens' third theorem one in e^γ·ln B has no prime divisor below B.
func expectedCandidates(bits int) int {
	const gamma = 0.5772156649015329
	return int(math.Round(float64(bits) * math.Ln2 / (math.Exp(gamma) * math.Log(sieveLimit))))
}

// newKey returns the key with the given primes and private exponent.
func newKey(p, q, d *bigmod.Nat, bits int) (*PrivateKey, error) {
	n := new(bigmod.Nat).MulAdd(p, q, new(bigmod.Nat))
	priv := &PrivateKey{
		PublicKey: PublicKey{N: toBig(n), E: publicExponent},
		D:         toBig(d),
		Primes:    []*big.Int{toBig(p), toBig(q)},
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
	// use, and validates the key once more by code that is not ours. With the CRT
	// values given, both together take less than a hundredth of the search for the
	// primes.
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
// false if it does not exist or gcd(p-1, q-1) is too large to divide by: with odd
// part above 2^32, as crypto/rsa has it.
//
// It leaks the number of trailing zero bits of p-1 and q-1, and whether it returns
// false.
func privateExponent(p, q *bigmod.Nat) (d *bigmod.Nat, ok bool) {
	d = new(bigmod.Nat)
	a, b, lambda := new(bigmod.Nat).SetBits(p.Bits()), new(bigmod.Nat).SetBits(q.Bits()), new(bigmod.Nat)
	defer func() {
		for _, x := range []*bigmod.Nat{a, b, lambda} {
			x.Wipe()
		}
	}()
	a.Bits()[0]-- // p and q are odd
	b.Bits()[0]--
	// lcm(a, b) = a · (b / gcd(a, b)). The powers of two in the number that has
	// fewer of them do not count, and without them the gcd is odd.
	if az, bz := a.TrailingZeroBitsVarTime(), b.TrailingZeroBitsVarTime(); az < bz {
		a, b = b, a
		b.ShiftRightVarTime(az)
	} else {
		b.ShiftRightVarTime(bz)
	}
	gcd, ok := oddGCD(b.Bits(), a.Bits())
	if !ok || uint64(gcd) > math.MaxUint32 {
		return d, false
	}
	if !divideExact(b.Bits(), gcd) {
		return d, false
	}
	lambda.MulAdd(a, b, new(bigmod.Nat))

	// d = (1 + k·λ) / e with k = -λ⁻¹ mod e.
	r := modE(lambda.Bits())
	if r == 0 {
		return d, false
	}
	k := publicExponent - inverseModE(r)
	d.MulAdd(lambda, new(bigmod.Nat).SetUint(uint(k)), new(bigmod.Nat).SetUint(1))
	return d, divideExact(d.Bits(), publicExponent)
}

// modE returns x mod 65537, in constant time: 2^16 = -1 modulo it.
func modE(x []uint) uint32 {
	var r uint32
	for i := len(x) - 1; i >= 0; i-- {
		for shift := bits.UintSize - 16; shift >= 0; shift -= 16 {
			// r <= 65536, so both products stay below 2^32 + 2^16.
			r = foldE(publicExponent - r + uint32(x[i]>>shift&0xffff))
		}
	}
	return r
}

// foldE returns x mod 65537.
func foldE(x uint32) uint32 {
	// x = hi·2^16 + lo = lo - hi. Adding 65537 makes that positive, and at most
	// 65535 + 65537.
	r := x&0xffff + publicExponent - x>>16
	_, borrow := bits.Sub32(r, publicExponent, 0)
	return r - publicExponent&(borrow-1)
}

// inverseModE returns r⁻¹ mod 65537, a prime, for an r from 1 to 65536.
func inverseModE(r uint32) uint32 {
	// r^(65537-2), and 65535 is sixteen ones in binary. 65536² = 1, the one product
	// that does not fit in 32 bits, is right modulo 2^32 and 65537 as 0 + 1.
	mul := func(x, y uint32) uint32 {
		hi, lo := bits.Mul32(x, y)
		return foldE(lo + hi)
	}
	x := uint32(1)
	for range 16 {
		x = mul(mul(x, x), r)
	}
	return x
}
