package rsa_test

import (
	"bufio"
	"bytes"
	"crypto"
	"crypto/rand"
	stdrsa "crypto/rsa"
	"crypto/sha256"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fastrsa/fastrsa/rsa"
)

// This file drives every key size around the byte and limb boundaries, unusual
// exponents and keys with short components through both packages, each
// checking what the other made. The keys are in testdata/sizes.txt.

// testKey is one line of testdata/sizes.txt.
type testKey struct {
	label  string
	bits   int
	e      int
	primes []*big.Int
}

func (k testKey) String() string { return fmt.Sprintf("%s/bits=%d/e=%d", k.label, k.bits, k.e) }

// private returns a new key without precomputed values, sharing no memory with
// any other key. D is the inverse of E modulo lcm(p-1, q-1, …).
func (k testKey) private() *rsa.PrivateKey {
	key := keyFromPrimes(k.e, k.primes...)
	if key.N.BitLen() != k.bits {
		panic(fmt.Sprintf("testdata/sizes.txt: %v has a %d-bit modulus", k, key.N.BitLen()))
	}
	return key
}

// swapped is private with the first two primes exchanged.
func (k testKey) swapped() *rsa.PrivateKey {
	primes := append([]*big.Int{k.primes[1], k.primes[0]}, k.primes[2:]...)
	return keyFromPrimes(k.e, primes...)
}

