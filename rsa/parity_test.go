package rsa_test

import (
	"bytes"
	"crypto"
	"crypto/fips140"
	"crypto/md5"
	"crypto/rand"
	stdrsa "crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	_ "crypto/sha3"
	"crypto/sha512"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/fastrsa/fastrsa/rsa"
)

// This file holds the parity table: the same inputs go to crypto/rsa and to
// this package, and must give the same bytes, the same nil-ness and the same
// error. Where this package differs on purpose, the row says why and states
// what it does instead.

// A suite is one implementation of the crypto/rsa API. The types are aliases,
// so both implementations have the same function types.
type suite struct {
	name string

	SignPKCS1v15              func(io.Reader, *rsa.PrivateKey, crypto.Hash, []byte) ([]byte, error)
	VerifyPKCS1v15            func(*rsa.PublicKey, crypto.Hash, []byte, []byte) error
	SignPSS                   func(io.Reader, *rsa.PrivateKey, crypto.Hash, []byte, *rsa.PSSOptions) ([]byte, error)
	VerifyPSS                 func(*rsa.PublicKey, crypto.Hash, []byte, []byte, *rsa.PSSOptions) error
	EncryptPKCS1v15           func(io.Reader, *rsa.PublicKey, []byte) ([]byte, error)
	DecryptPKCS1v15           func(io.Reader, *rsa.PrivateKey, []byte) ([]byte, error)
	DecryptPKCS1v15SessionKey func(io.Reader, *rsa.PrivateKey, []byte, []byte) error
	EncryptOAEP               func(hash.Hash, io.Reader, *rsa.PublicKey, []byte, []byte) ([]byte, error)
	EncryptOAEPWithOptions    func(io.Reader, *rsa.PublicKey, []byte, *rsa.OAEPOptions) ([]byte, error)
	DecryptOAEP               func(hash.Hash, io.Reader, *rsa.PrivateKey, []byte, []byte) ([]byte, error)
}

var (
	stdSuite = &suite{
		"crypto/rsa",
		stdrsa.SignPKCS1v15, stdrsa.VerifyPKCS1v15, stdrsa.SignPSS, stdrsa.VerifyPSS,
		stdrsa.EncryptPKCS1v15, stdrsa.DecryptPKCS1v15, stdrsa.DecryptPKCS1v15SessionKey,
		stdrsa.EncryptOAEP, stdrsa.EncryptOAEPWithOptions, stdrsa.DecryptOAEP,
	}
	ourSuite = &suite{
		"fastrsa",
		rsa.SignPKCS1v15, rsa.VerifyPKCS1v15, rsa.SignPSS, rsa.VerifyPSS,
		rsa.EncryptPKCS1v15, rsa.DecryptPKCS1v15, rsa.DecryptPKCS1v15SessionKey,
		rsa.EncryptOAEP, rsa.EncryptOAEPWithOptions, rsa.DecryptOAEP,
	}
	suites = [2]*suite{stdSuite, ourSuite}
)

// The reasons for which this package may differ from crypto/rsa, and no others.
const (
	diffLongCiphertext  = "a PKCS #1 v1.5 ciphertext longer than the modulus is refused, whatever its leading bytes"
	diffHugeSalt        = "a PSS salt length near the largest int is an error, not a panic"
	diffNegative        = "a negative number in a key is an error, not taken for its absolute value"
	diffHugeModulus     = "a modulus above 16384 bits is refused in public-key operations"
	diffUnavailableHash = "a hash function that is not linked in is an error, not a panic"
	diffChecked         = "decryption, like signing, checks its result against the public key"
	diffNilKey          = "a nil key is an error, before anything else is looked at"
	diffStale           = "a key changed after Precompute is not used with its old values"
)

// A parityRow is one call. It must not keep state between runs.
type parityRow struct {
	name string
	call func(s *suite) (out []byte, err error)

	// random says that out differs from run to run: only its nil-ness and
	// length are compared.
	random bool

	// functions says that Signer and Verifier have nothing that corresponds.
	functions bool

	// diff, if set, is the reason for which this package differs, and want
	// then says what it returns. crypto/rsa is not called.
	diff string
	want func(out []byte, err error) error
}

// An outcome is what a call came to.
type outcome struct {
	out      []byte
	err      error
	panicked any
}

func (o outcome) String() string {
	if o.panicked != nil {
		return fmt.Sprintf("panic: %v", o.panicked)
	}
	if o.out == nil {
		return fmt.Sprintf("nil, %v", o.err)
	}
	return fmt.Sprintf("%x, %v", o.out, o.err)
}

func (r parityRow) run(s *suite) (o outcome) {
	defer func() { o.panicked = recover() }()
	o.out, o.err = r.call(s)
	return
}

func runParity(t *testing.T, rows []parityRow) {
	t.Helper()
	names := map[string]bool{}
	for _, r := range rows {
		if names[r.name] {
			t.Errorf("two rows named %q", r.name)
		}
		names[r.name] = true
		if r.diff != "" {
			ours := r.run(ourSuite)
			err := errors.New("want no panic")
			if ours.panicked == nil {
				err = r.want(ours.out, ours.err)
			}
			// In FIPS 140-3 mode crypto/rsa does the work, so that the
			// difference need not be there.
			if err != nil && fips140.Enabled() && compareOutcomes(r.run(stdSuite), ours, r.random) == "" {
				err = nil
			}
			if err != nil {
				t.Errorf("%s: documented difference (%s): %v; got %v", r.name, r.diff, err, ours)
			}
			if !r.functions {
				r.checkPrepared(t, ours)
			}
			continue
		}
		std, ours := r.run(stdSuite), r.run(ourSuite)
		if msg := compareOutcomes(std, ours, r.random); msg != "" {
			t.Errorf("%s: %s\ncrypto/rsa: %v\nfastrsa:    %v", r.name, msg, std, ours)
		}
		if !r.functions {
			r.checkPrepared(t, ours)
		}
	}
}

// compareOutcomes returns what is wrong with ours, or "".
func compareOutcomes(std, ours outcome, random bool) string {
	if std.panicked != nil {
		// A nil key, nil options or a nil reader: nothing sensible can come
		// out, but a panic is not a promise.
		if ours.panicked == nil && ours.err == nil {
			return "success where crypto/rsa panics"
		}
		return ""
	}
	switch {
	case ours.panicked != nil:
		return "panic"
	case !matchingErrors(std.err, ours.err):
		return "errors differ"
	case (std.out == nil) != (ours.out == nil):
		return "nil-ness differs"
	case random && len(std.out) != len(ours.out):
		return "lengths differ"
	case !random && !bytes.Equal(std.out, ours.out):
		return "results differ"
	}
	return ""
}

var sentinels = []error{
	stdrsa.ErrDecryption, stdrsa.ErrVerification, stdrsa.ErrMessageTooLong,
	io.EOF, io.ErrUnexpectedEOF, errReader,
}

var errReader = errors.New("this reader always fails")

// matchingErrors reports whether got is as good as want: the same value for the
// errors that callers compare with, else the same text.
func matchingErrors(want, got error) bool {
	if want == nil || got == nil || slices.Contains(sentinels, want) || slices.Contains(sentinels, got) {
		return want == got
	}
	return want.Error() == got.Error()
}

func wantError(want error) func([]byte, error) error {
	return func(out []byte, err error) error {
		if out != nil || !matchingErrors(want, err) {
			return fmt.Errorf("want nil, %v", want)
		}
		return nil
	}
}

func wantAnyError(out []byte, err error) error {
	if out != nil || err == nil {
		return errors.New("want nil and an error")
	}
	return nil
}

// wantNoResult is wantAnyError for a row that may be about a session key.
func wantNoResult(out []byte, err error) error {
	if err == nil || out != nil && !bytes.Equal(out, unchanged(len(out))) {
		return errors.New("want an error and no result")
	}
	return nil
}

func wantUnavailable(h crypto.Hash) func([]byte, error) error {
	return wantError(errors.New("crypto/rsa: requested hash function unavailable: " + h.String()))
}

// unchanged returns a session key that was not touched, for comparison.
func unchanged(n int) []byte { return bytes.Repeat([]byte{0xa5}, n) }

// sessionKey calls DecryptPKCS1v15SessionKey with an n-byte key, and returns
// the key as the call left it.
func sessionKey(s *suite, priv *rsa.PrivateKey, c []byte, n int) ([]byte, error) {
	key := unchanged(n)
	err := s.DecryptPKCS1v15SessionKey(nil, priv, c, key)
	return key, err
}

func wantSessionError(n int) func([]byte, error) error {
	return func(out []byte, err error) error {
		if err != rsa.ErrDecryption || !bytes.Equal(out, unchanged(n)) {
			return errors.New("want ErrDecryption and the key unchanged")
		}
		return nil
	}
}

// zeroes is a reader of zero bytes. The salts and seeds made from it are equal
// for both packages.
type zeroes struct{}

func (zeroes) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// counting is a deterministic reader that knows how much was read.
type counting struct{ n int }

func (c *counting) Read(p []byte) (int, error) {
	for i := range p {
		c.n++
		p[i] = byte(c.n * 167 >> 1)
	}
	return len(p), nil
}

// linkedHashes are the hash functions that this test binary surely has.
var linkedHashes = []crypto.Hash{
	crypto.MD5, crypto.SHA1, crypto.SHA224, crypto.SHA256, crypto.SHA384, crypto.SHA512,
	crypto.SHA512_224, crypto.SHA512_256, crypto.SHA3_224, crypto.SHA3_256, crypto.SHA3_384, crypto.SHA3_512,
}

