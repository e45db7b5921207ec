package rsa

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"testing"
)

// TestFaultsAreNotReleased corrupts each intermediate value of a private operation,
// after which a signature would give away a factor of the modulus (golang/go#12453,
// openssl/openssl#7225). No test of this package may run in parallel with it.
func TestFaultsAreNotReleased(t *testing.T) {
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
	defer func() { faultStage = "" }()
	for _, stage := range []string{"m1", "m2", "h", "m", ""} {
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