var readTestKeys = sync.OnceValues(func() ([]testKey, error) {
	f, err := os.Open(filepath.Join("testdata", "sizes.txt"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var keys []testKey
	for s := bufio.NewScanner(f); s.Scan(); {
		line := s.Text()
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) < 5 {
			return nil, fmt.Errorf("short line %q", line)
		}
		k := testKey{label: fields[0]}
		if k.bits, err = strconv.Atoi(fields[1]); err != nil {
			return nil, err
		}
		if k.e, err = strconv.Atoi(fields[2]); err != nil {
			return nil, err
		}
		for _, hex := range fields[3:] {
			p, ok := new(big.Int).SetString(hex, 16)
			if !ok {
				return nil, fmt.Errorf("bad prime in line %q", line)
			}
			k.primes = append(k.primes, p)
		}
		keys = append(keys, k)
	}
	return keys, nil
})

// testKeys returns the keys whose label begins with prefix.
func testKeys(tb testing.TB, prefix string) []testKey {
	tb.Helper()
	all, err := readTestKeys()
	if err != nil {
		tb.Fatalf("testdata/sizes.txt: %v", err)
	}
	var keys []testKey
	for _, k := range all {
		if strings.HasPrefix(k.label, prefix) {
			keys = append(keys, k)
		}
	}
	if len(keys) == 0 {
		tb.Fatalf("testdata/sizes.txt has no %q key", prefix)
	}
	return keys
}

// testKeyOf returns the key with this label, size and, unless e is 0, exponent.
func testKeyOf(tb testing.TB, label string, bits, e int) testKey {
	tb.Helper()
	for _, k := range testKeys(tb, label) {
		if k.label == label && k.bits == bits && (e == 0 || k.e == e) {
			return k
		}
	}
	tb.Fatalf("testdata/sizes.txt has no %d-bit %q key with exponent %d", bits, label, e)
	panic("unreachable")
}

var bigOne = big.NewInt(1)

// carmichael returns lcm(p-1, q-1, …).
func carmichael(primes ...*big.Int) *big.Int {
	l := big.NewInt(1)
	for _, p := range primes {
		p1 := new(big.Int).Sub(p, bigOne)
		g := new(big.Int).GCD(nil, nil, l, p1)
		l.Mul(l, p1.Div(p1, g))
	}
	return l
}

// keyFromPrimes makes a key without precomputed values. It does not care
// whether the primes are distinct or prime, so it also makes bad keys.
func keyFromPrimes(e int, primes ...*big.Int) *rsa.PrivateKey {
	key := &rsa.PrivateKey{PublicKey: rsa.PublicKey{N: big.NewInt(1), E: e}}
	for _, p := range primes {
		key.Primes = append(key.Primes, new(big.Int).Set(p))
		key.N.Mul(key.N, p)
	}
	key.D = new(big.Int).ModInverse(big.NewInt(int64(e)), carmichael(primes...))
	return key
}

// setCRT fills in the exported precomputed values by hand.
func setCRT(key *rsa.PrivateKey) *rsa.PrivateKey {
	p, q := key.Primes[0], key.Primes[1]
	key.Precomputed.Dp = new(big.Int).Mod(key.D, new(big.Int).Sub(p, bigOne))
	key.Precomputed.Dq = new(big.Int).Mod(key.D, new(big.Int).Sub(q, bigOne))
	key.Precomputed.Qinv = new(big.Int).ModInverse(q, p)
	return key
}

func TestEveryKeySize(t *testing.T) {
	t.Parallel()
	keys := testKeys(t, "size")
	sizes := map[int]bool{}
	for _, k := range keys {
		sizes[k.bits] = true
	}
	for _, want := range [][2]int{{1024, 1056}, {2040, 2056}, {3049, 3049}} {
		for bits := want[0]; bits <= want[1]; bits++ {
			if !sizes[bits] {
				t.Errorf("no %d-bit key", bits)
			}
		}
	}
	for _, k := range keys {
		t.Run(k.String(), func(t *testing.T) {
			t.Parallel()
			if testing.Short() && k.bits%8 > 1 && k.bits%8 < 7 {
				return
			}
			key := k.private()
			key.Precompute()
			crossCheck(t, key)
		})
	}
}

func TestPublicExponents(t *testing.T) {
	t.Parallel()
	want := map[int]bool{3: true, 5: true, 17: true, 35: true, 41: true, 257: true, 1<<31 - 1: true}
	random := false
	for _, k := range testKeys(t, "exponent") {
		if !want[k.e] {
			random = random || k.e > 1<<30
		}
		delete(want, k.e)
		t.Run(k.String(), func(t *testing.T) {
			t.Parallel()
			key := k.private()
			crossCheck(t, key)
			checkAgainstBig(t, key)
		})
	}
	if len(want) > 0 || !random {
		t.Errorf("exponents not covered: %v, 31-bit random one: %v", want, random)
	}
}

// checkAgainstBig compares the public and the private operation with math/big.
func checkAgainstBig(t *testing.T, key *rsa.PrivateKey) {
	t.Helper()
	digest := sha256.Sum256([]byte(t.Name()))
	em := emPKCS1v15(key.Size(), digestInfoSHA256(digest[:]))
	want := rawSign(key, em)
	sig, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest[:])
	if err != nil || !bytes.Equal(sig, want) {
		t.Errorf("SignPKCS1v15 = %x, %v; EM^d mod N = %x", sig, err, want)
	}
	seed := bytes.Repeat([]byte{0x5a}, sha256.Size)
	c, err := rsa.EncryptOAEP(sha256.New(), bytes.NewReader(seed), &key.PublicKey, []byte("msg"), nil)
	if err != nil {
		t.Fatal(err)
	}
	m := rawSign(key, c)
	if back := rawVerify(&key.PublicKey, m); !bytes.Equal(back, c) {
		t.Errorf("EncryptOAEP = %x, not of the form m^e mod N", c)
	}
	if m[0] != 0 {
		t.Errorf("OAEP encoded message begins with %#x", m[0])
	}
}

func TestShortKeyComponents(t *testing.T) {
	t.Parallel()
	short := func(x *big.Int, of *big.Int) bool { return (x.BitLen()+7)/8 < (of.BitLen()+7)/8 }
	for _, k := range append(testKeys(t, "short"), testKeys(t, "uneven")...) {
		for _, swap := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v/swap=%v", k, swap), func(t *testing.T) {
				t.Parallel()
				key := setCRT(k.private())
				if swap {
					key = setCRT(k.swapped())
				}
				if !swap {
					p, q := key.Primes[0], key.Primes[1]
					pre := key.Precomputed
					ok := map[string]bool{
						"short-d":       short(key.D, key.N),
						"short-dp":      short(pre.Dp, p),
						"short-dq":      short(pre.Dq, q),
						"short-qinv":    short(pre.Qinv, p),
						"short-dp-qinv": short(pre.Dp, p) && short(pre.Qinv, p),
						"short-p":       short(p, q),
						"uneven":        p.BitLen() != q.BitLen(),
					}[k.label]
					if !ok {
						t.Errorf("the key is not what its label says")
					}
				}
				crossCheck(t, key)
				checkAgainstBig(t, key)
				key.Precomputed = rsa.PrecomputedValues{}
				crossCheck(t, key)
				key.Precompute()
				crossCheck(t, key)
			})
		}
	}
}

