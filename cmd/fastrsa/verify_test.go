package main

import (
	"bytes"
	"context"
	"crypto"
	"crypto/rand"
	stdrsa "crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fastrsa/fastrsa/rsa"
)

// jsonVerify is the whole of the JSON output of verify.
type jsonVerify struct {
	Signatures     []jsonSignature `json:"signatures"`
	Skipped        []jsonSkip      `json:"skipped"`
	IssuerNotGiven []jsonSkip      `json:"issuer_not_given"`
	Errors         []jsonFault     `json:"errors"`
	jsonTotals
}

func decodeJSON(t *testing.T, text string, v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
}

func write(t *testing.T, dir, name string, data []byte) string {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

func readTestdata(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func testKey(t testing.TB, bits int) *rsa.PrivateKey {
	t.Helper()
	priv, err := benchKey(bits)
	if err != nil {
		t.Fatal(err)
	}
	return priv
}

func b64(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }

// jwk returns the JWK of a public key, with other members put in front.
func jwk(pub *rsa.PublicKey, members string) string {
	return fmt.Sprintf(`{%s"kty":"RSA","n":"%s","e":"%s"}`,
		members, b64(pub.N.Bytes()), b64(big.NewInt(int64(pub.E)).Bytes()))
}

// token signs a token with the given header, RS256.
func token(t testing.TB, priv *rsa.PrivateKey, header string) string {
	t.Helper()
	input := b64([]byte(header)) + "." + b64([]byte(`{"iss":"fastrsa test"}`))
	sum := sha256.Sum256([]byte(input))
	sig, err := stdrsa.SignPKCS1v15(nil, priv, crypto.SHA256, sum[:])
	if err != nil {
		t.Fatal(err)
	}
	return input + "." + b64(sig)
}

// TestTokens checks keys and tokens against the status and the message that they
// must give.
func TestTokens(t *testing.T) {
	t.Parallel()
	priv := testKey(t, 1024)
	other := testKey(t, 2048)
	pub := &priv.PublicKey
	good := token(t, priv, `{"alg":"RS256"}`)
	withKid := token(t, priv, `{"alg":"RS256","kid":"a"}`)
	parts := strings.Split(good, ".")
	withHeader := func(h string) string { return b64([]byte(h)) + "." + parts[1] + "." + parts[2] }
	n := b64(pub.N.Bytes())
	set := func(keys ...string) string { return `{"keys":[` + strings.Join(keys, ",") + `]}` }
	ec := `{"kty":"EC","kid":"a","crv":"P-256","x":"AA","y":"AA"}`
	sig, err := decodeBase64URL(parts[2])
	if err != nil {
		t.Fatal(err)
	}
	truncated := parts[0] + "." + parts[1] + "." + b64(sig[:127])
	// The last digit of the signature has bits that are not part of it.
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	last := strings.IndexByte(digits, good[len(good)-1])
	trailing := good[:len(good)-1] + string(digits[last|1])

	for _, tt := range []struct {
		name, key, token string
		status           int
		want             string // in the output
	}{
		{"good", jwk(pub, ""), good, 0, "1 ok"},
		{"white space", "\n " + jwk(pub, "") + "\n", "\n" + good + "\r\n", 0, "1 ok"},
		{"two", jwk(pub, ""), good + "\n" + withKid, 0, "2 ok"},
		{"set of one", set(jwk(pub, "")), good, 0, "1 ok"},
		{"kid selects", set(jwk(&other.PublicKey, `"kid":"b",`), jwk(pub, `"kid":"a",`)), withKid, 0, "1 ok"},
		{"kid of a key of another type too", set(ec, jwk(pub, `"kid":"a",`)), withKid, 0, "1 ok"},
		{"same key twice", set(jwk(pub, `"kid":"a",`), jwk(pub, `"kid":"a",`)), withKid, 0, "1 ok"},
		{"use and alg and key_ops", jwk(pub, `"use":"sig","alg":"RS256","key_ops":["verify"],`), good, 0, "1 ok"},
		{"leading zeros", `{"kty":"RSA","n":"` + b64(append([]byte{0, 0}, pub.N.Bytes()...)) + `","e":"AAEAAQ"}`, good, 0, "1 ok"},
		{"fault of another key", set(`{"kty":"RSA","kid":"b","n":"AA","e":"AA"}`, jwk(pub, `"kid":"a",`)), withKid, 0, "1 ok"},

		{"wrong key", jwk(&other.PublicKey, ""), good, 3, "1 bad"},
		{"truncated signature", jwk(pub, ""), truncated, 3, "1 bad"},
		{"no signature", jwk(pub, ""), parts[0] + "." + parts[1] + ".", 3, "1 bad"},
		{"PS256 with an RS256 signature", jwk(pub, ""), withHeader(`{"alg":"PS256"}`), 3, "1 bad"},
		{"even e", `{"kty":"RSA","n":"` + n + `","e":"Ag"}`, good, 3, "1 refused"},
		{"e of 1", `{"kty":"RSA","n":"` + n + `","e":"AQ"}`, good, 3, "1 refused"},
		{"e of 32 bits", `{"kty":"RSA","n":"` + n + `","e":"gAAAAQ"}`, good, -1, ""},
		{"small n", `{"kty":"RSA","n":"` + b64([]byte("twelve bytes")) + `","e":"AQAB"}`, good, 3, "1 refused"},

		{"alg none", jwk(pub, ""), b64([]byte(`{"alg":"none"}`)) + "." + parts[1] + ".", 2, `algorithm "none": the token is not signed`},
		{"alg nOnE", jwk(pub, ""), withHeader(`{"alg":"nOnE"}`), 2, "is not signed"},
		{"alg HS256", jwk(pub, ""), withHeader(`{"alg":"HS256"}`), 2, `algorithm "HS256" is no RSA signature`},
		{"alg rs256", jwk(pub, ""), withHeader(`{"alg":"rs256"}`), 2, "is no RSA signature"},
		{"alg empty", jwk(pub, ""), withHeader(`{"alg":""}`), 2, "is no RSA signature"},
		{"ALG", jwk(pub, ""), withHeader(`{"ALG":"RS256"}`), 2, `"alg" is missing`},
		{"alg not a string", jwk(pub, ""), withHeader(`{"alg":256}`), 2, `"alg" is missing or not a string`},
		{"alg twice", jwk(pub, ""), withHeader(`{"alg":"HS256","alg":"RS256"}`), 2, `two members "alg"`},
		{"alg ES256", jwk(pub, ""), withHeader(`{"alg":"ES256"}`), 2, "skipped: 1 ES256"},
		{"alg is not the key's", jwk(pub, `"alg":"RS512",`), good, 2, `the key is for "RS512"`},
		{"key for encryption", jwk(pub, `"use":"enc",`), good, 2, `the use of the key is "enc"`},
		{"key operations", jwk(pub, `"key_ops":["encrypt"],`), good, 2, "do not include verify"},
		{"crit", jwk(pub, ""), withHeader(`{"alg":"RS256","crit":["b64"],"b64":false}`), 2, `"crit"`},
		{"kid not a string", jwk(pub, ""), withHeader(`{"alg":"RS256","kid":7}`), 2, `"kid" is not a string`},
		{"kid not there", set(jwk(pub, `"kid":"b",`)), withKid, 2, `no key with kid "a"`},
		{"kid of the only key", jwk(pub, `"kid":"b",`), withKid, 2, `no key with kid "a"`},
		{"kid twice", set(jwk(pub, `"kid":"a",`), jwk(&other.PublicKey, `"kid":"a",`)), withKid, 2, `kid "a": more than one RSA key`},
		{"no kid, two keys", set(jwk(pub, ""), jwk(&other.PublicKey, "")), good, 2, "more than one RSA key"},
		{"no keys", set(), good, 2, "no RSA key"},
		{"not base64url", jwk(pub, ""), strings.Replace(good, "ey", "e+", 1), 2, "not PEM, DER or JWS"},
		{"padding", jwk(pub, ""), good + "\n" + good + "==", 2, "not strict base64url"},
		{"trailing bits", jwk(pub, ""), trailing, 2, "token signature: not strict base64url"},
		{"header not JSON", jwk(pub, ""), b64([]byte("{")) + "." + parts[1] + "." + parts[2], 2, "malformed JSON"},
		{"header a list", jwk(pub, ""), b64([]byte("[]")) + "." + parts[1] + "." + parts[2], 2, "not a JSON object"},
		{"two parts", jwk(pub, ""), parts[0] + "." + parts[1], 2, "2 parts, not 3"},
		{"JWE", jwk(pub, ""), good + ".AA.AA", 2, "encrypted token"},
		{"JSON serialization", jwk(pub, ""), `{"payload":""}`, 2, "compact form"},
		{"e too large", `{"kty":"RSA","n":"` + n + `","e":"AQAAAAAAAQAB"}`, good, 2, "RSA public exponent of 65 bits is too large"},
		{"e of 0", `{"kty":"RSA","n":"` + n + `","e":"AA"}`, good, 2, "exponent is not positive"},
		{"e empty", `{"kty":"RSA","n":"` + n + `","e":""}`, good, 2, `"e" is missing or empty`},
		{"e a number", `{"kty":"RSA","n":"` + n + `","e":65537}`, good, 2, `"e" is not a string`},
		{"e padded", `{"kty":"RSA","n":"` + n + `","e":"AQAB="}`, good, 2, `"e" is not strict base64url`},
		{"e broken", `{"kty":"RSA","n":"` + n + `","e":"AQ\nAB"}`, good, 2, `"e" is not strict base64url`},
		{"n of 0", `{"kty":"RSA","n":"AA","e":"AQAB"}`, good, 2, "modulus is not positive"},
		{"n too large", `{"kty":"RSA","n":"` + strings.Repeat("_", 3000) + `","e":"AQAB"}`, good, 2, "RSA modulus of 18000 bits"},
		{"n twice", `{"kty":"RSA","n":"` + n + `","n":"AA","e":"AQAB"}`, good, 2, `two members "n"`},
		{"EC key", ec, good, 2, "not an RSA key"},
		{"no kty", `{"n":"` + n + `","e":"AQAB"}`, good, 2, `"kty" is missing`},
		{"keys not a list", `{"keys":{}}`, good, 2, `"keys" is not a list`},
		{"key file garbage", "\x00\x01\x02", good, 2, "not a key in PEM, DER, JWK or JWK set form"},
		{"key file empty", "", good, 2, "empty file"},
		{"key file truncated", string(readTestdata(t, "key.pem")[:200]), good, 2, "malformed or truncated PEM block"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			key := write(t, dir, "key", []byte(tt.key))
			file := write(t, dir, "token", []byte(tt.token))
			status, stdout, stderr := runCommand("", "verify", "-rounds", "1", "-key", key, file)
			if tt.status < 0 {
				// int decides whether the key can be represented; both fail.
				if status != 2 && status != 3 {
					t.Errorf("exit %d", status)
				}
				return
			}
			if status != tt.status || !strings.Contains(stdout+stderr, tt.want) {
				t.Errorf("exit %d, want %d, and %q in\n%s%s", status, tt.status, tt.want, stderr, stdout)
			}
		})
	}
}

// TestKeyForms checks one token with its key in every form that -key takes.
func TestKeyForms(t *testing.T) {
	t.Parallel()
	priv := testKey(t, 1024)
	dir := t.TempDir()
	file := write(t, dir, "token", []byte(token(t, priv, `{"alg":"RS256","kid":"a"}`)))
	pkix, err := x509.MarshalPKIXPublicKey(&priv.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(priv)
	if err != nil {
		t.Fatal(err)
	}
	forms := map[string][]byte{
		"PUBLIC KEY":             pkix,
		"RSA PUBLIC KEY":         x509.MarshalPKCS1PublicKey(&priv.PublicKey),
		"PRIVATE" + " KEY":       pkcs8,
		"RSA PRIVATE" + " KEY":   x509.MarshalPKCS1PrivateKey(priv),
		"CERTIFICATE":            selfSigned(t, priv, "key", x509.SHA256WithRSA),
		"PUBLIC KEY (jwk):a":     []byte(jwk(&priv.PublicKey, `"kid":"a",`)),
		"PUBLIC KEY (jwks):a":    []byte(`{"keys":[` + jwk(&priv.PublicKey, `"kid":"a",`) + `]}`),
		"PUBLIC KEY (private):a": []byte(jwk(&priv.PublicKey, `"d":"AA","p":"AA","key_ops":["sign"],`)),
	}
	for name, data := range forms {
		files := map[string][]byte{"as it is": data}
		if !strings.Contains(name, ":") {
			files["PEM"] = pem.EncodeToMemory(&pem.Block{Type: name, Bytes: data})
		}
		for form, data := range files {
			key := write(t, dir, "key", data)
			if status, stdout, stderr := runCommand("", "verify", "-rounds", "1", "-key", key, file); status != 0 {
				t.Errorf("%s, %s: exit %d\n%s%s", name, form, status, stderr, stdout)
			}
		}
	}
	// Standard input serves for the key as well as for the token.
	text := string(forms["PUBLIC KEY (jwk):a"])
	if status, _, stderr := runCommand(text, "verify", "-key", "-", file); status != 0 {
		t.Errorf("key from standard input: exit %d, %s", status, stderr)
	}
}

// TestFiles checks files that are no good in one way or another.
func TestFiles(t *testing.T) {
	t.Parallel()
	chain := readTestdata(t, "chain.pem")
	der := readTestdata(t, "root.der")
	second := bytes.Index(chain[1:], []byte("-----BEGIN")) + 1
	for _, tt := range []struct {
		name, data string
		status     int
		want       string
	}{
		{"empty", "", 2, "stdin: empty file"},
		{"binary garbage", "\x7fELF\x00\x01", 2, "stdin: not PEM, DER or JWS compact tokens"},
		{"text", "hello, world.\n", 2, "stdin: not PEM, DER or JWS compact tokens"},
		{"text that begins like DER", "0123 hello\n", 2, "stdin: not PEM, DER or JWS compact tokens"},
		{"DER", string(der), 0, "1 ok"},
		{"DER twice", string(der) + string(der), 0, "2 ok"},
		{"truncated DER", string(der[:len(der)-1]), 2, "stdin#1: malformed or truncated DER"},
		{"DER and garbage", string(der) + "garbage", 2, "stdin#2: malformed or truncated DER"},
		{"empty SEQUENCE", "\x30\x00", 2, "stdin#1: "},
		{"PEM with text around", "subject=x\n" + string(chain) + "\nthe end\n", 0, "3 ok"},
		{"PEM with CR LF", strings.ReplaceAll(string(chain), "\n", "\r\n"), 0, "3 ok"},
		{"PEM with a byte order mark", "\ufeff" + string(chain), 0, "3 ok"},
		{"truncated first block", string(chain[:second-40]) + "\n" + string(chain[second:]), 2, "stdin#1: malformed or truncated PEM block"},
		{"truncated last block", string(chain[:len(chain)-40]), 2, "stdin#3: malformed or truncated PEM block"},
		{"unknown block", "-----BEGIN PKCS7-----\nMAA=\n-----END PKCS7-----\n" + string(chain), 2, `stdin#1: PEM block "PKCS7" is not supported`},
		{"block of another kind", strings.ReplaceAll(string(readTestdata(t, "csr.pem")), "CERTIFICATE REQUEST", "CERTIFICATE"), 2, "stdin#1: certificate: "},
		{"control characters", "-----BEGIN \x1b[31mX-----\nMAA=\n-----END \x1b[31mX-----\n", 2, `stdin#1: `},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			status, stdout, stderr := runCommand(tt.data, "verify", "-rounds", "1", "-")
			if status != tt.status || !strings.Contains(stdout+stderr, tt.want) {
				t.Errorf("exit %d, want %d, and %q in\n%s%s", status, tt.status, tt.want, stderr, stdout)
			}
			if strings.Contains(stdout+stderr, "\x1b") {
				t.Errorf("escape sequence in %q", stdout+stderr)
			}
		})
	}
	if status, _, stderr := runCommand("", "verify", filepath.Join(t.TempDir(), "x")); status != 2 || !strings.Contains(stderr, "x: ") {
		t.Errorf("missing file: exit %d, %q", status, stderr)
	}
	// A file that is no good does not keep the others from being checked.
	status, stdout, _ := runCommand("garbage", "verify", "-rounds", "1", "testdata/chain.pem", "-", "testdata/bad.pem")
	if status != 2 || !strings.Contains(stdout, "3 ok, 1 bad") {
		t.Errorf("exit %d, want 2\n%s", status, stdout)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestFileLimit reads an endless file.
func TestFileLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 64 MiB; run without -short")
	}
	t.Parallel()
	_, err := readFile("-", zeros{})
	if err == nil || err.Error() != "larger than 64 MiB" {
		t.Errorf("error %v", err)
	}
}

