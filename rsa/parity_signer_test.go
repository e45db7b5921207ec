package rsa_test

import (
	"bytes"
	"crypto"
	"crypto/fips140"
	"errors"
	"hash"
	"io"
	"strings"
	"testing"

	"github.com/fastrsa/fastrsa/rsa"
)

// This file drives Signer and Verifier through the parity table. Each call makes one of
// them from the key of the row, so that the rules for keys are compared as well.

// A keyError says that a Signer or Verifier was refused.
type keyError struct{ error }

func (e keyError) Unwrap() error { return e.error }

// hashID returns the name of a hash function that crypto/rsa would take as a hash.Hash.
func hashID(h hash.Hash) crypto.Hash {
	h.Reset()
	empty := h.Sum(nil)
	for _, id := range linkedHashes {
		if bytes.Equal(id.New().Sum(nil), empty) {
			return id
		}
	}
	panic("unknown hash function")
}

func withSigner(priv *rsa.PrivateKey, f func(s *rsa.Signer) ([]byte, error)) ([]byte, error) {
	s, err := rsa.NewSigner(priv, rsa.MinModulusBits(0))
	if err != nil {
		return nil, keyError{err}
	}
	defer s.Wipe()
	return f(s)
}

func withVerifier(pub *rsa.PublicKey, f func(v *rsa.Verifier) ([]byte, error)) ([]byte, error) {
	v, err := rsa.NewVerifier(pub, rsa.MinModulusBits(0))
	if err != nil {
		return nil, keyError{err}
	}
	return f(v)
}

// pssOptions returns opts with the hash function given apart from it.
func pssOptions(h crypto.Hash, opts *rsa.PSSOptions) *rsa.PSSOptions {
	if opts == nil {
		return &rsa.PSSOptions{Hash: h}
	}
	return &rsa.PSSOptions{Hash: h, SaltLength: opts.SaltLength}
}

var preparedSuite = &suite{
	name: "Signer and Verifier",
	SignPKCS1v15: func(_ io.Reader, priv *rsa.PrivateKey, h crypto.Hash, digest []byte) ([]byte, error) {
		return withSigner(priv, func(s *rsa.Signer) ([]byte, error) { return s.SignPKCS1v15(h, digest) })
	},
	VerifyPKCS1v15: func(pub *rsa.PublicKey, h crypto.Hash, digest, sig []byte) error {
		_, err := withVerifier(pub, func(v *rsa.Verifier) ([]byte, error) { return nil, v.VerifyPKCS1v15(h, digest, sig) })
		return err
	},
	SignPSS: func(random io.Reader, priv *rsa.PrivateKey, h crypto.Hash, digest []byte, opts *rsa.PSSOptions) ([]byte, error) {
		if opts != nil && opts.Hash != 0 {
			h = opts.Hash
		}
		return withSigner(priv, func(s *rsa.Signer) ([]byte, error) { return s.Sign(random, digest, pssOptions(h, opts)) })
	},
	VerifyPSS: func(pub *rsa.PublicKey, h crypto.Hash, digest, sig []byte, opts *rsa.PSSOptions) error {
		_, err := withVerifier(pub, func(v *rsa.Verifier) ([]byte, error) {
			return nil, v.Verify(digest, sig, pssOptions(h, opts))
		})
		return err
	},
	EncryptPKCS1v15: func(_ io.Reader, pub *rsa.PublicKey, msg []byte) ([]byte, error) {
		return withVerifier(pub, func(v *rsa.Verifier) ([]byte, error) { return v.EncryptPKCS1v15(msg) })
	},
	DecryptPKCS1v15: func(_ io.Reader, priv *rsa.PrivateKey, c []byte) ([]byte, error) {
		return withSigner(priv, func(s *rsa.Signer) ([]byte, error) { return s.DecryptPKCS1v15(c) })
	},
	DecryptPKCS1v15SessionKey: func(_ io.Reader, priv *rsa.PrivateKey, c, key []byte) error {
		_, err := withSigner(priv, func(s *rsa.Signer) ([]byte, error) { return nil, s.DecryptPKCS1v15SessionKey(c, key) })
		return err
	},
	EncryptOAEP: func(h hash.Hash, random io.Reader, pub *rsa.PublicKey, msg, label []byte) ([]byte, error) {
		return withVerifier(pub, func(v *rsa.Verifier) ([]byte, error) {
			return v.EncryptOAEP(random, msg, &rsa.OAEPOptions{Hash: hashID(h), Label: label})
		})
	},
	EncryptOAEPWithOptions: func(random io.Reader, pub *rsa.PublicKey, msg []byte, opts *rsa.OAEPOptions) ([]byte, error) {
		return withVerifier(pub, func(v *rsa.Verifier) ([]byte, error) { return v.EncryptOAEP(random, msg, opts) })
	},
	DecryptOAEP: func(h hash.Hash, _ io.Reader, priv *rsa.PrivateKey, c, label []byte) ([]byte, error) {
		return withSigner(priv, func(s *rsa.Signer) ([]byte, error) {
			return s.DecryptOAEP(c, &rsa.OAEPOptions{Hash: hashID(h), Label: label})
		})
	},
}

// checkPrepared compares Signer or Verifier with what the function of this package did,
// which has been compared with crypto/rsa. It differs where it says so:
//
//   - Keys are checked first, arguments later, so that of two faults another may be named.
//   - The name of the wrong value follows the text of crypto/rsa.
//   - A key whose exponents do not match is an error for a Signer; without two primes,
//     functions notice with the first result, if then.
//   - Random sources may be nil.
func (r parityRow) checkPrepared(t *testing.T, ours outcome) {
	t.Helper()
	got := r.run(preparedSuite)
	report := func(msg string) {
		t.Errorf("%s: %s: %s\nfunction: %v\nmethod:   %v", r.name, preparedSuite.name, msg, ours, got)
	}
	var refused keyError
	switch {
	case got.panicked != nil:
		report("panic")
	case errors.As(got.err, &refused):
		if got.out != nil && !bytes.Equal(got.out, unchanged(len(got.out))) {
			report("a result from a refused key")
		}
		text := refused.error.Error()
		switch {
		case strings.HasSuffix(text, "d is not an inverse of e"), strings.HasSuffix(text, "no two prime factors"):
			// The function must have found that out too, if it looked at the numbers.
			if ours.err == nil && ours.panicked == nil && !fips140.Enabled() {
				report("a key that works is refused")
			}
		case ours.err == nil && fips140.Enabled() && (r.diff == diffNegative || r.diff == diffHugeModulus):
			// The function left it to crypto/rsa.
		case ours.err == nil:
			report("only the method refuses the key")
		case strings.HasSuffix(r.name, "/SignPKCS1v15") && !strings.HasPrefix(text, ours.err.Error()) && !fips140.Enabled():
			report("errors differ")
		}
	case r.diff == diffHugeSalt && fips140.Enabled():
		if err := r.want(got.out, got.err); err != nil {
			report(err.Error())
		}
	case ours.panicked != nil:
		if !strings.Contains(r.name, "nil") && got.err == nil {
			report("success where the function panics")
		}
	default:
		if msg := compareOutcomes(ours, got, r.random); msg != "" {
			report(msg)
		}
	}
}
