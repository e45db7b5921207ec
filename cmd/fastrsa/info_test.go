package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/asn1"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"github.com/fastrsa/fastrsa/rsa"
)

// infoOutput is what info prints with -json and a file.
type infoOutput struct {
	File string `json:"file"`
	Keys []struct {
		Index    int      `json:"index"`
		Kind     string   `json:"kind"`
		Format   string   `json:"format"`
		Subject  string   `json:"subject"`
		Kid      string   `json:"kid"`
		Bits     int      `json:"bits"`
		E        *big.Int `json:"e"`
		SPKI     string   `json:"spki_sha256"`
		JWK      string   `json:"jwk_thumbprint"`
		SSH      string   `json:"ssh_sha256"`
		Findings []struct {
			Check    string `json:"check"`
			Severity string `json:"severity"`
			Message  string `json:"message"`
		} `json:"findings"`
	} `json:"keys"`
	Skipped []keyProblem `json:"skipped"`
	Errors  []keyProblem `json:"errors"`
	Exit    int          `json:"exit"`
}

// infoJSON runs info -json on standard input.
func infoJSON(t *testing.T, input []byte) (out infoOutput) {
	t.Helper()
	status, stdout, stderr := runCommand(string(input), "info", "-json", "-")
	decodeJSON(t, stdout, &out)
	if status != out.Exit || out.File != "stdin" || stderr != "" {
		t.Errorf("exit %d, JSON says %d; file %q; stderr %q", status, out.Exit, out.File, stderr)
	}
	return out
}

// infoFindings returns "severity check" for each finding of the only key.
func infoFindings(t *testing.T, out infoOutput) string {
	t.Helper()
	if len(out.Keys) != 1 {
		t.Fatalf("%d keys, errors %v", len(out.Keys), out.Errors)
	}
	var list []string
	for _, f := range out.Keys[0].Findings {
		if f.Message == "" {
			t.Errorf("finding %s without a message", f.Check)
		}
		list = append(list, f.Severity+" "+f.Check)
	}
	return strings.Join(list, ", ")
}

func pemBlock(label string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: label, Bytes: der})
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	der, err := asn1.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

// jwkOf returns the JWK with the given numbers.
func jwkOf(members map[string]*big.Int) []byte {
	object := map[string]string{"kty": "RSA"}
	for name, x := range members {
		object[name] = base64.RawURLEncoding.EncodeToString(x.Bytes())
	}
	b, _ := json.Marshal(object)
	return b
}

// TestInfoFormats gives one key in every form, and finds the same key each time.
func TestInfoFormats(t *testing.T) {
	t.Parallel()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	spki, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	pkcs1, public1 := x509.MarshalPKCS1PrivateKey(key), x509.MarshalPKCS1PublicKey(&key.PublicKey)
	certificate := selfSigned(t, key, "info", x509.SHA256WithRSA)
	e, pre := big.NewInt(int64(key.E)), key.Precomputed
	sum := sha256.Sum256(spki)
	sshKey, err := ssh.NewPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}

	var outputs strings.Builder
	for _, tt := range []struct {
		kind, format string
		data         []byte
	}{
		{"public", "SubjectPublicKeyInfo", spki},
		{"public", "SubjectPublicKeyInfo", pemBlock("PUBLIC KEY", spki)},
		{"public", "PKCS #1", public1},
		{"public", "PKCS #1", pemBlock("RSA PUBLIC KEY", public1)},
		{"public", "certificate", certificate},
		{"public", "certificate", pemBlock("CERTIFICATE", certificate)},
		{"public", "JWK", jwkOf(map[string]*big.Int{"n": key.N, "e": e})},
		{"private", "PKCS #1", pkcs1},
		{"private", "PKCS #1", pemBlock("RSA PRIVATE KEY", pkcs1)},
		{"private", "PKCS #8", pkcs8},
		{"private", "PKCS #8", pemBlock("PRIVATE KEY", pkcs8)},
		{"private", "JWK", jwkOf(map[string]*big.Int{
			"n": key.N, "e": e, "d": key.D, "p": key.Primes[0], "q": key.Primes[1],
			"dp": pre.Dp, "dq": pre.Dq, "qi": pre.Qinv})},
	} {
		out := infoJSON(t, tt.data)
		if got := infoFindings(t, out); got != "" || out.Exit != 0 {
			t.Errorf("%s, %s: findings %q, exit %d", tt.kind, tt.format, got, out.Exit)
		}
		k := out.Keys[0]
		if k.Index != 1 || k.Kind != tt.kind || k.Format != tt.format || k.Bits != 2048 || k.E.Cmp(e) != 0 ||
			k.SPKI != hex.EncodeToString(sum[:]) || "SHA256:"+k.SSH != ssh.FingerprintSHA256(sshKey) || len(k.JWK) != 43 {
			t.Errorf("%s, %s: %+v", tt.kind, tt.format, k)
		}
		if (k.Subject != "") != (tt.format == "certificate") {
			t.Errorf("%s: subject %q", tt.format, k.Subject)
		}
		for _, args := range [][]string{{"info", "-"}, {"info", "-json", "-"}} {
			_, stdout, stderr := runCommand(string(tt.data), args...)
			outputs.WriteString(stdout + stderr)
		}
	}
	noSecrets(t, outputs.String(), key)
}

