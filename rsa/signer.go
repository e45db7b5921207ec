package rsa

import (
	"bytes"
	"crypto"
	"crypto/fips140"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"

	"github.com/fastrsa/fastrsa/bigmod"
)

// A Signer is a private key that is ready for use: validated once, in a copy of its own,
// which later changes to the caller's key do not reach. It signs and decrypts, and is a
// [crypto.Signer], a [crypto.MessageSigner] and a [crypto.Decrypter], so that it can be
// given to crypto/tls, crypto/x509 and whatever else takes one of these.
//
// Several goroutines can use a Signer at the same time, without locks. Its zero value is
// not usable.
//
// The Append methods append their result to a slice of the caller's, and allocate
// nothing if that has the capacity, the modulus at most 4096 bits and the hash function
// is one of the SHA families. The slice's spare capacity may overlap the input. On an
// error they return the slice as it was and leave its spare capacity alone.
//
// What is secret, and the check of each result, are described in the documentation of
// the package.
type Signer struct {
	public PublicKey
	k      privateKey
	mem    keyMemory

	// std is the key for crypto/rsa, if that does the work, and nil otherwise.
	std *rsa.PrivateKey

	parallel bool
	ready    bool
}

var (
	_ crypto.MessageSigner = (*Signer)(nil)
	_ crypto.Decrypter     = (*Signer)(nil)
)

var (
	errNotReady   = errors.New("crypto/rsa: signer was wiped or not made by NewSigner")
	errFIPS       = errors.New("crypto/rsa: parameters are not available in FIPS 140-3 mode or with keys below 1024 bits")
	errNilOptions = errors.New("crypto/rsa: options are nil")
)

// NewSigner validates priv and returns a Signer for it. priv is only read, and nothing of
// it is shared.
//
// The rules are those of crypto/rsa: p·q = n, the exponents are inverses of each other
// modulo p-1 and q-1, dP, dQ and qInv match, |p - q| > 2^(nlen/2-100), d > 2^(nlen/2), e
// is odd and from 3 to 2^31-1. The errors begin with its texts; where they do not say
// which value is wrong its name follows. That p and q are prime is not tested.
//
// CRT values are computed if they are not all present. Those that are all present must be
// right, so that a key which was changed after it was precomputed is an error.
//
// For a key that consists of n, e and d alone, p and q are computed, which takes about as
// long as ten signatures, once. If n is a prime or a power of one, that fails after the time
// of some thirty, and so does NewSigner, while [SignPKCS1v15] can use such a key. Keys of more than two primes have operations without CRT,
// as in crypto/rsa; with them, and in FIPS 140-3 mode, e and d are checked by one
// operation.
//
// Keys of less than 1024 or more than 16384 bits are an error unless an option says
// otherwise.
func NewSigner(priv *PrivateKey, options ...SignerOption) (*Signer, error) {
	if err := checkPrivate(priv); err != nil {
		return nil, err
	}
	c := defaultConfig
	for _, o := range options {
		if o != nil {
			o.setSigner(&c)
		}
	}
	if err := c.checkModulus(priv.N); err != nil {
		return nil, err
	}
	s := &Signer{public: copyPublic(&priv.PublicKey), parallel: c.parallel}
	if err := s.init(priv); err != nil {
		s.Wipe()
		return nil, withName(err)
	}
	s.ready = true
	return s, nil
}

// checkModulus returns an error if the size of n is not allowed.
func (c *keyConfig) checkModulus(n *big.Int) error {
	switch size := n.BitLen(); {
	case size > c.maxBits:
		return errTooLarge(size, c.maxBits)
	case n.Sign() < 0:
		return errNegative
	case size < c.minBits:
		return errors.New("crypto/rsa: " + strconv.Itoa(size) + "-bit modulus is smaller than " + strconv.Itoa(c.minBits) + " bits")
	}
	return nil
}

// withName adds to an error the value of the key that it is about.
func withName(err error) error {
	if e, ok := err.(keyError); ok {
		return fmt.Errorf("%w: %s", e.error, e.value)
	}
	return err
}

// init validates priv and sets s.std or s.k.
func (s *Signer) init(priv *PrivateKey) (err error) {
	if delegated(priv.N.BitLen()) {
		s.std, err = copyPrivate(priv)
		return err
	}
	if s.k, err = newPrivateKey(priv, &s.mem); err != nil || s.k.d == nil {
		return err
	}
	if len(priv.Primes) < 2 {
		switch found, err := s.recover(priv); {
		case err != nil:
			return err
		case found:
			return nil
		}
	}
	// Without the primes nothing can be checked but whether it works.
	probe := make([]byte, s.k.pub.k)
	probe[len(probe)-1] = 2
	if s.k.decrypt(probe, probe) != nil {
		return errExponents
	}
	return nil
}

