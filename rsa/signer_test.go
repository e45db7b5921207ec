package rsa_test

import (
	"bytes"
	"crypto"
	"crypto/fips140"
	"crypto/rand"
	stdrsa "crypto/rsa"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/fastrsa/fastrsa/rsa"
)

// This file checks what Signer and Verifier have beside the functions of the package.
// That they give the same results is part of the parity table and of the vectors.

func newSigner(tb testing.TB, key *rsa.PrivateKey, options ...rsa.SignerOption) *rsa.Signer {
	tb.Helper()
	s, err := rsa.NewSigner(key, options...)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func newVerifier(tb testing.TB, pub *rsa.PublicKey, options ...rsa.VerifierOption) *rsa.Verifier {
	tb.Helper()
	v, err := rsa.NewVerifier(pub, options...)
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

// prepared is a sample with the prepared forms of its key.
type prepared struct {
	*sample
	signer   *rsa.Signer
	verifier *rsa.Verifier
}

func newPrepared(tb testing.TB, bits int, options ...rsa.SignerOption) *prepared {
	tb.Helper()
	s := newSample(tb, bits)
	return &prepared{s, newSigner(tb, s.key, options...), newVerifier(tb, &s.key.PublicKey)}
}

var (
	pssAsHash = &rsa.PSS{Hash: crypto.SHA256}
	pssAny    = &rsa.PSS{Hash: crypto.SHA256, Salt: rsa.PSSSaltLongest()}
	oaepLabel = &rsa.OAEPOptions{Hash: crypto.SHA256, Label: []byte("label")}
)

// appends are all Append methods; the names are those of operations.
var appends = map[string]func(p *prepared, dst []byte) ([]byte, error){
	"SignPKCS1v15": func(p *prepared, dst []byte) ([]byte, error) {
		return p.signer.AppendSignPKCS1v15(dst, crypto.SHA256, p.digest)
	},
	"SignPSS": func(p *prepared, dst []byte) ([]byte, error) {
		return p.signer.AppendSignPSS(dst, rand.Reader, p.digest, pssAsHash)
	},
	"DecryptPKCS1v15": func(p *prepared, dst []byte) ([]byte, error) { return p.signer.AppendDecryptPKCS1v15(dst, p.enc) },
	"DecryptOAEP": func(p *prepared, dst []byte) ([]byte, error) {
		return p.signer.AppendDecryptOAEP(dst, p.oaep, oaepLabel)
	},
	"EncryptPKCS1v15": func(p *prepared, dst []byte) ([]byte, error) { return p.verifier.AppendEncryptPKCS1v15(dst, p.msg) },
	"EncryptOAEP": func(p *prepared, dst []byte) ([]byte, error) {
		return p.verifier.AppendEncryptOAEP(dst, nil, p.msg, oaepLabel)
	},
}

// others are the methods that return no slice.
var others = map[string]func(p *prepared) error{
	"VerifyPKCS1v15": func(p *prepared) error { return p.verifier.VerifyPKCS1v15(crypto.SHA256, p.digest, p.pkcs) },
	"VerifyPSS":      func(p *prepared) error { return p.verifier.VerifyPSS(p.digest, p.pss, pssAny) },
	"DecryptPKCS1v15SessionKey": func(p *prepared) error {
		var key [16]byte
		if err := p.signer.DecryptPKCS1v15SessionKey(p.enc, key[:]); err != nil {
			return err
		}
		if !bytes.Equal(key[:], p.msg) {
			return fmt.Errorf("session key %x, want %x", key, p.msg)
		}
		return nil
	},
}

// TestSignerAllocations is not parallel: AllocsPerRun counts the whole process.
func TestSignerAllocations(t *testing.T) {
	if fips140.Enabled() {
		t.Skip("in FIPS 140-3 mode crypto/rsa does the work")
	}
	if raceEnabled() {
		t.Skip("the race detector allocates")
	}
	check := func(what string, f func() error) {
		t.Helper()
		allocs := testing.AllocsPerRun(5, func() {
			if err := f(); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		})
		if allocs != 0 {
			t.Errorf("%s makes %v allocations", what, allocs)
		}
	}
	for _, bits := range []int{2048, 3072, 4096} {
		p := benchPrepared(t, bits)
		buf := make([]byte, 0, p.signer.Size())
		for op, f := range appends {
			var out []byte
			check(fmt.Sprintf("%d bits, %s", bits, op), func() (err error) {
				out, err = f(p, buf)
				return err
			})
			if err := p.correct(op, out); err != nil {
				t.Errorf("%d bits, %s: %v", bits, op, err)
			}
		}
		for op, f := range others {
			check(fmt.Sprintf("%d bits, %s", bits, op), func() error { return f(p) })
		}
	}
	// Digests of the caller's stay on its stack, and every hash of the SHA families is
	// free of allocations.
	p := benchPrepared(t, 2048)
	buf := make([]byte, 0, p.signer.Size())
	check("a digest on the stack", func() error {
		digest := sha256.Sum256(p.msg)
		sig, err := p.signer.AppendSignPSS(buf, nil, digest[:], pssAsHash)
		if err == nil {
			err = p.verifier.VerifyPSS(digest[:], sig, pssAsHash)
		}
		if err == nil {
			sig, err = p.signer.AppendSignPKCS1v15(buf, crypto.SHA256, digest[:])
		}
		if err == nil {
			err = p.verifier.VerifyPKCS1v15(crypto.SHA256, digest[:], sig)
		}
		return err
	})
	for _, h := range linkedHashes {
		if h == crypto.MD5 {
			continue
		}
		digest, pss, oaep := digestFor(h), &rsa.PSS{Hash: h}, &rsa.OAEPOptions{Hash: h}
		ciphertext, err := p.verifier.EncryptOAEP(nil, p.msg, oaep)
		if err != nil {
			t.Fatal(err)
		}
		check(h.String(), func() error {
			sig, err := p.signer.AppendSignPSS(buf, nil, digest, pss)
			if err == nil {
				err = p.verifier.VerifyPSS(digest, sig, pss)
			}
			if err == nil {
				_, err = p.verifier.AppendEncryptOAEP(buf, nil, p.msg, oaep)
			}
			if err == nil {
				_, err = p.signer.AppendDecryptOAEP(buf, ciphertext, oaep)
			}
			return err
		})
	}
}

// benchPrepared returns a prepared key of a size that newSample does not have.
func benchPrepared(tb testing.TB, bits int) *prepared {
	tb.Helper()
	key := setCRT(testKeyOf(tb, "bench", bits, 65537).private())
	p := &prepared{&sample{key: key, msg: []byte("0123456789abcdef"), digest: digestFor(crypto.SHA256)}, newSigner(tb, key), newVerifier(tb, &key.PublicKey)}
	var errs [4]error
	p.pkcs, errs[0] = p.signer.SignPKCS1v15(crypto.SHA256, p.digest)
	p.pss, errs[1] = p.signer.SignPSS(nil, p.digest, pssAsHash)
	p.enc, errs[2] = p.verifier.EncryptPKCS1v15(p.msg)
	p.oaep, errs[3] = p.verifier.EncryptOAEP(nil, p.msg, oaepLabel)
	for _, err := range errs {
		if err != nil {
			tb.Fatal(err)
		}
	}
	return p
}

// golang/go#21624: buffers that overlap. Whatever the spare capacity of dst overlaps,
// the result must be the same, and what dst contains must stay.
func TestSignerAppend(t *testing.T) {
	t.Parallel()
	p := newPrepared(t, 1025)
	k := p.signer.Size()
	for op, f := range appends {
		for _, prefix := range []string{"", "prefix"} {
			for _, spare := range []int{0, 1, k - 1, k, k + 100} {
				dst := append(make([]byte, 0, len(prefix)+spare), prefix...)
				out, err := f(p, dst)
				if err != nil || !strings.HasPrefix(string(out), prefix) || string(dst) != prefix {
					t.Fatalf("%s: %x, %v", op, out, err)
				}
				if err := p.correct(op, out[len(prefix):]); err != nil {
					t.Errorf("%s after %q with spare capacity %d: %v", op, prefix, spare, err)
				}
			}
		}
	}

	// Input and output overlap by any number of bytes.
	for shift := range 4 {
		buf := make([]byte, 2*k)
		in := buf[shift : shift+len(p.digest)]
		copy(in, p.digest)
		out, err := p.signer.AppendSignPKCS1v15(buf[:0], crypto.SHA256, in)
		if err != nil || !bytes.Equal(out, p.pkcs) {
			t.Errorf("SignPKCS1v15, input %d bytes behind the output: %x, %v", shift, out, err)
		}
		in = buf[shift : shift+k]
		copy(in, p.oaep)
		out, err = p.signer.AppendDecryptOAEP(buf[:0], in, oaepLabel)
		if err != nil || !bytes.Equal(out, p.msg) {
			t.Errorf("DecryptOAEP, input %d bytes behind the output: %x, %v", shift, out, err)
		}
		in = buf[shift : shift+k]
		copy(in, p.enc)
		out, err = p.signer.AppendDecryptPKCS1v15(buf[:0], in)
		if err != nil || !bytes.Equal(out, p.msg) {
			t.Errorf("DecryptPKCS1v15, input %d bytes behind the output: %x, %v", shift, out, err)
		}
		in = buf[shift : shift+len(p.msg)]
		copy(in, p.msg)
		out, err = p.verifier.AppendEncryptOAEP(buf[:0], nil, in, oaepLabel)
		if err == nil {
			out, err = p.signer.DecryptOAEP(out, oaepLabel)
		}
		if err != nil || !bytes.Equal(out, p.msg) {
			t.Errorf("EncryptOAEP, input %d bytes behind the output: %x, %v", shift, out, err)
		}
	}

	// An error leaves dst and its spare capacity as they were.
	untouched := bytes.Repeat([]byte{0xa5}, 2*k)
	bad := slices.Clone(p.oaep)
	bad[k-1] ^= 1
	n := p.key.N.Bytes()
	for what, f := range map[string]func(dst []byte) ([]byte, error){
		"SignPKCS1v15, digest too short": func(dst []byte) ([]byte, error) {
			return p.signer.AppendSignPKCS1v15(dst, crypto.SHA256, p.digest[1:])
		},
		"SignPKCS1v15, too long":       func(dst []byte) ([]byte, error) { return p.signer.AppendSignPKCS1v15(dst, 0, make([]byte, k-10)) },
		"SignPSS, digest too short":    func(dst []byte) ([]byte, error) { return p.signer.AppendSignPSS(dst, nil, p.digest[1:], pssAny) },
		"SignPSS, no options":          func(dst []byte) ([]byte, error) { return p.signer.AppendSignPSS(dst, nil, p.digest, nil) },
		"SignPSS, failing reader":      func(dst []byte) ([]byte, error) { return p.signer.AppendSignPSS(dst, errorReader, p.digest, pssAny) },
		"DecryptOAEP, bad padding":     func(dst []byte) ([]byte, error) { return p.signer.AppendDecryptOAEP(dst, bad, oaepLabel) },
		"DecryptOAEP of n":             func(dst []byte) ([]byte, error) { return p.signer.AppendDecryptOAEP(dst, n, oaepLabel) },
		"DecryptOAEP, no options":      func(dst []byte) ([]byte, error) { return p.signer.AppendDecryptOAEP(dst, p.oaep, nil) },
		"DecryptPKCS1v15, bad padding": func(dst []byte) ([]byte, error) { return p.signer.AppendDecryptPKCS1v15(dst, bad) },
		"EncryptOAEP, too long": func(dst []byte) ([]byte, error) {
			return p.verifier.AppendEncryptOAEP(dst, nil, make([]byte, k), oaepLabel)
		},
		"EncryptOAEP, failing reader": func(dst []byte) ([]byte, error) {
			return p.verifier.AppendEncryptOAEP(dst, errorReader, p.msg, oaepLabel)
		},
		"EncryptOAEP, no options":   func(dst []byte) ([]byte, error) { return p.verifier.AppendEncryptOAEP(dst, nil, p.msg, nil) },
		"EncryptPKCS1v15, too long": func(dst []byte) ([]byte, error) { return p.verifier.AppendEncryptPKCS1v15(dst, make([]byte, k-10)) },
		"DecryptPKCS1v15, too long": func(dst []byte) ([]byte, error) { return p.signer.AppendDecryptPKCS1v15(dst, make([]byte, k+1)) },
		"SignPSS, hash not available": func(dst []byte) ([]byte, error) {
			return p.signer.AppendSignPSS(dst, nil, p.digest, &rsa.PSS{Hash: 99})
		},
		"SignPSS, MGF hash not available": func(dst []byte) ([]byte, error) {
			return p.signer.AppendSignPSS(dst, nil, p.digest, &rsa.PSS{Hash: crypto.SHA256, MGFHash: 99})
		},
	} {
		buf := slices.Clone(untouched)
		out, err := f(buf[:7])
		if err == nil || len(out) != 7 || &out[0] != &buf[0] || !bytes.Equal(buf, untouched) {
			t.Errorf("%s: %d bytes, %v, buffer %x", what, len(out), err, buf)
		}
	}
}

// Changes to the caller's key, in place, and to what Public and PublicKey return, must
// not reach the prepared keys.
func TestSignerIsACopy(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(k *rsa.PrivateKey){
		"precomputed":   func(k *rsa.PrivateKey) { k.Precompute() },
		"by hand":       func(k *rsa.PrivateKey) { setCRT(k) },
		"not computed":  func(*rsa.PrivateKey) {},
		"no primes":     func(k *rsa.PrivateKey) { k.Primes = nil },
		"smaller prime": func(k *rsa.PrivateKey) { slices.Reverse(k.Primes) },
	} {
		key := testKeyOf(t, "size", 1024, 0).private()
		change(key)
		p := newPrepared(t, 1024)
		p.signer, p.verifier = newSigner(t, key), newVerifier(t, &key.PublicKey)
		for _, x := range append([]*big.Int{key.N, key.D, key.Precomputed.Dp, key.Precomputed.Dq, key.Precomputed.Qinv}, key.Primes...) {
			if x != nil {
				bits := x.Bits()
				for i := range bits[:cap(bits)] {
					bits[:cap(bits)][i] ^= 0x5555
				}
			}
		}
		key.E = 1
		clear(key.Primes)
		clear(p.signer.Public().(*rsa.PublicKey).N.Bits())
		clear(p.verifier.PublicKey().N.Bits())
		checkPrepared(t, name, p)
		if !p.key.PublicKey.Equal(p.signer.Public()) || !p.key.PublicKey.Equal(p.verifier.PublicKey()) {
			t.Errorf("%s: the public key changed", name)
		}
	}
}

// checkPrepared runs every operation.
func checkPrepared(t *testing.T, name string, p *prepared) {
	t.Helper()
	for op, f := range appends {
		out, err := f(p, nil)
		if err == nil {
			err = p.correct(op, out)
		}
		if err != nil {
			t.Errorf("%s: %s: %v", name, op, err)
		}
	}
	for op, f := range others {
		if err := f(p); err != nil {
			t.Errorf("%s: %s: %v", name, op, err)
		}
	}
}

// cloudflare/gokeyless#192, golang/go#59695, for prepared keys; run it with -race.
func TestSignerConcurrentUse(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]*prepared{"serial": newPrepared(t, 1024), "parallel": newPrepared(t, 1024, rsa.ParallelCRT())} {
		var workers sync.WaitGroup
		for range 32 {
			workers.Go(func() { checkPrepared(t, name, p) })
		}
		workers.Wait()
	}
}

func TestSignerParallelCRT(t *testing.T) {
	t.Parallel()
	for _, tk := range append(testKeys(t, "uneven"), testKeyOf(t, "size", 1031, 0), testKeyOf(t, "three", 1024, 0)) {
		for _, key := range []*rsa.PrivateKey{tk.private(), tk.swapped(), {PublicKey: tk.private().PublicKey, D: tk.private().D}} {
			s := newSigner(t, key, rsa.ParallelCRT())
			want, err := stdrsa.SignPKCS1v15(nil, tk.private(), crypto.SHA256, digestFor(crypto.SHA256))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := s.SignPKCS1v15(crypto.SHA256, digestFor(crypto.SHA256)); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%v: %x, %v, want %x", tk, got, err, want)
			}
		}
	}
}

