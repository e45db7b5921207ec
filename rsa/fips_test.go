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
	if got, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest); err != nil || string(got) != string(sig) {
		t.Errorf("SignPKCS1v15: %x, %v", got, err)
	}
}
