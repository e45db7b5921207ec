package main

import (
	"bytes"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"math/big"
	"runtime"
	"strings"
	"testing"

	"github.com/fastrsa/fastrsa/rsa"
)

// variant returns a copy of a 1024-bit key whose modulus is another one for each
// i. It is good for nothing but being different.
func variant(pub *rsa.PublicKey, i int) *rsa.PublicKey {
	return &rsa.PublicKey{N: new(big.Int).Sub(pub.N, big.NewInt(int64(2*i))), E: pub.E}
}

// certificate returns a certificate of the name "crowd" for variant i of the key,
// issued by the same name and signed by the key itself. With identifiers, subject
// and authority have that of i.
func certificate(t testing.TB, priv *rsa.PrivateKey, i int, identifiers bool) []byte {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(int64(i + 1)),
		Subject:      pkix.Name{CommonName: "crowd"},
	}
	if identifiers {
		template.SubjectKeyId = fmt.Appendf(nil, "%d", i)
		template.AuthorityKeyId = template.SubjectKeyId
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, variant(&priv.PublicKey, i), priv)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

// TestIssuerKeysLimit gives more certificates of one name than a signature is
// checked with keys.
func TestIssuerKeysLimit(t *testing.T) {
	t.Parallel()
	priv := testKey(t, 1024)
	const n = maxIssuerKeys + 9
	verify := func(der []byte, wantStatus int) (out jsonVerify) {
		t.Helper()
		status, stdout, stderr := runCommand(string(der), "verify", "-rounds", "1", "-json", "-")
		decodeJSON(t, stdout, &out)
		if status != wantStatus {
			t.Errorf("exit %d, want %d\n%s", status, wantStatus, stderr)
		}
		return out
	}

	// The one that signed is last, beyond the limit, but its own issuer.
	var crowd []byte
	for i := range n {
		crowd = append(crowd, certificate(t, priv, n-1-i, false)...)
	}
	out := verify(crowd, exitInput)
	if len(out.Signatures) != n*maxIssuerKeys || out.OK != 1 || out.ErrorCount != n {
		t.Errorf("%d checks, %d ok, %d errors; want %d, 1, %d", len(out.Signatures), out.OK, out.ErrorCount, n*maxIssuerKeys, n)
	}
	for i, e := range out.Errors {
		if e.File != "stdin" || e.Index != i+1 || e.Message != errMoreKeys.Error() {
			t.Errorf("error %d: %+v", i+1, e)
		}
	}

	// At the limit there is nothing to report, and the same certificates over
	// again bring no other keys.
	var limit []byte
	for i := range maxIssuerKeys {
		limit = append(limit, certificate(t, priv, i, false)...)
	}
	out = verify(append(limit, limit...), exitOK)
	if len(out.Signatures) != 2*maxIssuerKeys*maxIssuerKeys || out.OK != 2*maxIssuerKeys {
		t.Errorf("%d checks, %d ok", len(out.Signatures), out.OK)
	}

	// One key in two forms of SubjectPublicKeyInfo, as rsaEncryption and as
	// id-RSASSA-PSS, is one key.
	one := certificate(t, priv, 0, false)
	spki, err := x509.MarshalPKIXPublicKey(&priv.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	other := bytes.Clone(spki)
	other[bytes.Index(other, []byte("\x01\x01\x01\x05\x00"))+2] = 10
	if out = verify(append(one, bytes.Replace(one, spki, other, 1)...), exitBad); len(out.Signatures) != 2 {
		t.Errorf("%d checks of two certificates of one key", len(out.Signatures))
	}

	// Key identifiers select among any number.
	var identified []byte
	for i := range n {
		identified = append(identified, certificate(t, priv, i, true)...)
	}
	out = verify(identified, exitBad)
	if len(out.Signatures) != n || out.OK != 1 || out.ErrorCount != 0 {
		t.Errorf("with key identifiers: %d checks, %d ok, %d errors; want %d, 1, 0", len(out.Signatures), out.OK, out.ErrorCount, n)
	}
}

// TestKeySetSize checks that the choice of a key does not go through all keys of
// a set. It counts allocations, so it does not run next to other tests.
func TestKeySetSize(t *testing.T) {
	pub := &testKey(t, 1024).PublicKey
	set := func(n int, more ...string) *keySet {
		keys := more
		for range n {
			keys = append(keys, jwk(pub, `"kid":"a",`))
		}
		s, err := jsonKeys([]byte(`{"keys":[` + strings.Join(keys, ",") + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	allocs := func(s *keySet) float64 {
		return testing.AllocsPerRun(10, func() {
			if k, err := s.forToken("RS256", "a", true); err != nil || !k.Equal(pub) {
				t.Fatalf("key %v, error %v", k, err)
			}
		})
	}
	if one, many := allocs(set(1)), allocs(set(1000)); many > one {
		t.Errorf("%v allocations for a set of 1000 equal keys, %v for one", many, one)
	}
	// One that differs is found among them.
	s := set(1000, jwk(variant(pub, 1), `"kid":"a",`))
	if _, err := s.forToken("RS256", "a", true); err == nil || err.Error() != `kid "a": more than one RSA key` {
		t.Errorf("two keys of one kid: %v", err)
	}
}

// allocated returns how many bytes f allocates in all.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestMalformedMemory checks what malformed tokens and DER cost. It counts bytes,
// so it does not run next to other tests.
func TestMalformedMemory(t *testing.T) {
	dots := strings.Repeat(".", 1<<20)
	bytes := allocated(func() {
		_, _, _, err := parseToken(dots, nil)
		if err == nil || err.Error() != "not a compact token: 1048577 parts, not 3" {
			t.Errorf("error %v", err)
		}
	})
	if bytes > 64<<10 {
		t.Errorf("a token of a million dots takes %d bytes", bytes)
	}

	// The input is held twice and more while it is read; a string or an error
	// for each token would be several times as much.
	lines := strings.Repeat("a.b\n", 1<<18)
	v := &verification{invocation: &invocation{cmd: verifyCommand, stdin: strings.NewReader(lines), stderr: io.Discard}}
	bytes = allocated(func() { v.read("-") })
	if bytes > 12*uint64(len(lines)) {
		t.Errorf("a file of %d bytes takes %d", len(lines), bytes)
	}

	const n = 1 << 12
	sequences := []byte(strings.Repeat("\x30\x00", n))
	bytes = allocated(func() { parseObjects("-", sequences, func(int, error) {}) })
	if bytes > 256*n {
		t.Errorf("an empty SEQUENCE takes %d bytes", bytes/n)
	}
}

// TestFaultsLimit checks that the faults of a file are all counted and not all
// printed.
func TestFaultsLimit(t *testing.T) {
	t.Parallel()
	const n = 1000
	dir := t.TempDir()
	tokens := write(t, dir, "tokens", []byte(strings.Repeat("a.b\n", n)))
	pem := write(t, dir, "pem", []byte(strings.Repeat("-----BEGIN X-----\n", maxFaults+1)))
	few := write(t, dir, "few", []byte(strings.Repeat("a.b\n", maxFaults)))

	status, stdout, stderr := runCommand("", "verify", tokens, pem, few, pem)
	if status != exitInput || !strings.Contains(stdout, fmt.Sprintf("\n%d errors in the input\n", n+2*(maxFaults+1)+maxFaults)) {
		t.Errorf("exit %d\n%s", status, stdout)
	}
	lines := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
	if len(lines) != 3*maxFaults+2 {
		t.Fatalf("%d lines, want %d", len(lines), 3*maxFaults+2)
	}
	for i, want := range map[int]string{
		0:               tokens + "#1: not a compact token: 2 parts, not 3",
		maxFaults - 1:   fmt.Sprintf("%s#%d: not a compact token: 2 parts, not 3", tokens, maxFaults),
		maxFaults:       pem + "#1: malformed or truncated PEM block",
		3*maxFaults - 1: fmt.Sprintf("%s#%d: not a compact token: 2 parts, not 3", few, maxFaults),
		3 * maxFaults:   fmt.Sprintf("%s: … and %d more errors", tokens, n-maxFaults),
		3*maxFaults + 1: fmt.Sprintf("%s: … and %d more errors", pem, 2+maxFaults),
	} {
		if lines[i] != "fastrsa verify: "+want {
			t.Errorf("line %d is %q, want %q", i+1, lines[i], want)
		}
	}

	var out jsonVerify
	_, stdout, _ = runCommand("", "verify", "-json", tokens)
	decodeJSON(t, stdout, &out)
	if len(out.Errors) != maxFaults || out.ErrorCount != n {
		t.Errorf("%d errors listed, %d counted; want %d, %d", len(out.Errors), out.ErrorCount, maxFaults, n)
	}
}