func TestMultiPrimeKeys(t *testing.T) {
	t.Parallel()
	for _, k := range testKeys(t, "three") {
		if testing.Short() && k.bits > 1024 {
			continue
		}
		t.Run(k.String(), func(t *testing.T) {
			t.Parallel()
			key := k.private()
			crossCheck(t, key)
			checkAgainstBig(t, key)
			key.Precompute()
			if len(key.Precomputed.CRTValues) != 1 {
				t.Errorf("%d CRT values", len(key.Precomputed.CRTValues))
			}
			crossCheck(t, key)
		})
	}
}

// crossCheck signs and encrypts with both packages and has each verify and
// decrypt what the other made.
func crossCheck(t *testing.T, key *rsa.PrivateKey) {
	t.Helper()
	pub := &key.PublicKey
	k := (key.N.BitLen() + 7) / 8
	digest := sha256.Sum256([]byte(t.Name()))
	msg := digest[:16]

	var deterministic [2][]byte
	for i, signer := range suites {
		verifier := suites[1-i]
		sig, err := signer.SignPKCS1v15(nil, key, crypto.SHA256, digest[:])
		if err != nil {
			t.Fatalf("%s: SignPKCS1v15: %v", signer.name, err)
		}
		deterministic[i] = sig
		if len(sig) != k {
			t.Errorf("%s: PKCS #1 v1.5 signature of %d bytes, want %d", signer.name, len(sig), k)
		}
		if err := verifier.VerifyPKCS1v15(pub, crypto.SHA256, digest[:], sig); err != nil {
			t.Errorf("%s: VerifyPKCS1v15 of a signature by %s: %v", verifier.name, signer.name, err)
		}

		opts := &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthAuto}
		if i == 0 {
			opts.SaltLength = rsa.PSSSaltLengthEqualsHash
		}
		sig, err = signer.SignPSS(rand.Reader, key, crypto.SHA256, digest[:], opts)
		if err != nil {
			t.Fatalf("%s: SignPSS: %v", signer.name, err)
		}
		if len(sig) != k {
			t.Errorf("%s: PSS signature of %d bytes, want %d", signer.name, len(sig), k)
		}
		for _, salt := range []int{opts.SaltLength, rsa.PSSSaltLengthAuto} {
			if err := verifier.VerifyPSS(pub, crypto.SHA256, digest[:], sig, &rsa.PSSOptions{SaltLength: salt}); err != nil {
				t.Errorf("%s: VerifyPSS of a signature by %s, salt length %d: %v", verifier.name, signer.name, salt, err)
			}
		}

		c, err := signer.EncryptPKCS1v15(rand.Reader, pub, msg)
		if err != nil {
			t.Fatalf("%s: EncryptPKCS1v15: %v", signer.name, err)
		}
		if len(c) != k {
			t.Errorf("%s: PKCS #1 v1.5 ciphertext of %d bytes, want %d", signer.name, len(c), k)
		}
		if m, err := verifier.DecryptPKCS1v15(nil, key, c); err != nil || !bytes.Equal(m, msg) {
			t.Errorf("%s: DecryptPKCS1v15 of a ciphertext by %s = %x, %v", verifier.name, signer.name, m, err)
		}

		c, err = signer.EncryptOAEP(sha256.New(), rand.Reader, pub, msg, []byte("label"))
		if err != nil {
			t.Fatalf("%s: EncryptOAEP: %v", signer.name, err)
		}
		if len(c) != k {
			t.Errorf("%s: OAEP ciphertext of %d bytes, want %d", signer.name, len(c), k)
		}
		if m, err := verifier.DecryptOAEP(sha256.New(), nil, key, c, []byte("label")); err != nil || !bytes.Equal(m, msg) {
			t.Errorf("%s: DecryptOAEP of a ciphertext by %s = %x, %v", verifier.name, signer.name, m, err)
		}
	}
	if !bytes.Equal(deterministic[0], deterministic[1]) {
		t.Errorf("PKCS #1 v1.5 signatures differ:\n%s %x\n%s %x", suites[0].name, deterministic[0], suites[1].name, deterministic[1])
	}
}

