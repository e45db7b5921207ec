package rsa_test

import (
	"bytes"
	"crypto"
	"crypto/fips140"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"math/big"
	"runtime/debug"
	"slices"
	"sync"
	"testing"

	"github.com/fastrsa/fastrsa/rsa"
)

// This file checks what callers may rely on beside the results: few
// allocations, safe concurrent use, and inputs left alone.

// sample is one key with matching inputs for every operation.
type sample struct {
	key       *rsa.PrivateKey
	digest    []byte
	pkcs, pss []byte // signatures
	enc, oaep []byte // ciphertexts of msg
	msg       []byte
}

func newSample(tb testing.TB, bits int) *sample {
	tb.Helper()
	s := &sample{key: testKeyOf(tb, "size", bits, 0).private(), msg: []byte("0123456789abcdef")}
	s.key.Precompute()
	digest := sha256.Sum256([]byte(tb.Name()))
	s.digest = digest[:]
	var errs [4]error
	s.pkcs, errs[0] = rsa.SignPKCS1v15(nil, s.key, crypto.SHA256, s.digest)
	s.pss, errs[1] = rsa.SignPSS(rand.Reader, s.key, crypto.SHA256, s.digest, nil)
	s.enc, errs[2] = rsa.EncryptPKCS1v15(rand.Reader, &s.key.PublicKey, s.msg)
	s.oaep, errs[3] = rsa.EncryptOAEP(sha256.New(), rand.Reader, &s.key.PublicKey, s.msg, []byte("label"))
	for _, err := range errs {
		if err != nil {
			tb.Fatal(err)
		}
	}
	return s
}

// operations are all operations on a sample; each returns its result.
var operations = map[string]func(s *sample, key *rsa.PrivateKey) ([]byte, error){
	"VerifyPKCS1v15": func(s *sample, key *rsa.PrivateKey) ([]byte, error) {
		return nil, rsa.VerifyPKCS1v15(&key.PublicKey, crypto.SHA256, s.digest, s.pkcs)
	},
	"VerifyPSS": func(s *sample, key *rsa.PrivateKey) ([]byte, error) {
		return nil, rsa.VerifyPSS(&key.PublicKey, crypto.SHA256, s.digest, s.pss, nil)
	},
	"SignPKCS1v15": func(s *sample, key *rsa.PrivateKey) ([]byte, error) {
		return rsa.SignPKCS1v15(nil, key, crypto.SHA256, s.digest)
	},
	"SignPSS": func(s *sample, key *rsa.PrivateKey) ([]byte, error) {
		return rsa.SignPSS(rand.Reader, key, crypto.SHA256, s.digest, nil)
	},
	"EncryptPKCS1v15": func(s *sample, key *rsa.PrivateKey) ([]byte, error) {
		return rsa.EncryptPKCS1v15(rand.Reader, &key.PublicKey, s.msg)
	},
	"EncryptOAEP": func(s *sample, key *rsa.PrivateKey) ([]byte, error) {
		return rsa.EncryptOAEP(sha256.New(), rand.Reader, &key.PublicKey, s.msg, []byte("label"))
	},
	"DecryptPKCS1v15": func(s *sample, key *rsa.PrivateKey) ([]byte, error) {
		return rsa.DecryptPKCS1v15(nil, key, s.enc)
	},
	"DecryptPKCS1v15SessionKey": func(s *sample, key *rsa.PrivateKey) ([]byte, error) {
		session := make([]byte, len(s.msg))
		return session, rsa.DecryptPKCS1v15SessionKey(nil, key, s.enc, session)
	},
	"DecryptOAEP": func(s *sample, key *rsa.PrivateKey) ([]byte, error) {
		return rsa.DecryptOAEP(sha256.New(), nil, key, s.oaep, []byte("label"))
	},
}

// correct checks the result of an operation.
func (s *sample) correct(op string, out []byte) error {
	pub := &s.key.PublicKey
	switch op {
	case "SignPKCS1v15":
		if !bytes.Equal(out, s.pkcs) {
			return fmt.Errorf("signature %x, want %x", out, s.pkcs)
		}
	case "SignPSS":
		return stdSuite.VerifyPSS(pub, crypto.SHA256, s.digest, out, nil)
	case "EncryptPKCS1v15", "EncryptOAEP":
		if len(out) != s.key.Size() {
			return fmt.Errorf("ciphertext of %d bytes", len(out))
		}
	case "DecryptPKCS1v15", "DecryptPKCS1v15SessionKey", "DecryptOAEP":
		if !bytes.Equal(out, s.msg) {
			return fmt.Errorf("message %x, want %x", out, s.msg)
		}
	}
	return nil
}

