package main

import (
	"crypto"
	stdrsa "crypto/rsa"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"time"

	"github.com/fastrsa/fastrsa/rsa"

	// The hashes that signatures name.
	_ "crypto/md5"
	_ "crypto/sha1"
	_ "crypto/sha256"
	_ "crypto/sha3"
	_ "crypto/sha512"
)

// maxKeyBits is the largest modulus that is worked with, the limit of OpenSSL
// too: a check of a larger key could take minutes.
const maxKeyBits = 16384

// A signature is an RSA signature with all that is needed to check it.
type signature struct {
	place
	issuer string // of certificates and CRLs
	scheme scheme
	digest []byte
	sig    []byte

	// keys are those that may have made the signature: more than one if several
	// go by the same name.
	keys     []*rsa.PublicKey
	accepted bool // with one of the keys, by either implementation
}

// A place is where something was found.
type place struct {
	file  string
	index int // from 1; 0 for the file as a whole
	kind  string
	name  string // subject or kid
}

// The kinds of things that are signed.
const (
	kindCertificate = "certificate"
	kindRequest     = "request"
	kindCRL         = "crl"
	kindToken       = "token"
	kindDetached    = "detached"
)

// A scheme is a signature scheme of RFC 8017 with its parameters.
type scheme struct {
	hash crypto.Hash
	pss  bool
	salt int // PSS: as in rsa.PSSOptions.SaltLength
}

func (s scheme) name() string {
	if s.pss {
		return "pss"
	}
	return "pkcs1"
}

// String returns for example "pkcs1-sha256".
func (s scheme) String() string { return s.name() + "-" + hashName(s.hash) }

// saltName returns the salt length for the JSON output.
func (s scheme) saltName() any {
	switch {
	case !s.pss:
		return nil
	case s.salt == rsa.PSSSaltLengthAuto:
		return "auto"
	case s.salt == rsa.PSSSaltLengthEqualsHash:
		return s.hash.Size()
	default:
		return s.salt
	}
}

// hashes are the hash functions by their names on the command line.
var hashes = []struct {
	name string
	hash crypto.Hash
}{
	{"md5", crypto.MD5},
	{"sha1", crypto.SHA1},
	{"sha224", crypto.SHA224},
	{"sha256", crypto.SHA256},
	{"sha384", crypto.SHA384},
	{"sha512", crypto.SHA512},
	{"sha512-224", crypto.SHA512_224},
	{"sha512-256", crypto.SHA512_256},
	{"sha3-224", crypto.SHA3_224},
	{"sha3-256", crypto.SHA3_256},
	{"sha3-384", crypto.SHA3_384},
	{"sha3-512", crypto.SHA3_512},
}

func hashName(h crypto.Hash) string {
	for _, e := range hashes {
		if e.hash == h {
			return e.name
		}
	}
	return "hash" + strconv.Itoa(int(h))
}

func hashByName(name string) (crypto.Hash, bool) {
	for _, e := range hashes {
		if e.name == name {
			return e.hash, true
		}
	}
	return 0, false
}

// digest returns the hash of data.
func digest(h crypto.Hash, data []byte) []byte {
	f := h.New()
	f.Write(data)
	return f.Sum(nil)
}

// checkKey returns an error for a public key that neither implementation should
// be bothered with.
func checkKey(pub *rsa.PublicKey) error {
	if pub.N == nil || pub.N.Sign() <= 0 {
		return errors.New("RSA modulus is not positive")
	}
	if n := pub.N.BitLen(); n > maxKeyBits {
		return fmt.Errorf("RSA modulus of %d bits, more than %d", n, maxKeyBits)
	}
	return nil
}

// A verdict is what an implementation says about a signature.
type verdict string

const (
	verdictOK      verdict = "ok"
	verdictBad     verdict = "bad"     // ErrVerification
	verdictRefused verdict = "refused" // another error
	verdictPanic   verdict = "panic"
	verdictVaries  verdict = "varies" // not the same in every round
)

// An outcome is the answer of one implementation and the least time it took.
type outcome struct {
	verdict verdict
	err     string
	time    time.Duration
}