// recover completes s.k, which has no primes, if n has exactly two, and otherwise leaves
// it as it is and returns false.
func (s *Signer) recover(priv *PrivateKey) (bool, error) {
	d := bigmod.NewNat()
	defer d.Wipe()
	if err := setBig(d, priv.D, &s.k.pub.n); err != nil {
		return false, err
	}
	p, q, err := recoverPrimes(&s.k.pub.n, s.k.pub.e, d)
	if err != nil {
		return false, err
	}
	complete := &PrivateKey{PublicKey: priv.PublicKey, D: priv.D, Primes: []*big.Int{p, q}}
	defer wipeBig(complete.Primes...)
	var mem keyMemory
	k, err := newPrivateKey(complete, &mem)
	switch {
	case errors.Is(err, errCRTExponent), errors.Is(err, errCRTCoefficient):
		// The factors are not prime.
		return false, nil
	case err != nil:
		return false, err
	}
	k.wipe()
	s.k.wipe()
	s.k, err = newPrivateKey(complete, &s.mem)
	return true, err
}

// copyPublic returns a copy of pub that shares no memory with it.
func copyPublic(pub *PublicKey) PublicKey { return PublicKey{N: new(big.Int).Set(pub.N), E: pub.E} }

// copyPrivate returns a copy of priv, validated and precomputed by crypto/rsa, that
// shares no memory with it.
func copyPrivate(priv *PrivateKey) (*PrivateKey, error) {
	if err := checkPresent(priv); err != nil {
		return nil, err
	}
	for _, prime := range priv.Primes {
		if prime == nil {
			return nil, errNilFactor
		}
		// crypto/rsa would notice after an exponentiation modulo the prime.
		if prime.BitLen() > max(priv.N.BitLen(), maxPublicBits) {
			return nil, errPrime
		}
	}
	if len(priv.Primes) > max(priv.N.BitLen(), minBits) {
		return nil, errTooManyPrimes
	}
	clone := func(x *big.Int) *big.Int {
		if x == nil {
			return nil
		}
		return new(big.Int).Set(x)
	}
	std := &PrivateKey{PublicKey: copyPublic(&priv.PublicKey), D: clone(priv.D)}
	for _, p := range priv.Primes {
		std.Primes = append(std.Primes, clone(p))
	}
	pre := &priv.Precomputed
	std.Precomputed.Dp, std.Precomputed.Dq, std.Precomputed.Qinv = clone(pre.Dp), clone(pre.Dq), clone(pre.Qinv)
	std.Precompute()
	// An empty message fits in the smallest key, but FIPS 140-only mode wants a hash.
	var hash crypto.Hash
	var digest []byte
	if fips140.Enforced() {
		hash, digest = crypto.SHA256, make([]byte, sha256.Size)
	}
	_, err := rsa.SignPKCS1v15(nil, std, hash, digest)
	if err == ErrDecryption {
		err = errExponents
	}
	if err == nil && len(std.Primes) >= 2 {
		err = std.Validate()
	}
	return std, err
}

// wipeBig overwrites the values of numbers, any of which may be nil.
func wipeBig(numbers ...*big.Int) {
	for _, x := range numbers {
		if x != nil {
			clear(x.Bits())
		}
	}
}

// Wipe overwrites the private numbers. After it, every operation with them is an error.
// It must not run at the same time as another method; the Signer does not lock for it.
//
// The caller's own key and its encodings are his to wipe. Nor does Wipe reach what Go's
// runtime copied, such as the stacks that have grown during an operation, what the
// operating system wrote to disk, and, where crypto/rsa does the work (FIPS 140-3 mode,
// keys below 1024 bits), the numbers in that package's own form.
func (s *Signer) Wipe() {
	if s == nil {
		return
	}
	s.ready = false
	s.k.wipe()
	if s.std != nil {
		pre := &s.std.Precomputed
		wipeBig(s.std.D, pre.Dp, pre.Dq, pre.Qinv)
		wipeBig(s.std.Primes...)
		s.std = nil
	}
}

// Public returns the public key, a [*PublicKey]: a copy for the caller. It works after
// Wipe too. That of a Signer that NewSigner has not made is nil.
func (s *Signer) Public() crypto.PublicKey {
	if s == nil || s.public.N == nil {
		return nil
	}
	pub := copyPublic(&s.public)
	return &pub
}