// selfSigned returns a certificate without key identifiers.
func selfSigned(t testing.TB, priv *rsa.PrivateKey, name string, alg x509.SignatureAlgorithm) []byte {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber:       big.NewInt(1),
		Subject:            pkix.Name{CommonName: name},
		SignatureAlgorithm: alg,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &priv.PublicKey, priv)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

// TestSameName gives two certificates of one name and different keys: each is
// accepted with its own key, and being rejected with the other is no fault.
func TestSameName(t *testing.T) {
	t.Parallel()
	a := selfSigned(t, testKey(t, 1024), "twin", x509.SHA256WithRSA)
	b := selfSigned(t, testKey(t, 2048), "twin", x509.SHA256WithRSAPSS)
	status, stdout, stderr := runCommand(string(a)+string(b), "verify", "-rounds", "1", "-")
	if status != 0 || !strings.Contains(stdout, "2 RSA signatures: 2 ok, 0 bad, 0 refused, 0 disagree; 2 made with another key of the same name") {
		t.Errorf("exit %d\n%s%s", status, stderr, stdout)
	}
	// Where none of the keys accepts, the rejections count.
	a[len(a)-1] ^= 1
	status, stdout, _ = runCommand(string(a)+string(b), "verify", "-rounds", "1", "-")
	if status != 3 || !strings.Contains(stdout, "3 RSA signatures: 1 ok, 2 bad, 0 refused, 0 disagree; 1 made with another key") {
		t.Errorf("exit %d\n%s", status, stdout)
	}
}

