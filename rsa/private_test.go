package rsa

import (
	"bytes"
	"crypto"
	"crypto/fips140"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"errors"
	"math/big"
	"testing"
)

// TestFaultsAreNotReleased corrupts each intermediate value of a private operation,
// after which a signature would give away a factor of the modulus (golang/go#12453,
// openssl/openssl#7225). No test of this package may run in parallel with it.
func TestFaultsAreNotReleased(t *testing.T) {
	if fips140.Enabled() {
		t.Skip("in FIPS 140-3 mode crypto/rsa does the work")
	}
	key, err := GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	withoutCRT := &PrivateKey{PublicKey: key.PublicKey, D: key.D}
	digest := sha256.Sum256([]byte("message"))
	ciphertext, err := EncryptOAEP(sha256.New(), rand.Reader, &key.PublicKey, []byte("secret"), nil)
	if err != nil {
		t.Fatal(err)
	}
	ciphertext15, err := EncryptPKCS1v15(rand.Reader, &key.PublicKey, []byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	signer, err := NewSigner(key)
	if err != nil {
		t.Fatal(err)
	}
	parallel, err := NewSigner(key, ParallelCRT())
	if err != nil {
		t.Fatal(err)
	}
	oaep := &OAEPOptions{Hash: crypto.SHA256}
	defer func() { faultStage = "" }()
	for _, stage := range []string{"m1", "m2", "h", "m", ""} {
		for name, s := range map[string]*Signer{"Signer": signer, "parallel Signer": parallel} {
			sessionKey := []byte("unused")
			for op, f := range map[string]func() ([]byte, error){
				"SignPKCS1v15":    func() ([]byte, error) { return s.SignPKCS1v15(crypto.SHA256, digest[:]) },
				"SignPSS":         func() ([]byte, error) { return s.SignPSS(nil, digest[:], &PSS{Hash: crypto.SHA256}) },
				"DecryptOAEP":     func() ([]byte, error) { return s.DecryptOAEP(ciphertext, oaep) },
				"DecryptPKCS1v15": func() ([]byte, error) { return s.DecryptPKCS1v15(ciphertext15) },
				"DecryptPKCS1v15SessionKey": func() ([]byte, error) {
					if err := s.DecryptPKCS1v15SessionKey(ciphertext15, sessionKey); err != nil {
						return nil, err
					}
					return sessionKey, nil
				},
			} {
				faultStage = stage
				out, err := f()
				faultStage = ""
				if faulty := stage != ""; faulty && (!errors.Is(err, ErrDecryption) || out != nil) || !faulty && err != nil {
					t.Errorf("%s: %s, fault in %q: %x, %v", name, op, stage, out, err)
				}
			}
			if (stage != "") != (string(sessionKey) == "unused") {
				t.Errorf("%s, fault in %q: session key is %q", name, stage, sessionKey)
			}
		}
		for name, key := range map[string]*PrivateKey{"CRT": key, "without CRT": withoutCRT} {
			sessionKey := []byte("unused")
			for op, f := range map[string]func() ([]byte, error){
				"SignPKCS1v15":    func() ([]byte, error) { return SignPKCS1v15(nil, key, crypto.SHA256, digest[:]) },
				"SignPSS":         func() ([]byte, error) { return SignPSS(rand.Reader, key, crypto.SHA256, digest[:], nil) },
				"DecryptOAEP":     func() ([]byte, error) { return DecryptOAEP(sha256.New(), nil, key, ciphertext, nil) },
				"DecryptPKCS1v15": func() ([]byte, error) { return DecryptPKCS1v15(nil, key, ciphertext15) },
				"DecryptPKCS1v15SessionKey": func() ([]byte, error) {
					if err := DecryptPKCS1v15SessionKey(nil, key, ciphertext15, sessionKey); err != nil {
						return nil, err
					}
					return sessionKey, nil
				},
			} {
				faultStage = stage
				out, err := f()
				faultStage = ""
				faulty := stage == "m" || stage != "" && name == "CRT"
				switch {
				case faulty && (!errors.Is(err, ErrDecryption) || out != nil):
					t.Errorf("%s, %s, fault in %q: %x, %v", op, name, stage, out, err)
				case !faulty && err != nil:
					t.Errorf("%s, %s, no fault: %v", op, name, err)
				}
			}
			if faulty := stage == "m" || stage != "" && name == "CRT"; faulty != (string(sessionKey) == "unused") {
				t.Errorf("%s, fault in %q: session key is %q", name, stage, sessionKey)
			}
		}
	}
}

// TestDecryptLeavesOutputAlone checks that a failed operation writes nothing.
func TestDecryptLeavesOutputAlone(t *testing.T) {
	key, err := GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	var mem keyMemory
	k, err := newPrivateKey(key, &mem)
	if err != nil {
		t.Fatal(err)
	}
	out := bytes.Repeat([]byte{0xee}, 128)
	in := make([]byte, 128)
	in[127] = 2
	defer func() { faultStage = "" }()
	faultStage = "m2"
	if err := k.decrypt(out, in); err == nil {
		t.Error("a fault was not noticed")
	}
	faultStage = ""
	if err := k.decrypt(out, key.N.Bytes()); err == nil {
		t.Error("n was accepted")
	}
	if !bytes.Equal(out, bytes.Repeat([]byte{0xee}, 128)) {
		t.Errorf("the output was written: %x", out)
	}
	if err := k.decrypt(out, in); err != nil {
		t.Error(err)
	}
}

// TestWipePrivateKey looks for the private numbers in the memory of a key.
func TestWipePrivateKey(t *testing.T) {
	key, err := GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	var mem keyMemory
	k, err := newPrivateKey(key, &mem)
	if err != nil {
		t.Fatal(err)
	}
	k.wipe()
	if mem.p != [len(mem.p)]uint{} || mem.q != [len(mem.q)]uint{} || mem.qInv != [len(mem.qInv)]uint{} ||
		mem.dP != [len(mem.dP)]byte{} || mem.dQ != [len(mem.dQ)]byte{} {
		t.Error("private numbers are left after wipe")
	}
}

// TestWipeSigner looks for the private numbers in the memory of a Signer, with and
// without primes.
func TestWipeSigner(t *testing.T) {
	if fips140.Enabled() {
		t.Skip("in FIPS 140-3 mode crypto/rsa has the key")
	}
	key, err := GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	for name, key := range map[string]*PrivateKey{
		"CRT": key, "without primes": {PublicKey: key.PublicKey, D: key.D},
	} {
		s, err := NewSigner(key)
		if err != nil {
			t.Fatal(err)
		}
		if s.k.d != nil {
			t.Errorf("%s: no CRT", name)
		}
		if s.mem.p == [len(s.mem.p)]uint{} || s.mem.dQ == [len(s.mem.dQ)]byte{} {
			t.Errorf("%s: the numbers are not where they are expected", name)
		}
		s.Wipe()
		if mem := &s.mem; mem.p != [len(mem.p)]uint{} || mem.q != [len(mem.q)]uint{} || mem.qInv != [len(mem.qInv)]uint{} ||
			mem.dP != [len(mem.dP)]byte{} || mem.dQ != [len(mem.dQ)]byte{} {
			t.Errorf("%s: private numbers are left after Wipe", name)
		}
	}
}

// TestSmallPrivateExponent gives a key whose primes p = 12g+1 and q = 11g+1, or the
// like, share so large a factor that d, which fits a small e, is below 2^(nlen/2).
func TestSmallPrivateExponent(t *testing.T) {
	number := func(hex string) *big.Int {
		x, ok := new(big.Int).SetString(hex, 16)
		if !ok {
			t.Fatal("bad number")
		}
		return x
	}
	p := number("eceb995b872355d601122780bda6aee60543956150adc228b433fa19b2e6dbcd1345d09b0490a6a530f40dc5f8c8b5b5fc80be7ba5dfea2407a26554883efbd5")
	q := number("dd2028bbd376501d1210f1ab5baca33d15facfb0292ab5370e96e96d51a4449d453018082664dfcd60e3c896a3ee8776a767182f23598532b1cac4f9903ac8e9")
	key := &PrivateKey{
		PublicKey: PublicKey{N: new(big.Int).Mul(p, q), E: 199},
		D:         number("10aaf258c55387f7e658c12bca72a41a794b8225b87d6e244f92735d25073c7d0f81b20d7a883f2e5aebdcf2e99f7cb40a0ba1572bd493b033fe8f7d95ce669f"),
		Primes:    []*big.Int{p, q},
	}
	var digest [32]byte
	sig, err := SignPKCS1v15(nil, key, crypto.SHA256, digest[:])
	if sig != nil || err == nil || err.Error() != "crypto/rsa: d too small" {
		t.Errorf("got %x, %v", sig, err)
	}
	_, stdErr := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest[:])
	if stdErr == nil || stdErr.Error() != err.Error() {
		t.Errorf("crypto/rsa says %v", stdErr)
	}
}
