package rsa

import (
	"crypto"
	"crypto/fips140"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"io"
	"strconv"
)

// The types of this package are those of crypto/rsa.
type (
	// PublicKey is [rsa.PublicKey].
	PublicKey = rsa.PublicKey
	// PrivateKey is [rsa.PrivateKey]. Its methods Sign and Decrypt are those of
	// crypto/rsa and run its code; see the package documentation.
	PrivateKey = rsa.PrivateKey
	// PrecomputedValues is [rsa.PrecomputedValues].
	PrecomputedValues = rsa.PrecomputedValues
	// CRTValue is [rsa.CRTValue].
	CRTValue = rsa.CRTValue
	// PSSOptions is [rsa.PSSOptions].
	PSSOptions = rsa.PSSOptions
	// OAEPOptions is [rsa.OAEPOptions].
	OAEPOptions = rsa.OAEPOptions
	// PKCS1v15DecryptOptions is [rsa.PKCS1v15DecryptOptions].
	//
	// Deprecated: PKCS #1 v1.5 encryption should not be used; see
	// [DecryptPKCS1v15].
	PKCS1v15DecryptOptions = rsa.PKCS1v15DecryptOptions
)

const (
	// PSSSaltLengthAuto asks for the longest salt that fits when signing, and
	// for any salt length when verifying.
	PSSSaltLengthAuto = rsa.PSSSaltLengthAuto
	// PSSSaltLengthEqualsHash asks for a salt of the length of the hash.
	PSSSaltLengthEqualsHash = rsa.PSSSaltLengthEqualsHash
)

// The error values are those of crypto/rsa, so that errors.Is and == work across
// both packages.
var (
	// ErrDecryption says that a decryption failed. It does not say why, so that
	// it cannot serve as an oracle.
	ErrDecryption = rsa.ErrDecryption
	// ErrMessageTooLong says that a message, or a PSS salt, does not fit in the
	// modulus.
	ErrMessageTooLong = rsa.ErrMessageTooLong
	// ErrVerification says that a signature is not valid.
	ErrVerification = rsa.ErrVerification
)

const (
	// minBits is the modulus size in bits below which keys are handed to
	// crypto/rsa, which refuses them unless GODEBUG says rsa1024min=0.
	minBits = 1024

	// maxPublicBits is the largest modulus that an operation with a public key
	// accepts. The cost grows with the square of the size: at this limit it is
	// about a hundred times that of a 2048-bit key.
	maxPublicBits = 16384
)

var (
	errNilKey     = errors.New("crypto/rsa: key is nil")
	errNoModulus  = errors.New("crypto/rsa: missing public modulus")
	errNegative   = errors.New("crypto/rsa: key contains a negative number")
	errUnhashed   = errors.New("crypto/rsa: input must be hashed message")
	errBadHash    = errors.New("crypto/rsa: unsupported hash function")
	errSaltLength = errors.New("crypto/rsa: invalid PSS salt length")
)

// checkPublic and checkPrivate return an error if there is no key or no modulus.
func checkPublic(pub *PublicKey) error {
	switch {
	case pub == nil:
		return errNilKey
	case pub.N == nil:
		return errNoModulus
	}
	return nil
}

func checkPrivate(priv *PrivateKey) error {
	if priv == nil {
		return errNilKey
	}
	return checkPublic(&priv.PublicKey)
}

// delegated reports whether an operation with a modulus of the given size in bits
// belongs to crypto/rsa: small keys, because only it can see whether GODEBUG
// allows them, and everything in FIPS 140-3 mode, because only it is part of the
// validated module.
func delegated(bits int) bool { return bits < minBits || fips140.Enabled() }

// systemRand is the value of rand.Reader before anybody could replace it.
var systemRand = rand.Reader

// isSystemRand reports whether random is the system's generator. Since Go 1.26,
// crypto/rsa ignores any other Reader in EncryptPKCS1v15 and GenerateKey unless
// GODEBUG says cryptocustomrand=1, which only it can see, so calls with another
// Reader belong to it.
func isSystemRand(random io.Reader) bool { return random == systemRand }

// readRandom fills b from random. b does not escape to the heap if random is the
// system's generator.
func readRandom(random io.Reader, b []byte) error {
	if isSystemRand(random) && isSystemRand(rand.Reader) {
		_, err := rand.Read(b)
		return err
	}
	heap := make([]byte, len(b))
	defer wipe(heap)
	if _, err := io.ReadFull(random, heap); err != nil {
		return err
	}
	copy(b, heap)
	return nil
}

// checkDigest returns an error if digest cannot be the output of hash. A hash of
// zero means that digest is a message, of any length.
func checkDigest(hash crypto.Hash, digest []byte) error {
	if hash == 0 {
		return nil
	}
	if !knownHash(hash) {
		return errBadHash
	}
	if len(digest) != hash.Size() {
		return errUnhashed
	}
	return nil
}

// checkAvailable returns an error if hash is not linked into the program.
func checkAvailable(hash crypto.Hash) error {
	if hash.Available() {
		return nil
	}
	return errors.New("crypto/rsa: requested hash function unavailable: " + hash.String())
}

// knownHash reports whether hash has a size, which crypto.Hash does not tell for
// unknown values without a panic.
func knownHash(hash crypto.Hash) bool { return hash > 0 && hash <= crypto.BLAKE2b_512 }

func errTooLarge(bits, limit int) error {
	return errors.New("crypto/rsa: " + strconv.Itoa(bits) + "-bit modulus is larger than " + strconv.Itoa(limit) + " bits")
}