// Hash functions that tests may or may not have linked in, and one that does
// not exist.
var otherHashes = []crypto.Hash{
	crypto.MD4, crypto.MD5SHA1, crypto.RIPEMD160, crypto.BLAKE2s_256, crypto.BLAKE2b_256,
	crypto.BLAKE2b_384, crypto.BLAKE2b_512, crypto.Hash(99),
}

func digestFor(h crypto.Hash) []byte {
	n := 32
	if h < 64 && h > 0 {
		n = h.Size()
	}
	return bytes.Repeat([]byte{0x3c}, n)
}

var _, _, _ = md5.Size, sha1.Size, sha512.Size // linked in for crypto.Hash.New

// publicCalls are the four public-key operations with fixed inputs.
func publicCalls(name string, pub *rsa.PublicKey) []parityRow {
	sig := make([]byte, 128)
	if pub != nil && pub.N != nil {
		sig = make([]byte, (pub.N.BitLen()+7)/8)
	}
	if len(sig) > 0 {
		sig[len(sig)-1] = 2
	}
	digest := digestFor(crypto.SHA256)
	return []parityRow{
		{name: name + "/VerifyPKCS1v15", call: func(s *suite) ([]byte, error) {
			return nil, s.VerifyPKCS1v15(pub, crypto.SHA256, digest, sig)
		}},
		{name: name + "/VerifyPSS", call: func(s *suite) ([]byte, error) {
			return nil, s.VerifyPSS(pub, crypto.SHA256, digest, sig, nil)
		}},
		{name: name + "/EncryptPKCS1v15", random: true, call: func(s *suite) ([]byte, error) {
			return s.EncryptPKCS1v15(rand.Reader, pub, []byte("hello"))
		}},
		{name: name + "/EncryptPKCS1v15 too long", call: func(s *suite) ([]byte, error) {
			return s.EncryptPKCS1v15(rand.Reader, pub, make([]byte, 4096))
		}},
		{name: name + "/EncryptPKCS1v15 with a nil reader", random: true, call: func(s *suite) ([]byte, error) {
			return s.EncryptPKCS1v15(nil, pub, []byte("hello"))
		}},
		{name: name + "/EncryptOAEP", call: func(s *suite) ([]byte, error) {
			return s.EncryptOAEP(sha256.New(), zeroes{}, pub, []byte("hello"), nil)
		}},
		{name: name + "/EncryptOAEP too long", call: func(s *suite) ([]byte, error) {
			return s.EncryptOAEP(sha256.New(), zeroes{}, pub, make([]byte, 4096), nil)
		}},
		{name: name + "/EncryptOAEPWithOptions", call: func(s *suite) ([]byte, error) {
			return s.EncryptOAEPWithOptions(zeroes{}, pub, []byte("hello"), &rsa.OAEPOptions{Hash: crypto.SHA1, MGFHash: crypto.SHA512})
		}},
	}
}

// withDiff turns rows into documented differences.
func withDiff(rows []parityRow, diff string, want func([]byte, error) error) []parityRow {
	for i := range rows {
		rows[i].diff, rows[i].want = diff, want
	}
	return rows
}

// exponents returns values of E, good and bad.
func exponents() []int {
	e := []int{-1 << 31, -65537, -3, -2, -1, 0, 1, 2, 3, 4, 5, 65536, 65537, 65539, 1<<31 - 2, 1<<31 - 1}
	if strconv.IntSize == 64 {
		m := 1<<31 - 1
		e = append(e, m+1, m+2, m<<1|1, m<<31+65537, m<<32|m)
	}
	return e
}

func TestParityPublicKeys(t *testing.T) {
	t.Parallel()
	key := testKeyOf(t, "size", 1024, 0).private()
	n := key.N
	even := new(big.Int).Sub(n, bigOne)
	var rows []parityRow
	rows = append(rows, withDiff(publicCalls("nil key", nil), diffNilKey, wantAnyError)...)
	rows = append(rows, publicCalls("zero value", &rsa.PublicKey{})...)
	for name, n := range map[string]*big.Int{
		"N=nil":       nil,
		"N=0":         new(big.Int),
		"N=1":         big.NewInt(1),
		"N=2":         big.NewInt(2),
		"N=10":        big.NewInt(10),
		"N=15":        big.NewInt(15),
		"N=2^1022+1":  new(big.Int).Add(new(big.Int).Lsh(bigOne, 1022), bigOne),
		"N=2^1023":    new(big.Int).Lsh(bigOne, 1023),
		"N=2^1023+1":  new(big.Int).Add(new(big.Int).Lsh(bigOne, 1023), bigOne),
		"N=2^1024-1":  new(big.Int).Sub(new(big.Int).Lsh(bigOne, 1024), bigOne),
		"N=2^1024":    new(big.Int).Lsh(bigOne, 1024),
		"N=2^1024+1":  new(big.Int).Add(new(big.Int).Lsh(bigOne, 1024), bigOne),
		"N=2^16383+1": new(big.Int).Add(new(big.Int).Lsh(bigOne, 16383), bigOne),
		"even N":      even,
	} {
		for _, e := range []int{3, 65537} {
			rows = append(rows, publicCalls(fmt.Sprintf("%s/E=%d", name, e), &rsa.PublicKey{N: n, E: e})...)
		}
	}
	for _, e := range exponents() {
		rows = append(rows, publicCalls(fmt.Sprintf("E=%d", e), &rsa.PublicKey{N: n, E: e})...)
		rows = append(rows, publicCalls(fmt.Sprintf("even N/all E=%d", e), &rsa.PublicKey{N: even, E: e})...)
	}
	rows = append(rows, withDiff(publicCalls("negative N", &rsa.PublicKey{N: new(big.Int).Neg(n), E: 65537}),
		diffNegative, wantAnyError)...)
	for _, bits := range []uint{16384, 20000} {
		huge := new(big.Int).Lsh(bigOne, bits)
		rows = append(rows, withDiff(publicCalls(fmt.Sprintf("N=2^%d+1", bits), &rsa.PublicKey{N: huge.Add(huge, bigOne), E: 3}),
			diffHugeModulus, wantAnyError)...)
	}
	runParity(t, rows)
}

// privateCalls are the private-key operations on key, with inputs that are
// good for the public key pub. fresh makes a new key for each call.
func privateCalls(name string, pub *rsa.PublicKey, fresh func() *rsa.PrivateKey) []parityRow {
	k := (pub.N.BitLen() + 7) / 8
	em := make([]byte, k)
	em[1] = 2
	for i := 2; i < k; i++ {
		em[i] = 0xee
	}
	em[k-17] = 0
	pkcs := rawVerify(pub, em)
	oaep, err := stdrsa.EncryptOAEP(sha256.New(), zeroes{}, pub, []byte("hello"), nil)
	if err != nil {
		panic(err)
	}
	digest := digestFor(crypto.SHA256)
	return []parityRow{
		{name: name + "/SignPKCS1v15", call: func(s *suite) ([]byte, error) {
			return s.SignPKCS1v15(nil, fresh(), crypto.SHA256, digest)
		}},
		{name: name + "/SignPSS", call: func(s *suite) ([]byte, error) {
			return s.SignPSS(zeroes{}, fresh(), crypto.SHA256, digest, &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash})
		}},
		{name: name + "/DecryptPKCS1v15", call: func(s *suite) ([]byte, error) {
			return s.DecryptPKCS1v15(nil, fresh(), pkcs)
		}},
		{name: name + "/DecryptPKCS1v15SessionKey", call: func(s *suite) ([]byte, error) {
			return sessionKey(s, fresh(), pkcs, 16)
		}},
		{name: name + "/DecryptPKCS1v15SessionKey too long", call: func(s *suite) ([]byte, error) {
			return sessionKey(s, fresh(), pkcs, k-10)
		}},
		{name: name + "/DecryptOAEP", call: func(s *suite) ([]byte, error) {
			return s.DecryptOAEP(sha256.New(), nil, fresh(), oaep, nil)
		}},
		{name: name + "/DecryptOAEP too long", call: func(s *suite) ([]byte, error) {
			return s.DecryptOAEP(sha256.New(), nil, fresh(), make([]byte, k+1), nil)
		}},
		{name: name + "/SignPKCS1v15 wrong digest length", call: func(s *suite) ([]byte, error) {
			return s.SignPKCS1v15(nil, fresh(), crypto.SHA256, digest[1:])
		}},
		{name: name + "/SignPSS wrong digest length", call: func(s *suite) ([]byte, error) {
			return s.SignPSS(zeroes{}, fresh(), crypto.SHA256, digest[1:], nil)
		}},
		{name: name + "/SignPSS salt length -2", call: func(s *suite) ([]byte, error) {
			return s.SignPSS(zeroes{}, fresh(), crypto.SHA256, digest, &rsa.PSSOptions{SaltLength: -2})
		}},
		{name: name + "/SignPKCS1v15 too long", call: func(s *suite) ([]byte, error) {
			return s.SignPKCS1v15(nil, fresh(), 0, make([]byte, k))
		}},
		{name: name + "/DecryptPKCS1v15 of N", call: func(s *suite) ([]byte, error) {
			return s.DecryptPKCS1v15(nil, fresh(), pub.N.Bytes())
		}},
	}
}

// A keyChange makes a key unusual.
type keyChange struct {
	name   string
	change func(k *rsa.PrivateKey)
}

