package rsa

import (
	"errors"
	"math/big"
	"math/bits"

	"github.com/fastrsa/fastrsa/bigmod"
)

const (
	// stackBytes is the size in bytes up to which buffers live on the stack: a
	// 4096-bit modulus. stackLimbs is the same in limbs.
	stackBytes = 512
	stackLimbs = stackBytes * 8 / bits.UintSize
)

// publicKey is a public key ready for use.
type publicKey struct {
	n bigmod.Modulus
	e uint
	k int // size of n in bytes

	// long is the exponent, big-endian, if it is above 2^31-1, and nil otherwise.
	long []byte
}

// checkSize returns an error if the modulus is negative or too large.
func checkSize(pub *PublicKey) error {
	switch size := pub.N.BitLen(); {
	case size > maxPublicBits:
		return errTooLarge(size, maxPublicBits)
	case pub.N.Sign() < 0:
		return errNegative
	}
	return nil
}

// newPublicKey checks pub, which has passed checkSize, and returns it ready for use, in the memory of buf if it
// suffices.
func newPublicKey(pub *PublicKey, buf []uint) (k publicKey, err error) {
	k.n, err = bigmod.MakeModulusVarTime(limbs(pub.N, buf))
	if err != nil {
		return publicKey{}, err
	}
	if err := checkExponent(pub); err != nil {
		return publicKey{}, err
	}
	k.e = uint(pub.E)
	k.k = k.n.Size()
	return k, nil
}

// checkExponent returns an error if the modulus is even or the exponent is not an
// odd number from 3 to 2^31-1.
func checkExponent(pub *PublicKey) error {
	switch {
	case pub.N.Bit(0) == 0:
		return errors.New("crypto/rsa: public modulus is even")
	case pub.E < 2:
		return errors.New("crypto/rsa: public exponent too small or negative")
	case pub.E&1 == 0:
		return errors.New("crypto/rsa: public exponent is even")
	case pub.E > 1<<31-1:
		return errors.New("crypto/rsa: public exponent too large")
	}
	return nil
}

// limbs returns the limbs of x, little-endian, in the memory of buf if it
// suffices. The result has the capacity for the next multiple of eight limbs.
func limbs(x *big.Int, buf []uint) []uint {
	words := x.Bits()
	if size := (len(words) + 7) &^ 7; cap(buf) < size {
		buf = make([]uint, size)
	}
	buf = buf[:len(words)]
	for i, w := range words {
		buf[i] = uint(w)
	}
	return buf
}

// encrypt sets out to in^e mod n, RSAEP and RSAVP1 of RFC 8017, sections 5.1.1
// and 5.2.2. out has k.k bytes and may be in. It returns an error if in is not
// below n.
//
// in is secret, the key is not. Whether in is below n leaks.
func (k *publicKey) encrypt(out, in []byte) error {
	x := bigmod.NewNat()
	if _, err := x.SetBytes(in, &k.n); err != nil {
		return err
	}
	if k.long != nil {
		x.ExpVarTime(x, k.long, &k.n)
	} else {
		x.ExpShortVarTime(x, k.e, &k.n)
	}
	x.FillBytes(out)
	x.Wipe()
	return nil
}

// buffer returns n zero bytes, from stack if they fit.
func buffer(stack []byte, n int) []byte {
	if n <= len(stack) {
		return stack[:n]
	}
	return make([]byte, n)
}