// within fails the test if f has not returned after a time that only an
// endless loop needs.
func within(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("did not return within 30 s")
	}
}

// golang/go#16596, openssl/openssl#12502, keybase/kbpgp#94 and others: tiny
// sizes made the generator loop for ever.
func TestGenerateKeyRefusesTinySizes(t *testing.T) {
	sizes := []int{-1, 0, 1, 7, 8, 16, 31, 1023}
	for _, bits := range sizes {
		within(t, func() {
			_, want := stdrsa.GenerateKey(rand.Reader, bits)
			key, err := rsa.GenerateKey(rand.Reader, bits)
			if key != nil || !matchingErrors(want, err) || err == nil {
				t.Errorf("GenerateKey(%d bits) = %v, %v; crypto/rsa's error is %v", bits, key, err, want)
			}
			key, err = rsa.GenerateMultiPrimeKey(rand.Reader, 2, bits)
			if key != nil || !matchingErrors(want, err) || err == nil {
				t.Errorf("GenerateMultiPrimeKey(2, %d bits) = %v, %v; crypto/rsa's error is %v", bits, key, err, want)
			}
		})
	}
	for _, nprimes := range []int{-1, 0, 1} {
		_, want := stdrsa.GenerateMultiPrimeKey(rand.Reader, nprimes, 1024)
		key, err := rsa.GenerateMultiPrimeKey(rand.Reader, nprimes, 1024)
		if key != nil || !matchingErrors(want, err) || err == nil {
			t.Errorf("GenerateMultiPrimeKey(%d, 1024) = %v, %v; crypto/rsa's error is %v", nprimes, key, err, want)
		}
	}

	t.Setenv("GODEBUG", "rsa1024min=0")
	for _, bits := range sizes[:len(sizes)-1] {
		within(t, func() {
			_, want := stdrsa.GenerateKey(rand.Reader, bits)
			key, err := rsa.GenerateKey(rand.Reader, bits)
			if key != nil || !matchingErrors(want, err) || err == nil {
				t.Errorf("rsa1024min=0: GenerateKey(%d bits) = %v, %v; crypto/rsa's error is %v", bits, key, err, want)
			}
		})
	}
	for _, bits := range []int{128, 512, 1023} {
		within(t, func() {
			key, err := rsa.GenerateKey(rand.Reader, bits)
			if err != nil {
				t.Errorf("rsa1024min=0: GenerateKey(%d bits): %v", bits, err)
				return
			}
			checkGenerated(t, key, bits)
		})
	}
}

// kjur/jsrsasign#442, sybrenstuvel/python-rsa#98, aws/aws-lc#1823: a modulus
// shorter than asked for, or a size silently rounded down.
func TestGenerateKeySizes(t *testing.T) {
	t.Parallel()
	sizes := []int{1024, 1025, 1031, 2048, 2049}
	if testing.Short() {
		sizes = []int{1024, 1031}
	}
	for _, bits := range sizes {
		within(t, func() {
			key, err := rsa.GenerateKey(rand.Reader, bits)
			if err != nil {
				t.Errorf("GenerateKey(%d): %v", bits, err)
				return
			}
			checkGenerated(t, key, bits)
			crossCheck(t, key)
		})
	}
	within(t, func() {
		key, err := rsa.GenerateMultiPrimeKey(rand.Reader, 3, 1024)
		if err != nil {
			t.Errorf("GenerateMultiPrimeKey(3, 1024): %v", err)
			return
		}
		if len(key.Primes) != 3 || key.N.BitLen() != 1024 {
			t.Errorf("GenerateMultiPrimeKey(3, 1024) made %d primes and %d bits", len(key.Primes), key.N.BitLen())
		}
		crossCheck(t, key)
	})
}