func addTo(x **big.Int, n int64) { *x = new(big.Int).Add(*x, big.NewInt(n)) }

// keyChanges returns changes to a key with two primes. other is a key of the
// same size.
func keyChanges(other *rsa.PrivateKey) []keyChange {
	changes := []keyChange{
		{"as is", func(k *rsa.PrivateKey) {}},
		{"N nil", func(k *rsa.PrivateKey) { k.N = nil }},
		{"N=0", func(k *rsa.PrivateKey) { k.N = new(big.Int) }},
		{"N=1", func(k *rsa.PrivateKey) { k.N = big.NewInt(1) }},
		{"N+1", func(k *rsa.PrivateKey) { addTo(&k.N, 1) }},
		{"N+2", func(k *rsa.PrivateKey) { addTo(&k.N, 2) }},
		{"N of another key", func(k *rsa.PrivateKey) { k.N = other.N }},
		{"D nil", func(k *rsa.PrivateKey) { k.D = nil }},
		{"D=0", func(k *rsa.PrivateKey) { k.D = new(big.Int) }},
		{"D=1", func(k *rsa.PrivateKey) { k.D = big.NewInt(1) }},
		{"D+1", func(k *rsa.PrivateKey) { addTo(&k.D, 1) }},
		{"D+2", func(k *rsa.PrivateKey) { addTo(&k.D, 2) }},
		{"D=N", func(k *rsa.PrivateKey) { k.D = k.N }},
		{"D of another key", func(k *rsa.PrivateKey) { k.D = other.D }},
		{"D negative", func(k *rsa.PrivateKey) { k.D = new(big.Int).Neg(k.D) }},
		{"D modulo (p-1)(q-1)", func(k *rsa.PrivateKey) {
			phi := new(big.Int).Mul(new(big.Int).Sub(k.Primes[0], bigOne), new(big.Int).Sub(k.Primes[1], bigOne))
			k.D = new(big.Int).ModInverse(big.NewInt(int64(k.E)), phi)
		}},
		{"D+lambda, the largest below N", func(k *rsa.PrivateKey) {
			lambda := carmichael(k.Primes...)
			m := new(big.Int).Sub(k.N, k.D)
			m.Div(m.Sub(m, bigOne), lambda)
			k.D = m.Add(m.Mul(m, lambda), k.D)
		}},
		{"D+lambda, the smallest above N", func(k *rsa.PrivateKey) {
			lambda := carmichael(k.Primes...)
			m := new(big.Int).Sub(k.N, k.D)
			m.Div(m.Sub(m, bigOne), lambda)
			m.Add(m, bigOne)
			k.D = m.Add(m.Mul(m, lambda), k.D)
		}},
		{"no primes", func(k *rsa.PrivateKey) { k.Primes = nil }},
		{"empty primes", func(k *rsa.PrivateKey) { k.Primes = []*big.Int{} }},
		{"one prime", func(k *rsa.PrivateKey) { k.Primes = k.Primes[:1] }},
		{"P nil", func(k *rsa.PrivateKey) { k.Primes[0] = nil }},
		{"Q nil", func(k *rsa.PrivateKey) { k.Primes[1] = nil }},
		{"both primes nil", func(k *rsa.PrivateKey) { k.Primes = []*big.Int{nil, nil} }},
		{"no primes, D nil", func(k *rsa.PrivateKey) { k.Primes, k.D = nil, nil }},
		{"no primes, D=N", func(k *rsa.PrivateKey) { k.Primes, k.D = nil, k.N }},
		{"no primes, D=N-1+odd", func(k *rsa.PrivateKey) { k.Primes = nil; k.D = new(big.Int).Add(k.D, k.N) }},
		{"no primes, even N", func(k *rsa.PrivateKey) { k.Primes = nil; addTo(&k.N, 1) }},
		{"p=0", func(k *rsa.PrivateKey) { k.Primes[0] = new(big.Int) }},
		{"q=0", func(k *rsa.PrivateKey) { k.Primes[1] = new(big.Int) }},
		{"p=1, q=N", func(k *rsa.PrivateKey) { k.Primes[0], k.Primes[1] = big.NewInt(1), k.N }},
		{"p=N, q=1", func(k *rsa.PrivateKey) { k.Primes[0], k.Primes[1] = k.N, big.NewInt(1) }},
		{"p=1", func(k *rsa.PrivateKey) { k.Primes[0] = big.NewInt(1) }},
		{"q=1", func(k *rsa.PrivateKey) { k.Primes[1] = big.NewInt(1) }},
		{"p=2", func(k *rsa.PrivateKey) { k.Primes[0] = big.NewInt(2) }},
		{"q=2", func(k *rsa.PrivateKey) { k.Primes[1] = big.NewInt(2) }},
		{"q=2, N=2p", func(k *rsa.PrivateKey) {
			k.Primes[1] = big.NewInt(2)
			k.N = new(big.Int).Lsh(k.N, 1)
			k.Primes[0] = new(big.Int).Rsh(k.N, 1)
		}},
		{"p=3", func(k *rsa.PrivateKey) { k.Primes[0] = big.NewInt(3) }},
		{"p+1", func(k *rsa.PrivateKey) { addTo(&k.Primes[0], 1) }},
		{"q+1", func(k *rsa.PrivateKey) { addTo(&k.Primes[1], 1) }},
		{"p+2", func(k *rsa.PrivateKey) { addTo(&k.Primes[0], 2) }},
		{"q+2", func(k *rsa.PrivateKey) { addTo(&k.Primes[1], 2) }},
		{"p+N", func(k *rsa.PrivateKey) { k.Primes[0] = new(big.Int).Add(k.Primes[0], k.N) }},
		{"q+N", func(k *rsa.PrivateKey) { k.Primes[1] = new(big.Int).Add(k.Primes[1], k.N) }},
		{"p=q", func(k *rsa.PrivateKey) { k.Primes[1] = k.Primes[0] }},
		{"p negative", func(k *rsa.PrivateKey) { k.Primes[0] = new(big.Int).Neg(k.Primes[0]) }},
		{"both primes negative", func(k *rsa.PrivateKey) {
			k.Primes[0], k.Primes[1] = new(big.Int).Neg(k.Primes[0]), new(big.Int).Neg(k.Primes[1])
		}},
		{"prime of another key", func(k *rsa.PrivateKey) { k.Primes[0] = other.Primes[0] }},
		{"primes of another key", func(k *rsa.PrivateKey) { k.Primes = other.Primes }},
		{"N=p^2", func(k *rsa.PrivateKey) {
			k.N = new(big.Int).Mul(k.Primes[0], k.Primes[0])
			k.Primes[1] = k.Primes[0]
			k.D = new(big.Int).ModInverse(big.NewInt(int64(k.E)), carmichael(k.Primes...))
		}},
		{"three primes, the third 1", func(k *rsa.PrivateKey) { k.Primes = append(k.Primes, big.NewInt(1)) }},
		{"three primes, the third nil", func(k *rsa.PrivateKey) { k.Primes = append(k.Primes, nil) }},
		{"three primes, the third 0", func(k *rsa.PrivateKey) { k.Primes = append(k.Primes, new(big.Int)) }},
		{"three primes, the third q", func(k *rsa.PrivateKey) { k.Primes = append(k.Primes, k.Primes[1]) }},
		{"three primes, the third 3", func(k *rsa.PrivateKey) { k.Primes = append(k.Primes, big.NewInt(3)) }},
		{"three primes, the first two equal", func(k *rsa.PrivateKey) {
			k.Primes = []*big.Int{k.Primes[0], k.Primes[0], k.Primes[1]}
		}},
	}
	for _, e := range exponents() {
		changes = append(changes,
			keyChange{fmt.Sprintf("E=%d", e), func(k *rsa.PrivateKey) { k.E = e }},
			keyChange{fmt.Sprintf("E=%d, no primes", e), func(k *rsa.PrivateKey) { k.E = e; k.Primes = nil }})
	}
	return changes
}

