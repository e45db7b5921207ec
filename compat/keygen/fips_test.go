package keygen

import (
	"crypto/fips140"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestFIPSOnly runs itself, too, in a process with GODEBUG=fips140=only.
func TestFIPSOnly(t *testing.T) {
	t.Parallel()
	if fips140.Enforced() {
		fipsOnly(t)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^TestFIPSOnly$", "-test.v")
	cmd.Env = append(os.Environ(), "GODEBUG=fips140=only")
	out, err := cmd.CombinedOutput()
	if err != nil && !strings.Contains(string(out), "TestFIPSOnly") {
		t.Skipf("a program in FIPS 140-3 mode does not start here: %v, %s", err, out)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: TestFIPSOnly ") {
		t.Errorf("%v\n%s", err, out)
	}
}

// fipsOnly checks that what the mode does not permit is an error, not a panic, and that
// the rest works.
func fipsOnly(t *testing.T) {
	secret, salt := testSecret, testSecret[:16]
	c := NewCache(1, 0)
	for _, cache := range []*Cache{nil, c} {
		if key, err := Generate(secret, salt, WithCache(cache)); err != nil || len(key) != DefaultLength {
			t.Errorf("%x, %v", key, err)
		}
		for name, f := range map[string]func() ([]byte, error){
			"SHA-1":      func() ([]byte, error) { return Generate(secret, salt, WithDigest(SHA1), WithCache(cache)) },
			"short key":  func() ([]byte, error) { return Generate(secret, salt, WithLength(13), WithCache(cache)) },
			"short salt": func() ([]byte, error) { return Generate(secret, salt[:15], WithCache(cache)) },
		} {
			if key, err := f(); key != nil || err == nil {
				t.Errorf("%s: %x, %v", name, key, err)
			}
		}
	}
	if _, err := NewMessageVerifier(secret[:13], SHA256); err != errFIPS {
		t.Error(err)
	}
	v, err := NewMessageVerifier(secret[:14], SHA256)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := v.Verify(v.Sign(salt)); err != nil || string(m) != string(salt) {
		t.Errorf("%q, %v", m, err)
	}
	if _, err := NewMessageEncryptor(secret, nil); err != errFIPS {
		t.Error(err)
	}
}