// TestDetachedAltered checks signatures that are one step away from a good one.
func TestDetachedAltered(t *testing.T) {
	t.Parallel()
	priv := testKey(t, 1024)
	message := []byte("message")
	// s + N must have no more bytes than N, for which s must be small enough.
	var sig, plusN []byte
	for i := 0; plusN == nil; i++ {
		message = fmt.Appendf(message[:0], "message %d", i)
		sum := sha256.Sum256(message)
		var err error
		if sig, err = stdrsa.SignPKCS1v15(nil, priv, crypto.SHA256, sum[:]); err != nil {
			t.Fatal(err)
		}
		s := new(big.Int).SetBytes(sig)
		if s.Add(s, priv.N).BitLen() <= 1024 {
			plusN = s.Bytes()
		}
	}
	flipped := bytes.Clone(sig)
	flipped[50] ^= 0x10
	dir := t.TempDir()
	key := write(t, dir, "key", pem.EncodeToMemory(&pem.Block{Type: "RSA PUBLIC KEY", Bytes: x509.MarshalPKCS1PublicKey(&priv.PublicKey)}))
	file := write(t, dir, "message", message)
	for _, tt := range []struct {
		name   string
		sig    []byte
		status int
	}{
		{"raw", sig, 0},
		{"hexadecimal", []byte(hex.EncodeToString(sig) + "\n"), 0},
		{"base64", []byte(base64.StdEncoding.EncodeToString(sig)), 0},
		{"base64 in lines", []byte(base64.StdEncoding.EncodeToString(sig)[:76] + "\r\n" + base64.StdEncoding.EncodeToString(sig)[76:] + "\n"), 0},
		{"base64url", []byte(base64.RawURLEncoding.EncodeToString(sig)), 0},
		{"truncated", sig[:127], 3},
		{"with a zero byte in front", append([]byte{0}, sig...), 3},
		{"with a zero byte at the end", append(bytes.Clone(sig), 0), 3},
		{"s + N", plusN, 3},
		{"bit flipped", flipped, 3},
		{"zeros", make([]byte, 128), 3},
		{"N", priv.N.Bytes(), 3},
		{"N - 1", new(big.Int).Sub(priv.N, big.NewInt(1)).Bytes(), 3},
		{"all ones", bytes.Repeat([]byte{0xff}, 128), 3},
		{"empty", nil, 2},
	} {
		sigFile := write(t, dir, "sig", tt.sig)
		status, stdout, stderr := runCommand("", "verify", "-rounds", "2", "-key", key, "-sig", sigFile, file)
		if status != tt.status {
			t.Errorf("%s: exit %d, want %d\n%s%s", tt.name, status, tt.status, stderr, stdout)
		}
	}
	// A message may come from standard input, and be empty.
	sum := sha256.Sum256(nil)
	sig, err := stdrsa.SignPSS(rand.Reader, priv, crypto.SHA256, sum[:], nil)
	if err != nil {
		t.Fatal(err)
	}
	sigFile := write(t, dir, "sig", sig)
	if status, stdout, stderr := runCommand("", "verify", "-key", key, "-pss", "-sig", sigFile, "-"); status != 0 {
		t.Errorf("empty message: exit %d\n%s%s", status, stderr, stdout)
	}
}