func TestSignerWipe(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]*prepared{"serial": newPrepared(t, 1024), "parallel": newPrepared(t, 1024, rsa.ParallelCRT())} {
		pub := p.key.PublicKey
		p.signer.Wipe()
		p.signer.Wipe()
		var zero rsa.Signer
		for what, s := range map[string]*rsa.Signer{name: p.signer, "zero value": &zero, "nil": nil} {
			errs := map[string]error{}
			run := func(op string, out []byte, err error) {
				errs[op] = err
				if out != nil {
					t.Errorf("%s: %s after Wipe returns %x", what, op, out)
				}
			}
			var out []byte
			var err error
			out, err = s.SignPKCS1v15(crypto.SHA256, p.digest)
			run("SignPKCS1v15", out, err)
			out, err = s.SignPSS(nil, p.digest, pssAny)
			run("SignPSS", out, err)
			out, err = s.Sign(nil, p.digest, crypto.SHA256)
			run("Sign", out, err)
			out, err = s.SignMessage(nil, p.msg, pssAny)
			run("SignMessage", out, err)
			out, err = s.DecryptPKCS1v15(p.enc)
			run("DecryptPKCS1v15", out, err)
			out, err = s.DecryptOAEP(p.oaep, oaepLabel)
			run("DecryptOAEP", out, err)
			out, err = s.Decrypt(nil, p.enc, &rsa.PKCS1v15DecryptOptions{SessionKeyLen: 16})
			run("Decrypt", out, err)
			session := []byte("unchanged")
			run("DecryptPKCS1v15SessionKey", nil, s.DecryptPKCS1v15SessionKey(p.enc, session))
			if string(session) != "unchanged" {
				t.Errorf("%s: session key %x", what, session)
			}
			for op, err := range errs {
				if err == nil || err == rsa.ErrDecryption {
					t.Errorf("%s: %s after Wipe: %v", what, op, err)
				}
			}
		}
		if !pub.Equal(p.signer.Public()) {
			t.Errorf("%s: Public after Wipe = %v", name, p.signer.Public())
		}
		if !p.key.PublicKey.Equal(&pub) || newSigner(t, p.key) == nil {
			t.Errorf("%s: Wipe reached the caller's key", name)
		}
	}
	var zero rsa.Verifier
	for what, v := range map[string]*rsa.Verifier{"zero value": &zero, "nil": nil} {
		_, err1 := v.EncryptPKCS1v15(nil)
		_, err2 := v.EncryptOAEP(nil, nil, oaepLabel)
		for i, err := range []error{err1, err2, v.VerifyPKCS1v15(crypto.SHA256, digestFor(crypto.SHA256), nil), v.VerifyPSS(nil, nil, pssAny)} {
			if err == nil || err == rsa.ErrVerification {
				t.Errorf("%s: operation %d: %v", what, i, err)
			}
		}
	}
}

