package rsa

import (
	"crypto"
	"errors"
	"math"
)

// A SignerOption is an option of [NewSigner].
type SignerOption interface{ setSigner(*keyConfig) }

// A VerifierOption is an option of [NewVerifier] and [NewVerifierBig].
type VerifierOption interface{ setVerifier(*keyConfig) }

// An Option is an option for signers and verifiers alike.
type Option interface {
	SignerOption
	VerifierOption
}

// keyConfig is what options set.
type keyConfig struct {
	minBits, maxBits int
	maxExponentBits  int
	parallel         bool
}

// defaultConfig has the limits that the documentation of the options promises.
var defaultConfig = keyConfig{minBits: minBits, maxBits: maxPublicBits, maxExponentBits: 256}

type (
	bothOption     func(*keyConfig)
	signerOption   func(*keyConfig)
	verifierOption func(*keyConfig)
)

func (f bothOption) setSigner(c *keyConfig)       { f(c) }
func (f bothOption) setVerifier(c *keyConfig)     { f(c) }
func (f signerOption) setSigner(c *keyConfig)     { f(c) }
func (f verifierOption) setVerifier(c *keyConfig) { f(c) }

// MinModulusBits makes moduli of less than n bits an error. The default is 1024. With a
// smaller n, keys of less than 1024 bits are handed to crypto/rsa, which refuses them
// unless GODEBUG says rsa1024min=0.
func MinModulusBits(n int) Option { return bothOption(func(c *keyConfig) { c.minBits = n }) }

// MaxModulusBits makes moduli of more than n bits an error, for whoever takes keys from
// others and wants to know what an operation costs at most. The default is 16384. The
// cost of a verification grows with the square of the size and that of a private
// operation with the third power: at 16384 bits they take about a hundred times and
// five hundred times what they take at 2048 bits.
func MaxModulusBits(n int) Option { return bothOption(func(c *keyConfig) { c.maxBits = n }) }

// MaxExponentBits makes public exponents of more than n bits an error in
// [NewVerifierBig]. The default is 256, the limit of FIPS 186-5. The cost of an
// operation grows with the length of the exponent: with one of 256 bits it is about
// twenty times that with 65537.
func MaxExponentBits(n int) VerifierOption {
	return verifierOption(func(c *keyConfig) { c.maxExponentBits = n })
}

// ParallelCRT makes private operations compute their two halves, modulo p and modulo q,
// on two processors at once, for whoever waits for one signature and has processors to
// spare. It can save up to half of the time of an operation, the more the larger the key
// is, and takes a goroutine and a few allocations for each: measure whether it helps. Where one
// processor computes both halves side by side ([bigmod.KernelName] ends in "lanes") it
// hardly does: on a machine of two it took 5 % more for 2048 bits and saved 15 % for 4096.
// It changes nothing for keys without two known primes.
func ParallelCRT() SignerOption { return signerOption(func(c *keyConfig) { c.parallel = true }) }

// PSS are the parameters of an RSASSA-PSS signature, RFC 8017, appendix A.2.3. It says
// more than [PSSOptions] can: MGF1 with a hash function of its own, and salt lengths
// that include none. A *PSS is a [crypto.SignerOpts].
type PSS struct {
	// Hash is the hash function of the message. It must be set.
	Hash crypto.Hash

	// MGFHash is the hash function of MGF1. Zero means Hash, as nearly everybody has it.
	MGFHash crypto.Hash

	// Salt is the length of the salt. Its zero value means a salt as long as the hash,
	// which is what TLS 1.3, JWS and X.509 expect.
	Salt PSSSalt
}

// HashFunc returns p.Hash.
func (p *PSS) HashFunc() crypto.Hash { return p.Hash }

// hashes returns the hash functions, which are available if the error is nil. p may be
// nil.
func (p *PSS) hashes() (h pssHashes, err error) {
	if p != nil {
		h = pssHashes{p.Hash, p.MGFHash}
	}
	if h.mgf1 == 0 {
		h.mgf1 = h.message
	}
	if err := checkAvailable(h.message); err != nil {
		return h, err
	}
	return h, checkAvailable(h.mgf1)
}

// A PSSSalt says how long the salt of a PSS signature is. The zero value is
// [PSSSaltAsHash].
type PSSSalt struct {
	kind saltKind
	n    int
}

type saltKind uint8

const (
	saltAsHash saltKind = iota
	saltExactly
	saltLongest
	saltCapped
)

// PSSSaltAsHash is a salt as long as the hash of the message. Signing fails with
// [ErrMessageTooLong] if it does not fit.
func PSSSaltAsHash() PSSSalt { return PSSSalt{} }

// PSSSaltExactly is a salt of exactly n bytes. Unlike in [PSSOptions], 0 means none,
// which makes signatures deterministic. A negative n is an error of the operation that
// it is used in.
func PSSSaltExactly(n int) PSSSalt { return PSSSalt{saltExactly, n} }

// PSSSaltLongest is the longest salt that fits when signing and any salt when
// verifying, the same as [PSSSaltLengthAuto].
func PSSSaltLongest() PSSSalt { return PSSSalt{kind: saltLongest} }

// PSSSaltLongestToHash is [PSSSaltLongest] with the length of the hash as the upper
// limit: the salt is as long as the hash, or as fits if that is less, and when
// verifying it may have any length up to that of the hash. It meets FIPS 186-5, section
// 5.4, for every size of key.
func PSSSaltLongestToHash() PSSSalt { return PSSSalt{kind: saltCapped} }

// saltOfOptions returns the meaning of a SaltLength of [PSSOptions].
func saltOfOptions(n int) PSSSalt {
	switch n {
	case PSSSaltLengthAuto:
		return PSSSaltLongest()
	case PSSSaltLengthEqualsHash:
		return PSSSaltAsHash()
	}
	return PSSSaltExactly(n)
}

// signing returns the length of the salt to sign with, for a hash of hLen bytes and
// room for a salt of longest bytes. Only with an explicit length does the result say
// nothing about whether it fits.
func (s PSSSalt) signing(hLen, longest int) (n int, err error) {
	switch s.kind {
	case saltLongest:
		n = longest
	case saltCapped:
		n = min(longest, hLen)
	case saltExactly:
		if s.n < 0 {
			return 0, errSaltLength
		}
		n = s.n
	default:
		n = hLen
	}
	if n < 0 {
		return 0, ErrMessageTooLong
	}
	return n, nil
}

// verifying returns the lengths that a salt may have in a signature.
func (s PSSSalt) verifying(hLen int) (shortest, longest int, err error) {
	switch s.kind {
	case saltLongest:
		return 0, math.MaxInt, nil
	case saltCapped:
		return 0, hLen, nil
	case saltExactly:
		if s.n < 0 {
			return 0, 0, errors.New("crypto/rsa: salt length cannot be negative")
		}
		return s.n, s.n, nil
	}
	return hLen, hLen, nil
}

// options returns the salt length as in [PSSOptions] and whether there is one that says
// the same, for signing or verifying with a modulus of the given length in bits.
func (s PSSSalt) options(signing bool, hLen, bits int) (n int, ok bool) {
	switch s.kind {
	case saltLongest:
		return PSSSaltLengthAuto, true
	case saltAsHash:
		return PSSSaltLengthEqualsHash, true
	case saltCapped:
		n, err := s.signing(hLen, (bits-1+7)/8-hLen-2)
		return n, signing && err == nil && n > 0
	}
	// crypto/rsa answers negative lengths and those that do not fit, unless they are so
	// large that it panics.
	return min(s.n, bits), s.n != PSSSaltLengthAuto && s.n != PSSSaltLengthEqualsHash
}