// Size returns the size of the modulus in bytes, which is that of signatures and
// ciphertexts.
func (s *Signer) Size() int {
	if s == nil || s.public.N == nil {
		return 0
	}
	return s.public.Size()
}

// Format prints the size of the key whatever the verb, so that the private numbers do
// not get into a log. It is a method of the value, so that it serves one that is part of
// something else as well.
func (s Signer) Format(f fmt.State, _ rune) {
	size := 0
	if s.public.N != nil {
		size = s.public.N.BitLen()
	}
	io.WriteString(f, "rsa.Signer("+strconv.Itoa(size)+" bits)")
}

// usable returns an error if s has no key.
func (s *Signer) usable() error {
	if s == nil || !s.ready {
		return errNotReady
	}
	return nil
}

// decrypt is [privateKey.decrypt].
func (s *Signer) decrypt(out, in []byte) error {
	if s.parallel && s.k.d == nil {
		return s.decryptParallel(out, in)
	}
	return s.k.decrypt(out, in)
}

func (s *Signer) decryptParallel(out, in []byte) error {
	c, m := bigmod.NewNat(), bigmod.NewNat()
	defer c.Wipe()
	defer m.Wipe()
	if _, err := c.SetBytes(in, &s.k.pub.n); err != nil {
		return ErrDecryption
	}
	s.k.crtParallel(m, c)
	return s.k.release(out, m, c)
}

// appendSignature appends em^d mod n to dst. It overwrites em.
func (s *Signer) appendSignature(dst, em []byte) ([]byte, error) {
	if err := s.decrypt(em, em); err != nil {
		return dst, err
	}
	return append(dst, em...), nil
}

// appendResult appends to dst what crypto/rsa returned.
func appendResult(dst, out []byte, err error) ([]byte, error) {
	if err != nil {
		return dst, err
	}
	return append(dst, out...), nil
}

// orNil turns the results of an Append method into those of the one without a buffer.
func orNil(out []byte, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return out, nil
}

// orSystem returns random, or the system's generator if it is nil.
func orSystem(random io.Reader) io.Reader {
	if random == nil {
		return systemRand
	}
	return random
}

// SignPKCS1v15 returns the RSASSA-PKCS1-v1_5 signature of a digest, as the function
// [SignPKCS1v15] does.
func (s *Signer) SignPKCS1v15(hash crypto.Hash, hashed []byte) ([]byte, error) {
	return orNil(s.AppendSignPKCS1v15(s.empty(), hash, hashed))
}

// AppendSignPKCS1v15 appends the signature of [Signer.SignPKCS1v15] to dst.
func (s *Signer) AppendSignPKCS1v15(dst []byte, hash crypto.Hash, hashed []byte) ([]byte, error) {
	if err := s.usable(); err != nil {
		return dst, err
	}
	if err := checkDigest(hash, hashed); err != nil {
		return dst, err
	}
	if s.std != nil {
		sig, err := rsa.SignPKCS1v15(nil, s.std, hash, bytes.Clone(hashed))
		return appendResult(dst, sig, err)
	}
	var stack [stackBytes]byte
	em := buffer(stack[:], s.k.pub.k)
	if err := emsaPKCS1v15(em, hash, hashed); err != nil {
		return dst, err
	}
	return s.appendSignature(dst, em)
}

// empty returns an empty slice with the capacity for one result.
func (s *Signer) empty() []byte {
	if s.usable() != nil {
		return nil
	}
	return make([]byte, 0, s.Size())
}

// SignPSS returns an RSASSA-PSS signature of a digest, which must be the output of
// opts.Hash. The salt is read from random; nil means [crypto/rand.Reader]. The error is
// [ErrMessageTooLong] if the salt does not fit.
//
// In FIPS 140-3 mode crypto/rsa does the work, and parameters that it does not have are
// an error: a hash of its own for MGF1, and a salt of exactly 0 bytes.
func (s *Signer) SignPSS(random io.Reader, digest []byte, opts *PSS) ([]byte, error) {
	return orNil(s.AppendSignPSS(s.empty(), random, digest, opts))
}

