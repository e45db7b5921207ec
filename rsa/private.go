package rsa

import (
	"errors"
	"math/big"

	"github.com/fastrsa/fastrsa/bigmod"
)

// privateKey is a validated private key ready for use. It holds copies of the
// numbers of a PrivateKey, all of which but n and e are secret.
type privateKey struct {
	pub publicKey

	// d is the private exponent, big-endian, for keys that do not have exactly two
	// primes, and nil for the others, which have all of the rest.
	d []byte

	p, q   bigmod.Modulus
	dP, dQ []byte // d mod p-1 and d mod q-1, big-endian
	qInv   bigmod.Nat
}

// keyMemory has room for a privateKey of up to 4096 bits with primes of about one
// size, so that it can live on the stack. Others allocate.
type keyMemory struct {
	n      [stackLimbs]uint
	p, q   [stackLimbs / 2]uint
	qInv   [stackLimbs / 2]uint
	dP, dQ [stackBytes / 2]byte
}

// wipe overwrites what k holds.
func (k *privateKey) wipe() {
	clear(k.d)
	clear(k.dP)
	clear(k.dQ)
	k.qInv.Wipe()
	k.p.Wipe()
	k.q.Wipe()
}

// newPrivateKey validates priv completely and returns a copy of it, in the memory
// of mem if that suffices. It writes nothing to priv.
//
// The checks are those of crypto/rsa, with its errors, and run in constant time
// but for what they reveal: which check failed, the lengths in bits of p, q, p - q
// and d, and those in limbs of dP, dQ and qInv. They cost about a hundredth of a
// private operation, so they are repeated for each instead of being remembered.
//
// As there, the CRT values of priv are used if all three are present and computed
// otherwise, which costs about a third of an operation.
func newPrivateKey(priv *PrivateKey, mem *keyMemory) (k privateKey, err error) {
	if err := checkPresent(priv); err != nil {
		return privateKey{}, err
	}
	k.pub.n, err = bigmod.MakeModulusVarTime(limbs(priv.N, mem.n[:]))
	if err != nil {
		return privateKey{}, keyError{err, "n"}
	}
	if len(priv.Primes) != 2 {
		err = k.initWithoutCRT(priv)
	} else if k.p, err = bigmod.MakeModulus(limbs(priv.Primes[0], mem.p[:])); err != nil {
		return privateKey{}, keyError{err, "p"}
	} else if k.q, err = bigmod.MakeModulus(limbs(priv.Primes[1], mem.q[:])); err != nil {
		err = keyError{err, "q"}
	} else {
		k.dP, k.dQ = buffer(mem.dP[:], k.p.Size()), buffer(mem.dQ[:], k.q.Size())
		k.qInv = bigmod.MakeNat(mem.qInv[:])
		err = k.initCRT(priv)
	}
	if err != nil {
		k.wipe()
		return privateKey{}, err
	}
	return k, nil
}

// checkPresent returns an error if priv, which has a modulus, lacks another number or
// has a negative one.
func checkPresent(priv *PrivateKey) error {
	switch {
	case priv.D == nil:
		return errors.New("crypto/rsa: missing private exponent")
	case len(priv.Primes) == 2 && priv.Primes[0] == nil:
		return errors.New("crypto/rsa: prime P is nil")
	case len(priv.Primes) == 2 && priv.Primes[1] == nil:
		return errors.New("crypto/rsa: prime Q is nil")
	}
	pre := &priv.Precomputed
	for _, x := range [...]*big.Int{priv.N, priv.D, pre.Dp, pre.Dq, pre.Qinv} {
		if x != nil && x.Sign() < 0 {
			return errNegative
		}
	}
	for _, x := range priv.Primes {
		if x != nil && x.Sign() < 0 {
			return errNegative
		}
	}
	return nil
}

