package rsa_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto"
	stdrsa "crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/fastrsa/fastrsa/rsa"
)

// A vector is one test case of a file in testdata: its own fields together with
// those of the key before it.
type vector map[string]string

func (v vector) bytes(t *testing.T, name string) []byte {
	t.Helper()
	s, ok := v[name]
	if !ok {
		t.Fatalf("line %s: no field %q", v["line"], name)
	}
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatalf("line %s: %s: %v", v["line"], name, err)
	}
	return b
}

func (v vector) int(t *testing.T, name string) *big.Int {
	t.Helper()
	return new(big.Int).SetBytes(v.bytes(t, name))
}

func (v vector) public(t *testing.T) *rsa.PublicKey {
	t.Helper()
	return publicKeyOf(t, v.bytes(t, "n"), v.bytes(t, "e"))
}

// private returns the key of v. It has primes if the file gives them, and
// precomputed values if the file gives those too.
func (v vector) private(t *testing.T) *rsa.PrivateKey {
	t.Helper()
	priv := &rsa.PrivateKey{PublicKey: *v.public(t), D: v.int(t, "d")}
	if _, ok := v["p"]; ok {
		priv.Primes = []*big.Int{v.int(t, "p"), v.int(t, "q")}
	}
	if _, ok := v["dP"]; ok {
		priv.Precomputed.Dp = v.int(t, "dP")
		priv.Precomputed.Dq = v.int(t, "dQ")
		priv.Precomputed.Qinv = v.int(t, "qInv")
	}
	priv.Precompute()
	return priv
}

func (v vector) hash(t *testing.T) crypto.Hash {
	t.Helper()
	name := v["SHAAlg"]
	if name == "" {
		name = "SHA1" // the RSA Laboratories files
	}
	return wycheproofHash(t, strings.Replace(name, "SHA", "SHA-", 1))
}

