package rsa

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"io"
	"math/big"
)

// A Verifier is a public key that is ready for use: checked once, in a copy of its own,
// which later changes to the caller's key do not reach. It verifies signatures and
// encrypts.
//
// Several goroutines can use a Verifier at the same time, without locks. Its zero value
// is not usable.
//
// Its methods for verification, and the Append methods if the slice that they append to
// has the capacity, allocate nothing if the modulus has at most 4096 bits and the hash
// function is one of the SHA families. For the rest of what is said about Append, see
// [Signer].
type Verifier struct {
	public PublicKey // E is 0 if the exponent is long
	k      publicKey
	n      [stackLimbs]uint

	// std is the key for crypto/rsa, if that does the work, and nil otherwise.
	std *rsa.PublicKey
}

var (
	errNoVerifier = errors.New("crypto/rsa: verifier was not made by NewVerifier")
	errVerifyOnly = errors.New("crypto/rsa: public exponent is for verification only")
)

// NewVerifier checks pub and returns a Verifier for it. pub is only read, and nothing of
// it is shared.
//
// The rules are those of crypto/rsa, with its errors: n and e are odd and e is from 3 to
// 2^31-1. Moduli of less than 1024 or more than 16384 bits are an error unless an option
// says otherwise.
func NewVerifier(pub *PublicKey, options ...VerifierOption) (*Verifier, error) {
	if err := checkPublic(pub); err != nil {
		return nil, err
	}
	c := defaultConfig
	for _, o := range options {
		if o != nil {
			o.setVerifier(&c)
		}
	}
	return newVerifier(pub, &c)
}

func newVerifier(pub *PublicKey, c *keyConfig) (v *Verifier, err error) {
	if err := c.checkModulus(pub.N); err != nil {
		return nil, err
	}
	v = &Verifier{public: copyPublic(pub)}
	if v.k, err = newPublicKey(pub, v.n[:]); err != nil {
		return nil, err
	}
	if delegated(pub.N.BitLen()) {
		std := copyPublic(pub)
		v.std = &std
	}
	return v, nil
}

// NewVerifierBig is [NewVerifier] for a public key given as two numbers, of which the
// exponent can be longer than [PublicKey] can hold. A Verifier with an exponent above
// 2^31-1 verifies signatures only, and does not exist where crypto/rsa does the work: in
// FIPS 140-3 mode and for keys below 1024 bits.
//
// Whoever chooses the exponent chooses what a verification costs, so exponents of more
// than 256 bits are an error unless [MaxExponentBits] says otherwise, and those that are
// not below n in any case.
func NewVerifierBig(n, e *big.Int, options ...VerifierOption) (*Verifier, error) {
	if n == nil {
		return nil, errNoModulus
	}
	if e == nil {
		return nil, errors.New("crypto/rsa: missing public exponent")
	}
	c := defaultConfig
	for _, o := range options {
		if o != nil {
			o.setVerifier(&c)
		}
	}
	switch {
	case e.Sign() < 0:
		return newVerifier(&PublicKey{N: n, E: -1}, &c)
	case e.BitLen() > c.maxExponentBits || e.Cmp(n) >= 0:
		if err := c.checkModulus(n); err != nil {
			return nil, err
		}
		return nil, errors.New("crypto/rsa: public exponent too large")
	case e.BitLen() < 32:
		return newVerifier(&PublicKey{N: n, E: int(e.Int64())}, &c)
	}
	// An exponent that stands for e meets all other rules if e does.
	v, err := newVerifier(&PublicKey{N: n, E: 1<<16 + int(e.Bit(0))}, &c)
	if err != nil {
		return nil, err
	}
	if v.std != nil {
		return nil, errors.New("crypto/rsa: public exponent too large for FIPS 140-3 mode or a key below 1024 bits")
	}
	v.public.E, v.k.e = 0, 0
	v.k.long = e.Bytes()
	return v, nil
}

// PublicKey returns a copy of the public key, or nil if its exponent is above 2^31-1 and
// does not fit in one.
func (v *Verifier) PublicKey() *PublicKey {
	if v == nil || v.public.E == 0 {
		return nil
	}
	pub := copyPublic(&v.public)
	return &pub
}

// Size returns the size of the modulus in bytes, which is that of signatures and
// ciphertexts.
func (v *Verifier) Size() int {
	if v == nil {
		return 0
	}
	return v.k.k
}

// usable returns an error if v has no key.
func (v *Verifier) usable() error {
	if v == nil || v.k.k == 0 {
		return errNoVerifier
	}
	return nil
}

// VerifyPKCS1v15 returns nil if sig is the RSASSA-PKCS1-v1_5 signature of a digest, as
// the function [VerifyPKCS1v15] does.
func (v *Verifier) VerifyPKCS1v15(hash crypto.Hash, hashed, sig []byte) error {
	if err := v.usable(); err != nil {
		return err
	}
	if err := checkDigest(hash, hashed); err != nil {
		return err
	}
	if v.std != nil {
		return rsa.VerifyPKCS1v15(v.std, hash, bytes.Clone(hashed), bytes.Clone(sig))
	}
	return v.k.verifyPKCS1v15(hash, hashed, sig)
}