// noSecrets looks for the private numbers of key in text, in any of the usual forms.
func noSecrets(t *testing.T, text string, key *rsa.PrivateKey) {
	t.Helper()
	secrets := append([]*big.Int{key.D}, key.Primes...)
	for _, x := range []*big.Int{key.Precomputed.Dp, key.Precomputed.Dq, key.Precomputed.Qinv} {
		if x != nil {
			secrets = append(secrets, x)
		}
	}
	lower := strings.ToLower(text)
	for _, x := range secrets {
		b := x.Bytes()
		for _, form := range []string{x.String(), hex.EncodeToString(b)} {
			if strings.Contains(lower, form[1:len(form)-1]) {
				t.Errorf("a private number is in the output: %s", text)
			}
		}
		for _, form := range []string{base64.StdEncoding.EncodeToString(b), base64.URLEncoding.EncodeToString(b)} {
			if strings.Contains(text, strings.TrimRight(form, "=")) {
				t.Errorf("a private number is in the output: %s", text)
			}
		}
	}
}

// TestInfoWeakKeys gives keys with faults, among them those that crypto/rsa and
// crypto/x509 would not even parse. They have 1024 bits, to be quick, and a warning of
// that, which is left out here.
func TestInfoWeakKeys(t *testing.T) {
	t.Parallel()
	key := testKey(t, 1024)
	p, q := key.Primes[0], key.Primes[1]
	one, e := big.NewInt(1), big.NewInt(65537)
	n := key.N
	closeTo := new(big.Int).Set(p)
	for closeTo.Add(closeTo, big.NewInt(2)); !closeTo.ProbablyPrime(2); closeTo.Add(closeTo, big.NewInt(2)) {
	}
	// A private exponent of 128 bits, which makes e as large as n.
	phi := new(big.Int).Mul(new(big.Int).Sub(p, one), new(big.Int).Sub(q, one))
	var smallD, largeE *big.Int
	for largeE == nil {
		var err error
		if smallD, err = rand.Prime(rand.Reader, 128); err != nil {
			t.Fatal(err)
		}
		largeE = new(big.Int).ModInverse(smallD, phi)
	}
	type public struct{ N, E *big.Int }
	type private struct{ V, N, E, D, P, Q, Dp, Dq, Qinv *big.Int }
	pre := key.Precomputed
	whole := private{big.NewInt(0), n, e, key.D, p, q, pre.Dp, pre.Dq, pre.Qinv}
	with := func(f func(*private)) []byte {
		k := whole
		f(&k)
		return marshal(t, k)
	}
	plus2 := func(x *big.Int) *big.Int { return new(big.Int).Add(x, big.NewInt(2)) }

	var outputs strings.Builder
	for _, tt := range []struct {
		name string
		data []byte
		want string
		exit int
	}{
		{"e = 3", marshal(t, public{n, big.NewInt(3)}), "warning exponent", 0},
		{"e = 1", marshal(t, public{n, one}), "error exponent", 3},
		{"e = 4", jwkOf(map[string]*big.Int{"n": n, "e": big.NewInt(4)}), "error exponent", 3},
		{"e negative", marshal(t, public{n, big.NewInt(-65537)}), "error exponent", 3},
		{"n negative", marshal(t, public{new(big.Int).Neg(n), e}), "error exponent, error modulus", 3},
		{"n = 0", marshal(t, public{big.NewInt(0), e}), "error exponent, error modulus", 3},
		{"n even", marshal(t, public{new(big.Int).Add(n, one), e}), "error modulus", 3},
		{"n of 20000 bits", marshal(t, public{new(big.Int).Lsh(n, 20000-1024), e}), "", 0},
		{"close primes", marshal(t, public{new(big.Int).Mul(p, closeTo), e}), "error fermat", 3},
		{"square", jwkOf(map[string]*big.Int{"n": new(big.Int).Mul(p, p), "e": e}), "error power", 3},
		{"small d", marshal(t, public{n, largeE}), "warning exponent, error small-d", 3},
		{"small d, private", with(func(k *private) { k.E, k.D = largeE, smallD }), "warning exponent, error small-d, note consistency", 3},
		{"sound", marshal(t, whole), "", 0},
		{"without CRT values", with(func(k *private) { k.Dp, k.Dq, k.Qinv = new(big.Int), new(big.Int), new(big.Int) }), "", 0},
		{"wrong d", with(func(k *private) { k.D = plus2(k.D) }), "error consistency", 3},
		{"wrong dP", with(func(k *private) { k.Dp = plus2(k.Dp) }), "error consistency", 3},
		{"wrong qInv", with(func(k *private) { k.Qinv = plus2(k.Qinv) }), "error consistency", 3},
		{"wrong p", with(func(k *private) { k.P = closeTo }), "error consistency", 3},
		{"p and q are 1 and n", with(func(k *private) { k.P, k.Q = one, n }), "error consistency, error prime, error prime, error prime-size", 3},
		{"JWK without primes", jwkOf(map[string]*big.Int{"n": n, "e": e, "d": key.D}), "note consistency", 0},
		{"JWK without primes, wrong d", jwkOf(map[string]*big.Int{"n": n, "e": e, "d": plus2(key.D)}), "note consistency, error consistency", 3},
	} {
		out := infoJSON(t, tt.data)
		got := strings.ReplaceAll(infoFindings(t, out), "warning size", "")
		got = strings.Trim(strings.ReplaceAll(got, ", , ", ", "), ", ")
		if got != tt.want || out.Exit != tt.exit {
			t.Errorf("%s: findings %q, exit %d, want %q, exit %d", tt.name, got, out.Exit, tt.want, tt.exit)
		}
		status, stdout, stderr := runCommand(string(tt.data), "info", "-")
		if status != tt.exit || stderr != "" {
			t.Errorf("%s: exit %d, stderr %q", tt.name, status, stderr)
		}
		for line := range strings.Lines(stdout) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 80 {
				t.Errorf("%s: line of %d characters: %s", tt.name, n, line)
			}
		}
		outputs.WriteString(stdout)
	}
	noSecrets(t, outputs.String(), key)
	noSecrets(t, outputs.String(), &rsa.PrivateKey{D: smallD, Primes: []*big.Int{closeTo}})
}