// TestJSON checks the members that the package comment names.
func TestJSON(t *testing.T) {
	t.Parallel()
	status, stdout, _ := runCommand("", "verify", "-json", "testdata/chain.pem", "testdata/bad.pem",
		"testdata/pss-odd.pem", "testdata/other.pem", "testdata/negative.pem")
	var out jsonVerify
	decodeJSON(t, stdout, &out)
	if out.Exit != 2 || status != 2 {
		t.Errorf("exit %d, and %d in the object", status, out.Exit)
	}
	if out.OK != 6 || out.Bad != 1 || out.Refused != 0 || out.Disagree != 0 ||
		len(out.Signatures) != 7 || len(out.Skipped) != 3 || len(out.Errors) != 1 {
		t.Errorf("counts: %+v", out)
	}
	for _, s := range out.Signatures {
		if s.CryptoRSA.NS <= 0 || s.FastRSA.NS <= 0 || s.Speedup <= 0 || !s.Agree || s.Bits < 1024 || s.E != 65537 {
			t.Errorf("%+v", s)
		}
		if (s.CryptoRSA.Verdict == verdictBad) != (s.CryptoRSA.Error == stdrsa.ErrVerification.Error()) {
			t.Errorf("verdict and error: %+v", s.CryptoRSA)
		}
	}
	if s := out.Signatures[4]; s.Subject != "salt of 17 bytes" || s.Salt != 17.0 {
		t.Errorf("salt: %+v", s)
	}
}