// initCRT completes k, whose moduli are set, for a key with two primes.
func (k *privateKey) initCRT(priv *PrivateKey) error {
	d := bigmod.NewNat()
	defer d.Wipe()
	if err := setBig(d, priv.D, &k.pub.n); err != nil {
		return keyError{err, "d"}
	}
	p, q := k.p.Nat(), k.q.Nat()
	defer p.Wipe()
	defer q.Wipe()
	var stackP, stackQ [stackLimbs / 2]uint
	pMinus1, errP := minusOne(&k.p, stackP[:])
	qMinus1, errQ := minusOne(&k.q, stackQ[:])
	defer pMinus1.Wipe()
	defer qMinus1.Wipe()

	pre := &priv.Precomputed
	precomputed := pre.Dp != nil && pre.Dq != nil && pre.Qinv != nil
	// Primes that are longer than n are refused below; an exponentiation modulo them
	// would take as long as whoever made the key likes.
	tooLong := max(k.p.BitLen(), k.q.BitLen()) > k.pub.n.BitLen()
	if precomputed {
		if err := setBig(&k.qInv, pre.Qinv, &k.p); err != nil {
			return keyError{err, "qInv"}
		}
	} else if !tooLong {
		if errP != nil {
			return keyError{errP, "p"}
		}
		if errQ != nil {
			return keyError{errQ, "q"}
		}
		if err := k.computeCRT(d, p, q, &pMinus1, &qMinus1); err != nil {
			return err
		}
	}
	if err := k.finishPublic(&priv.PublicKey); err != nil {
		return err
	}

	if err := k.checkProduct(priv, p, q); err != nil {
		return err
	}
	if errP != nil {
		return keyError{errPrime, "p"}
	}
	if errQ != nil {
		return keyError{errPrime, "q"}
	}
	dP, dQ := bigmod.NewNat(), bigmod.NewNat()
	defer dP.Wipe()
	defer dQ.Wipe()
	if precomputed {
		if setBig(dP, pre.Dp, &pMinus1) != nil {
			return keyError{errCRTExponent, "dP"}
		}
		if setBig(dQ, pre.Dq, &qMinus1) != nil {
			return keyError{errCRTExponent, "dQ"}
		}
		dP.FillBytes(k.dP)
		dQ.FillBytes(k.dQ)
	} else {
		dP.Mod(d, &pMinus1)
		dQ.Mod(d, &qMinus1)
	}
	if !k.inverseOfE(dP, &pMinus1) {
		return keyError{errCRTExponent, nameOf("dP", precomputed)}
	}
	if !k.inverseOfE(dQ, &qMinus1) {
		return keyError{errCRTExponent, nameOf("dQ", precomputed)}
	}

	r := bigmod.NewNat()
	defer r.Wipe()
	// qInv · q = 1 mod p
	if r.Mod(q, &k.p).Mul(&k.qInv, &k.p).IsOne() == 0 {
		return keyError{errCRTCoefficient, "qInv"}
	}
	// d itself is not used; a key in which it does not match is still not sound.
	if r.Mod(d, &pMinus1).Equal(dP) == 0 {
		return errors.New("crypto/rsa: d does not match dP")
	}
	if r.Mod(d, &qMinus1).Equal(dQ) == 0 {
		return errors.New("crypto/rsa: d does not match dQ")
	}
	// Primes that are close make n easy to factor (Fermat), FIPS 186-5, appendix
	// A.1.1, asks for |p - q| > 2^(nlen/2 - 100).
	switch diff := k.differenceBitLenVarTime(p, q); {
	case diff == 0:
		return errors.New("crypto/rsa: p == q")
	case diff <= k.pub.n.BitLen()/2-100:
		return errors.New("crypto/rsa: |p - q| too small")
	}
	// A small d can be found from the public key (Wiener; Boneh and Durfee); FIPS
	// 186-5, appendix A.1.1, asks for d > 2^(nlen/2).
	if d.BitLenVarTime() <= k.pub.n.BitLen()/2 {
		return errors.New("crypto/rsa: d too small")
	}
	return nil
}

// A keyError is an error of crypto/rsa and the value of the key that it is about, which
// crypto/rsa does not tell.
type keyError struct {
	error
	value string
}

func (e keyError) Unwrap() error { return e.error }

// nameOf returns the name of the value to blame if a CRT exponent is wrong: where it was
// computed, that is d.
func nameOf(exponent string, precomputed bool) string {
	if precomputed {
		return exponent
	}
	return "d"
}

var (
	errNilFactor      = errors.New("crypto/rsa: prime factor is nil")
	errTooManyPrimes  = errors.New("crypto/rsa: more prime factors than the modulus has bits")
	errPrime          = errors.New("crypto/rsa: invalid prime")
	errCRTExponent    = errors.New("crypto/rsa: invalid CRT exponent")
	errCRTCoefficient = errors.New("crypto/rsa: invalid CRT coefficient")
)

// checkProduct returns an error unless p · q = n.
func (k *privateKey) checkProduct(priv *PrivateKey, p, q *bigmod.Nat) error {
	x := bigmod.NewNat()
	defer x.Wipe()
	for i, prime := range priv.Primes {
		if setBig(x, prime, &k.pub.n) != nil {
			return keyError{errPrime, "pq"[i : i+1]}
		}
	}
	x.MulAdd(p, q, bigmod.NewNat())
	pq, n := x.Bits(), k.pub.n.Nat().Bits()
	var diff uint
	for i := range max(len(pq), len(n)) {
		var a, b uint
		if i < len(pq) {
			a = pq[i]
		}
		if i < len(n) {
			b = n[i]
		}
		diff |= a ^ b
	}
	if diff != 0 {
		return errors.New("crypto/rsa: p * q != n")
	}
	return nil
}

