package rsa_test

import (
	"crypto"
	"crypto/fips140"
	stdrsa "crypto/rsa"
	"math/big"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/fastrsa/fastrsa/rsa"
)

// TestFIPSDelegation runs itself again in FIPS 140-3 mode and asks there for what
// this package would refuse and crypto/rsa does not: a huge modulus and a negative
// one, which shows that crypto/rsa answered.
func TestFIPSDelegation(t *testing.T) {
	if !fips140.Enabled() {
		exe, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(exe, "-test.run=^TestFIPSDelegation$", "-test.v")
		cmd.Env = append(os.Environ(), "GODEBUG=fips140=on")
		out, err := cmd.CombinedOutput()
		if err != nil && !strings.Contains(string(out), "TestFIPSDelegation") {
			t.Skipf("a program in FIPS 140-3 mode does not start here: %v, %s", err, out)
		}
		if err != nil || !strings.Contains(string(out), "FIPS 140-3 mode is on") {
			t.Errorf("in FIPS 140-3 mode: %v\n%s", err, out)
		}
		return
	}
	t.Log("FIPS 140-3 mode is on")

	digest := make([]byte, 32)
	huge := new(big.Int).Lsh(big.NewInt(1), 16448)
	huge.SetBit(huge, 0, 1)
	key := testKeyOf(t, "size", 2048, 65537).private()
	sig, err := stdrsa.SignPKCS1v15(nil, key, crypto.SHA256, digest)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []*big.Int{huge, new(big.Int).Neg(key.N), key.N} {
		pub := &rsa.PublicKey{N: n, E: 65537}
		for name, errs := range map[string][2]error{
			"VerifyPKCS1v15": {rsa.VerifyPKCS1v15(pub, crypto.SHA256, digest, sig), stdrsa.VerifyPKCS1v15(pub, crypto.SHA256, digest, sig)},
			"VerifyPSS":      {rsa.VerifyPSS(pub, crypto.SHA256, digest, sig, nil), stdrsa.VerifyPSS(pub, crypto.SHA256, digest, sig, nil)},
		} {
			if errs[0] != errs[1] && (errs[0] == nil || errs[1] == nil || errs[0].Error() != errs[1].Error()) {
				t.Errorf("%s with a modulus of %d bits, sign %d: %v, crypto/rsa says %v", name, n.BitLen(), n.Sign(), errs[0], errs[1])
			}
		}
	}
	// The prepared keys too: what crypto/rsa cannot do is an error.
	signer, verifier := newSigner(t, key), newVerifier(t, &key.PublicKey)
	if got, err := signer.SignPKCS1v15(crypto.SHA256, digest); err != nil || string(got) != string(sig) {
		t.Errorf("Signer.SignPKCS1v15: %x, %v", got, err)
	}
	if err := verifier.VerifyPKCS1v15(crypto.SHA256, digest, sig); err != nil {
		t.Errorf("Verifier.VerifyPKCS1v15: %v", err)
	}
	for name, opts := range map[string]*rsa.PSS{
		"another hash for MGF1": {Hash: crypto.SHA256, MGFHash: crypto.SHA512},
		"no salt":               {Hash: crypto.SHA256, Salt: rsa.PSSSaltExactly(0)},
	} {
		if got, err := signer.SignPSS(nil, digest, opts); err == nil {
			t.Errorf("Signer.SignPSS with %s: %x", name, got)
		}
		if err := verifier.VerifyPSS(digest, sig, opts); err == nil || err == rsa.ErrVerification {
			t.Errorf("Verifier.VerifyPSS with %s: %v", name, err)
		}
	}
	for _, salt := range []rsa.PSSSalt{rsa.PSSSaltAsHash(), rsa.PSSSaltExactly(11), rsa.PSSSaltLongest(), rsa.PSSSaltLongestToHash()} {
		got, err := signer.SignPSS(nil, digest, &rsa.PSS{Hash: crypto.SHA256, Salt: salt})
		if err != nil || stdrsa.VerifyPSS(&key.PublicKey, crypto.SHA256, digest, got, nil) != nil {
			t.Errorf("Signer.SignPSS with salt %v: %x, %v", salt, got, err)
		}
	}
	if v, err := rsa.NewVerifierBig(key.N, huge.Rsh(huge, 16400)); err == nil {
		t.Errorf("NewVerifierBig with a long exponent: %v", v)
	}
	bare := &rsa.PrivateKey{PublicKey: key.PublicKey, D: key.D}
	if got, err := newSigner(t, bare).SignPKCS1v15(crypto.SHA256, digest); err != nil || string(got) != string(sig) {
		t.Errorf("Signer.SignPKCS1v15 without primes: %x, %v", got, err)
	}
	if got, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest); err != nil || string(got) != string(sig) {
		t.Errorf("SignPKCS1v15: %x, %v", got, err)
	}
}

// TestFIPSOnly makes a Signer in the mode that allows nothing else.
func TestFIPSOnly(t *testing.T) {
	const mode = "GODEBUG=fips140=only"
	if os.Getenv("RSA_TEST_FIPS_ONLY") == "" {
		exe, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(exe, "-test.run=^TestFIPSOnly$", "-test.v")
		cmd.Env = append(os.Environ(), mode, "RSA_TEST_FIPS_ONLY=1")
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "made a Signer") {
			if !strings.Contains(string(out), "TestFIPSOnly") {
				t.Skipf("a program with %s does not start here: %v, %s", mode, err, out)
			}
			t.Errorf("with %s: %v\n%s", mode, err, out)
		}
		return
	}
	key := testKeyOf(t, "size", 2048, 65537).private()
	digest := make([]byte, 32)
	sig, err := newSigner(t, key).SignPKCS1v15(crypto.SHA256, digest)
	if err != nil {
		t.Fatal(err)
	}
	if err := newVerifier(t, &key.PublicKey).VerifyPKCS1v15(crypto.SHA256, digest, sig); err != nil {
		t.Fatal(err)
	}
	t.Log("made a Signer")
}