// VerifyPSS returns nil if sig is an RSASSA-PSS signature of a digest, RFC 8017, section
// 8.1.2, and otherwise [ErrVerification], or another error if the arguments cannot be
// used. digest must be the output of opts.Hash.
//
// In FIPS 140-3 mode crypto/rsa does the work, and parameters that it does not have are
// an error: a hash of its own for MGF1, and salts of exactly 0 bytes or bounded ones.
//
// No argument is secret: what they are may leak through timing.
func (v *Verifier) VerifyPSS(digest, sig []byte, opts *PSS) error {
	if err := v.usable(); err != nil {
		return err
	}
	hashes, err := opts.hashes()
	if err != nil {
		return err
	}
	if v.std != nil {
		salt, ok := opts.Salt.options(false, opts.Hash.Size(), v.public.N.BitLen())
		if !ok || hashes.mgf1 != hashes.message {
			return errFIPS
		}
		return rsa.VerifyPSS(v.std, opts.Hash, bytes.Clone(digest), bytes.Clone(sig), &PSSOptions{SaltLength: salt})
	}
	return v.k.verifyPSS(hashes, digest, sig, opts.Salt)
}

// Verify checks a signature made by [Signer.Sign], or by anybody's [crypto.Signer], with
// the same opts.
func (v *Verifier) Verify(digest, sig []byte, opts crypto.SignerOpts) error {
	switch opts := opts.(type) {
	case nil:
		return errNilOptions
	case *PSS:
		return v.VerifyPSS(digest, sig, opts)
	case *PSSOptions:
		if opts == nil {
			return errNilOptions
		}
		return v.VerifyPSS(digest, sig, pssOfOptions(opts))
	}
	return v.VerifyPKCS1v15(opts.HashFunc(), digest, sig)
}

// encrypts returns an error if v cannot encrypt.
func (v *Verifier) encrypts() error {
	if err := v.usable(); err != nil {
		return err
	}
	if v.k.long != nil {
		return errVerifyOnly
	}
	return nil
}

// empty returns an empty slice with the capacity for one result.
func (v *Verifier) empty() []byte {
	if v.encrypts() != nil {
		return nil
	}
	return make([]byte, 0, v.k.k)
}

// EncryptPKCS1v15 returns the RSAES-PKCS1-v1_5 encryption of msg, as the function
// [EncryptPKCS1v15] does with [crypto/rand.Reader].
//
// Deprecated: see there. Use [Verifier.EncryptOAEP].
func (v *Verifier) EncryptPKCS1v15(msg []byte) ([]byte, error) {
	return orNil(v.AppendEncryptPKCS1v15(v.empty(), msg))
}

// AppendEncryptPKCS1v15 appends the ciphertext of [Verifier.EncryptPKCS1v15] to dst.
//
// Deprecated: see there. Use [Verifier.AppendEncryptOAEP].
func (v *Verifier) AppendEncryptPKCS1v15(dst, msg []byte) ([]byte, error) {
	if err := v.encrypts(); err != nil {
		return dst, err
	}
	if v.std != nil {
		c, err := rsa.EncryptPKCS1v15(rand.Reader, v.std, bytes.Clone(msg))
		return appendResult(dst, c, err)
	}
	if len(msg) > v.k.k-11 {
		return dst, ErrMessageTooLong
	}
	var stack [stackBytes]byte
	em := buffer(stack[:], v.k.k)
	if err := encodePKCS1v15(em, systemRand, msg); err != nil {
		return dst, err
	}
	return v.appendEncrypted(dst, em)
}

// EncryptOAEP returns the RSAES-OAEP encryption of msg, RFC 8017, section 7.1.1. opts.Hash
// must be set; opts.MGFHash takes its place in MGF1 unless it is zero. msg may have up to
// v.Size() - 2·opts.Hash.Size() - 2 bytes, else the error is [ErrMessageTooLong].
//
// The seed is read from random; nil means [crypto/rand.Reader].
//
// msg and the seed are secret; opts and the length of msg are not.
func (v *Verifier) EncryptOAEP(random io.Reader, msg []byte, opts *OAEPOptions) ([]byte, error) {
	return orNil(v.AppendEncryptOAEP(v.empty(), random, msg, opts))
}

// AppendEncryptOAEP appends the ciphertext of [Verifier.EncryptOAEP] to dst.
func (v *Verifier) AppendEncryptOAEP(dst []byte, random io.Reader, msg []byte, opts *OAEPOptions) ([]byte, error) {
	if err := v.encrypts(); err != nil {
		return dst, err
	}
	hash, mgfHash, err := hashesOAEP(opts)
	if err != nil {
		return dst, err
	}
	random = orSystem(random)
	if v.std != nil {
		c, err := rsa.EncryptOAEPWithOptions(random, v.std, bytes.Clone(msg), cloneOAEP(opts))
		return appendResult(dst, c, err)
	}
	h, mgf := newHasher(hash), newHasher(mgfHash)
	if len(msg) > v.k.k-2*h.size-2 {
		return dst, ErrMessageTooLong
	}
	var stack [stackBytes]byte
	em := buffer(stack[:], v.k.k)
	h.sum(em[1+h.size:1+2*h.size], opts.Label)
	if err := encodeOAEP(em, h.size, &mgf, random, msg); err != nil {
		return dst, err
	}
	return v.appendEncrypted(dst, em)
}

// appendEncrypted appends em^e mod n to dst. It overwrites em.
func (v *Verifier) appendEncrypted(dst, em []byte) ([]byte, error) {
	if err := v.k.encrypt(em, em); err != nil {
		wipe(em)
		return dst, err
	}
	return append(dst, em...), nil
}