// A log must not get the key, whatever the verb.
func TestSignerFormat(t *testing.T) {
	t.Parallel()
	key := testKeyOf(t, "size", 1024, 0).private()
	s := newSigner(t, key)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x", "%X", "%q", "%b", "%o"} {
		if got := fmt.Sprintf(verb, s); got != "rsa.Signer(1024 bits)" {
			t.Errorf("%s prints %q", verb, got)
		}
	}
	if got := fmt.Sprint(errors.Join(fmt.Errorf("with %v", s))); got != "with rsa.Signer(1024 bits)" {
		t.Errorf("an error prints %q", got)
	}
}

func TestSignerSizeLimits(t *testing.T) {
	t.Parallel()
	key := testKeyOf(t, "size", 1024, 0).private()
	large := testKeyOf(t, "bench", 2048, 65537).private()
	type bounds struct {
		key     *rsa.PrivateKey
		options []rsa.Option
		ok      bool
	}
	for i, c := range []bounds{
		{key, nil, true},
		{key, []rsa.Option{rsa.MinModulusBits(1024)}, true},
		{key, []rsa.Option{rsa.MinModulusBits(1025)}, false},
		{key, []rsa.Option{rsa.MaxModulusBits(1024)}, true},
		{key, []rsa.Option{rsa.MaxModulusBits(1023)}, false},
		{key, []rsa.Option{rsa.MinModulusBits(2048), rsa.MinModulusBits(512)}, true},
		{large, []rsa.Option{rsa.MinModulusBits(2048), rsa.MaxModulusBits(2048)}, true},
		{large, []rsa.Option{rsa.MaxModulusBits(2047)}, false},
		{testKeyOf(t, "small", 768, 0).private(), nil, false},
	} {
		var so []rsa.SignerOption
		var vo []rsa.VerifierOption
		for _, o := range c.options {
			so, vo = append(so, o), append(vo, o)
		}
		s, err := rsa.NewSigner(c.key, so...)
		if (err == nil) != c.ok || (s == nil) == c.ok {
			t.Errorf("case %d: NewSigner: %v", i, err)
		}
		v, err := rsa.NewVerifier(&c.key.PublicKey, vo...)
		if (err == nil) != c.ok || (v == nil) == c.ok {
			t.Errorf("case %d: NewVerifier: %v", i, err)
		}
		v, err = rsa.NewVerifierBig(c.key.N, big.NewInt(int64(c.key.E)), vo...)
		if (err == nil) != c.ok || (v == nil) == c.ok {
			t.Errorf("case %d: NewVerifierBig: %v", i, err)
		}
	}
	// The upper default, without a key of that size.
	for bits, ok := range map[uint]bool{16384: true, 16385: false} {
		n := new(big.Int).Lsh(bigOne, bits-1)
		n.SetBit(n, 0, 1)
		if _, err := rsa.NewVerifier(&rsa.PublicKey{N: n, E: 3}); (err == nil) != ok {
			t.Errorf("%d bits: NewVerifier: %v", bits, err)
		}
		if _, err := rsa.NewVerifier(&rsa.PublicKey{N: n, E: 3}, rsa.MaxModulusBits(20000)); err != nil {
			t.Errorf("%d bits: NewVerifier with a higher limit: %v", bits, err)
		}
	}
}