// openssl/openssl#22216, apache/incubator-milagro-crypto-c#90: a generator that
// never found a large enough d, and one whose d was wrong.
func TestGenerateKeyMany(t *testing.T) {
	t.Parallel()
	n := 60
	if testing.Short() {
		n = 4
	}
	seen := map[string]bool{}
	for range n {
		within(t, func() {
			key, err := rsa.GenerateKey(rand.Reader, 1024)
			if err != nil {
				t.Error(err)
				return
			}
			checkGenerated(t, key, 1024)
			for _, p := range key.Primes {
				if seen[p.String()] {
					t.Error("the same prime twice")
				}
				seen[p.String()] = true
			}
			digest := make([]byte, sha256.Size)
			sig, err := stdrsa.SignPKCS1v15(nil, key, crypto.SHA256, digest)
			if err != nil {
				t.Error(err)
				return
			}
			if err := rsa.VerifyPKCS1v15(&key.PublicKey, crypto.SHA256, digest, sig); err != nil {
				t.Error(err)
			}
		})
	}
}

// checkGenerated checks a new two-prime key of the given size against the
// promises of crypto/rsa and FIPS 186-5 A.1.
func checkGenerated(t *testing.T, key *rsa.PrivateKey, bits int) {
	t.Helper()
	if got := key.N.BitLen(); got != bits {
		t.Errorf("%d-bit key has a %d-bit modulus", bits, got)
	}
	if len(key.Primes) != 2 {
		t.Fatalf("%d-bit key has %d primes", bits, len(key.Primes))
	}
	p, q := key.Primes[0], key.Primes[1]
	if p.BitLen() != (bits+1)/2 || q.BitLen() != bits/2 {
		t.Errorf("%d-bit key has primes of %d and %d bits", bits, p.BitLen(), q.BitLen())
	}
	for _, x := range key.Primes {
		if !x.ProbablyPrime(4) {
			t.Errorf("%d-bit key: %v is composite", bits, x)
		}
	}
	if new(big.Int).Mul(p, q).Cmp(key.N) != 0 {
		t.Errorf("%d-bit key: p*q != N", bits)
	}
	diff := new(big.Int).Sub(p, q)
	if diff.Abs(diff).BitLen() <= bits/2-100 {
		t.Errorf("%d-bit key: |p-q| has only %d bits", bits, diff.BitLen())
	}
	lambda := carmichael(p, q)
	if key.E != 65537 {
		t.Errorf("%d-bit key: e = %d", bits, key.E)
	}
	ed := new(big.Int).Mul(key.D, big.NewInt(int64(key.E)))
	if ed.Mod(ed, lambda).Cmp(bigOne) != 0 {
		t.Errorf("%d-bit key: e*d != 1 mod lcm(p-1, q-1)", bits)
	}
	if key.D.Cmp(lambda) >= 0 {
		t.Errorf("%d-bit key: d is not reduced modulo lcm(p-1, q-1)", bits)
	}
	if key.D.BitLen() <= bits/2 {
		t.Errorf("%d-bit key: d has only %d bits", bits, key.D.BitLen())
	}
	pre := key.Precomputed
	if pre.Dp == nil || pre.Dq == nil || pre.Qinv == nil || pre.CRTValues == nil {
		t.Errorf("%d-bit key: precomputed values missing", bits)
	} else {
		want := setCRT(&rsa.PrivateKey{PublicKey: key.PublicKey, D: key.D, Primes: key.Primes}).Precomputed
		if pre.Dp.Cmp(want.Dp) != 0 || pre.Dq.Cmp(want.Dq) != 0 || pre.Qinv.Cmp(want.Qinv) != 0 || len(pre.CRTValues) != 0 {
			t.Errorf("%d-bit key: precomputed values wrong", bits)
		}
	}
	if err := key.Validate(); err != nil {
		t.Errorf("%d-bit key: Validate: %v", bits, err)
	}
}