// TestDisagreement checks that each way in which implementations can differ is
// noticed, and that it decides the status.
func TestDisagreement(t *testing.T) {
	t.Parallel()
	priv := testKey(t, 1024)
	sum := sha256.Sum256([]byte("message"))
	sig, err := stdrsa.SignPKCS1v15(nil, priv, crypto.SHA256, sum[:])
	if err != nil {
		t.Fatal(err)
	}
	answer := func(err error) implementation {
		return implementation{verifyPKCS1v15: func(*rsa.PublicKey, crypto.Hash, []byte, []byte) error { return err }}
	}
	changing := func() implementation {
		n := 0
		return implementation{verifyPKCS1v15: func(*rsa.PublicKey, crypto.Hash, []byte, []byte) error {
			if n++; n%2 == 0 {
				return stdrsa.ErrVerification
			}
			return nil
		}}
	}
	panicking := implementation{verifyPKCS1v15: func(*rsa.PublicKey, crypto.Hash, []byte, []byte) error { panic("x") }}
	for _, tt := range []struct {
		name      string
		std, fast implementation
		agree     bool
		words     string
	}{
		{"accept", stdImpl, answer(nil), true, ""},
		{"reject", stdImpl, answer(stdrsa.ErrVerification), false, "crypto/rsa says ok, fastrsa says bad"},
		{"refuse", stdImpl, answer(errors.New("too odd")), false, "fastrsa says refused (too odd)"},
		{"accept alone", answer(stdrsa.ErrVerification), fastImpl, false, "crypto/rsa says bad, fastrsa says ok"},
		{"both reject", answer(stdrsa.ErrVerification), answer(stdrsa.ErrVerification), true, ""},
		{"wrapped", answer(stdrsa.ErrVerification), answer(fmt.Errorf("x: %w", stdrsa.ErrVerification)), false, "fastrsa says bad"},
		{"other text", answer(errors.New("a")), answer(errors.New("b")), false, "refused (a), fastrsa says refused (b)"},
		{"same text", answer(errors.New("a")), answer(errors.New("a")), true, "refused: a"},
		{"other kind, same text", answer(errors.New(stdrsa.ErrVerification.Error())), answer(stdrsa.ErrVerification), false, "DISAGREE"},
		{"panic", stdImpl, panicking, false, "fastrsa says panic (panic: x)"},
		{"changing", stdImpl, changing(), false, "crypto/rsa says ok, fastrsa says varies (ok, then bad)"},
		{"both changing", changing(), changing(), false, "crypto/rsa says varies (ok, then bad), fastrsa says varies (ok, then bad)"},
	} {
		s := &signature{place: place{file: "f", index: 1}, scheme: scheme{hash: crypto.SHA256}, digest: sum[:], sig: sig}
		r := checkWith(s, &priv.PublicKey, 3, tt.std, tt.fast)
		if r.agree() != tt.agree {
			t.Errorf("%s: agree is %v: %+v, %+v", tt.name, r.agree(), r.std, r.fast)
		}
		var out, errs bytes.Buffer
		v := &verification{
			invocation: &invocation{cmd: verifyCommand, ctx: t.Context(), stdout: &out, stderr: &errs},
			results:    []*result{r},
			faultCount: 1,
		}
		if got := v.status() == exitDisagree; got == tt.agree {
			t.Errorf("%s: exit %d", tt.name, v.status())
		}
		if err := v.writeText(); err != nil || !strings.Contains(out.String(), tt.words) {
			t.Errorf("%s: %q is not in\n%s", tt.name, tt.words, out.String())
		}
	}
}