// TestInfoBadInput gives what is not a key, or not alone.
func TestInfoBadInput(t *testing.T) {
	t.Parallel()
	spki, _ := base64.StdEncoding.DecodeString("MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=") // Ed25519, RFC 8410
	sound := jwkOf(map[string]*big.Int{"n": new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 2203), big.NewInt(1)), "e": big.NewInt(65537)})
	for _, tt := range []struct {
		name, input, want string
		keys, exit        int
	}{
		{"empty", "", "empty file", 0, 2},
		{"text", "ssh-rsa AAAA", "not a key in PEM, DER, JWK or JWK set form", 0, 2},
		{"truncated PEM", "-----BEGIN PUBLIC KEY-----\nMIIB", "malformed or truncated PEM block", 0, 2},
		{"Ed25519", string(spki), "no RSA key", 0, 2},
		{"Ed25519, PEM", string(pemBlock("PUBLIC KEY", spki)), "no RSA key", 0, 2},
		{"encrypted PKCS #8", string(pemBlock("ENCRYPTED PRIVATE KEY", spki)), "the private key is encrypted", 0, 2},
		{"encrypted PEM", "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAAA\n-----END RSA PRIVATE KEY-----\n", "the private key is encrypted", 0, 2},
		{"not DER", "0x", "not an RSA key or certificate", 0, 2},
		{"two numbers and more", string(marshal(t, []int{1, 2, 3})), "malformed RSA private key", 0, 2},
		{"nothing in it", "0\x00", "not an RSA key or certificate", 0, 2},
		{"trailing data", string(marshal(t, []int{15, 3})) + "x", "not an RSA key or certificate", 0, 2},
		{"JSON", "{", "malformed JSON", 0, 2},
		{"JWK without kty", "{}", `"kty" is missing`, 0, 2},
		{"JWK without n", `{"kty":"RSA","e":"AQAB"}`, `"n" is missing or empty`, 0, 2},
		{"JWK with a number", `{"kty":"RSA","n":15,"e":"AQAB"}`, `"n" is not a string`, 0, 2},
		{"JWK without q", `{"kty":"RSA","n":"DQ","e":"AQAB","d":"AQ","p":"AQ"}`, `"q" is missing or empty`, 0, 2},
		{"JWK with oth", `{"kty":"RSA","n":"DQ","e":"AQAB","d":"AQ","oth":[]}`, "more than two primes", 0, 2},
		{"JWK of another kind", `{"kty":"oct","k":"AA"}`, "no RSA key", 0, 2},
		{"JWK set", `{"keys":1}`, `"keys" is not a list`, 0, 2},
		{"empty JWK set", `{"keys":[]}`, "no RSA key", 0, 2},
		{"JWK set with faults", `{"keys":[1,{"kty":"oct"},` + string(sound) + `,{"kty":1}]}`, "not a JSON object", 1, 2},
	} {
		status, stdout, stderr := runCommand(tt.input, "info", "-")
		if status != tt.exit || !strings.Contains(stderr, tt.want) || (stdout == "") != (tt.keys == 0) {
			t.Errorf("%s: exit %d, stdout %q, stderr %q; want exit %d and %q", tt.name, status, stdout, stderr, tt.exit, tt.want)
		}
		out := infoJSON(t, []byte(tt.input))
		if len(out.Keys) != tt.keys || len(out.Errors) == 0 || !strings.Contains(out.Errors[0].Message, tt.want) || out.Exit != tt.exit {
			t.Errorf("%s: %+v, want an error %q", tt.name, out, tt.want)
		}
	}
	out := infoJSON(t, []byte(`{"keys":[1,{"kty":"oct"},`+string(sound)+`,{"kty":1}]}`))
	if out.Keys[0].Index != 3 || out.Skipped[0].Index != 2 || out.Errors[0].Index != 1 || out.Errors[1].Index != 4 {
		t.Errorf("indices: %+v", out)
	}
}