// AppendSignPSS appends the signature of [Signer.SignPSS] to dst.
func (s *Signer) AppendSignPSS(dst []byte, random io.Reader, digest []byte, opts *PSS) ([]byte, error) {
	if err := s.usable(); err != nil {
		return dst, err
	}
	hashes, err := opts.hashes()
	if err != nil {
		return dst, err
	}
	random = orSystem(random)
	bits := s.public.N.BitLen()
	if s.std != nil {
		salt, ok := opts.Salt.options(true, opts.Hash.Size(), bits)
		if !ok || hashes.mgf1 != hashes.message {
			return dst, errFIPS
		}
		sig, err := rsa.SignPSS(random, s.std, opts.Hash, bytes.Clone(digest), &PSSOptions{SaltLength: salt})
		return appendResult(dst, sig, err)
	}
	var stack [stackBytes]byte
	em := buffer(stack[:], s.k.pub.k)
	if err := encodePSS(em, bits, random, hashes, digest, opts.Salt); err != nil {
		return dst, err
	}
	return s.appendSignature(dst, em)
}

// Sign implements [crypto.Signer]. opts decides about the scheme: with a *[PSSOptions] or
// *[PSS] it is PSS, with anything else PKCS #1 v1.5 with the hash opts.HashFunc(). digest
// must be the output of that hash function. random is used for the salt of PSS alone; nil
// means [crypto/rand.Reader].
func (s *Signer) Sign(random io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	switch opts := opts.(type) {
	case nil:
		return nil, errNilOptions
	case *PSS:
		return s.SignPSS(random, digest, opts)
	case *PSSOptions:
		if opts == nil {
			return nil, errNilOptions
		}
		return s.SignPSS(random, digest, pssOfOptions(opts))
	}
	return s.SignPKCS1v15(opts.HashFunc(), digest)
}

// pssOfOptions returns the parameters that opts stand for.
func pssOfOptions(opts *PSSOptions) *PSS {
	return &PSS{Hash: opts.Hash, Salt: saltOfOptions(opts.SaltLength)}
}

// SignMessage implements [crypto.MessageSigner]: it hashes message and does what
// [Signer.Sign] does. With a hash of zero, message is signed as it is.
func (s *Signer) SignMessage(random io.Reader, message []byte, opts crypto.SignerOpts) ([]byte, error) {
	if opts == nil {
		return nil, errNilOptions
	}
	if p, ok := opts.(*PSS); ok && p == nil {
		return nil, errNilOptions
	}
	if p, ok := opts.(*PSSOptions); ok && p == nil {
		return nil, errNilOptions
	}
	hash := opts.HashFunc()
	if hash == 0 {
		return s.Sign(random, message, opts)
	}
	if err := checkAvailable(hash); err != nil {
		return nil, err
	}
	h := hash.New()
	h.Write(message)
	return s.Sign(random, h.Sum(nil), opts)
}

// Decrypt implements [crypto.Decrypter]. opts decides about the scheme: with nil or a
// *[PKCS1v15DecryptOptions] it is PKCS #1 v1.5, with an *[OAEPOptions] it is OAEP. random
// is used if there is a session key, which it is filled from if the padding is not
// valid; nil means [crypto/rand.Reader].
func (s *Signer) Decrypt(random io.Reader, ciphertext []byte, opts crypto.DecrypterOpts) ([]byte, error) {
	switch opts := opts.(type) {
	case nil:
		return s.DecryptPKCS1v15(ciphertext)
	case *OAEPOptions:
		return s.DecryptOAEP(ciphertext, opts)
	case *PKCS1v15DecryptOptions:
		if opts == nil || opts.SessionKeyLen <= 0 {
			return s.DecryptPKCS1v15(ciphertext)
		}
		if err := s.usable(); err != nil {
			return nil, err
		}
		if opts.SessionKeyLen > s.Size()-11 {
			return nil, ErrDecryption
		}
		key := make([]byte, opts.SessionKeyLen)
		if err := readRandom(orSystem(random), key); err != nil {
			return nil, err
		}
		if err := s.DecryptPKCS1v15SessionKey(ciphertext, key); err != nil {
			return nil, err
		}
		return key, nil
	}
	return nil, errors.New("crypto/rsa: invalid options for Decrypt")
}

// DecryptPKCS1v15 returns the message of an RSAES-PKCS1-v1_5 ciphertext, as the function
// [DecryptPKCS1v15] does.
//
// Deprecated: see there. Use [Signer.DecryptOAEP].
func (s *Signer) DecryptPKCS1v15(ciphertext []byte) ([]byte, error) {
	return orNil(s.AppendDecryptPKCS1v15(s.empty(), ciphertext))
}