// crtChanges returns changes to the exported precomputed values.
func crtChanges() []keyChange {
	var changes []keyChange
	pick := func(k *rsa.PrivateKey, i int) **big.Int {
		return []**big.Int{&k.Precomputed.Dp, &k.Precomputed.Dq, &k.Precomputed.Qinv}[i]
	}
	names := []string{"dP", "dQ", "qInv"}
	// Every combination of present and nil.
	for mask := 0; mask < 8; mask++ {
		var missing []string
		for i, name := range names {
			if mask>>i&1 == 1 {
				missing = append(missing, name)
			}
		}
		changes = append(changes, keyChange{fmt.Sprintf("CRT values by hand, nil: %v", missing), func(k *rsa.PrivateKey) {
			setCRT(k)
			for i := range names {
				if mask>>i&1 == 1 {
					*pick(k, i) = nil
				}
			}
		}})
	}
	for i, name := range names {
		modulus := func(k *rsa.PrivateKey) *big.Int {
			switch i {
			case 0:
				return new(big.Int).Sub(k.Primes[0], bigOne)
			case 1:
				return new(big.Int).Sub(k.Primes[1], bigOne)
			}
			return k.Primes[0]
		}
		for _, c := range []keyChange{
			{"=0", func(k *rsa.PrivateKey) { *pick(k, i) = new(big.Int) }},
			{"=1", func(k *rsa.PrivateKey) { *pick(k, i) = big.NewInt(1) }},
			{"+1", func(k *rsa.PrivateKey) { addTo(pick(k, i), 1) }},
			{"-1", func(k *rsa.PrivateKey) { addTo(pick(k, i), -1) }},
			{"+2", func(k *rsa.PrivateKey) { addTo(pick(k, i), 2) }},
			{" not reduced", func(k *rsa.PrivateKey) { *pick(k, i) = new(big.Int).Add(*pick(k, i), modulus(k)) }},
			{" too long", func(k *rsa.PrivateKey) { *pick(k, i) = new(big.Int).Lsh(bigOne, 2000) }},
			{" negative", func(k *rsa.PrivateKey) { *pick(k, i) = new(big.Int).Neg(*pick(k, i)) }},
		} {
			changes = append(changes, keyChange{name + c.name, func(k *rsa.PrivateKey) {
				setCRT(k)
				c.change(k)
			}})
			// Values that are not all there are recomputed, wrong or not.
			changes = append(changes, keyChange{name + c.name + ", the next one nil", func(k *rsa.PrivateKey) {
				setCRT(k)
				c.change(k)
				*pick(k, (i+1)%3) = nil
			}})
		}
	}
	changes = append(changes,
		keyChange{"all CRT values 0", func(k *rsa.PrivateKey) {
			for i := range names {
				*pick(k, i) = new(big.Int)
			}
		}},
		keyChange{"CRT values of the swapped key", func(k *rsa.PrivateKey) {
			setCRT(k)
			k.Primes[0], k.Primes[1] = k.Primes[1], k.Primes[0]
		}},
		keyChange{"D wrong, CRT values right", func(k *rsa.PrivateKey) { setCRT(k); addTo(&k.D, 2) }},
		keyChange{"D=0, CRT values right", func(k *rsa.PrivateKey) { setCRT(k); k.D = new(big.Int) }},
		keyChange{"E changed, CRT values right", func(k *rsa.PrivateKey) { setCRT(k); k.E = 3 }},
		keyChange{"primes gone, CRT values wrong", func(k *rsa.PrivateKey) {
			setCRT(k)
			addTo(&k.Precomputed.Dp, 1)
			k.Primes = nil
		}},
		keyChange{"CRTValues junk", func(k *rsa.PrivateKey) {
			setCRT(k)
			k.Precomputed.CRTValues = []rsa.CRTValue{{}, {Exp: new(big.Int)}}
		}},
	)
	return changes
}

func TestParityPrivateKeys(t *testing.T) {
	t.Parallel()
	tk := testKeyOf(t, "size", 1024, 0)
	other := testKeyOf(t, "exponent", 1024, 3).private()
	pub := &tk.private().PublicKey
	var rows []parityRow
	for _, c := range append(keyChanges(other), crtChanges()...) {
		added := privateCalls(c.name, pub, func() *rsa.PrivateKey {
			k := tk.private()
			c.change(k)
			return k
		})
		if strings.Contains(c.name, "negative") {
			withDiff(added, diffNegative, wantNoResult)
		}
		rows = append(rows, checkedRows(added, tk, c)...)
	}

	// Both orders of the primes, with and without CRT values.
	for _, tk := range append(testKeys(t, "uneven"), testKeyOf(t, "size", 1031, 0), testKeyOf(t, "three", 1024, 0)) {
		pub := &tk.private().PublicKey
		for _, crt := range []bool{false, true} {
			rows = append(rows, privateCalls(fmt.Sprintf("%v/CRT=%v", tk, crt), pub, func() *rsa.PrivateKey {
				if crt {
					return setCRT(tk.private())
				}
				return tk.private()
			})...)
			rows = append(rows, privateCalls(fmt.Sprintf("%v/CRT=%v/swapped", tk, crt), pub, func() *rsa.PrivateKey {
				if crt {
					return setCRT(tk.swapped())
				}
				return tk.swapped()
			})...)
		}
		rows = append(rows, privateCalls(fmt.Sprintf("%v/no primes", tk), pub, func() *rsa.PrivateKey {
			k := tk.private()
			k.Primes = nil
			return k
		})...)
		rows = append(rows, privateCalls(fmt.Sprintf("%v/precomputed", tk), pub, func() *rsa.PrivateKey {
			k := tk.private()
			k.Precompute()
			return k
		})...)
	}

	// Primes too close to each other: far too close, and on either side of
	// the limit of FIPS 186-5.
	p := tk.primes[0]
	for _, gap := range []uint{1, 300, 411, 412, 413, 500} {
		q := new(big.Int).Add(p, new(big.Int).Lsh(bigOne, gap-1))
		q.SetBit(q, 0, 1)
		for !q.ProbablyPrime(1) || new(big.Int).GCD(nil, nil, big.NewInt(65537), new(big.Int).Sub(q, bigOne)).Cmp(bigOne) != 0 {
			q.Add(q, big.NewInt(2))
		}
		close := keyFromPrimes(65537, p, q)
		rows = append(rows, privateCalls(fmt.Sprintf("primes 2^%d apart", gap-1), &close.PublicKey, func() *rsa.PrivateKey {
			return keyFromPrimes(65537, p, q)
		})...)
		rows = append(rows, privateCalls(fmt.Sprintf("primes -2^%d apart", gap-1), &close.PublicKey, func() *rsa.PrivateKey {
			return keyFromPrimes(65537, q, p)
		})...)
	}

	rows = append(rows, withDiff(privateCalls("nil key", pub, func() *rsa.PrivateKey { return nil }), diffNilKey, wantNoResult)...)
	rows = append(rows, privateCalls("zero value", pub, func() *rsa.PrivateKey { return new(rsa.PrivateKey) })...)
	rows = append(rows, privateCalls("only the public part", pub, func() *rsa.PrivateKey {
		return &rsa.PrivateKey{PublicKey: *pub}
	})...)
	negative := withDiff(privateCalls("negative N", pub, func() *rsa.PrivateKey {
		k := tk.private()
		k.N.Neg(k.N)
		return k
	}), diffNegative, wantNoResult)
	rows = append(rows, negative...)
	runParity(t, rows)
}

// checkedRows marks the decryption rows of keys that crypto/rsa accepts (no two
// primes to check them against) although D does not belong to N and E: it
// decrypts unchecked with them, where this package notices as it does for
// signatures.
func checkedRows(rows []parityRow, tk testKey, c keyChange) []parityRow {
	k := tk.private()
	c.change(k)
	if len(k.Primes) == 2 || k.N == nil || k.D == nil {
		return rows
	}
	if _, err := stdrsa.SignPKCS1v15(nil, k, crypto.SHA256, digestFor(crypto.SHA256)); err != rsa.ErrDecryption {
		return rows
	}
	for i := range rows {
		switch name := rows[i].name; {
		case strings.HasSuffix(name, "/DecryptPKCS1v15"), strings.HasSuffix(name, "/DecryptOAEP"):
			rows[i].diff, rows[i].want = diffChecked, wantError(rsa.ErrDecryption)
		case strings.HasSuffix(name, "/DecryptPKCS1v15SessionKey"):
			rows[i].diff, rows[i].want = diffChecked, wantSessionError(16)
		}
	}
	return rows
}

// TestParityStaleKeys changes keys after Precompute. crypto/rsa goes on using
// the values that it stored; this package sees the fields only, and must
// either refuse the key or give a result that is right for the fields.
func TestParityStaleKeys(t *testing.T) {
	t.Parallel()
	tk := testKeyOf(t, "size", 1024, 0)
	other := testKeyOf(t, "exponent", 1024, 3).private()
	digest := digestFor(crypto.SHA256)
	changes := keyChanges(other)
	for i, name := range []string{"Dp", "Dq", "Qinv"} {
		pick := func(k *rsa.PrivateKey) **big.Int {
			return []**big.Int{&k.Precomputed.Dp, &k.Precomputed.Dq, &k.Precomputed.Qinv}[i]
		}
		changes = append(changes,
			keyChange{name + "+1", func(k *rsa.PrivateKey) { addTo(pick(k), 1) }},
			keyChange{name + " nil", func(k *rsa.PrivateKey) { *pick(k) = nil }},
			keyChange{name + "=0", func(k *rsa.PrivateKey) { *pick(k) = new(big.Int) }})
	}
	changes = append(changes,
		keyChange{"primes swapped", func(k *rsa.PrivateKey) { k.Primes[0], k.Primes[1] = k.Primes[1], k.Primes[0] }},
		keyChange{"N negative", func(k *rsa.PrivateKey) { k.N = new(big.Int).Neg(k.N) }},
		keyChange{"Precomputed of another key", func(k *rsa.PrivateKey) {
			other := testKeyOf(t, "exponent", 1024, 3).private()
			other.Precompute()
			k.Precomputed = other.Precomputed
		}},
		keyChange{"public key of another key", func(k *rsa.PrivateKey) { k.PublicKey = other.PublicKey }},
		keyChange{"all but Precomputed of another key", func(k *rsa.PrivateKey) {
			k.PublicKey, k.D, k.Primes = other.PublicKey, other.D, other.Primes
		}})
	if fips140.Enabled() {
		t.Skip("in FIPS 140-3 mode crypto/rsa does the work, with its stored values")
	}
	var rows []parityRow
	for _, c := range changes {
		key := tk.private()
		key.Precompute()
		key.Primes = slices.Clone(key.Primes)
		c.change(key)
		pub := key.PublicKey
		for _, call := range privateCalls("stale: "+c.name, &tk.private().PublicKey, func() *rsa.PrivateKey { return key }) {
			switch {
			case strings.HasSuffix(call.name, "/SignPKCS1v15"):
				call.want = func(out []byte, err error) error {
					if err != nil {
						return wantAnyError(out, err)
					}
					return stdrsa.VerifyPKCS1v15(&pub, crypto.SHA256, digest, out)
				}
			case strings.HasSuffix(call.name, "/SignPSS"):
				call.want = func(out []byte, err error) error {
					if err != nil {
						return wantAnyError(out, err)
					}
					return stdrsa.VerifyPSS(&pub, crypto.SHA256, digest, out, nil)
				}
			case strings.HasSuffix(call.name, "/DecryptOAEP"):
				call.want = func(out []byte, err error) error {
					if err == nil && string(out) == "hello" && pub.E == tk.e && pub.N.CmpAbs(tk.private().N) == 0 {
						return nil
					}
					return wantAnyError(out, err)
				}
			default:
				continue
			}
			call.diff = diffStale
			rows = append(rows, call)
		}
	}
	runParity(t, rows)
}