// allocationLimits are the most allocations an operation may make with a
// 2048-bit key.
var allocationLimits = map[string]float64{
	"VerifyPKCS1v15":            1,
	"VerifyPSS":                 6,
	"SignPKCS1v15":              4,
	"SignPSS":                   8,
	"EncryptPKCS1v15":           4,
	"EncryptOAEP":               6,
	"DecryptPKCS1v15":           4,
	"DecryptPKCS1v15SessionKey": 4,
	"DecryptOAEP":               8,
}

// TestAllocations is not parallel: AllocsPerRun counts the whole process.
func TestAllocations(t *testing.T) {
	if fips140.Enabled() {
		t.Skip("in FIPS 140-3 mode crypto/rsa does the work")
	}
	if raceEnabled() {
		t.Skip("the race detector allocates")
	}
	s := newSample(t, 2048)
	for op, run := range operations {
		limit, ok := allocationLimits[op]
		if !ok {
			t.Errorf("%s has no limit", op)
		}
		allocs := testing.AllocsPerRun(10, func() {
			if _, err := run(s, s.key); err != nil {
				t.Errorf("%s: %v", op, err)
			}
		})
		if allocs > limit {
			t.Errorf("%s makes %v allocations, the limit is %v", op, allocs, limit)
		}
	}
}

// raceEnabled reports whether the test was built with the race detector.
func raceEnabled() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// cloudflare/gokeyless#192, golang/go#59695: values computed lazily were a race,
// and a signature could be made with half of them.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	s := newSample(t, 1024)
	fresh := testKeyOf(t, "size", 1024, 0).private()
	byHand := setCRT(testKeyOf(t, "size", 1024, 0).private())
	rounds := 4
	if testing.Short() {
		rounds = 1
	}
	for name, key := range map[string]*rsa.PrivateKey{"precomputed": s.key, "fresh": fresh, "CRT values by hand": byHand} {
		stop := make(chan struct{})
		var copier, workers sync.WaitGroup
		copier.Go(func() {
			var last rsa.PrivateKey
			for {
				select {
				case <-stop:
					if last.N != nil && !last.Equal(key) {
						t.Errorf("%s: the copy differs", name)
					}
					return
				default:
					last = *key
				}
			}
		})
		start := make(chan struct{})
		for range 64 {
			workers.Go(func() {
				<-start
				for range rounds {
					for op, run := range operations {
						out, err := run(s, key)
						if err == nil {
							err = s.correct(op, out)
						}
						if err != nil {
							t.Errorf("%s: %s: %v", name, op, err)
						}
					}
				}
			})
		}
		close(start)
		workers.Wait()
		close(stop)
		copier.Wait()
	}
}

// go-fed/activity#114: a hash with bytes already written to it.
func TestDirtyHash(t *testing.T) {
	t.Parallel()
	s := newSample(t, 1024)
	dirty := func() hash.Hash {
		h := sha256.New()
		io.WriteString(h, "bytes of somebody else")
		return h
	}
	empty := sha256.Sum256(nil)
	clean := func(what string, h hash.Hash) {
		t.Helper()
		if !bytes.Equal(h.Sum(nil), empty[:]) {
			t.Errorf("%s: the hash was not reset", what)
		}
	}
	h := dirty()
	c, err := rsa.EncryptOAEP(h, zeroes{}, &s.key.PublicKey, s.msg, []byte("label"))
	want, wantErr := stdSuite.EncryptOAEP(sha256.New(), zeroes{}, &s.key.PublicKey, s.msg, []byte("label"))
	if err != nil || wantErr != nil || !bytes.Equal(c, want) {
		t.Errorf("EncryptOAEP with a dirty hash = %x, %v, want %x, %v", c, err, want, wantErr)
	}
	clean("EncryptOAEP", h)

	h = dirty()
	if m, err := rsa.DecryptOAEP(h, nil, s.key, s.oaep, []byte("label")); err != nil || !bytes.Equal(m, s.msg) {
		t.Errorf("DecryptOAEP with a dirty hash = %x, %v", m, err)
	}
	clean("DecryptOAEP", h)

	// After errors too.
	h = dirty()
	if _, err := rsa.EncryptOAEP(h, errorReader, &s.key.PublicKey, s.msg, nil); err != errReader {
		t.Errorf("EncryptOAEP with a failing reader: %v", err)
	}
	clean("EncryptOAEP with a failing reader", h)
	h = dirty()
	if _, err := rsa.EncryptOAEP(h, zeroes{}, &s.key.PublicKey, make([]byte, 200), nil); err != rsa.ErrMessageTooLong {
		t.Errorf("EncryptOAEP of a long message: %v", err)
	}
	clean("EncryptOAEP of a long message", h)
	for what, c := range map[string][]byte{"junk": s.pkcs, "a long ciphertext": make([]byte, 200), "another label": s.oaep} {
		h = dirty()
		if m, err := rsa.DecryptOAEP(h, nil, s.key, c, []byte("other")); err != rsa.ErrDecryption || m != nil {
			t.Errorf("DecryptOAEP of %s = %x, %v", what, m, err)
		}
		clean("DecryptOAEP of "+what, h)
	}
}