// Small keys are crypto/rsa's even if an option lets them in. It needs the process's
// environment, so it is not parallel.
func TestSignerSmallKeys(t *testing.T) {
	tk := testKeyOf(t, "small", 768, 0)
	t.Run("refused", func(t *testing.T) {
		t.Setenv("GODEBUG", "")
		if s, err := rsa.NewSigner(tk.private(), rsa.MinModulusBits(0)); err == nil {
			t.Errorf("NewSigner = %v", s)
		}
		v := newVerifier(t, &tk.private().PublicKey, rsa.MinModulusBits(0))
		if err := v.VerifyPKCS1v15(0, nil, make([]byte, v.Size())); err == nil || err == rsa.ErrVerification {
			t.Errorf("VerifyPKCS1v15: %v", err)
		}
	})
	t.Run("rsa1024min=0", func(t *testing.T) {
		t.Setenv("GODEBUG", "rsa1024min=0")
		key := tk.private()
		for name, key := range map[string]*rsa.PrivateKey{
			"primes": tk.private(), "CRT": setCRT(tk.private()), "no primes": {PublicKey: key.PublicKey, D: key.D},
		} {
			s := newSigner(t, key, rsa.MinModulusBits(0))
			v := newVerifier(t, &key.PublicKey, rsa.MinModulusBits(512))
			digest := digestFor(crypto.SHA1)
			pss := &rsa.PSS{Hash: crypto.SHA1}
			sig, err := s.SignPKCS1v15(crypto.SHA1, digest)
			if err != nil || v.VerifyPKCS1v15(crypto.SHA1, digest, sig) != nil {
				t.Errorf("%s: SignPKCS1v15: %v", name, err)
			}
			if sig, err = s.SignPSS(nil, digest, pss); err != nil || v.VerifyPSS(digest, sig, pss) != nil {
				t.Errorf("%s: SignPSS: %v", name, err)
			}
			c, err := v.EncryptPKCS1v15([]byte("m"))
			if err != nil {
				t.Fatal(err)
			}
			if m, err := s.DecryptPKCS1v15(c); err != nil || string(m) != "m" {
				t.Errorf("%s: DecryptPKCS1v15: %q, %v", name, m, err)
			}
			session := []byte("x")
			if err := s.DecryptPKCS1v15SessionKey(c, session); err != nil || string(session) != "m" {
				t.Errorf("%s: DecryptPKCS1v15SessionKey: %q, %v", name, session, err)
			}
			oaep := &rsa.OAEPOptions{Hash: crypto.SHA1, MGFHash: crypto.SHA256, Label: []byte("l")}
			if c, err = v.EncryptOAEP(nil, []byte("m"), oaep); err != nil {
				t.Fatal(err)
			}
			if m, err := s.DecryptOAEP(c, oaep); err != nil || string(m) != "m" {
				t.Errorf("%s: DecryptOAEP: %q, %v", name, m, err)
			}
			// What crypto/rsa cannot do.
			if sig, err := s.SignPSS(nil, digest, &rsa.PSS{Hash: crypto.SHA1, MGFHash: crypto.SHA256}); err == nil {
				t.Errorf("%s: SignPSS with another hash for MGF1 = %x", name, sig)
			}
			if sig, err := s.SignPSS(nil, digest, &rsa.PSS{Hash: crypto.SHA1, Salt: rsa.PSSSaltExactly(0)}); err == nil {
				t.Errorf("%s: SignPSS without salt = %x", name, sig)
			}
			s.Wipe()
			if sig, err := s.SignPKCS1v15(crypto.SHA1, digest); err == nil {
				t.Errorf("%s: SignPKCS1v15 after Wipe = %x", name, sig)
			}
		}
		wrong := tk.private()
		addTo(&wrong.D, 2)
		for _, primes := range [][]*big.Int{wrong.Primes, nil} {
			wrong.Primes = primes
			if s, err := rsa.NewSigner(wrong, rsa.MinModulusBits(0)); err == nil {
				t.Errorf("%d primes, d+2: %v", len(primes), s)
			}
		}
	})
}

// Exponents that do not fit in a PublicKey, against math/big.
func TestVerifierBigExponent(t *testing.T) {
	t.Parallel()
	if fips140.Enabled() {
		t.Skip("in FIPS 140-3 mode crypto/rsa does the work, and it has no such exponents")
	}
	digest := digestFor(crypto.SHA256)
	for _, bits := range []int{1024, 1031} {
		tk := testKeyOf(t, "size", bits, 0)
		key := tk.private()
		k := key.Size()
		em := emPKCS1v15(k, digestInfoSHA256(digest))
		encodedPSS := pssEncode(&key.PublicKey, digest, []byte("salt"), nil)
		lambda := carmichael(tk.primes...)
		for _, size := range []int{31, 32, 33, 63, 64, 65, 103, 104, 105, 200, 255, 256, 257, 1000} {
			// The smallest exponent of that length that is invertible.
			e := new(big.Int).Lsh(bigOne, uint(size-1))
			e.SetBit(e, 0, 1)
			for new(big.Int).GCD(nil, nil, e, lambda).Cmp(bigOne) != 0 {
				e.Add(e, big.NewInt(2))
			}
			d := new(big.Int).ModInverse(e, lambda)
			sign := func(em []byte) []byte {
				return new(big.Int).Exp(new(big.Int).SetBytes(em), d, key.N).FillBytes(make([]byte, k))
			}
			v, err := rsa.NewVerifierBig(key.N, e)
			if size > 256 {
				if err == nil {
					t.Errorf("%d bits: an exponent of %d bits was accepted", bits, size)
				}
				if v, err = rsa.NewVerifierBig(key.N, e, rsa.MaxExponentBits(size)); err != nil {
					t.Errorf("%d bits: %v", bits, err)
					continue
				}
			} else if err != nil {
				t.Errorf("%d bits: exponent of %d bits: %v", bits, size, err)
				continue
			}
			sig := sign(em)
			if err := v.VerifyPKCS1v15(crypto.SHA256, digest, sig); err != nil {
				t.Errorf("%d bits, exponent of %d bits: VerifyPKCS1v15: %v", bits, size, err)
			}
			sig[k-1] ^= 1
			if err := v.VerifyPKCS1v15(crypto.SHA256, digest, sig); err != rsa.ErrVerification {
				t.Errorf("%d bits, exponent of %d bits: VerifyPKCS1v15 of another signature: %v", bits, size, err)
			}
			if err := v.VerifyPSS(digest, sign(encodedPSS), pssAny); err != nil {
				t.Errorf("%d bits, exponent of %d bits: VerifyPSS: %v", bits, size, err)
			}
			pub := v.PublicKey()
			_, err1 := v.EncryptPKCS1v15([]byte("m"))
			_, err2 := v.EncryptOAEP(nil, []byte("m"), oaepLabel)
			if small := size < 32; small != (pub != nil) || small != (err1 == nil) || small != (err2 == nil) {
				t.Errorf("%d bits, exponent of %d bits: public key %v, encryption %v, %v", bits, size, pub, err1, err2)
			}
		}
		// lestrrat-go/jwx#1834: 2^64+65537 must not be taken for 65537.
		e, _ := new(big.Int).SetString("18446744073709617153", 10)
		v, err := rsa.NewVerifierBig(key.N, e)
		if err != nil {
			t.Fatal(err)
		}
		sig, err := stdrsa.SignPKCS1v15(nil, key, crypto.SHA256, digest)
		if err != nil {
			t.Fatal(err)
		}
		if err := v.VerifyPKCS1v15(crypto.SHA256, digest, sig); err != rsa.ErrVerification {
			t.Errorf("2^64+65537 as the exponent: %v", err)
		}

		// The caller's numbers can change.
		n, e := new(big.Int).Set(key.N), new(big.Int).Add(new(big.Int).Lsh(bigOne, 40), bigOne)
		for new(big.Int).GCD(nil, nil, e, lambda).Cmp(bigOne) != 0 {
			e.Add(e, big.NewInt(2))
		}
		if v, err = rsa.NewVerifierBig(n, e); err != nil {
			t.Fatal(err)
		}
		sig = new(big.Int).Exp(new(big.Int).SetBytes(em), new(big.Int).ModInverse(e, lambda), key.N).FillBytes(make([]byte, k))
		n.SetInt64(0)
		clear(e.Bits())
		if err := v.VerifyPKCS1v15(crypto.SHA256, digest, sig); err != nil {
			t.Errorf("after a change of the caller's numbers: %v", err)
		}
	}
}