func TestParitySignatures(t *testing.T) {
	t.Parallel()
	priv := testKeyOf(t, "exponent", 2048, 3).private()
	priv.Precompute()
	pub := &priv.PublicKey
	k := priv.Size()
	n := priv.N
	var rows []parityRow
	add := func(name string, call func(s *suite) ([]byte, error)) {
		rows = append(rows, parityRow{name: name, call: call})
	}
	sign := func(h crypto.Hash, d []byte) func(s *suite) ([]byte, error) {
		return func(s *suite) ([]byte, error) { return s.SignPKCS1v15(nil, priv, h, d) }
	}
	verify := func(h crypto.Hash, d, sig []byte) func(s *suite) ([]byte, error) {
		return func(s *suite) ([]byte, error) { return nil, s.VerifyPKCS1v15(pub, h, d, sig) }
	}
	signPSS := func(h crypto.Hash, d []byte, opts *rsa.PSSOptions) func(s *suite) ([]byte, error) {
		return func(s *suite) ([]byte, error) { return s.SignPSS(new(counting), priv, h, d, opts) }
	}
	verifyPSS := func(h crypto.Hash, d, sig []byte, opts *rsa.PSSOptions) func(s *suite) ([]byte, error) {
		return func(s *suite) ([]byte, error) { return nil, s.VerifyPSS(pub, h, d, sig, opts) }
	}

	// Hash functions, known and unknown, with right and wrong digest lengths.
	for _, h := range append(slices.Clone(linkedHashes), otherHashes...) {
		d := digestFor(h)
		for _, d := range [][]byte{d, d[1:], append(d[:len(d):len(d)], 0), nil} {
			name := fmt.Sprintf("%v/digest of %d bytes", h, len(d))
			sig, _ := func() (sig []byte, err error) {
				defer func() { recover() }()
				return stdrsa.SignPKCS1v15(nil, priv, h, d)
			}()
			if sig == nil {
				sig = make([]byte, k)
			}
			added := []parityRow{
				{name: name + "/SignPKCS1v15", call: sign(h, d)},
				{name: name + "/VerifyPKCS1v15", call: verify(h, d, sig)},
			}
			pss := []parityRow{
				{name: name + "/SignPSS", call: signPSS(h, d, nil)},
				{name: name + "/SignPSS with hash in options", call: signPSS(crypto.SHA256, d, &rsa.PSSOptions{Hash: h})},
				{name: name + "/VerifyPSS", call: verifyPSS(h, d, sig, nil)},
			}
			if h == 99 {
				// PKCS #1 v1.5 needs no hash function, only its name.
				withDiff(added, diffUnavailableHash, wantError(errors.New("crypto/rsa: unsupported hash function")))
			}
			if !h.Available() {
				withDiff(pss, diffUnavailableHash, wantUnavailable(h))
			}
			rows = append(append(rows, added...), pss...)
		}
	}
	rows = append(rows, withDiff([]parityRow{
		{name: "Hash(0)/SignPSS", call: signPSS(0, digestFor(0), nil)},
		{name: "Hash(0)/VerifyPSS", call: verifyPSS(0, digestFor(0), make([]byte, k), nil)},
	}, diffUnavailableHash, wantUnavailable(0))...)

	// Unhashed messages up to and past the limit.
	for _, size := range []int{0, 1, 32, 36, k - 12, k - 11, k - 10, k - 1, k, k + 1} {
		msg := bytes.Repeat([]byte{7}, size)
		name := fmt.Sprintf("unhashed message of %d bytes", size)
		add(name+"/SignPKCS1v15", sign(0, msg))
		sig, err := stdrsa.SignPKCS1v15(nil, priv, 0, msg)
		if err != nil {
			sig = make([]byte, k)
		}
		add(name+"/VerifyPKCS1v15", verify(0, msg, sig))
	}
	// A digest that is too long for a small key.
	small := testKeyOf(t, "size", 1024, 0).private()
	for _, size := range []int{117, 118} {
		add(fmt.Sprintf("1024-bit key, unhashed message of %d bytes", size), func(s *suite) ([]byte, error) {
			return s.SignPKCS1v15(nil, small, 0, make([]byte, size))
		})
	}

	digest := digestFor(crypto.SHA256)
	pkcs, err := stdrsa.SignPKCS1v15(nil, priv, crypto.SHA256, digest)
	if err != nil {
		t.Fatal(err)
	}
	pss, err := stdrsa.SignPSS(new(counting), priv, crypto.SHA256, digest, nil)
	if err != nil {
		t.Fatal(err)
	}
	for scheme, sig := range map[string][]byte{"PKCS1v15": pkcs, "PSS": pss} {
		for name, sig := range signatureVariants(sig, n) {
			add(scheme+"/"+name+"/VerifyPKCS1v15", verify(crypto.SHA256, digest, sig))
			add(scheme+"/"+name+"/VerifyPSS", verifyPSS(crypto.SHA256, digest, sig, nil))
		}
	}

	// Salt lengths.
	salts := []int{
		rsa.PSSSaltLengthAuto, rsa.PSSSaltLengthEqualsHash, 1, 20, 31, 32, 33, 220, 221, 222, 223, 224, 256, 1000,
		-2, -3, -222, math.MinInt, math.MinInt + 1, math.MaxInt, math.MaxInt - 1, math.MaxInt - 33, math.MaxInt - 34, math.MaxInt - 40,
		math.MaxInt/2 + 1,
	}
	for _, salt := range salts {
		opts := &rsa.PSSOptions{SaltLength: salt}
		signRow := parityRow{name: fmt.Sprintf("salt length %d/SignPSS", salt), call: signPSS(crypto.SHA256, digest, opts)}
		if salt > math.MaxInt/2 {
			signRow.diff, signRow.want = diffHugeSalt, wantError(rsa.ErrMessageTooLong)
		}
		rows = append(rows, signRow)
		if salt > 222 || salt < -1 {
			added := []parityRow{
				{name: fmt.Sprintf("salt length %d/VerifyPSS", salt), call: verifyPSS(crypto.SHA256, digest, pss, opts)},
				{name: fmt.Sprintf("salt length %d/VerifyPSS of junk", salt), call: verifyPSS(crypto.SHA256, digest, pkcs, opts)},
			}
			if salt > math.MaxInt/2 {
				withDiff(added, diffHugeSalt, wantError(rsa.ErrVerification))
			}
			rows = append(rows, added...)
			continue
		}
		sig, err := stdrsa.SignPSS(new(counting), priv, crypto.SHA256, digest, opts)
		if err != nil {
			t.Fatalf("salt length %d: %v", salt, err)
		}
		for _, verifySalt := range salts {
			row := parityRow{
				name: fmt.Sprintf("salt length %d/VerifyPSS with %d", salt, verifySalt),
				call: verifyPSS(crypto.SHA256, digest, sig, &rsa.PSSOptions{SaltLength: verifySalt}),
			}
			if verifySalt > math.MaxInt/2 {
				row.diff, row.want = diffHugeSalt, wantError(rsa.ErrVerification)
			}
			rows = append(rows, row)
		}
	}
	// VerifyPSS ignores the hash function in the options, SignPSS does not.
	override := &rsa.PSSOptions{Hash: crypto.SHA512, SaltLength: rsa.PSSSaltLengthEqualsHash}
	add("hash in options/SignPSS SHA-256 digest", signPSS(crypto.SHA256, digest, override))
	add("hash in options/SignPSS SHA-512 digest", signPSS(crypto.SHA256, digestFor(crypto.SHA512), override))
	sig512, err := stdrsa.SignPSS(new(counting), priv, crypto.SHA512, digestFor(crypto.SHA512), override)
	if err != nil {
		t.Fatal(err)
	}
	add("hash in options/VerifyPSS as SHA-256", verifyPSS(crypto.SHA256, digest, pss, override))
	add("hash in options/VerifyPSS as SHA-512", verifyPSS(crypto.SHA512, digestFor(crypto.SHA512), sig512, &rsa.PSSOptions{Hash: crypto.SHA256}))

	// A salt that cannot fit: 1024 bits and SHA-512 leave 62 bytes, and a
	// message hashed to more than the modulus leaves none.
	for _, salt := range []int{0, -1, 62, 63, 64} {
		add(fmt.Sprintf("1024-bit key/SHA-512/salt length %d", salt), func(s *suite) ([]byte, error) {
			return s.SignPSS(new(counting), small, crypto.SHA512, digestFor(crypto.SHA512), &rsa.PSSOptions{SaltLength: salt})
		})
	}
	runParity(t, rows)
}