// A result is a signature that was checked with one of its keys.
type result struct {
	*signature
	pub       *rsa.PublicKey
	std, fast outcome
}

// agree reports whether both implementations gave the same answer in all rounds:
// the same verdict and the same error text.
func (r *result) agree() bool {
	return r.std.verdict == r.fast.verdict && r.std.err == r.fast.err && r.std.verdict != verdictVaries
}

// otherKey reports whether the signature was rejected because it was made with
// another key of the same name.
func (r *result) otherKey() bool {
	return r.accepted && r.agree() && r.std.verdict == verdictBad
}

// speedup returns how many times as fast as crypto/rsa fastrsa was.
func (r *result) speedup() float64 {
	return float64(r.std.time) / float64(max(1, r.fast.time))
}

// An implementation is one of the two packages, as verify uses it.
type implementation struct {
	verifyPKCS1v15 func(*rsa.PublicKey, crypto.Hash, []byte, []byte) error
	verifyPSS      func(*rsa.PublicKey, crypto.Hash, []byte, []byte, *rsa.PSSOptions) error
}

var (
	stdImpl  = implementation{stdrsa.VerifyPKCS1v15, stdrsa.VerifyPSS}
	fastImpl = implementation{rsa.VerifyPKCS1v15, rsa.VerifyPSS}
)

// once checks s with impl and a copy of pub, once.
func (impl implementation) once(s *signature, pub *rsa.PublicKey) (o outcome) {
	pub = &rsa.PublicKey{N: new(big.Int).Set(pub.N), E: pub.E}
	defer func() {
		if r := recover(); r != nil {
			o = outcome{verdict: verdictPanic, err: fmt.Sprintf("panic: %v", r)}
		}
	}()
	var err error
	var start time.Time
	if s.scheme.pss {
		opts := &rsa.PSSOptions{SaltLength: s.scheme.salt}
		start = time.Now()
		err = impl.verifyPSS(pub, s.scheme.hash, s.digest, s.sig, opts)
	} else {
		start = time.Now()
		err = impl.verifyPKCS1v15(pub, s.scheme.hash, s.digest, s.sig)
	}
	o.time = time.Since(start)
	switch {
	case err == nil:
		o.verdict = verdictOK
	case errors.Is(err, stdrsa.ErrVerification):
		o.verdict, o.err = verdictBad, err.Error()
	default:
		o.verdict, o.err = verdictRefused, err.Error()
	}
	return o
}

// checkBudget bounds the time spent on one signature; at least two rounds are
// made if the command line allows them, so that each implementation goes first
// once.
const checkBudget = 100 * time.Millisecond

// check checks s with pub and both implementations, rounds times.
func check(s *signature, pub *rsa.PublicKey, rounds int) *result {
	return checkWith(s, pub, rounds, stdImpl, fastImpl)
}

func checkWith(s *signature, pub *rsa.PublicKey, rounds int, std, fast implementation) *result {
	r := &result{signature: s, pub: pub}
	start := time.Now()
	for i := range rounds {
		if i >= 2 && time.Since(start) > checkBudget {
			break
		}
		var a, b outcome
		if i%2 == 0 {
			a = std.once(s, pub)
			b = fast.once(s, pub)
		} else {
			b = fast.once(s, pub)
			a = std.once(s, pub)
		}
		r.std.add(a, i)
		r.fast.add(b, i)
	}
	if r.std.verdict == verdictOK || r.fast.verdict == verdictOK {
		s.accepted = true
	}
	return r
}

// add takes the answer of round i into o. The first change of the answer stays
// as the verdict verdictVaries, which agrees with nothing, not even itself.
func (o *outcome) add(next outcome, i int) {
	switch {
	case i == 0:
		*o = next
		return
	case o.verdict != verdictVaries && (o.verdict != next.verdict || o.err != next.err):
		o.err = fmt.Sprintf("%s, then %s", o, next)
		o.verdict = verdictVaries
	}
	o.time = min(o.time, next.time)
}