// readVectors returns the vectors of a gzipped file in testdata, which must be
// want in number. See testdata/README.md for the format.
func readVectors(t *testing.T, name string, want int) []vector {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	current := vector{}        // fields of the key and of the vector so far
	block := map[string]bool{} // fields since the last empty line
	flush := func(line int) {
		clear(block)
		if _, ok := current["Msg"]; !ok {
			return
		}
		v := vector{"line": strconv.Itoa(line)}
		for key, value := range current {
			v[key] = value
		}
		vectors = append(vectors, v)
		for _, key := range []string{"SHAAlg", "Msg", "SaltVal", "Seed", "S", "ct", "Result"} {
			delete(current, key)
		}
	}
	s := bufio.NewScanner(z)
	line := 0
	for ; s.Scan(); line++ {
		text := s.Text()
		switch key, value, ok := strings.Cut(text, " = "); {
		case text == "":
			flush(line)
		case text[0] == '#', text[0] == '[':
		case !ok:
			t.Fatalf("%s:%d: no field in %q", name, line+1, text)
		default:
			if block[key] {
				t.Fatalf("%s:%d: second field %q", name, line+1, key)
			}
			block[key] = true
			switch key {
			case "n":
				for _, key := range []string{"p", "q", "dP", "dQ", "qInv"} {
					delete(current, key)
				}
			case "e", "d", "p", "q", "dP", "dQ", "qInv", "SHAAlg", "Msg", "SaltVal", "Seed", "S", "ct", "Result":
			default:
				t.Fatalf("%s:%d: unknown field %q", name, line+1, key)
			}
			current[key] = value
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	flush(line)
	if len(vectors) != want {
		t.Fatalf("%s: %d vectors, want %d", name, len(vectors), want)
	}
	return vectors
}

// keysOf caches the private keys of a file, which follow one another, and checks
// that each is valid.
type keysOf struct {
	id   string
	priv *rsa.PrivateKey
}

func (k *keysOf) of(t *testing.T, v vector) *rsa.PrivateKey {
	t.Helper()
	if id := v["n"] + v["e"] + v["d"]; id != k.id {
		k.id, k.priv = id, v.private(t)
		if len(k.priv.Primes) != 0 {
			if err := k.priv.Validate(); err != nil {
				t.Fatalf("line %s: %v", v["line"], err)
			}
		}
	}
	return k.priv
}

// shortSkip reports whether vector i is left out: -short runs every fifth one,
// and keys that are slow to sign with (large, without primes) run two in five.
// The vectors of one key and one hash come in sixes, tens or twenties, so each
// key and hash stays covered.
func shortSkip(i int, v vector) bool {
	if testing.Short() {
		return i%5 != 3
	}
	_, primes := v["p"]
	return !primes && len(v["n"]) > 2*256 && i%5 > 1
}

func TestVectorsSignPKCS1v15(t *testing.T) {
	for _, file := range []struct {
		name  string
		count int
	}{
		{"siggen15_186-2.txt.gz", 250},
		{"pkcs1v15sign-vectors.txt.gz", 300},
	} {
		t.Run(file.name, func(t *testing.T) {
			t.Parallel()
			var keys keysOf
			for i, v := range readVectors(t, file.name, file.count) {
				if shortSkip(i, v) {
					continue
				}
				priv, h, want := keys.of(t, v), v.hash(t), v.bytes(t, "S")
				digest := hashOf(h, v.bytes(t, "Msg"))
				if sig, err := rsa.SignPKCS1v15(nil, priv, h, digest); err != nil || !bytes.Equal(sig, want) {
					t.Errorf("line %s: signature %x, error %v, want %x", v["line"], sig, err, want)
				}
				if err := rsa.VerifyPKCS1v15(&priv.PublicKey, h, digest, want); err != nil {
					t.Errorf("line %s: %v", v["line"], err)
				}
				want[i%len(want)] ^= 1 << (i % 8)
				if err := rsa.VerifyPKCS1v15(&priv.PublicKey, h, digest, want); err != rsa.ErrVerification {
					t.Errorf("line %s: altered signature: error %v", v["line"], err)
				}
			}
		})
	}
}

func TestVectorsSignPSS(t *testing.T) {
	for _, file := range []struct {
		name  string
		count int
	}{
		{"siggenpss_186-2.txt.gz", 250},
		{"pss-vect.txt.gz", 60},
	} {
		t.Run(file.name, func(t *testing.T) {
			t.Parallel()
			var keys keysOf
			for i, v := range readVectors(t, file.name, file.count) {
				if shortSkip(i, v) {
					continue
				}
				priv, h, salt, want := keys.of(t, v), v.hash(t), v.bytes(t, "SaltVal"), v.bytes(t, "S")
				digest := hashOf(h, v.bytes(t, "Msg"))
				opts := &rsa.PSSOptions{SaltLength: len(salt)}
				sig, err := rsa.SignPSS(bytes.NewReader(salt), priv, h, digest, opts)
				if err != nil || !bytes.Equal(sig, want) {
					t.Errorf("line %s: signature %x, error %v, want %x", v["line"], sig, err, want)
				}
				checkPSS(t, v, &priv.PublicKey, h, digest, want, len(salt), true)
				want[i%len(want)] ^= 1 << (i % 8)
				checkPSS(t, v, &priv.PublicKey, h, digest, want, len(salt), false)
			}
		})
	}
}

// checkPSS verifies sig with the salt's length known, detected, and wrong.
func checkPSS(t *testing.T, v vector, pub *rsa.PublicKey, h crypto.Hash, digest, sig []byte, salt int, valid bool) {
	t.Helper()
	for _, opts := range []*rsa.PSSOptions{nil, {SaltLength: salt}, {SaltLength: salt + 1}, {SaltLength: rsa.PSSSaltLengthEqualsHash}} {
		got := rsa.VerifyPSS(pub, h, digest, sig, opts)
		if err := sameError(got, stdrsa.VerifyPSS(pub, h, digest, sig, opts)); err != nil {
			t.Errorf("line %s: options %+v: %v", v["line"], opts, err)
		}
		ok := opts == nil || opts.SaltLength == salt ||
			opts.SaltLength == rsa.PSSSaltLengthEqualsHash && salt == h.Size()
		if (got == nil) != (valid && ok) {
			t.Errorf("line %s: options %+v: error %v, valid is %v", v["line"], opts, got, valid && ok)
		}
	}
}

func TestVectorsVerifyPKCS1v15(t *testing.T) {
	for _, file := range []struct {
		name           string
		count, passing int
	}{
		{"sigver15_186-3.txt.gz", 450, 75},
		{"sigver15em.txt.gz", 150, 0},
	} {
		t.Run(file.name, func(t *testing.T) {
			t.Parallel()
			var keys keysOf
			passing := 0
			for _, v := range readVectors(t, file.name, file.count) {
				pub, h, sig := v.public(t), v.hash(t), v.bytes(t, "S")
				digest := hashOf(h, v.bytes(t, "Msg"))
				got := rsa.VerifyPKCS1v15(pub, h, digest, sig)
				if err := sameError(got, stdrsa.VerifyPKCS1v15(pub, h, digest, sig)); err != nil {
					t.Errorf("line %s: %v", v["line"], err)
				}
				if !v.passes(t) {
					if got != rsa.ErrVerification {
						t.Errorf("line %s: error %v, result is %s", v["line"], got, v["Result"])
					}
					continue
				}
				passing++
				if got != nil {
					t.Errorf("line %s: error %v, result is %s", v["line"], got, v["Result"])
				}
				if testing.Short() && pub.Size() > 256 {
					continue
				}
				if s, err := rsa.SignPKCS1v15(nil, keys.of(t, v), h, digest); err != nil || !bytes.Equal(s, sig) {
					t.Errorf("line %s: signature %x, error %v, want %x", v["line"], s, err, sig)
				}
			}
			if passing != file.passing {
				t.Errorf("%d passing vectors, want %d", passing, file.passing)
			}
		})
	}
}

func (v vector) passes(t *testing.T) bool {
	t.Helper()
	switch r := v["Result"]; {
	case r == "P":
		return true
	case strings.HasPrefix(r, "F ("):
		return false
	}
	t.Fatalf("line %s: unknown result %q", v["line"], v["Result"])
	return false
}

func TestVectorsVerifyPSS(t *testing.T) {
	t.Parallel()
	var keys keysOf
	passing := 0
	for _, v := range readVectors(t, "sigverpss_186-3.txt.gz", 450) {
		pub, h, salt, sig := v.public(t), v.hash(t), v.bytes(t, "SaltVal"), v.bytes(t, "S")
		digest := hashOf(h, v.bytes(t, "Msg"))
		if testing.Short() && pub.Size() > 256 {
			if err := rsa.VerifyPSS(pub, h, digest, sig, nil); (err == nil) != v.passes(t) {
				t.Errorf("line %s: error %v, result is %s", v["line"], err, v["Result"])
			}
		} else {
			checkPSS(t, v, pub, h, digest, sig, len(salt), v.passes(t))
		}
		if !v.passes(t) {
			continue
		}
		passing++
		if testing.Short() && pub.Size() > 256 {
			continue
		}
		s, err := rsa.SignPSS(bytes.NewReader(salt), keys.of(t, v), h, digest, &rsa.PSSOptions{SaltLength: len(salt)})
		if err != nil || !bytes.Equal(s, sig) {
			t.Errorf("line %s: signature %x, error %v, want %x", v["line"], s, err, sig)
		}
	}
	if passing != 75 {
		t.Errorf("%d passing vectors, want 75", passing)
	}
}

func TestVectorsOAEP(t *testing.T) {
	t.Parallel()
	var keys keysOf
	for _, v := range readVectors(t, "oaep-vect.txt.gz", 60) {
		priv, msg, ct := keys.of(t, v), v.bytes(t, "Msg"), v.bytes(t, "ct")
		h := crypto.SHA1.New()
		got, err := rsa.EncryptOAEP(h, bytes.NewReader(v.bytes(t, "Seed")), &priv.PublicKey, msg, nil)
		if err != nil || !bytes.Equal(got, ct) {
			t.Errorf("line %s: ciphertext %x, error %v, want %x", v["line"], got, err, ct)
		}
		if got, err := rsa.DecryptOAEP(h, nil, priv, ct, nil); err != nil || !bytes.Equal(got, msg) {
			t.Errorf("line %s: message %x, error %v, want %x", v["line"], got, err, msg)
		}
		if _, err := rsa.DecryptOAEP(h, nil, priv, ct, []byte{0}); err != rsa.ErrDecryption {
			t.Errorf("line %s: wrong label: error %v", v["line"], err)
		}
	}
}

func TestVectorsDecryptPKCS1v15(t *testing.T) {
	t.Parallel()
	var keys keysOf
	for i, v := range readVectors(t, "pkcs1v15crypt-vectors.txt.gz", 300) {
		if shortSkip(i, v) {
			continue
		}
		priv, msg, ct := keys.of(t, v), v.bytes(t, "Msg"), v.bytes(t, "ct")
		if got, err := rsa.DecryptPKCS1v15(nil, priv, ct); err != nil || !bytes.Equal(got, msg) {
			t.Errorf("line %s: message %x, error %v, want %x", v["line"], got, err, msg)
		}
		key := make([]byte, len(msg))
		if err := rsa.DecryptPKCS1v15SessionKey(nil, priv, ct, key); err != nil || !bytes.Equal(key, msg) {
			t.Errorf("line %s: session key %x, error %v, want %x", v["line"], key, err, msg)
		}
	}
}

// jwsVectors are the RSA signatures that RFC 7515 and RFC 7520 print with their
// private keys. Values are base64url.
var jwsVectors = []struct {
	name       string
	n, d, p    string
	hash       crypto.Hash
	pss        bool
	head, body string
	sig        string
}{
	{
		name: "RFC 7515 A.2",
		n: "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-" +
			"pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapH" +
			"g665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4F" +
			"RWyuXpoQ",
		d: "Eq5xpGnNCivDflJsRQBXHx1hdR1k6Ulwe2JZD50LpXyWPEAeP88vLNO97IjlA7_GQ5sLKMgvfTeXZx9SE-7YwVol2NXOoAJe46sui395IW_GO-" +
			"pWJ1O0BkTGoVEn2bKVRUCgu-GjBVaYLU6f3l9kJfFNS3E0QbVdxzubSu3Mkqzjkn439X0M_V51gfpRLI9JYanrC4D4qAdGcopV_0ZHHzQlBjudU2" +
			"QvXt4ehNYTCBr6XCLQUShb1juUO1ZdiYoFaFQT5Tw8bGUl_x_jTj3ccPDVZFD9pIuhLhBOneufuBiB4cS98l2SR_RQyGWSeWjnczT0QU91p1DhOV" +
			"RuOopznQ",
		p: "4BzEEOtIpmVdVEZNCqS7baC4crd0pqnRH_5IB3jw3bcxGn6QLvnEtfdUdiYrqBdss1l58BQ3KhooKeQTa9AB0Hw_Py5PJdTJNPY8cQn7ouZ2KK" +
			"DcmnPGBY5t7yLc1QlQ5xHdwW1VhvKn-nXqhJTBgIPgtldC-KDV5z-y2XDwGUc",
		hash: crypto.SHA256,
		head: "eyJhbGciOiJSUzI1NiJ9",
		body: "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ",
		sig: "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr" +
			"7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi1" +
			"2jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlU" +
			"PQGe77Rw",
	},
	{
		name: "RFC 7520 4.1",
		n:    rfc7520N, d: rfc7520D, p: rfc7520P,
		hash: crypto.SHA256,
		head: "eyJhbGciOiJSUzI1NiIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9",
		body: rfc7520Body,
		sig: "MRjdkly7_-oTPTS3AXP41iQIGKa80A0ZmTuV5MEaHoxnW2e5CZ5NlKtainoFmKZopdHM1O2U4mwzJdQx996ivp83xuglII7PNDi84wnB-BDkoB" +
			"wA78185hX-Es4JIwmDLJK3lfWRa-XtL0RnltuYv746iYTh_qHRD68BNt1uSNCrUCTJDt5aAE6x8wW1Kt9eRo4QPocSadnHXFxnt8Is9UzpERV0eP" +
			"PQdLuW3IS_de3xyIrDaLGdjluPxUAhb6L2aXic1U12podGU0KLUQSE_oI-ZnmKJ3F4uOZDnd6QZWJushZ41Axf_fcIe8u9ipH84ogoree7vjbU5y" +
			"18kDquDg",
	},
	{
		name: "RFC 7520 4.2",
		n:    rfc7520N, d: rfc7520D, p: rfc7520P,
		hash: crypto.SHA384, pss: true,
		head: "eyJhbGciOiJQUzM4NCIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9",
		body: rfc7520Body,
		sig: "cu22eBqkYDKgIlTpzDXGvaFfz6WGoz7fUDcfT0kkOy42miAh2qyBzk1xEsnk2IpN6-tPid6VrklHkqsGqDqHCdP6O8TTB5dDDItllVo6_1OLPp" +
			"cbUrhiUSMxbbXUvdvWXzg-UD8biiReQFlfz28zGWVsdiNAUf8ZnyPEgVFn442ZdNqiVJRmBqrYRXe8P_ijQ7p8Vdz0TTrxUeT3lm8d9shnr2lfJT" +
			"8ImUjvAA2Xez2Mlp8cBE5awDzT0qI0n6uiP1aCN_2_jLAeQTlqRHtfa64QQSUmFAAjVKPbByi7xho0uTOcbH510a6GYmJUAfmWjwZ6oD4ifKo8DY" +
			"M-X72Eaw",
	},
}

// The key of RFC 7520 §3.4 and the payload of §4.
const (
	rfc7520N = "n4EPtAOCc9AlkeQHPzHStgAbgs7bTZLwUBZdR8_KuKPEHLd4rHVTeT-O-XV2jRojdNhxJWTDvNd7nqQ0VEiZQHz_AJmSCpMaJMRBSFKrKb2wqV" +
		"wGU_NsYOYL-QtiWN2lbzcEe6XC0dApr5ydQLrHqkHHig3RBordaZ6Aj-oBHqFEHYpPe7Tpe-OfVfHd1E6cS6M1FZcD1NNLYD5lFHpPI9bTwJlsde3uhGqC0Z" +
		"CuEHg8lhzwOHrtIQbS0FVbb9k3-tVTU4fg_3L_vniUFAKwuCLqKnS2BYwdq_mzSnbLY7h_qixoR7jig3__kRhuaxwUkRz5iaiQkqgc5gHdrNP5zw"
	rfc7520D = "bWUC9B-EFRIo8kpGfh0ZuyGPvMNKvYWNtB_ikiH9k20eT-O1q_I78eiZkpXxXQ0UTEs2LsNRS-8uJbvQ-A1irkwMSMkK1J3XTGgdrhCku9gRldY7" +
		"sNA_AKZGh-Q661_42rINLRCe8W-nZ34ui_qOfkLnK9QWDDqpaIsA-bMwWWSDFu2MUBYwkHTMEzLYGqOe04noqeq1hExBTHBOBdkMXiuFhUq1BU6l-DqEiWxqg" +
		"82sXt2h-LMnT3046AOYJoRioz75tSUQfGCshWTBnP5uDjd18kKhyv07lhfSJdrPdM5Plyl21hsFf4L_mHCuoFau7gdsPfHPxxjVOcOpBrQzwQ"
	rfc7520P = "3Slxg_DwTXJcb6095RoXygQCAZ5RnAvZlno1yhHtnUex_fp7AZ_9nRaO7HX_-SFfGQeutao2TDjDAWU4Vupk8rw9JR0AzZ0N2fvuIAmr_WCsmGpe" +
		"NqQnev1T7IyEsnh8UMt-n5CafhkikzhEsrmndH6LxOrvRJlsPp6Zv8bUq0k"
	rfc7520Body = "SXTigJlzIGEgZGFuZ2Vyb3VzIGJ1c2luZXNzLCBGcm9kbywgZ29pbmcgb3V0IHlvdXIgZG9vci4gWW91IHN0ZXAgb250byB0aGUgcm9hZCwgYW5k" +
		"IGlmIHlvdSBkb24ndCBrZWVwIHlvdXIgZmVldCwgdGhlcmXigJlzIG5vIGtub3dpbmcgd2hlcmUgeW91IG1pZ2h0IGJlIHN3ZXB0IG9mZiB0by4"
)

func TestVectorsJWS(t *testing.T) {
	t.Parallel()
	decode := func(t *testing.T, s string) []byte {
		t.Helper()
		b, err := base64.RawURLEncoding.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, v := range jwsVectors {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			n := new(big.Int).SetBytes(decode(t, v.n))
			p := new(big.Int).SetBytes(decode(t, v.p))
			q, r := new(big.Int).QuoRem(n, p, new(big.Int))
			if r.Sign() != 0 {
				t.Fatal("p does not divide n")
			}
			bare := &rsa.PrivateKey{
				PublicKey: rsa.PublicKey{N: n, E: 65537},
				D:         new(big.Int).SetBytes(decode(t, v.d)),
			}
			full := &rsa.PrivateKey{PublicKey: bare.PublicKey, D: bare.D, Primes: []*big.Int{p, q}}
			full.Precompute()
			if err := full.Validate(); err != nil {
				t.Fatal(err)
			}
			digest, want := hashOf(v.hash, []byte(v.head+"."+v.body)), decode(t, v.sig)
			verify := func(sig []byte) error { return rsa.VerifyPKCS1v15(&full.PublicKey, v.hash, digest, sig) }
			sign := func(priv *rsa.PrivateKey) ([]byte, error) { return rsa.SignPKCS1v15(nil, priv, v.hash, digest) }
			if v.pss {
				// RFC 7518 §3.5: the salt is as long as the hash.
				opts := &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash}
				salt := pssSalt(full.N, full.E, v.hash, want, v.hash.Size())
				verify = func(sig []byte) error { return rsa.VerifyPSS(&full.PublicKey, v.hash, digest, sig, opts) }
				sign = func(priv *rsa.PrivateKey) ([]byte, error) {
					return rsa.SignPSS(bytes.NewReader(salt), priv, v.hash, digest, opts)
				}
			}
			if err := verify(want); err != nil {
				t.Error(err)
			}
			for name, priv := range map[string]*rsa.PrivateKey{"with primes": full, "without primes": bare} {
				if sig, err := sign(priv); err != nil || !bytes.Equal(sig, want) {
					t.Errorf("key %s: signature %x, error %v, want %x", name, sig, err, want)
				}
			}
			for i := range want {
				want[i] ^= 1
				if err := verify(want); err != rsa.ErrVerification {
					t.Errorf("byte %d altered: error %v", i, err)
				}
				want[i] ^= 1
			}
		})
	}
}