// signatureVariants returns sig, and values that must not be accepted in its
// place.
func signatureVariants(sig []byte, n *big.Int) map[string][]byte {
	k := (n.BitLen() + 7) / 8
	fill := func(x *big.Int) []byte { return x.FillBytes(make([]byte, max(k, (x.BitLen()+7)/8))) }
	v := map[string][]byte{
		"as is":          sig,
		"nil":            nil,
		"empty":          {},
		"one byte":       {1},
		"one byte short": sig[:k-1],
		"first byte cut": sig[1:],
		"trailing byte":  append(slices.Clone(sig), 0),
		"twice":          append(slices.Clone(sig), sig...),
		"all ones":       bytes.Repeat([]byte{0xff}, k),
		"0":              make([]byte, k),
		"1":              fill(bigOne),
		"N-1":            fill(new(big.Int).Sub(n, bigOne)),
		"N":              fill(n),
		"N+1":            fill(new(big.Int).Add(n, bigOne)),
		"N-s":            fill(new(big.Int).Sub(n, new(big.Int).SetBytes(sig))),
	}
	for _, zeros := range []int{1, 2, 7, 8, 16} {
		v[fmt.Sprintf("%d zero bytes in front", zeros)] = append(make([]byte, zeros), sig...)
	}
	for m := int64(1); m <= 3; m++ {
		x := new(big.Int).SetBytes(sig)
		v[fmt.Sprintf("s+%dN", m)] = fill(x.Add(x, new(big.Int).Mul(n, big.NewInt(m))))
	}
	return v
}

func TestParityEncryption(t *testing.T) {
	t.Parallel()
	sizes := []int{1024, 1025, 1026, 1032, 1033, 2048}
	if testing.Short() {
		sizes = []int{1024, 1025}
	}
	for _, bits := range sizes {
		priv := testKeyOf(t, "size", bits, 0).private()
		priv.Precompute()
		pub := &priv.PublicKey
		k := priv.Size()
		var rows []parityRow
		add := func(name string, call func(s *suite) ([]byte, error)) {
			rows = append(rows, parityRow{name: fmt.Sprintf("%d bits/%s", bits, name), call: call})
		}

		// Message lengths for PKCS #1 v1.5, decrypted again by crypto/rsa.
		for _, size := range []int{0, 1, 16, k - 12, k - 11, k - 10, k, k + 1} {
			msg := bytes.Repeat([]byte{0}, size)
			add(fmt.Sprintf("EncryptPKCS1v15 of %d bytes", size), func(s *suite) ([]byte, error) {
				c, err := s.EncryptPKCS1v15(rand.Reader, pub, msg)
				if err != nil {
					return c, err
				}
				if len(c) != k {
					return nil, fmt.Errorf("ciphertext of %d bytes", len(c))
				}
				return stdrsa.DecryptPKCS1v15(nil, priv, c)
			})
		}
		add("EncryptPKCS1v15 of nil", func(s *suite) ([]byte, error) {
			c, err := s.EncryptPKCS1v15(nil, pub, nil)
			if err != nil {
				return c, err
			}
			return stdrsa.DecryptPKCS1v15(nil, priv, c)
		})

		// Session keys and ciphertexts of every length.
		for _, size := range []int{0, 1, 15, 16, 17, k - 11, k - 10} {
			em := make([]byte, k)
			em[1] = 2
			for i := 2; i < k; i++ {
				em[i] = byte(i)%255 + 1
			}
			em[max(10, k-1-size)] = 0
			c := rawVerify(pub, em)
			for _, n := range []int{0, 1, 15, 16, 17, k - 12, k - 11, k - 10, k, k + 8} {
				add(fmt.Sprintf("DecryptPKCS1v15SessionKey of %d bytes into %d", size, n), func(s *suite) ([]byte, error) {
					return sessionKey(s, priv, c, n)
				})
			}
		}

		pkcs, err := stdrsa.EncryptPKCS1v15(nil, pub, []byte("0123456789abcdef"))
		if err != nil {
			t.Fatal(err)
		}
		oaep, err := stdrsa.EncryptOAEP(sha256.New(), new(counting), pub, []byte("hello"), nil)
		if err != nil {
			t.Fatal(err)
		}
		for scheme, c := range map[string][]byte{"PKCS1v15": pkcs, "OAEP": oaep} {
			for name, c := range signatureVariants(c, priv.N) {
				name = scheme + "/" + name
				add(name+"/DecryptOAEP", func(s *suite) ([]byte, error) { return s.DecryptOAEP(sha256.New(), nil, priv, c, nil) })
				added := []parityRow{{
					name: fmt.Sprintf("%d bits/%s/DecryptPKCS1v15", bits, name),
					call: func(s *suite) ([]byte, error) { return s.DecryptPKCS1v15(nil, priv, c) },
				}, {
					name: fmt.Sprintf("%d bits/%s/DecryptPKCS1v15SessionKey", bits, name),
					call: func(s *suite) ([]byte, error) { return sessionKey(s, priv, c, 16) },
				}}
				if len(c) > k {
					added[0].diff, added[0].want = diffLongCiphertext, wantError(rsa.ErrDecryption)
					added[1].diff, added[1].want = diffLongCiphertext, wantSessionError(16)
				}
				rows = append(rows, added...)
			}
		}
		// Short ciphertexts count as the same number; so does one whose
		// leading zero was cut.
		for i := 0; ; i++ {
			c, err := stdrsa.EncryptOAEP(sha1.New(), bytes.NewReader(binaryDigest(i)), pub, []byte("hello"), nil)
			if err != nil {
				t.Fatal(err)
			}
			if c[0] != 0 {
				continue
			}
			add("leading zero cut/DecryptOAEP", func(s *suite) ([]byte, error) {
				return s.DecryptOAEP(sha1.New(), nil, priv, c[1:], nil)
			})
			break
		}
		for _, size := range []int{0, 1, k - 1, k} {
			c := make([]byte, size)
			if size > 0 {
				c[size-1] = 1
			}
			name := fmt.Sprintf("%d bytes of zeros and a one/", size)
			add(name+"DecryptPKCS1v15", func(s *suite) ([]byte, error) { return s.DecryptPKCS1v15(nil, priv, c) })
			add(name+"DecryptPKCS1v15SessionKey", func(s *suite) ([]byte, error) { return sessionKey(s, priv, c, 16) })
			add(name+"DecryptOAEP", func(s *suite) ([]byte, error) { return s.DecryptOAEP(sha256.New(), nil, priv, c, nil) })
		}

		// Every padding error of PKCS #1 v1.5.
		for name, em := range paddingErrors(k) {
			if new(big.Int).SetBytes(em).Cmp(priv.N) >= 0 {
				continue
			}
			c := rawVerify(pub, em)
			add("padding/"+name+"/DecryptPKCS1v15", func(s *suite) ([]byte, error) { return s.DecryptPKCS1v15(nil, priv, c) })
			for _, n := range []int{0, 1, 16} {
				add(fmt.Sprintf("padding/%s/DecryptPKCS1v15SessionKey into %d", name, n), func(s *suite) ([]byte, error) { return sessionKey(s, priv, c, n) })
			}
		}
		runParity(t, rows)
	}
}

// paddingErrors returns encoded messages for RSAES-PKCS1-v1_5, good and bad.
func paddingErrors(k int) map[string][]byte {
	good := func() []byte {
		em := bytes.Repeat([]byte{0xa1}, k)
		em[0], em[1] = 0, 2
		em[k-17] = 0
		return em
	}
	v := map[string][]byte{}
	set := func(name string, f func(em []byte)) {
		em := good()
		f(em)
		v[name] = em
	}
	set("good", func(em []byte) {})
	set("first byte 1", func(em []byte) { em[0] = 1 })
	set("second byte 0", func(em []byte) { em[1] = 0 })
	set("second byte 1", func(em []byte) { em[1] = 1 })
	set("second byte 3", func(em []byte) { em[1] = 3 })
	set("second byte 0x82", func(em []byte) { em[1] = 0x82 })
	set("no separator", func(em []byte) { em[k-17] = 1 })
	set("separator last", func(em []byte) { em[k-17] = 1; em[k-1] = 0 })
	set("message of zeros", func(em []byte) { clear(em[k-16:]) })
	set("all zero but the head", func(em []byte) { clear(em[2:]) })
	set("all zero", func(em []byte) { clear(em) })
	for ps := 0; ps <= 9; ps++ {
		set(fmt.Sprintf("PS of %d bytes", ps), func(em []byte) { em[2+ps] = 0 })
	}
	return v
}

// binaryDigest returns 20 bytes that depend on i.
func binaryDigest(i int) []byte {
	h := sha1.Sum([]byte(strconv.Itoa(i)))
	return h[:]
}