func TestVerifierBigErrors(t *testing.T) {
	t.Parallel()
	n := testKeyOf(t, "size", 1024, 0).private().N
	even := new(big.Int).Sub(n, bigOne)
	big65 := new(big.Int).Lsh(bigOne, 64)
	for name, c := range map[string]struct {
		n, e *big.Int
		want string
	}{
		"n nil":            {nil, big.NewInt(3), "missing public modulus"},
		"e nil":            {n, nil, "missing public exponent"},
		"e = 0":            {n, new(big.Int), "public exponent too small or negative"},
		"e = 1":            {n, bigOne, "public exponent too small or negative"},
		"e = -3":           {n, big.NewInt(-3), "public exponent too small or negative"},
		"e = -2^64-1":      {n, new(big.Int).Neg(new(big.Int).Add(big65, bigOne)), "public exponent too small or negative"},
		"e = 65536":        {n, big.NewInt(65536), "public exponent is even"},
		"e = 2^64":         {n, big65, "public exponent is even"},
		"even n":           {even, big.NewInt(65537), "public modulus is even"},
		"even n, e = 2^64": {even, big65, "public modulus is even"},
		"e = n":            {n, n, "public exponent too large"},
		"e of 257 bits":    {n, new(big.Int).Add(new(big.Int).Lsh(bigOne, 256), bigOne), "public exponent too large"},
		"negative n":       {new(big.Int).Neg(n), big.NewInt(3), "negative"},
		"n = 15":           {big.NewInt(15), big.NewInt(3), "smaller than 1024 bits"},
		"n = 0":            {new(big.Int), big.NewInt(3), "smaller than 1024 bits"},
	} {
		if v, err := rsa.NewVerifierBig(c.n, c.e); v != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v, want %q", name, v, err, c.want)
		}
	}
	if v, err := rsa.NewVerifierBig(n, n, rsa.MaxExponentBits(5000)); v != nil || err == nil {
		t.Errorf("e = n with a high limit: %v, %v", v, err)
	}
}

