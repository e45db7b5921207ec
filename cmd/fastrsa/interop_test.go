package main

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fastrsa/fastrsa/rsa"
)

// TestSystemRoots checks all RSA roots of the bundle that Debian's package
// ca-certificates installs.
func TestSystemRoots(t *testing.T) {
	t.Parallel()
	const bundle = "/etc/ssl/certs/ca-certificates.crt"
	if _, err := os.Stat(bundle); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("there is no %s; the package ca-certificates of Debian and others brings it", bundle)
	}
	rounds := "3"
	if testing.Short() {
		rounds = "1"
	}
	status, stdout, stderr := runCommand("", "verify", "-json", "-rounds", rounds, bundle)
	var out jsonVerify
	decodeJSON(t, stdout, &out)
	if status != 0 {
		t.Errorf("exit %d, stderr %q", status, stderr)
	}
	if len(out.Signatures) < 20 {
		t.Errorf("only %d RSA roots", len(out.Signatures))
	}
	for _, s := range out.Signatures {
		if !s.Agree || s.CryptoRSA.Verdict != verdictOK {
			t.Errorf("%+v", s)
		}
	}
}

// openssl runs the openssl command and returns what it prints.
func openssl(t *testing.T, stdin []byte, args ...string) ([]byte, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "openssl", args...)
	cmd.Stdin = bytes.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("openssl %s: %w\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return out, nil
}

// TestOpenSSL has the openssl command verify and decrypt what fastrsa makes, and
// the other way round.
func TestOpenSSL(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("there is no openssl command to compare with")
	}
	dir := t.TempDir()
	keys := make(map[string]*rsa.PrivateKey)
	for _, bits := range []int{1024, 2048, 3072, 4096} {
		if testing.Short() && bits > 2048 {
			continue
		}
		keys[fmt.Sprintf("%d bits", bits)] = testKey(t, bits)
	}
	// The embedded keys have e = 65537.
	for _, e := range []string{"3", "17", "2147483647"} {
		out, err := openssl(t, nil, "genpkey", "-algorithm", "RSA", "-outform", "DER",
			"-pkeyopt", "rsa_keygen_bits:1024", "-pkeyopt", "rsa_keygen_pubexp:"+e)
		if err != nil {
			t.Fatal(err)
		}
		// PKCS #1 or PKCS #8, depending on the release.
		if keys["e = "+e], err = x509.ParsePKCS1PrivateKey(out); err != nil {
			priv, err := x509.ParsePKCS8PrivateKey(out)
			if err != nil {
				t.Fatal(err)
			}
			keys["e = "+e] = priv.(*rsa.PrivateKey)
		}
	}
	message := []byte("a message for both sides")
	sum := sha256.Sum256(message)
	for name, priv := range keys {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := func(suffix string, data []byte) string {
				return write(t, dir, strings.ReplaceAll(name, " ", "")+suffix, data)
			}
			pkix, err := x509.MarshalPKIXPublicKey(&priv.PublicKey)
			if err != nil {
				t.Fatal(err)
			}
			private := file(".key", pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE" + " KEY", Bytes: x509.MarshalPKCS1PrivateKey(priv)}))
			public := file(".pub", pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: pkix}))
			messageFile := file(".msg", message)
			pssOptions := []string{"-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:32"}

			// Signatures.
			for _, pss := range []bool{false, true} {
				var sig []byte
				var options, flags []string
				if pss {
					sig, err = rsa.SignPSS(rand.Reader, priv, crypto.SHA256, sum[:], &rsa.PSSOptions{SaltLength: 32})
					options, flags = pssOptions, []string{"-pss"}
				} else {
					sig, err = rsa.SignPKCS1v15(nil, priv, crypto.SHA256, sum[:])
				}
				if err != nil {
					t.Fatal(err)
				}
				ours := file(".ours", sig)
				args := append([]string{"dgst", "-sha256", "-verify", public, "-signature", ours}, options...)
				if _, err := openssl(t, nil, append(args, messageFile)...); err != nil {
					t.Errorf("OpenSSL does not accept our signature (PSS: %v): %v", pss, err)
				}
				args = append([]string{"dgst", "-sha256", "-sign", private}, options...)
				sig, err = openssl(t, nil, append(args, messageFile)...)
				if err != nil {
					t.Fatal(err)
				}
				args = append([]string{"verify", "-rounds", "1", "-key", public, "-sig", file(".theirs", sig)}, flags...)
				if status, stdout, stderr := runCommand("", append(args, messageFile)...); status != 0 {
					t.Errorf("exit %d for OpenSSL's signature (PSS: %v)\n%s%s", status, pss, stderr, stdout)
				}
			}

			// Encryption.
			oaep := []string{"-pkeyopt", "rsa_padding_mode:oaep"}
			oaepSHA256 := append(oaep, "-pkeyopt", "rsa_oaep_md:sha256", "-pkeyopt", "rsa_mgf1_md:sha256", "-pkeyopt", "rsa_oaep_label:6162")
			for _, tt := range []struct {
				name    string
				options []string
				encrypt func() ([]byte, error)
				decrypt func(c []byte) ([]byte, error)
			}{
				{"PKCS #1 v1.5", nil,
					func() ([]byte, error) { return rsa.EncryptPKCS1v15(rand.Reader, &priv.PublicKey, message) },
					func(c []byte) ([]byte, error) { return rsa.DecryptPKCS1v15(nil, priv, c) }},
				{"OAEP with SHA-1", oaep,
					func() ([]byte, error) {
						return rsa.EncryptOAEP(sha1.New(), rand.Reader, &priv.PublicKey, message, nil)
					},
					func(c []byte) ([]byte, error) { return rsa.DecryptOAEP(sha1.New(), nil, priv, c, nil) }},
				{"OAEP with SHA-256 and a label", oaepSHA256,
					func() ([]byte, error) {
						return rsa.EncryptOAEP(sha256.New(), rand.Reader, &priv.PublicKey, message, []byte("ab"))
					},
					func(c []byte) ([]byte, error) { return rsa.DecryptOAEP(sha256.New(), nil, priv, c, []byte("ab")) }},
			} {
				c, err := tt.encrypt()
				if err != nil {
					t.Fatal(err)
				}
				got, err := openssl(t, c, append([]string{"pkeyutl", "-decrypt", "-inkey", private}, tt.options...)...)
				if err != nil || !bytes.Equal(got, message) {
					t.Errorf("%s: OpenSSL decrypts our ciphertext to %q, %v", tt.name, got, err)
				}
				c, err = openssl(t, message, append([]string{"pkeyutl", "-encrypt", "-pubin", "-inkey", public}, tt.options...)...)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := tt.decrypt(c); err != nil || !bytes.Equal(got, message) {
					t.Errorf("%s: we decrypt OpenSSL's ciphertext to %q, %v", tt.name, got, err)
				}
			}
		})
	}
}

// TestScript checks that every file that testdata/make.sh writes is there, and
// that what is there is written by it or typed from an RFC.
func TestScript(t *testing.T) {
	t.Parallel()
	script := string(readTestdata(t, "make.sh"))
	files, err := filepath.Glob("testdata/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		switch {
		case name == "make.sh", name == "golden", name == "fuzz", strings.HasPrefix(name, "rfc"):
		case !strings.Contains(script, name):
			t.Errorf("make.sh does not make %s", name)
		}
		if data, err := os.ReadFile(file); err == nil && name != "make.sh" && bytes.Contains(data, []byte("PRIVATE"+" KEY")) {
			t.Errorf("%s holds a private key", name)
		}
	}
}