// inverseOfE reports whether e·d = 1 mod m. For m = p-1 that makes x^(e·d) = x mod p
// for every x.
func (k *privateKey) inverseOfE(d *bigmod.Nat, m *bigmod.Modulus) bool {
	one := bigmod.NewNat().SetBits(d.Bits())
	ok := one.MulUint(k.pub.e, m).IsOne()
	one.Wipe()
	return ok == 1
}

// finishPublic checks the public key and completes k.pub, whose modulus is set.
func (k *privateKey) finishPublic(pub *PublicKey) error {
	if err := checkExponent(pub); err != nil {
		return err
	}
	k.pub.e = uint(pub.E)
	k.pub.k = k.pub.n.Size()
	return nil
}

// initWithoutCRT completes k, whose public modulus is set, for a key that does not
// have exactly two primes. Its operations use d and n alone, so nothing can be
// checked but what the result of each shows.
func (k *privateKey) initWithoutCRT(priv *PrivateKey) error {
	d := bigmod.NewNat()
	defer d.Wipe()
	if err := setBig(d, priv.D, &k.pub.n); err != nil {
		return keyError{err, "d"}
	}
	k.d = d.FillBytes(make([]byte, k.pub.n.Size()))
	if err := k.finishPublic(&priv.PublicKey); err != nil {
		return err
	}
	if len(priv.Primes) < 2 {
		return nil
	}
	for _, prime := range priv.Primes {
		if prime == nil {
			return errNilFactor
		}
		if prime.BitLen() <= 1 {
			return errors.New("crypto/rsa: prime factor is <= 1")
		}
	}
	// Every prime has two bits or more, so these are too many to multiply to n. That also
	// bounds the pairs below.
	if len(priv.Primes) > priv.N.BitLen() {
		return errTooManyPrimes
	}
	for i, prime := range priv.Primes {
		for _, other := range priv.Primes[:i] {
			if equalBig(prime, other) {
				return errors.New("crypto/rsa: prime factors are not relatively prime")
			}
		}
	}
	return nil
}

// equalBig reports whether a == b, and leaks that and their lengths in limbs.
func equalBig(a, b *big.Int) bool {
	x, y := a.Bits(), b.Bits()
	if len(x) != len(y) {
		return false
	}
	var diff big.Word
	for i, v := range x {
		diff |= v ^ y[i]
	}
	return diff == 0
}

// computeCRT sets dP, dQ and qInv from d, p and q.
func (k *privateKey) computeCRT(d, p, q *bigmod.Nat, pMinus1, qMinus1 *bigmod.Modulus) error {
	x := bigmod.NewNat()
	defer x.Wipe()
	x.Mod(d, pMinus1).FillBytes(k.dP)
	x.Mod(d, qMinus1).FillBytes(k.dQ)

	if p.IsOdd() == 0 {
		return errors.New("crypto/rsa: p is even")
	}
	// If p is a prime, q⁻¹ = q^(p-2) mod p. If it is not, the check of qInv fails.
	x.SetBits(p.Bits())
	clear(x.Bits())
	pMinus2 := x.SubOne(&k.p).SubOne(&k.p).FillBytes(make([]byte, k.p.Size()))
	k.qInv.Exp(x.Mod(q, &k.p), pMinus2, &k.p)
	clear(pMinus2)
	return nil
}

// minusOne returns m - 1, in the memory of buf if that suffices.
func minusOne(m *bigmod.Modulus, buf []uint) (bigmod.Modulus, error) {
	x := m.Nat()
	defer x.Wipe()
	// m is not reduced modulo m, but zero is, and 0 - 1 = m - 1.
	clear(x.Bits())
	return bigmod.MakeModulus(append(buf[:0], x.SubOne(m).Bits()...))
}

// setBig sets x to the value of v, which is not negative, with the length of m.
// It returns an error if v is not below m.
func setBig(x *bigmod.Nat, v *big.Int, m *bigmod.Modulus) error {
	var stack [stackLimbs]uint
	buf := limbs(v, stack[:])
	_, err := x.SetLimbs(buf, m)
	clear(buf)
	return err
}