// pssSalt recovers with math/big the salt of n bytes from a valid signature
// (RFC 8017 §9.1.2 steps 5 to 11) by a key whose length is a multiple of 8.
func pssSalt(N *big.Int, e int, h crypto.Hash, sig []byte, n int) []byte {
	m := new(big.Int).Exp(new(big.Int).SetBytes(sig), big.NewInt(int64(e)), N)
	em := m.FillBytes(make([]byte, len(sig)))
	db := em[:len(em)-h.Size()-1]
	for i, b := range mgf1(h, em[len(db):len(em)-1], len(db)) {
		db[i] ^= b
	}
	return db[len(db)-n:]
}

// readTestKey parses a PKCS #1 key of testdata. Its PEM type keeps secret
// scanners from reporting it.
func readTestKey(name string) (*rsa.PrivateKey, error) {
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(data)
	if block == nil || block.Type != "RSA TESTING KEY" {
		return nil, fmt.Errorf("%s is not a PEM testing key", name)
	}
	return x509.ParsePKCS1PrivateKey(block.Bytes)
}

// TestVectorsRFC9500 uses the 2048-bit key of RFC 9500 §2.1.
func TestVectorsRFC9500(t *testing.T) {
	t.Parallel()
	priv, err := readTestKey("rfc9500-2048.pem")
	if err != nil {
		t.Fatal(err)
	}
	if priv.N.BitLen() != 2048 || priv.E != 65537 {
		t.Fatalf("%d bits, e = %d", priv.N.BitLen(), priv.E)
	}
	for _, h := range []crypto.Hash{crypto.SHA1, crypto.SHA256, crypto.SHA512, crypto.SHA3_384} {
		digest := hashOf(h, []byte("RFC 9500"))
		sig, err := rsa.SignPKCS1v15(nil, priv, h, digest)
		if err != nil {
			t.Fatal(err)
		}
		// The signature is the only s with s^e = EM, where EM is checked by
		// crypto/rsa.
		if err := stdrsa.VerifyPKCS1v15(&priv.PublicKey, h, digest, sig); err != nil {
			t.Errorf("%v: %v", h, err)
		}
		salt := bytes.Repeat([]byte{0x5a}, h.Size())
		sig, err = rsa.SignPSS(bytes.NewReader(salt), priv, h, digest, &rsa.PSSOptions{SaltLength: len(salt)})
		if err != nil {
			t.Fatal(err)
		}
		if err := stdrsa.VerifyPSS(&priv.PublicKey, h, digest, sig, nil); err != nil {
			t.Errorf("%v: %v", h, err)
		}
		if got := pssSalt(priv.N, priv.E, h, sig, len(salt)); !bytes.Equal(got, salt) {
			t.Errorf("%v: salt is %x, want %x", h, got, salt)
		}
	}
}