// TestSignerPSSSalts signs with each kind of salt and verifies with each kind. The length
// of the salt is read from the signature by hand.
func TestSignerPSSSalts(t *testing.T) {
	t.Parallel()
	if fips140.Enabled() {
		t.Skip("in FIPS 140-3 mode crypto/rsa does the work, which does not have all salt lengths")
	}
	const hLen = 32
	type salt struct {
		name     string
		salt     rsa.PSSSalt
		signs    func(longest int) int // -1: an error
		verifies func(n int) bool
	}
	exactly := func(n int) salt {
		return salt{fmt.Sprintf("exactly %d", n), rsa.PSSSaltExactly(n), func(longest int) int {
			if n > longest {
				return -1
			}
			return n
		}, func(got int) bool { return got == n }}
	}
	asHash := exactly(hLen)
	asHash.name, asHash.salt = "as the hash", rsa.PSSSaltAsHash()
	zero := asHash
	zero.name, zero.salt = "zero value", rsa.PSSSalt{}
	salts := []salt{
		asHash, zero, exactly(0), exactly(1), exactly(hLen - 1), exactly(hLen), exactly(hLen + 1), exactly(94), exactly(95),
		{"longest", rsa.PSSSaltLongest(), func(longest int) int { return longest }, func(int) bool { return true }},
		{"longest to hash", rsa.PSSSaltLongestToHash(), func(longest int) int { return min(longest, hLen) }, func(n int) bool { return n <= hLen }},
	}
	digest := digestFor(crypto.SHA256)
	for _, bits := range []int{1024, 1025} {
		key := testKeyOf(t, "size", bits, 0).private()
		s, v := newSigner(t, key), newVerifier(t, &key.PublicKey)
		longest := (bits-1+7)/8 - hLen - 2
		for _, signing := range salts {
			sig, err := s.SignPSS(nil, digest, &rsa.PSS{Hash: crypto.SHA256, Salt: signing.salt})
			want := signing.signs(longest)
			if want < 0 {
				if err != rsa.ErrMessageTooLong || sig != nil {
					t.Errorf("%d bits, salt %s: %x, %v", bits, signing.name, sig, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%d bits, salt %s: %v", bits, signing.name, err)
				continue
			}
			if err := stdrsa.VerifyPSS(&key.PublicKey, crypto.SHA256, digest, sig, nil); err != nil {
				t.Errorf("%d bits, salt %s: crypto/rsa says %v", bits, signing.name, err)
			}
			if want > 0 {
				if err := stdrsa.VerifyPSS(&key.PublicKey, crypto.SHA256, digest, sig, &rsa.PSSOptions{SaltLength: want}); err != nil {
					t.Errorf("%d bits, salt %s: crypto/rsa says %v about a salt of %d bytes", bits, signing.name, err, want)
				}
			}
			for _, verifying := range salts {
				err := v.VerifyPSS(digest, sig, &rsa.PSS{Hash: crypto.SHA256, Salt: verifying.salt})
				if (err == nil) != verifying.verifies(want) || err != nil && err != rsa.ErrVerification {
					t.Errorf("%d bits, a salt of %d bytes, verified as %s: %v", bits, want, verifying.name, err)
				}
			}
		}
	}

	// Where the hash leaves less room for the salt than it is long: 1024 bits leave 62
	// bytes beside SHA-512.
	key := testKeyOf(t, "size", 1024, 0).private()
	s, v := newSigner(t, key), newVerifier(t, &key.PublicKey)
	long := digestFor(crypto.SHA512)
	capped := &rsa.PSS{Hash: crypto.SHA512, Salt: rsa.PSSSaltLongestToHash()}
	sig, err := s.SignPSS(nil, long, capped)
	if err != nil || v.VerifyPSS(long, sig, capped) != nil || v.VerifyPSS(long, sig, &rsa.PSS{Hash: crypto.SHA512, Salt: rsa.PSSSaltExactly(62)}) != nil {
		t.Errorf("the longest salt up to SHA-512: %v", err)
	}
	if sig, err := s.SignPSS(nil, long, &rsa.PSS{Hash: crypto.SHA512}); err != rsa.ErrMessageTooLong || sig != nil {
		t.Errorf("a salt as long as SHA-512: %x, %v", sig, err)
	}
	// Deterministic, and no byte is read.
	none := &rsa.PSS{Hash: crypto.SHA256, Salt: rsa.PSSSaltExactly(0)}
	one, err1 := s.SignPSS(errorReader, digest, none)
	two, err2 := s.SignPSS(nil, digest, none)
	if err1 != nil || err2 != nil || !bytes.Equal(one, two) {
		t.Errorf("without salt: %x, %v, %x, %v", one, err1, two, err2)
	}
	for _, n := range []int{-1, -2, -1 << 31} {
		negative := &rsa.PSS{Hash: crypto.SHA256, Salt: rsa.PSSSaltExactly(n)}
		if sig, err := s.SignPSS(nil, digest, negative); err == nil {
			t.Errorf("SignPSS with exactly %d bytes = %x", n, sig)
		}
		if err := v.VerifyPSS(digest, one, negative); err == nil {
			t.Errorf("VerifyPSS with exactly %d bytes of salt accepts", n)
		}
	}
}

// golang/go#65716: MGF1 with a hash function of its own, for PSS. The encoding is made
// again by hand.
func TestSignerPSSMGFHash(t *testing.T) {
	t.Parallel()
	if fips140.Enabled() {
		t.Skip("in FIPS 140-3 mode crypto/rsa does the work, which has one hash function for both")
	}
	key := testKeyOf(t, "size", 1025, 0).private()
	s, v := newSigner(t, key), newVerifier(t, &key.PublicKey)
	salt := []byte("some salt of 20 byte")
	for _, h := range []crypto.Hash{crypto.SHA1, crypto.SHA256, crypto.SHA384, crypto.MD5} {
		digest := digestFor(h)
		for _, mgf := range []crypto.Hash{crypto.SHA1, crypto.SHA256, crypto.SHA512, crypto.SHA3_256, crypto.MD5} {
			opts := &rsa.PSS{Hash: h, MGFHash: mgf, Salt: rsa.PSSSaltExactly(len(salt))}
			sig, err := s.SignPSS(bytes.NewReader(salt), digest, opts)
			if err != nil {
				t.Errorf("%v, MGF1 with %v: %v", h, mgf, err)
				continue
			}
			// The modulus has a bit more than the encoding has bytes.
			em := rawVerify(&key.PublicKey, sig)[1:]
			hash := hashOf(h, slices.Concat(make([]byte, 8), digest, salt))
			db := make([]byte, len(em)-h.Size()-1)
			db[len(db)-len(salt)-1] = 1
			copy(db[len(db)-len(salt):], salt)
			for i, c := range mgf1(mgf, hash, len(db)) {
				db[i] ^= c
			}
			if want := slices.Concat(db, hash, []byte{0xbc}); !bytes.Equal(em, want) {
				t.Errorf("%v, MGF1 with %v: encoding %x, want %x", h, mgf, em, want)
			}
			for _, other := range []crypto.Hash{0, crypto.SHA1, crypto.SHA256, crypto.SHA512} {
				err := v.VerifyPSS(digest, sig, &rsa.PSS{Hash: h, MGFHash: other, Salt: rsa.PSSSaltLongest()})
				if same := other == mgf || other == 0 && mgf == h; same != (err == nil) {
					t.Errorf("%v, MGF1 with %v, verified with %v: %v", h, mgf, other, err)
				}
			}
		}
	}
}

// Keys of n, e and d alone get their primes and the same signatures as with them.
func TestSignerRecoversPrimes(t *testing.T) {
	t.Parallel()
	digest := digestFor(crypto.SHA256)
	keys := append(testKeys(t, "uneven"), testKeys(t, "exponent")...)
	keys = append(keys, testKeyOf(t, "size", 1024, 0), testKeyOf(t, "size", 1025, 0), testKeyOf(t, "size", 1031, 0))
	for _, tk := range keys {
		if testing.Short() && tk.bits > 1100 {
			continue
		}
		key := tk.private()
		key.Primes = nil
		want, err := stdrsa.SignPKCS1v15(nil, key, crypto.SHA256, digest)
		if err != nil {
			t.Fatal(err)
		}
		s, err := rsa.NewSigner(key)
		if err != nil {
			t.Errorf("%v: %v", tk, err)
			continue
		}
		if got, err := s.SignPKCS1v15(crypto.SHA256, digest); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v: %x, %v, want %x", tk, got, err, want)
		}
		if len(key.Primes) != 0 {
			t.Errorf("%v: the caller's key was written", tk)
		}
	}
	// More than two primes, given and not given.
	for _, tk := range testKeys(t, "three") {
		for _, primes := range [][]*big.Int{tk.primes, nil} {
			key := tk.private()
			key.Primes = primes
			want, err := stdrsa.SignPKCS1v15(nil, key, crypto.SHA256, digest)
			if err != nil {
				t.Fatal(err)
			}
			s, err := rsa.NewSigner(key)
			if err != nil {
				t.Errorf("%v, %d primes given: %v", tk, len(primes), err)
				continue
			}
			if got, err := s.SignPKCS1v15(crypto.SHA256, digest); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%v, %d primes given: %x, %v, want %x", tk, len(primes), got, err, want)
			}
		}
	}
	if fips140.Enabled() {
		return // crypto/rsa does not look for the primes of what follows
	}
	// The rules for primes hold for those that were computed.
	p := testKeyOf(t, "size", 1024, 0).primes[0]
	q := new(big.Int).Add(p, new(big.Int).Lsh(bigOne, 300))
	for !q.ProbablyPrime(10) || new(big.Int).ModInverse(big.NewInt(65537), new(big.Int).Sub(q, bigOne)) == nil {
		q.Add(q, big.NewInt(2))
	}
	close := keyFromPrimes(65537, p, q)
	close.Primes = nil
	if s, err := rsa.NewSigner(close); err == nil || err.Error() != "crypto/rsa: |p - q| too small" {
		t.Errorf("primes too close: %v, %v", s, err)
	}
	// A modulus that is a square has nothing to find.
	square := &rsa.PrivateKey{PublicKey: rsa.PublicKey{N: new(big.Int).Mul(p, p), E: 65537}}
	square.D = new(big.Int).ModInverse(big.NewInt(65537), new(big.Int).Mul(p, new(big.Int).Sub(p, bigOne)))
	if s, err := rsa.NewSigner(square); err == nil {
		t.Errorf("n = p^2: %v", s)
	}
}