// differenceBitLenVarTime returns the length in bits of |p - q|, which leaks.
// This is acceptable because an attacker cannot influence it: all he learns is
// the magnitude of the difference.
func (k *privateKey) differenceBitLenVarTime(p, q *bigmod.Nat) int {
	n := &k.pub.n
	p1 := bigmod.NewNat().SetBits(p.Bits()).ExpandFor(n)
	q1 := bigmod.NewNat().SetBits(q.Bits()).ExpandFor(n)
	// One of the differences modulo n is |p - q|, which is below n/2, and the other
	// is n - |p - q|.
	a := bigmod.NewNat().SetBits(p1.Bits()).Sub(q1, n)
	b := q1.Sub(p1, n)
	size := min(a.BitLenVarTime(), b.BitLenVarTime())
	for _, x := range []*bigmod.Nat{p1, q1, a} {
		x.Wipe()
	}
	return size
}

// faultStage names an intermediate value of a private operation that [inject]
// corrupts. Only tests set it.
var faultStage string

// inject flips a bit of x if the tests ask for a fault at this stage.
func inject(stage string, x *bigmod.Nat) {
	if stage == faultStage {
		x.Bits()[0] ^= 1
	}
}

// decrypt sets out to in^d mod n, RSADP and RSASP1 of RFC 8017, sections 5.1.2 and
// 5.2.1. out has k.pub.k bytes and may be in. in may be shorter, or longer with
// leading zeros. It returns ErrDecryption if in is not below n, or if the result
// does not give in when encrypted again, and then out is unchanged.
//
// The key and the result are secret, and in is treated as if it were. Whether in
// is below n leaks.
func (k *privateKey) decrypt(out, in []byte) error {
	n := &k.pub.n
	c, m := bigmod.NewNat(), bigmod.NewNat()
	defer c.Wipe()
	defer m.Wipe()
	if _, err := c.SetBytes(in, n); err != nil {
		return ErrDecryption
	}
	if k.d != nil {
		m.Exp(c, k.d, n)
	} else {
		k.crt(m, c)
	}
	return k.release(out, m, c)
}

// release sets out to m if m^e = c mod n, and returns ErrDecryption otherwise.
//
// That check is not for the caller's convenience: a signature in which one of the
// two halves went wrong, by a fault of the hardware or of this package, gives
// away a factor of n (Boneh, DeMillo, Lipton, EUROCRYPT '97).
func (k *privateKey) release(out []byte, m, c *bigmod.Nat) error {
	inject("m", m)
	check := bigmod.NewNat().ExpShortVarTime(m, k.pub.e, &k.pub.n)
	defer check.Wipe()
	if check.Equal(c) == 0 {
		return ErrDecryption
	}
	m.FillBytes(out)
	return nil
}

// crt sets m = c^d mod n by the Chinese remainder theorem, RFC 8017, section
// 5.1.2, step 2b. m has the length of n on return.
func (k *privateKey) crt(m, c *bigmod.Nat) {
	m1, m2 := bigmod.NewNat(), bigmod.NewNat()
	defer m1.Wipe()
	defer m2.Wipe()
	m1.Mod(c, &k.p)
	m2.Mod(c, &k.q)
	bigmod.ExpPair(m1, m1, k.dP, &k.p, m2, m2, k.dQ, &k.q)
	k.combine(m, m1, m2)
}

// crtParallel is crt with the two exponentiations on different processors. What the
// other goroutine uses is on the heap, and so must k be: were this a branch of crt, the
// compiler would move every key there.
func (k *privateKey) crtParallel(m, c *bigmod.Nat) {
	m1, cp := bigmod.NewNat(), bigmod.NewNat()
	defer m1.Wipe()
	defer cp.Wipe()
	cq := new(bigmod.Nat).Mod(c, &k.q)
	half := make(chan *bigmod.Nat, 1)
	go func() {
		half <- new(bigmod.Nat).Exp(cq, k.dQ, &k.q)
		cq.Wipe()
	}()
	m1.Exp(cp.Mod(c, &k.p), k.dP, &k.p)
	m2 := <-half
	defer m2.Wipe()
	k.combine(m, m1, m2)
}

// combine sets m to the number below n that is m1 mod p and m2 mod q, with the length
// of n. It overwrites m1.
func (k *privateKey) combine(m, m1, m2 *bigmod.Nat) {
	inject("m1", m1)
	inject("m2", m2)
	t := bigmod.NewNat()
	defer t.Wipe()
	// h = (m1 - m2) · qInv mod p. The primes may have different sizes, in either
	// order.
	m1.Sub(t.Mod(m2, &k.p), &k.p).Mul(&k.qInv, &k.p)
	inject("h", m1)
	// m = m2 + h · q is at most q-1 + (p-1)·q = n - 1.
	q := k.q.Nat()
	defer q.Wipe()
	m.MulAdd(m1, q, m2)
	m.TruncateFor(&k.pub.n)
}