func TestParityOAEP(t *testing.T) {
	t.Parallel()
	for _, bits := range []int{1024, 1025, 2048} {
		priv := testKeyOf(t, "size", bits, 0).private()
		priv.Precompute()
		pub := &priv.PublicKey
		k := priv.Size()
		labels := map[string][]byte{"nil": nil, "empty": {}, "x": []byte("x"), "1000 bytes": make([]byte, 1000)}
		hashes := append(slices.Clone(linkedHashes), 0)
		var rows []parityRow
		for _, h := range linkedHashes {
			for _, mgf := range hashes {
				if testing.Short() && mgf != 0 && mgf != crypto.SHA1 && mgf != h {
					continue
				}
				for label, l := range labels {
					if label == "1000 bytes" && mgf != 0 || label == "x" && mgf > crypto.SHA256 {
						continue
					}
					limit := k - 2*h.Size() - 2
					for _, size := range []int{0, 1, limit - 1, limit, limit + 1} {
						if size < 0 {
							continue
						}
						name := fmt.Sprintf("%d bits/%v/MGF1 %v/label %s/%d bytes", bits, h, mgf, label, size)
						if slices.ContainsFunc(rows, func(r parityRow) bool { return r.name == name }) {
							continue
						}
						msg := bytes.Repeat([]byte{byte(size)}, size)
						opts := &rsa.OAEPOptions{Hash: h, MGFHash: mgf, Label: l}
						rows = append(rows, parityRow{name: name, call: func(s *suite) ([]byte, error) {
							r := new(counting)
							c, err := s.EncryptOAEPWithOptions(r, pub, msg, opts)
							return append(c, byte(r.n)), err
						}})
						if mgf == 0 {
							rows = append(rows, parityRow{name: name + "/EncryptOAEP", call: func(s *suite) ([]byte, error) {
								return s.EncryptOAEP(h.New(), new(counting), pub, msg, l)
							}})
						}
						if (size != 0 && size != limit) || size > limit || mgf != 0 && mgf != h {
							continue
						}
						c, err := stdrsa.EncryptOAEPWithOptions(new(counting), pub, msg, opts)
						if err != nil {
							t.Fatalf("%s: %v", name, err)
						}
						for _, dl := range []string{label, "x"} {
							if mgf == 0 {
								rows = append(rows, parityRow{name: name + "/DecryptOAEP with label " + dl + fmt.Sprint(dl == label), call: func(s *suite) ([]byte, error) {
									return s.DecryptOAEP(h.New(), nil, priv, c, labels[dl])
								}})
							}
							if label == "x" {
								break
							}
						}
					}
				}
			}
		}
		// The hash functions are checked before the key.
		bad := &rsa.PublicKey{N: pub.N, E: 2}
		for _, h := range append(slices.Clone(otherHashes), 0) {
			if h != 0 && h.Available() {
				continue
			}
			name := fmt.Sprintf("%d bits/unavailable hash %v", bits, h)
			rows = append(rows, withDiff([]parityRow{
				{name: name, call: func(s *suite) ([]byte, error) {
					return s.EncryptOAEPWithOptions(zeroes{}, pub, nil, &rsa.OAEPOptions{Hash: h})
				}},
				{name: name + "/bad key", call: func(s *suite) ([]byte, error) {
					return s.EncryptOAEPWithOptions(zeroes{}, bad, nil, &rsa.OAEPOptions{Hash: h})
				}},
			}, diffUnavailableHash, wantUnavailable(h))...)
			if h != 0 {
				rows = append(rows, withDiff([]parityRow{{name: name + " for MGF1", call: func(s *suite) ([]byte, error) {
					return s.EncryptOAEPWithOptions(zeroes{}, pub, nil, &rsa.OAEPOptions{Hash: crypto.SHA256, MGFHash: h})
				}}}, diffUnavailableHash, wantUnavailable(h))...)
			}
		}
		rows = append(rows, parityRow{name: fmt.Sprintf("%d bits/nil options", bits), call: func(s *suite) ([]byte, error) {
			return s.EncryptOAEPWithOptions(zeroes{}, pub, nil, nil)
		}})
		runParity(t, rows)
	}
}

var errorReader io.Reader = iotest.ErrReader(errReader)

func TestParityRandomReaders(t *testing.T) {
	t.Parallel()
	priv := testKeyOf(t, "exponent", 1024, 3).private()
	priv.Precompute()
	pub := &priv.PublicKey
	digest := digestFor(crypto.SHA256)
	readers := map[string]func() io.Reader{
		"zeros":         func() io.Reader { return zeroes{} },
		"counting":      func() io.Reader { return new(counting) },
		"one at a time": func() io.Reader { return iotest.OneByteReader(new(counting)) },
		"data and EOF":  func() io.Reader { return iotest.DataErrReader(bytes.NewReader(make([]byte, 32))) },
		"empty":         func() io.Reader { return bytes.NewReader(nil) },
		"one short":     func() io.Reader { return bytes.NewReader(make([]byte, 31)) },
		"exact":         func() io.Reader { return bytes.NewReader(make([]byte, 32)) },
		"failing":       func() io.Reader { return errorReader },
		"failing late":  func() io.Reader { return io.MultiReader(bytes.NewReader(make([]byte, 5)), errorReader) },
		"timing out":    func() io.Reader { return iotest.TimeoutReader(iotest.HalfReader(new(counting))) },
		"nil":           func() io.Reader { return nil },
	}
	var rows []parityRow
	for name, reader := range readers {
		add := func(op string, call func(s *suite, r io.Reader) ([]byte, error)) {
			rows = append(rows, parityRow{name: name + "/" + op, call: func(s *suite) ([]byte, error) { return call(s, reader()) }})
		}
		for _, salt := range []int{0, -1, 1, 32, 33, 94, 95, -2} {
			add(fmt.Sprintf("SignPSS salt length %d", salt), func(s *suite, r io.Reader) ([]byte, error) {
				return s.SignPSS(r, priv, crypto.SHA256, digest, &rsa.PSSOptions{SaltLength: salt})
			})
			add(fmt.Sprintf("SignPSS salt length %d, wrong digest length", salt), func(s *suite, r io.Reader) ([]byte, error) {
				return s.SignPSS(r, priv, crypto.SHA256, digest[1:], &rsa.PSSOptions{SaltLength: salt})
			})
		}
		add("EncryptOAEP", func(s *suite, r io.Reader) ([]byte, error) {
			return s.EncryptOAEP(sha256.New(), r, pub, []byte("m"), nil)
		})
		add("EncryptOAEP too long", func(s *suite, r io.Reader) ([]byte, error) {
			return s.EncryptOAEP(sha256.New(), r, pub, make([]byte, 63), nil)
		})
		add("EncryptOAEPWithOptions", func(s *suite, r io.Reader) ([]byte, error) {
			return s.EncryptOAEPWithOptions(r, pub, []byte("m"), &rsa.OAEPOptions{Hash: crypto.SHA256, MGFHash: crypto.SHA1})
		})

		// These ignore their reader.
		add("SignPKCS1v15", func(s *suite, r io.Reader) ([]byte, error) { return s.SignPKCS1v15(r, priv, crypto.SHA256, digest) })
		add("EncryptPKCS1v15", func(s *suite, r io.Reader) ([]byte, error) {
			c, err := s.EncryptPKCS1v15(r, pub, []byte("m"))
			if err != nil {
				return nil, err
			}
			return stdrsa.DecryptPKCS1v15(nil, priv, c)
		})
		add("DecryptPKCS1v15", func(s *suite, r io.Reader) ([]byte, error) { return s.DecryptPKCS1v15(r, priv, make([]byte, 128)) })
		add("DecryptOAEP", func(s *suite, r io.Reader) ([]byte, error) {
			return s.DecryptOAEP(sha256.New(), r, priv, make([]byte, 128), nil)
		})
	}
	// The number of bytes read is part of the behaviour.
	for _, salt := range []int{0, -1, 1, 94, 95} {
		rows = append(rows, parityRow{name: fmt.Sprintf("bytes read by SignPSS, salt length %d", salt), call: func(s *suite) ([]byte, error) {
			r := new(counting)
			_, err := s.SignPSS(r, priv, crypto.SHA256, digest, &rsa.PSSOptions{SaltLength: salt})
			return []byte(strconv.Itoa(r.n)), err
		}})
	}
	runParity(t, rows)

	if _, err := rsa.GenerateKey(errorReader, 1024); err != nil {
		t.Errorf("GenerateKey does not ignore its reader: %v", err)
	}
	// Two equal ciphertexts would mean that the padding came from the reader.
	one, err1 := rsa.EncryptPKCS1v15(zeroes{}, pub, []byte("m"))
	two, err2 := rsa.EncryptPKCS1v15(zeroes{}, pub, []byte("m"))
	if err1 != nil || err2 != nil || bytes.Equal(one, two) {
		t.Errorf("EncryptPKCS1v15 does not ignore its reader: %v, %v, %x", err1, err2, one)
	}
}