// AppendDecryptPKCS1v15 appends the message of [Signer.DecryptPKCS1v15] to dst.
//
// Deprecated: see there. Use [Signer.AppendDecryptOAEP].
func (s *Signer) AppendDecryptPKCS1v15(dst, ciphertext []byte) ([]byte, error) {
	if err := s.usable(); err != nil {
		return dst, err
	}
	if s.std != nil {
		msg, err := rsa.DecryptPKCS1v15(nil, s.std, bytes.Clone(ciphertext))
		return appendResult(dst, msg, err)
	}
	var stack [stackBytes]byte
	em := buffer(stack[:], s.k.pub.k)
	defer wipe(em)
	if len(ciphertext) > len(em) {
		return dst, ErrDecryption
	}
	if err := s.decrypt(em, ciphertext); err != nil {
		return dst, err
	}
	valid, at := unpadPKCS1v15(em)
	if valid == 0 {
		return dst, ErrDecryption
	}
	return append(dst, em[at:]...), nil
}

// DecryptPKCS1v15SessionKey decrypts a session key, as the function
// [DecryptPKCS1v15SessionKey] does. It allocates nothing.
//
// Deprecated: see there. Use [Signer.DecryptOAEP].
func (s *Signer) DecryptPKCS1v15SessionKey(ciphertext, key []byte) error {
	if err := s.usable(); err != nil {
		return err
	}
	if s.std != nil {
		copied := bytes.Clone(key)
		defer wipe(copied)
		err := rsa.DecryptPKCS1v15SessionKey(nil, s.std, bytes.Clone(ciphertext), copied)
		copy(key, copied)
		return err
	}
	var stack [stackBytes]byte
	em := buffer(stack[:], s.k.pub.k)
	defer wipe(em)
	if len(em) < len(key)+11 || len(ciphertext) > len(em) {
		return ErrDecryption
	}
	if err := s.decrypt(em, ciphertext); err != nil {
		return err
	}
	valid, at := unpadPKCS1v15(em)
	valid &= subtle.ConstantTimeEq(int32(len(em)-at), int32(len(key)))
	subtle.ConstantTimeCopy(valid, key, em[len(em)-len(key):])
	return nil
}

// DecryptOAEP returns the message of an RSAES-OAEP ciphertext, RFC 8017, section 7.1.2,
// and [ErrDecryption], whatever the reason, if there is none. opts.Hash must be set;
// opts.MGFHash takes its place in MGF1 unless it is zero.
//
// The key and the message are secret; the length of the message, and whether the
// ciphertext is valid but not why, are revealed by the result itself.
func (s *Signer) DecryptOAEP(ciphertext []byte, opts *OAEPOptions) ([]byte, error) {
	return orNil(s.AppendDecryptOAEP(s.empty(), ciphertext, opts))
}

// AppendDecryptOAEP appends the message of [Signer.DecryptOAEP] to dst.
func (s *Signer) AppendDecryptOAEP(dst, ciphertext []byte, opts *OAEPOptions) ([]byte, error) {
	if err := s.usable(); err != nil {
		return dst, err
	}
	hash, mgfHash, err := hashesOAEP(opts)
	if err != nil {
		return dst, err
	}
	if s.std != nil {
		msg, err := s.std.Decrypt(nil, bytes.Clone(ciphertext), cloneOAEP(opts))
		return appendResult(dst, msg, err)
	}
	h, mgf := newHasher(hash), newHasher(mgfHash)
	var stack [stackBytes]byte
	em := buffer(stack[:], s.k.pub.k)
	defer wipe(em)
	if len(ciphertext) > len(em) || len(em) < 2*h.size+2 {
		return dst, ErrDecryption
	}
	var label [maxHashBytes]byte
	lHash := buffer(label[:], h.size)
	h.sum(lHash, opts.Label)
	if err := s.decrypt(em, ciphertext); err != nil {
		return dst, err
	}
	valid, at := decodeOAEP(em, &mgf, lHash)
	if valid == 0 {
		return dst, ErrDecryption
	}
	return append(dst, em[at:]...), nil
}

// hashesOAEP returns the hash functions of opts, both available, that of the label and
// that of MGF1.
func hashesOAEP(opts *OAEPOptions) (hash, mgfHash crypto.Hash, err error) {
	if opts == nil {
		return 0, 0, errNilOptions
	}
	hash, mgfHash = opts.Hash, opts.MGFHash
	if mgfHash == 0 {
		mgfHash = hash
	}
	if err := checkAvailable(hash); err != nil {
		return 0, 0, err
	}
	return hash, mgfHash, checkAvailable(mgfHash)
}

// cloneOAEP returns a copy of opts.
func cloneOAEP(opts *OAEPOptions) *OAEPOptions {
	return &OAEPOptions{Hash: opts.Hash, MGFHash: opts.MGFHash, Label: slices.Clone(opts.Label)}
}