// TestSignerNamesTheValue changes a value of a key and looks for its name in the error,
// behind the text of crypto/rsa.
func TestSignerNamesTheValue(t *testing.T) {
	t.Parallel()
	if fips140.Enabled() {
		t.Skip("in FIPS 140-3 mode the errors are crypto/rsa's")
	}
	tk := testKeyOf(t, "size", 1024, 0)
	for _, c := range []struct {
		name   string
		change func(k *rsa.PrivateKey)
		want   string
	}{
		{"dP+1", func(k *rsa.PrivateKey) { addTo(&k.Precomputed.Dp, 1) }, "crypto/rsa: invalid CRT exponent: dP"},
		{"dP too large", func(k *rsa.PrivateKey) { k.Precomputed.Dp = k.N }, "crypto/rsa: invalid CRT exponent: dP"},
		{"dQ+2", func(k *rsa.PrivateKey) { addTo(&k.Precomputed.Dq, 2) }, "crypto/rsa: invalid CRT exponent: dQ"},
		{"dQ too large", func(k *rsa.PrivateKey) { k.Precomputed.Dq = k.N }, "crypto/rsa: invalid CRT exponent: dQ"},
		{"qInv+1", func(k *rsa.PrivateKey) { addTo(&k.Precomputed.Qinv, 1) }, "crypto/rsa: invalid CRT coefficient: qInv"},
		{"qInv too large", func(k *rsa.PrivateKey) { k.Precomputed.Qinv = k.Primes[0] }, "input overflows the modulus: qInv"},
		{"d+2", func(k *rsa.PrivateKey) { addTo(&k.D, 2) }, "crypto/rsa: d does not match dP"},
		{"d right modulo p-1", func(k *rsa.PrivateKey) { k.D = new(big.Int).Add(k.D, new(big.Int).Sub(k.Primes[0], bigOne)) }, "crypto/rsa: d does not match dQ"},
		{"d = n", func(k *rsa.PrivateKey) { k.D = k.N }, "input overflows the modulus: d"},
		{"d = 2n", func(k *rsa.PrivateKey) { k.D = new(big.Int).Lsh(k.N, 65) }, "input overflows the modulus size: d"},
		{"d+2, no CRT values", func(k *rsa.PrivateKey) { k.Precomputed.Dp = nil; addTo(&k.D, 2) }, "crypto/rsa: invalid CRT exponent: d"},
		{"d+2, no primes", func(k *rsa.PrivateKey) { k.Primes = nil; addTo(&k.D, 2) }, "crypto/rsa: d is not an inverse of e"},
		{"d+2, three primes", func(k *rsa.PrivateKey) { k.Primes = append(k.Primes, big.NewInt(3)); addTo(&k.D, 2) }, "crypto/rsa: d is not an inverse of e"},
		{"d missing", func(k *rsa.PrivateKey) { k.D = nil }, "crypto/rsa: missing private exponent"},
		{"p+2", func(k *rsa.PrivateKey) { addTo(&k.Primes[0], 2) }, "crypto/rsa: p * q != n"},
		{"p+2^2000", func(k *rsa.PrivateKey) { k.Primes[0] = new(big.Int).Add(k.Primes[0], new(big.Int).Lsh(bigOne, 2000)) }, "crypto/rsa: invalid prime: p"},
		{"q+2^2000, no CRT values", func(k *rsa.PrivateKey) {
			k.Precomputed.Dp = nil
			k.Primes[1] = new(big.Int).Add(k.Primes[1], new(big.Int).Lsh(bigOne, 2000))
		}, "crypto/rsa: invalid prime: q"},
		{"p = 1", func(k *rsa.PrivateKey) { k.Primes[0] = bigOne }, "modulus must be > 1: p"},
		{"q = 0", func(k *rsa.PrivateKey) { k.Primes[1] = new(big.Int) }, "modulus must be > 1: q"},
		{"p missing", func(k *rsa.PrivateKey) { k.Primes[0] = nil }, "crypto/rsa: prime P is nil"},
		{"n of another key", func(k *rsa.PrivateKey) { k.N = testKeyOf(t, "exponent", 1024, 3).private().N }, "crypto/rsa: p * q != n"},
		{"e = 3", func(k *rsa.PrivateKey) { k.E = 3 }, "crypto/rsa: invalid CRT exponent: dP"},
		{"e = 2", func(k *rsa.PrivateKey) { k.E = 2 }, "crypto/rsa: public exponent is even"},
	} {
		key := setCRT(tk.private())
		c.change(key)
		if s, err := rsa.NewSigner(key); s != nil || err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, %v, want %q", c.name, s, err, c.want)
		}
		// The function keeps to crypto/rsa's text, and to the same rule.
		_, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digestFor(crypto.SHA256))
		_, std := stdrsa.SignPKCS1v15(nil, key, crypto.SHA256, digestFor(crypto.SHA256))
		if err == nil || std == nil || !strings.HasPrefix(c.want, err.Error()) && !errors.Is(err, rsa.ErrDecryption) {
			t.Errorf("%s: SignPKCS1v15 says %v, crypto/rsa %v", c.name, err, std)
		}
	}
	if s, err := rsa.NewSigner(nil); s != nil || err == nil {
		t.Errorf("no key: %v, %v", s, err)
	}
	if s, err := rsa.NewSigner(new(rsa.PrivateKey)); s != nil || err == nil {
		t.Errorf("empty key: %v, %v", s, err)
	}
	if v, err := rsa.NewVerifier(nil); v != nil || err == nil {
		t.Errorf("no public key: %v, %v", v, err)
	}
}

// A prime of a million bits must not be exponentiated with.
func TestSignerHugePrime(t *testing.T) {
	t.Parallel()
	key := testKeyOf(t, "size", 1024, 0).private()
	key.Primes[0] = new(big.Int).Add(new(big.Int).Lsh(bigOne, 1_000_000), bigOne)
	within(t, func() {
		if s, err := rsa.NewSigner(key); err == nil {
			t.Errorf("accepted: %v", s)
		}
	})
}