// TestInfoThumbprint has the example of RFC 7638, section 3.1.
func TestInfoThumbprint(t *testing.T) {
	t.Parallel()
	out := infoJSON(t, []byte(`{"kty":"RSA","alg":"RS256","kid":"2011-04-29","e":"AQAB","n":"`+
		"0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W"+
		"-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-"+
		"bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"+`"}`))
	if got := infoFindings(t, out); got != "" {
		t.Errorf("findings %q", got)
	}
	if want := "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs"; out.Keys[0].JWK != want || out.Keys[0].Kid != "2011-04-29" {
		t.Errorf("thumbprint %s, want %s", out.Keys[0].JWK, want)
	}
}

// TestInfoManyFaults prints the first errors of a file and counts the others.
func TestInfoManyFaults(t *testing.T) {
	t.Parallel()
	const n = maxFaults + 5
	input := strings.Repeat("-----BEGIN X-----\n", n)
	status, _, stderr := runCommand(input, "info", "-")
	if lines := strings.Count(stderr, "\n"); status != 2 || lines != maxFaults+1 || !strings.Contains(stderr, "… and 5 more errors") {
		t.Errorf("exit %d, %d lines: %s", status, lines, stderr)
	}
	if out := infoJSON(t, []byte(input)); len(out.Errors) != n {
		t.Errorf("%d errors with -json", len(out.Errors))
	}
}

// TestInfoInterrupted is interrupted before the first key.
func TestInfoInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stderr strings.Builder
	input := fmt.Sprintf(`{"keys":[%s]}`, jwkOf(map[string]*big.Int{"n": big.NewInt(1<<40 + 1), "e": big.NewInt(3)}))
	if status := run(ctx, []string{"info", "-"}, strings.NewReader(input), io.Discard, &stderr); status != 130 || !strings.Contains(stderr.String(), "interrupted after 0 of 1 keys") {
		t.Errorf("exit %d, %s", status, stderr.String())
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                    {""},
		"a bc":                {"a bc"},
		"abcd ef g hijklmno":  {"abcd", "ef g", "hijklmno"},
		"äöüß  é":             {"äöüß", "é"},
		" a  b  c  d e f g h": {"a b", "c d", "e f", "g h"},
	} {
		if got := wrap(text, 4); !slices.Equal(got, want) {
			t.Errorf("wrap(%q) = %q, want %q", text, got, want)
		}
	}
}