// TestCancelled checks that an interrupt ends the checks.
func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	status := run(ctx, []string{"verify", "testdata/chain.pem"}, nil, &out, &errs)
	if status != 130 || !strings.Contains(out.String(), "interrupted: 0 of 3 checked") {
		t.Errorf("exit %d\n%s", status, out.String())
	}
}

// FuzzVerifyFile looks for input that makes the command panic, or makes the two
// implementations disagree.
func FuzzVerifyFile(f *testing.F) {
	for _, name := range []string{
		"chain.pem", "csr.pem", "crl.pem", "crl.der", "root.der", "pss-odd.pem", "other.pem",
		"negative.pem", "bad.pem", "key.der", "key.pem", "rfc7515-a2.jws", "rfc7520-4.2.jws", "rfc7515-a2.jwk",
	} {
		f.Add(readTestdata(f, name), readTestdata(f, "rfc7520-3.3.jwks"))
	}
	for _, name := range []string{"key.pem", "key.der", "key-pkcs1.pem", "rfc7515-a2.jwk", "chain.pem"} {
		f.Add(readTestdata(f, "rfc7515-a2.jws"), readTestdata(f, name))
	}
	f.Add([]byte{0x30}, []byte{0x30})
	f.Add([]byte("\ufeff-----BEGIN "), []byte(`{"keys":[{"kty":"RSA","n":"AQ","e":"AQ"}]}`))
	f.Fuzz(func(t *testing.T, data, key []byte) {
		keys, err := readKeys("-", bytes.NewReader(key))
		if (keys == nil) == (err == nil) {
			t.Fatalf("keys %v, error %v", keys, err)
		}
		var out, errs bytes.Buffer
		v := &verification{
			invocation: &invocation{cmd: verifyCommand, ctx: t.Context(), stdin: bytes.NewReader(data), stdout: &out, stderr: &errs},
			rounds:     1,
			keys:       keys,
		}
		v.read("-")
		v.findIssuers()
		// A few are enough, and quick enough.
		v.items = v.items[:min(len(v.items), 4)]
		for _, it := range v.items {
			it.signature.keys = it.signature.keys[:min(len(it.signature.keys), 2)]
		}
		status := v.finish(false)
		if status == exitDisagree {
			t.Errorf("disagreement:\n%s", out.String())
		}
		if status != exitOK && status != exitInput && status != exitBad {
			t.Errorf("exit %d", status)
		}
		if s := printable(strings.ReplaceAll(out.String(), "\n", " ")); s != strings.ReplaceAll(out.String(), "\n", " ") {
			t.Errorf("unprintable output %q", out.String())
		}
	})
}