// The interface methods agree with those of crypto/rsa's keys, for every kind of options.
func TestSignerInterfaces(t *testing.T) {
	t.Parallel()
	key := testKeyOf(t, "size", 1024, 0).private()
	key.Precompute()
	s, v := newSigner(t, key), newVerifier(t, &key.PublicKey)
	message := []byte("message")
	digest := sha256.Sum256(message)
	var none *rsa.PSSOptions
	for name, opts := range map[string]crypto.SignerOpts{
		"SHA-256":      crypto.SHA256,
		"PSS":          &rsa.PSSOptions{Hash: crypto.SHA256, SaltLength: 11},
		"PSS auto":     &rsa.PSSOptions{Hash: crypto.SHA256},
		"PSS as hash":  &rsa.PSSOptions{Hash: crypto.SHA256, SaltLength: rsa.PSSSaltLengthEqualsHash},
		"PSS salt -2":  &rsa.PSSOptions{Hash: crypto.SHA256, SaltLength: -2},
		"PSS salt 999": &rsa.PSSOptions{Hash: crypto.SHA256, SaltLength: 999},
	} {
		for _, msg := range [][]byte{digest[:], digest[1:]} {
			want, wantErr := key.Sign(zeroes{}, msg, opts)
			got, err := s.Sign(zeroes{}, msg, opts)
			if !bytes.Equal(got, want) || !matchingErrors(wantErr, err) {
				t.Errorf("%s: Sign = %x, %v, want %x, %v", name, got, err, want, wantErr)
			}
			if err == nil && v.Verify(msg, got, opts) != nil {
				t.Errorf("%s: Verify: %v", name, v.Verify(msg, got, opts))
			}
		}
		want, wantErr := crypto.SignMessage(key, zeroes{}, message, opts)
		got, err := crypto.SignMessage(s, zeroes{}, message, opts)
		if !bytes.Equal(got, want) || !matchingErrors(wantErr, err) {
			t.Errorf("%s: SignMessage = %x, %v, want %x, %v", name, got, err, want, wantErr)
		}
	}
	// Our own options.
	opts := &rsa.PSS{Hash: crypto.SHA256}
	want, _ := key.Sign(zeroes{}, digest[:], &rsa.PSSOptions{Hash: crypto.SHA256, SaltLength: rsa.PSSSaltLengthEqualsHash})
	if got, err := s.SignMessage(zeroes{}, message, opts); err != nil || !bytes.Equal(got, want) || v.Verify(digest[:], got, opts) != nil {
		t.Errorf("SignMessage with PSS = %x, %v, want %x", got, err, want)
	}
	// Without a hash, message and digest are the same.
	one, err1 := s.Sign(nil, message, crypto.Hash(0))
	two, err2 := s.SignMessage(nil, message, crypto.Hash(0))
	if err1 != nil || err2 != nil || !bytes.Equal(one, two) || v.Verify(message, one, crypto.Hash(0)) != nil {
		t.Errorf("unhashed: %x, %v, %x, %v", one, err1, two, err2)
	}
	for name, opts := range map[string]crypto.SignerOpts{
		"nil": nil, "nil *PSSOptions": none, "nil *PSS": (*rsa.PSS)(nil), "no hash": &rsa.PSSOptions{}, "no PSS hash": &rsa.PSS{}, "unknown hash": crypto.Hash(99),
	} {
		if sig, err := s.Sign(nil, digest[:], opts); err == nil || sig != nil {
			t.Errorf("Sign with %s: %x, %v", name, sig, err)
		}
		if sig, err := s.SignMessage(nil, message, opts); err == nil || sig != nil {
			t.Errorf("SignMessage with %s: %x, %v", name, sig, err)
		}
		if err := v.Verify(digest[:], want, opts); err == nil || err == rsa.ErrVerification {
			t.Errorf("Verify with %s: %v", name, err)
		}
	}

	c15, err := v.EncryptPKCS1v15([]byte("0123456789abcdef"))
	if err != nil {
		t.Fatal(err)
	}
	for name, opts := range map[string]crypto.DecrypterOpts{
		"nil":             nil,
		"PKCS1v15":        &rsa.PKCS1v15DecryptOptions{},
		"session key":     &rsa.PKCS1v15DecryptOptions{SessionKeyLen: 16},
		"wrong length":    &rsa.PKCS1v15DecryptOptions{SessionKeyLen: 17},
		"much too long":   &rsa.PKCS1v15DecryptOptions{SessionKeyLen: 1 << 20},
		"negative":        &rsa.PKCS1v15DecryptOptions{SessionKeyLen: -1},
		"OAEP":            &rsa.OAEPOptions{Hash: crypto.SHA256},
		"unknown options": crypto.SHA256,
	} {
		want, wantErr := key.Decrypt(zeroes{}, c15, opts)
		got, err := s.Decrypt(zeroes{}, c15, opts)
		if !bytes.Equal(got, want) || !matchingErrors(wantErr, err) {
			t.Errorf("%s: Decrypt = %x, %v, want %x, %v", name, got, err, want, wantErr)
		}
	}
	var noOAEP *rsa.OAEPOptions
	if m, err := s.Decrypt(nil, c15, noOAEP); err == nil {
		t.Errorf("Decrypt with nil options: %x", m)
	}
	if m, err := s.Decrypt(errorReader, c15, &rsa.PKCS1v15DecryptOptions{SessionKeyLen: 16}); err != errReader || m != nil {
		t.Errorf("Decrypt with a failing reader: %x, %v", m, err)
	}
	for _, mgf := range []crypto.Hash{0, crypto.SHA1, crypto.SHA256} {
		opts := &rsa.OAEPOptions{Hash: crypto.SHA256, MGFHash: mgf, Label: []byte("x")}
		c, err := v.EncryptOAEP(zeroes{}, []byte("m"), opts)
		want, wantErr := stdrsa.EncryptOAEPWithOptions(zeroes{}, &key.PublicKey, []byte("m"), opts)
		if err != nil || wantErr != nil || !bytes.Equal(c, want) {
			t.Fatalf("MGF1 hash %v: EncryptOAEP = %x, %v, want %x, %v", mgf, c, err, want, wantErr)
		}
		if m, err := s.Decrypt(nil, c, opts); err != nil || string(m) != "m" {
			t.Errorf("MGF1 hash %v: Decrypt = %x, %v", mgf, m, err)
		}
	}
	if s.Size() != 128 || v.Size() != 128 {
		t.Errorf("sizes are %d and %d", s.Size(), v.Size())
	}
	if !key.PublicKey.Equal(s.Public()) || !key.PublicKey.Equal(v.PublicKey()) {
		t.Error("the public keys differ")
	}
}

// TestSignerEdges drives what nobody does on purpose: methods without a key, nil options, a
// Signer by value, and keys with primes in such number or of such size that checking them
// would take minutes.
func TestSignerEdges(t *testing.T) {
	t.Parallel()
	var none *rsa.Signer
	none.Wipe()
	for _, s := range []*rsa.Signer{none, {}} {
		if s.Public() != nil || s.Size() != 0 {
			t.Error("a Signer without a key has a public one")
		}
		if _, err := s.SignPKCS1v15(crypto.SHA256, make([]byte, 32)); err == nil {
			t.Error("a Signer without a key signs")
		}
	}
	for _, v := range []*rsa.Verifier{nil, {}} {
		if v.PublicKey() != nil || v.Size() != 0 {
			t.Error("a Verifier without a key has one")
		}
	}

	key := testKeyOf(t, "size", 2048, 65537).private()
	s := newSigner(t, key, nil)
	newVerifier(t, &key.PublicKey, nil)
	text := fmt.Sprintf("%x %v", struct{ rsa.Signer }{*s}, *s)
	for _, secret := range []*big.Int{key.D, key.Primes[0], key.Primes[1]} {
		if strings.Contains(text, secret.Text(16)[:16]) {
			t.Fatal("a Signer by value prints its key")
		}
	}
	if !strings.Contains(text, "2048 bits") {
		t.Errorf("a Signer by value prints as %.100s", text)
	}

	many := &rsa.PrivateKey{PublicKey: key.PublicKey, D: key.D}
	for i := range int64(2049) {
		many.Primes = append(many.Primes, big.NewInt(2*i+3))
	}
	if s, err := rsa.NewSigner(many); err == nil {
		t.Errorf("a key of 2049 primes has %v", s)
	}
	if _, err := rsa.SignPKCS1v15(nil, many, crypto.SHA256, make([]byte, 32)); err == nil {
		t.Error("a key of 2049 primes signs")
	}
	long := &rsa.PrivateKey{PublicKey: key.PublicKey, D: key.D, Primes: []*big.Int{
		new(big.Int).SetBit(big.NewInt(1), 1<<20, 1), key.Primes[1],
	}}
	for _, bad := range []*rsa.PrivateKey{many, long} {
		findings, err := rsa.AuditPrivateKey(t.Context(), bad)
		if err != nil || !slices.ContainsFunc(findings, func(f rsa.Finding) bool { return f.Severity == rsa.SeverityError }) {
			t.Errorf("audit of a key with bad primes: %v, %v", findings, err)
		}
	}
}
