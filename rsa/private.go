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
	// primes. It is nil for the others.
	d []byte

	p, q   bigmod.Modulus
	dP, dQ []byte // d mod p-1 and d mod q-1, big-endian
	qInv   bigmod.Nat
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

// init validates priv completely and sets k to a copy of it. It writes nothing to
// priv.
//
// The checks are those of crypto/rsa, with its errors, and run in constant time
// but for what they reveal: which check failed, and the bit lengths of p, q, p - q
// and d. They cost about as much as two hundredths of a private operation, so
// they are repeated for each instead of being remembered.
//
// As there, the CRT values of priv are used if all three are present and computed
// otherwise.
func (k *privateKey) init(priv *PrivateKey) (err error) {
	defer func() {
		if err != nil {
			k.wipe()
		}
	}()
	switch {
	case priv.N == nil:
		return errNoModulus
	case priv.D == nil:
		return errors.New("crypto/rsa: missing private exponent")
	case len(priv.Primes) == 2 && priv.Primes[0] == nil:
		return errors.New("crypto/rsa: prime P is nil")
	case len(priv.Primes) == 2 && priv.Primes[1] == nil:
		return errors.New("crypto/rsa: prime Q is nil")
	}
	pre := &priv.Precomputed
	for _, x := range append([]*big.Int{priv.N, priv.D, pre.Dp, pre.Dq, pre.Qinv}, priv.Primes...) {
		if x != nil && x.Sign() < 0 {
			return errNegative
		}
	}
	if len(priv.Primes) != 2 {
		return k.initWithoutCRT(priv)
	}

	P, Q := priv.Primes[0], priv.Primes[1]
	if k.pub.n, err = bigmod.MakeModulusVarTime(limbs(priv.N, nil)); err != nil {
		return err
	}
	if k.p, err = bigmod.MakeModulus(limbs(P, nil)); err != nil {
		return err
	}
	if k.q, err = bigmod.MakeModulus(limbs(Q, nil)); err != nil {
		return err
	}
	d, err := setBig(new(bigmod.Nat), priv.D, &k.pub.n)
	if err != nil {
		return err
	}
	defer d.Wipe()

	pMinus1, errP := minusOne(&k.p)
	qMinus1, errQ := minusOne(&k.q)
	defer pMinus1.Wipe()
	defer qMinus1.Wipe()

	precomputed := pre.Dp != nil && pre.Dq != nil && pre.Qinv != nil
	if precomputed {
		if _, err := setBig(&k.qInv, pre.Qinv, &k.p); err != nil {
			return err
		}
	} else if err := k.computeCRT(d, &pMinus1, &qMinus1, errP, errQ); err != nil {
		return err
	}
	if err := k.finishPublic(&priv.PublicKey); err != nil {
		return err
	}

	pN := k.p.Nat()
	qN := k.q.Nat()
	defer pN.Wipe()
	defer qN.Wipe()
	if pN.BitLenVarTime() > k.pub.n.BitLen() || qN.BitLenVarTime() > k.pub.n.BitLen() {
		return errors.New("crypto/rsa: invalid prime")
	}
	// p · q = n
	pq := new(bigmod.Nat).MulAdd(pN, qN, new(bigmod.Nat))
	defer pq.Wipe()
	n := k.pub.n.Nat()
	if size := len(pq.Bits()); size > len(n.Bits()) {
		n.SetBits(append(n.Bits(), make([]uint, size-len(n.Bits()))...))
	} else {
		pq.ExpandFor(&k.pub.n)
	}
	if pq.Equal(n) == 0 {
		return errors.New("crypto/rsa: p * q != n")
	}

	// e · dP = 1 mod p - 1 and e · dQ = 1 mod q - 1. With them x^(e·d) = x modulo
	// p and q for every x, and e is invertible.
	dP, dQ := new(bigmod.Nat), new(bigmod.Nat)
	defer dP.Wipe()
	defer dQ.Wipe()
	for _, half := range []struct {
		value   *big.Int
		bytes   *[]byte
		nat     *bigmod.Nat
		modulus *bigmod.Modulus
		err     error
	}{
		{pre.Dp, &k.dP, dP, &pMinus1, errP},
		{pre.Dq, &k.dQ, dQ, &qMinus1, errQ},
	} {
		if half.err != nil {
			return errors.New("crypto/rsa: invalid prime")
		}
		if precomputed {
			if half.value.BitLen() > half.modulus.BitLen() {
				return errCRTExponent
			}
			*half.bytes = half.value.FillBytes(make([]byte, half.modulus.Size()))
		}
		if _, err := half.nat.SetBytes(*half.bytes, half.modulus); err != nil {
			return errCRTExponent
		}
		one := new(bigmod.Nat).SetBits(half.nat.Bits())
		if one.MulUint(k.pub.e, half.modulus).IsOne() == 0 {
			return errCRTExponent
		}
	}

	// qInv · q = 1 mod p
	if new(bigmod.Nat).Mod(qN, &k.p).Mul(&k.qInv, &k.p).IsOne() == 0 {
		return errors.New("crypto/rsa: invalid CRT coefficient")
	}

	// d itself is not used; a key in which it does not match is still not sound.
	r := new(bigmod.Nat)
	defer r.Wipe()
	if r.Mod(d, &pMinus1).Equal(dP) == 0 {
		return errors.New("crypto/rsa: d does not match dP")
	}
	if r.Mod(d, &qMinus1).Equal(dQ) == 0 {
		return errors.New("crypto/rsa: d does not match dQ")
	}

	// Primes that are close make n easy to factor (Fermat), FIPS 186-5, appendix
	// A.1.1, asks for |p - q| > 2^(nlen/2 - 100).
	switch diff := k.differenceBitLenVarTime(pN, qN); {
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

var errCRTExponent = errors.New("crypto/rsa: invalid CRT exponent")

// finishPublic checks the public key and completes k.pub, whose modulus is set.
func (k *privateKey) finishPublic(pub *PublicKey) error {
	if err := checkExponent(pub); err != nil {
		return err
	}
	k.pub.e = uint(pub.E)
	k.pub.k = k.pub.n.Size()
	return nil
}

// initWithoutCRT is init for a key that does not have exactly two primes. Its
// operations use d and n alone, so nothing can be checked but what the result
// of each shows.
func (k *privateKey) initWithoutCRT(priv *PrivateKey) (err error) {
	if k.pub.n, err = bigmod.MakeModulusVarTime(limbs(priv.N, nil)); err != nil {
		return err
	}
	d, err := setBig(new(bigmod.Nat), priv.D, &k.pub.n)
	if err != nil {
		return err
	}
	k.d = d.Bytes(&k.pub.n)
	d.Wipe()
	if err := k.finishPublic(&priv.PublicKey); err != nil {
		return err
	}
	if len(priv.Primes) < 2 {
		return nil
	}
	for _, prime := range priv.Primes {
		if prime == nil {
			return errors.New("crypto/rsa: prime factor is nil")
		}
		if prime.IsUint64() && prime.Uint64() <= 1 {
			return errors.New("crypto/rsa: prime factor is <= 1")
		}
	}
	return nil
}

// computeCRT sets dP, dQ and qInv from d, p and q.
func (k *privateKey) computeCRT(d *bigmod.Nat, pMinus1, qMinus1 *bigmod.Modulus, errP, errQ error) error {
	if errP != nil {
		return errP
	}
	if errQ != nil {
		return errQ
	}
	r := new(bigmod.Nat)
	defer r.Wipe()
	k.dP = r.Mod(d, pMinus1).Bytes(pMinus1)
	k.dQ = r.Mod(d, qMinus1).Bytes(qMinus1)

	p := k.p.Nat()
	defer p.Wipe()
	if p.IsOdd() == 0 {
		return errors.New("crypto/rsa: p is even")
	}
	// If p is a prime, q⁻¹ = q^(p-2) mod p. If it is not, the check of qInv fails.
	pMinus2 := p.SubOne(&k.p).SubOne(&k.p).Bytes(&k.p)
	defer clear(pMinus2)
	q := k.q.Nat()
	k.qInv.Exp(r.Mod(q, &k.p), pMinus2, &k.p)
	q.Wipe()
	return nil
}

// minusOne returns m - 1.
func minusOne(m *bigmod.Modulus) (bigmod.Modulus, error) {
	x := m.Nat()
	// m is not reduced modulo m, but zero is, and 0 - 1 = m - 1.
	clear(x.Bits())
	return bigmod.MakeModulus(x.SubOne(m).Bits())
}

// setBig sets x to the value of v, which is not negative, with the length of m.
// It returns an error if v is not below m.
func setBig(x *bigmod.Nat, v *big.Int, m *bigmod.Modulus) (*bigmod.Nat, error) {
	b := make([]byte, (v.BitLen()+7)/8)
	defer clear(b)
	return x.SetBytes(v.FillBytes(b), m)
}

// differenceBitLenVarTime returns the length in bits of |p - q|, which leaks.
// This is acceptable because an attacker cannot influence it: all he learns is
// the magnitude of the difference.
func (k *privateKey) differenceBitLenVarTime(p, q *bigmod.Nat) int {
	n := &k.pub.n
	// One of the differences modulo n is |p - q|, which is below n/2, and the other
	// is n - |p - q|.
	p, q = p.ExpandFor(n), q.ExpandFor(n)
	a := new(bigmod.Nat).SetBits(p.Bits()).Sub(q, n)
	b := new(bigmod.Nat).SetBits(q.Bits()).Sub(p, n)
	defer a.Wipe()
	defer b.Wipe()
	return min(a.BitLenVarTime(), b.BitLenVarTime())
}

// faultHook, if not nil, is called with the name of each intermediate value of a
// private operation, which it may change. It is set by tests only.
var faultHook func(name string, x *bigmod.Nat)

// decrypt sets out to in^d mod n, RSADP and RSASP1 of RFC 8017, sections 5.1.2 and
// 5.2.1. out has k.pub.k bytes and may be in. in may be shorter, or longer with
// leading zeros. It returns ErrDecryption if in is not below n, or if the result
// does not give in when encrypted again, and then out is unchanged.
//
// That check is not for the caller's convenience: a signature in which one of the
// two halves went wrong, by a fault of the hardware or of this package, gives
// away a factor of n (Boneh, DeMillo, Lipton, EUROCRYPT '97).
//
// The key and the result are secret, and in is treated as if it were. Whether in
// is below n leaks.
func (k *privateKey) decrypt(out, in []byte) error {
	n := &k.pub.n
	c := bigmod.NewNat()
	defer c.Wipe()
	if _, err := c.SetBytes(in, n); err != nil {
		return ErrDecryption
	}
	m := bigmod.NewNat()
	defer m.Wipe()
	if k.d != nil {
		m.Exp(c, k.d, n)
	} else {
		k.crt(m, c)
	}
	fault("m", m)

	check := bigmod.NewNat().ExpShortVarTime(m, k.pub.e, n)
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
	// m1 = c^dP mod p, m2 = c^dQ mod q
	m1, m2, t := bigmod.NewNat(), bigmod.NewNat(), bigmod.NewNat()
	defer m1.Wipe()
	defer m2.Wipe()
	defer t.Wipe()
	m1.Exp(t.Mod(c, &k.p), k.dP, &k.p)
	fault("m1", m1)
	m2.Exp(t.Mod(c, &k.q), k.dQ, &k.q)
	fault("m2", m2)
	// h = (m1 - m2) · qInv mod p. The primes may have different sizes, in either
	// order.
	m1.Sub(t.Mod(m2, &k.p), &k.p).Mul(&k.qInv, &k.p)
	fault("h", m1)
	// m = m2 + h · q is at most q-1 + (p-1)·q = n - 1.
	q := k.q.Nat()
	defer q.Wipe()
	m.MulAdd(m1, q, m2)
	m.TruncateFor(&k.pub.n)
}

func fault(name string, x *bigmod.Nat) {
	if faultHook != nil {
		faultHook(name, x)
	}
}