// TestParityCustomRandom checks GODEBUG=cryptocustomrand=1, with which crypto/rsa
// takes padding and keys from the caller's reader again. It may also skip a byte,
// so that only constant readers give predictable results.
func TestParityCustomRandom(t *testing.T) {
	t.Setenv("GODEBUG", "cryptocustomrand=1")
	pub := &testKeyOf(t, "exponent", 1024, 3).private().PublicKey
	constant := readerFunc(func(p []byte) (int, error) {
		for i := range p {
			p[i] = 0x11
		}
		return len(p), nil
	})
	runParity(t, []parityRow{
		{name: "EncryptPKCS1v15 with a constant reader", functions: true, call: func(s *suite) ([]byte, error) { return s.EncryptPKCS1v15(constant, pub, []byte("m")) }},
		{name: "EncryptPKCS1v15 with a failing reader", functions: true, call: func(s *suite) ([]byte, error) { return s.EncryptPKCS1v15(errorReader, pub, []byte("m")) }},
		{name: "EncryptPKCS1v15 with rand.Reader", random: true, call: func(s *suite) ([]byte, error) { return s.EncryptPKCS1v15(rand.Reader, pub, []byte("m")) }},
	})
	_, want := stdrsa.GenerateKey(errorReader, 1024)
	if key, err := rsa.GenerateKey(errorReader, 1024); key != nil || err == nil || !matchingErrors(want, err) {
		t.Errorf("GenerateKey with a failing reader = %v, %v, want %v", key, err, want)
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestParitySmallKeys needs the process's environment, so it is not parallel.
func TestParitySmallKeys(t *testing.T) {
	digest := digestFor(crypto.SHA256)
	rows := func() (rows []parityRow) {
		for _, tk := range testKeys(t, "small") {
			priv := tk.private()
			name := tk.String()
			pub := &priv.PublicKey
			k := priv.Size()
			for _, h := range []crypto.Hash{crypto.SHA1, crypto.SHA256, crypto.SHA512} {
				for _, salt := range []int{0, -1, -2, 1} {
					rows = append(rows, parityRow{name: fmt.Sprintf("%s/SignPSS %v salt length %d", name, h, salt), call: func(s *suite) ([]byte, error) {
						return s.SignPSS(zeroes{}, priv, h, digestFor(h), &rsa.PSSOptions{SaltLength: salt})
					}})
				}
				rows = append(rows, parityRow{name: fmt.Sprintf("%s/SignPKCS1v15 %v", name, h), call: func(s *suite) ([]byte, error) {
					return s.SignPKCS1v15(nil, priv, h, digestFor(h))
				}})
				for _, size := range []int{0, 5} {
					rows = append(rows, parityRow{name: fmt.Sprintf("%s/EncryptOAEP %v %d bytes", name, h, size), call: func(s *suite) ([]byte, error) {
						return s.EncryptOAEP(h.New(), zeroes{}, pub, make([]byte, size), nil)
					}})
				}
			}
			sig := make([]byte, k)
			sig[k-1] = 2
			if s, err := stdrsa.SignPKCS1v15(nil, priv, 0, []byte("m")); err == nil {
				sig = s
			}
			em := bytes.Repeat([]byte{9}, k)
			em[0], em[1], em[k-5] = 0, 2, 0
			c := rawVerify(pub, em)
			rows = append(rows, []parityRow{
				{name: name + "/VerifyPKCS1v15", call: func(s *suite) ([]byte, error) { return nil, s.VerifyPKCS1v15(pub, 0, []byte("m"), sig) }},
				{name: name + "/VerifyPKCS1v15 SHA-256", call: func(s *suite) ([]byte, error) { return nil, s.VerifyPKCS1v15(pub, crypto.SHA256, digest, sig) }},
				{name: name + "/VerifyPSS", call: func(s *suite) ([]byte, error) { return nil, s.VerifyPSS(pub, crypto.SHA256, digest, sig, nil) }},
				{name: name + "/EncryptPKCS1v15", random: true, call: func(s *suite) ([]byte, error) { return s.EncryptPKCS1v15(nil, pub, []byte("m")) }},
				{name: name + "/EncryptPKCS1v15 too long", call: func(s *suite) ([]byte, error) { return s.EncryptPKCS1v15(nil, pub, make([]byte, k-10)) }},
				{name: name + "/DecryptPKCS1v15", call: func(s *suite) ([]byte, error) { return s.DecryptPKCS1v15(nil, priv, c) }},
				{name: name + "/DecryptPKCS1v15SessionKey", call: func(s *suite) ([]byte, error) { return sessionKey(s, priv, c, 4) }},
				{name: name + "/DecryptOAEP", call: func(s *suite) ([]byte, error) { return s.DecryptOAEP(sha1.New(), nil, priv, c, nil) }},
			}...)
		}
		return rows
	}
	t.Run("refused", func(t *testing.T) {
		t.Setenv("GODEBUG", "")
		key := testKeyOf(t, "small", 768, 0).private()
		_, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest)
		if err == nil {
			t.Error("a 768-bit key was accepted")
		}
		runParity(t, rows())
	})
	t.Run("rsa1024min=0", func(t *testing.T) {
		t.Setenv("GODEBUG", "rsa1024min=0")
		for _, bits := range []int{512, 768} {
			key := testKeyOf(t, "small", bits, 0).private()
			crossCheckSmall(t, key)
		}
		var all []parityRow
		all = append(all, rows()...)
		for _, n := range []int64{0, 1, 2, 3, 10, 15, 255, 257, 1 << 20, 1<<31 - 1} {
			for _, e := range []int{-1, 0, 1, 2, 3, 65537} {
				all = append(all, publicCalls(fmt.Sprintf("N=%d/E=%d", n, e), &rsa.PublicKey{N: big.NewInt(n), E: e})...)
			}
		}
		// The key of golang/go#11233, whose first prime is 1.
		p1 := &rsa.PrivateKey{
			PublicKey: rsa.PublicKey{N: big.NewInt(0x7f00), E: 0x3030},
			D:         big.NewInt(0x3030),
			Primes:    []*big.Int{big.NewInt(1), big.NewInt(0x7f00)},
		}
		all = append(all, parityRow{name: "golang/go#11233", call: func(s *suite) ([]byte, error) { return s.SignPKCS1v15(nil, p1, 0, nil) }},
			parityRow{name: "golang/go#11233/decrypt", call: func(s *suite) ([]byte, error) { return s.DecryptPKCS1v15(nil, p1, []byte{0, 1}) }})
		runParity(t, all)
	})
}

// crossCheckSmall signs and verifies with a key that has no room for PSS.
func crossCheckSmall(t *testing.T, key *rsa.PrivateKey) {
	t.Helper()
	digest := binaryDigest(0)
	for i, signer := range suites {
		sig, err := signer.SignPKCS1v15(nil, key, crypto.SHA1, digest)
		if err != nil {
			t.Errorf("%s: %d bits: %v", signer.name, key.N.BitLen(), err)
			continue
		}
		if err := suites[1-i].VerifyPKCS1v15(&key.PublicKey, crypto.SHA1, digest, sig); err != nil {
			t.Errorf("%s: %d bits: %v", suites[1-i].name, key.N.BitLen(), err)
		}
	}
}

// The methods of the shared types are crypto/rsa's own: what this package
// makes must be good for them, and the other way round.
func TestParityMethods(t *testing.T) {
	t.Parallel()
	key := testKeyOf(t, "exponent", 1024, 3).private()
	key.Precompute()
	digest := digestFor(crypto.SHA256)
	var signer crypto.Signer = key
	sig, err := signer.Sign(nil, digest, crypto.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	if ours, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest); err != nil || !bytes.Equal(ours, sig) {
		t.Errorf("SignPKCS1v15 = %x, %v; Sign made %x", ours, err, sig)
	}
	opts := &rsa.PSSOptions{Hash: crypto.SHA256, SaltLength: 20}
	sig, err = signer.Sign(zeroes{}, digest, opts)
	if err != nil {
		t.Fatal(err)
	}
	if ours, err := rsa.SignPSS(zeroes{}, key, 0, digest, opts); err != nil || !bytes.Equal(ours, sig) {
		t.Errorf("SignPSS = %x, %v; Sign made %x", ours, err, sig)
	}
	for _, mgf := range []crypto.Hash{0, crypto.SHA1, crypto.SHA256} {
		opts := &rsa.OAEPOptions{Hash: crypto.SHA256, MGFHash: mgf, Label: []byte("x")}
		c, err := rsa.EncryptOAEPWithOptions(zeroes{}, &key.PublicKey, []byte("m"), opts)
		if err != nil {
			t.Fatal(err)
		}
		if m, err := key.Decrypt(nil, c, opts); err != nil || string(m) != "m" {
			t.Errorf("MGF1 hash %v: Decrypt = %x, %v", mgf, m, err)
		}
	}
	c, err := rsa.EncryptPKCS1v15(nil, &key.PublicKey, []byte("0123456789abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	if m, err := key.Decrypt(zeroes{}, c, &rsa.PKCS1v15DecryptOptions{SessionKeyLen: 16}); err != nil || string(m) != "0123456789abcdef" {
		t.Errorf("Decrypt = %x, %v", m, err)
	}
}

// rawVerify returns s^e mod N as k bytes.
func rawVerify(pub *rsa.PublicKey, s []byte) []byte {
	x := new(big.Int).SetBytes(s)
	x.Exp(x, big.NewInt(int64(pub.E)), pub.N)
	return x.FillBytes(make([]byte, (pub.N.BitLen()+7)/8))
}

// rawSign returns em^d mod N as k bytes, with no check of any kind on em.
func rawSign(key *rsa.PrivateKey, em []byte) []byte {
	x := new(big.Int).SetBytes(em)
	x.Exp(x, key.D, key.N)
	return x.FillBytes(make([]byte, (key.N.BitLen()+7)/8))
}

var sha256Prefix = []byte{0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04, 0x20}

// digestInfoSHA256 returns the DigestInfo of RFC 8017, section 9.2, note 1.
func digestInfoSHA256(digest []byte) []byte { return slices.Concat(sha256Prefix, digest) }

// emPKCS1v15 returns 00 01 FF … 00 t, k bytes long.
func emPKCS1v15(k int, t []byte) []byte {
	em := bytes.Repeat([]byte{0xff}, k)
	em[0], em[1], em[k-len(t)-1] = 0, 1, 0
	copy(em[k-len(t):], t)
	return em
}