// snapshot renders everything reachable in a key, including spare capacity and
// pointer identity.
func snapshot(key *rsa.PrivateKey) string {
	var b bytes.Buffer
	num := func(x *big.Int) {
		if x == nil {
			b.WriteString("nil ")
			return
		}
		bits := x.Bits()
		fmt.Fprintf(&b, "%p %d %p %x ", x, x.Sign(), bits, bits[:cap(bits)])
	}
	num(key.N)
	num(key.D)
	fmt.Fprintf(&b, "%d %d %p ", key.E, len(key.Primes), key.Primes)
	for _, p := range key.Primes {
		num(p)
	}
	num(key.Precomputed.Dp)
	num(key.Precomputed.Dq)
	num(key.Precomputed.Qinv)
	fmt.Fprintf(&b, "%d %p", len(key.Precomputed.CRTValues), key.Precomputed.CRTValues)
	fmt.Fprintf(&b, "%v", key.Precomputed)
	return b.String()
}

func TestInputsAreNotChanged(t *testing.T) {
	t.Parallel()
	for _, bits := range []int{1024, 1025} {
		s := newSample(t, bits)
		tk := testKeyOf(t, "size", bits, 0)
		noPrimes := tk.private()
		noPrimes.Primes = nil
		for name, key := range map[string]*rsa.PrivateKey{
			"precomputed": s.key, "fresh": tk.private(), "CRT values by hand": setCRT(tk.private()),
			"swapped": tk.swapped(), "no primes": noPrimes,
		} {
			before := snapshot(key)
			inputs := func() []byte { return slices.Concat(s.digest, s.pkcs, s.pss, s.enc, s.oaep, s.msg) }
			bytesBefore := inputs()
			for op, run := range operations {
				out, err := run(s, key)
				if err == nil {
					err = s.correct(op, out)
				}
				if err != nil {
					t.Errorf("%d bits, %s: %s: %v", bits, name, op, err)
				}
				if snapshot(key) != before {
					t.Fatalf("%d bits, %s: %s changed the key", bits, name, op)
				}
				// A result that shared memory with an input would now change it.
				out = out[:cap(out)]
				for i := range out {
					out[i] ^= 0xff
				}
				if !bytes.Equal(inputs(), bytesBefore) {
					t.Fatalf("%d bits, %s: %s changed its input, or its result is part of it", bits, name, op)
				}
				if snapshot(key) != before {
					t.Fatalf("%d bits, %s: the result of %s is part of the key", bits, name, op)
				}
			}
			// Nothing changes when a check fails either.
			rsa.VerifyPKCS1v15(&key.PublicKey, crypto.SHA256, s.digest, s.pss)
			rsa.VerifyPSS(&key.PublicKey, crypto.SHA256, s.digest, s.pkcs, nil)
			rsa.DecryptPKCS1v15(nil, key, s.oaep)
			rsa.DecryptOAEP(sha256.New(), nil, key, s.enc, nil)
			if snapshot(key) != before || !bytes.Equal(inputs(), bytesBefore) {
				t.Errorf("%d bits, %s: a failing operation changed its input", bits, name)
			}
		}
	}
}
