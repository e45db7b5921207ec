package keygen

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"sync"
	"testing"
)

var testSecret = []byte("0123456789abcdef0123456789abcdef")

func newVerifier(t testing.TB, d Digest, accept ...Digest) *MessageVerifier {
	t.Helper()
	v, err := NewMessageVerifier(testSecret, d, accept...)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// alterations returns tokens that differ from token in one place: each byte replaced by each
// of the bytes that a decoder might treat in some special way and by all of
// base64url, removed, and something inserted before and after it; and every truncation.
func alterations(token string) []string {
	const bytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" + "+/=.,:%\n\r\t \x00\x7f\x80\xff"
	var all []string
	for i := 0; i <= len(token); i++ {
		for _, c := range []byte(bytes) {
			if i < len(token) && token[i] != c {
				all = append(all, token[:i]+string([]byte{c})+token[i+1:])
			}
		}
		for _, s := range []string{"\n", "\r", "\r\n", " ", "=", "==", ".", "A", "\x00"} {
			all = append(all, token[:i]+s+token[i:])
		}
		if i < len(token) {
			all = append(all, token[:i], token[i+1:])
		}
	}
	return all
}

func TestVerifierAlteredTokens(t *testing.T) {
	t.Parallel()
	// Messages of all lengths mod 3: the last letter of b64 carries 0, 4 or 2 unused bits.
	for i, message := range []string{"user:42", "user:421", "user:4211", ""} {
		d := []Digest{SHA256, SHA384, SHA512, SHA256}[i]
		v := newVerifier(t, d)
		token := v.Sign([]byte(message))
		if m, err := v.Verify(token); err != nil || m == nil || string(m) != message {
			t.Fatalf("%q, %v", m, err)
		}
		for _, bad := range alterations(token) {
			if m, err := v.Verify(bad); m != nil || err != ErrInvalidToken {
				t.Fatalf("%q, %v for %q, altered from %q", m, err, bad, token)
			}
		}
	}
}

func TestVerifierWrongSecret(t *testing.T) {
	t.Parallel()
	v := newVerifier(t, SHA256)
	token := v.Sign([]byte("message"))
	for _, secret := range [][]byte{testSecret[:31], testSecret[1:], append(testSecret[:32:32], 1), {0}} {
		w, err := NewMessageVerifier(secret, SHA256)
		if err != nil {
			t.Fatal(err)
		}
		if m, err := w.Verify(token); m != nil || err != ErrInvalidToken {
			t.Errorf("%q, %v with a secret of %d", m, err, len(secret))
		}
	}
}

// TestVerifierAlgorithmConfusion puts the header of each algorithm before what another
// one signed, and refuses algorithms that are not accepted.
func TestVerifierAlgorithmConfusion(t *testing.T) {
	t.Parallel()
	b64 := base64.RawURLEncoding.EncodeToString
	all := []Digest{SHA256, SHA384, SHA512}
	headers := []string{b64([]byte("HS256")), b64([]byte("HS384")), b64([]byte("HS512"))}
	message := []byte("message")
	for i, d := range all {
		token := newVerifier(t, d).Sign(message)
		rest, ok := strings.CutPrefix(token, headers[i])
		if !ok {
			t.Fatalf("%v: %s", d, token)
		}
		for j := range all {
			if j == i {
				continue
			}
			if m, err := newVerifier(t, d).Verify(headers[j] + rest); m != nil || err != ErrInvalidToken {
				t.Errorf("%v under the header of %v: %q, %v", d, all[j], m, err)
			}
			if m, err := newVerifier(t, d, all[j]).Verify(token); m != nil || err != ErrInvalidToken {
				t.Errorf("%v where %v is accepted: %q, %v", d, all[j], m, err)
			}
			if m, err := newVerifier(t, all[j], d).Verify(token); err != nil || !bytes.Equal(m, message) {
				t.Errorf("%v accepted beside signing with %v: %q, %v", d, all[j], m, err)
			}
		}
		for _, header := range []string{"none", "HS1", "HS224", "hs256", "HS256 ", "", "A128GCM", `{"alg":"HS256"}`} {
			if m, err := newVerifier(t, d).Verify(b64([]byte(header)) + rest); m != nil || err != ErrInvalidToken {
				t.Errorf("header %q: %q, %v", header, m, err)
			}
		}
	}
	// The right MAC over a header that is base64 of HS256 in another spelling.
	for _, text := range []string{"SFMyNTY=.bQ", "SFMyNTZ.bQ", "HS256.bQ"} {
		h := hmac.New(sha256.New, testSecret)
		h.Write([]byte(text))
		token := text + "." + b64(h.Sum(nil))
		if m, err := newVerifier(t, SHA256).Verify(token); m != nil || err != ErrInvalidToken {
			t.Errorf("%q, %v for %q", m, err, token)
		}
	}
}

// TestVerifierSignedGarbage has the right MAC over payloads that are not base64url.
func TestVerifierSignedGarbage(t *testing.T) {
	t.Parallel()
	v := newVerifier(t, SHA256)
	for payload, ok := range map[string]bool{
		"": true, "bQ": true, "bWU": true,
		"b": false, "bR": false, "bWV": false, "bQ==": false, "bQ.bQ": false, ".": false, "b Q": false,
		"bQ\n": false, "\r\nbQ": false, "+/+/": false, "bQ\x00": false,
	} {
		text := "SFMyNTY." + payload
		h := hmac.New(sha256.New, testSecret)
		h.Write([]byte(text))
		m, err := v.Verify(text + "." + base64.RawURLEncoding.EncodeToString(h.Sum(nil)))
		if ok && err != nil || !ok && (m != nil || err != ErrInvalidToken) {
			t.Errorf("payload %q: %q, %v", payload, m, err)
		}
	}
}

func TestVerifierHostileShapes(t *testing.T) {
	t.Parallel()
	v := newVerifier(t, SHA256)
	many := strings.Repeat(".", 1<<20)
	large := strings.Repeat("A", 1<<20)
	for _, token := range []string{
		"", ".", "..", "...", "SFMyNTY", "SFMyNTY.", "SFMyNTY..", "SFMyNTY...", "..SFMyNTY",
		many, "SFMyNTY" + many, large, "SFMyNTY." + large, "SFMyNTY." + large + "." + large, "SFMyNTY..." + large,
	} {
		if m, err := v.Verify(token); m != nil || err != ErrInvalidToken {
			t.Errorf("%q, %v for a token of %d", m, err, len(token))
		}
	}
}

func TestNewMessageVerifier(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		secret []byte
		digest Digest
		accept []Digest
		want   error
	}{
		{nil, SHA256, nil, ErrEmptySecret},
		{[]byte{}, SHA1, nil, ErrEmptySecret},
		{testSecret, SHA1, nil, ErrDigest},
		{testSecret, SHA224, nil, ErrDigest},
		{testSecret, numDigests, nil, ErrDigest},
		{testSecret, SHA256, []Digest{SHA256, SHA1}, ErrDigest},
		{testSecret, SHA256, []Digest{255}, ErrDigest},
		{[]byte{0}, SHA512, []Digest{SHA256, SHA256}, nil},
	} {
		if v, err := NewMessageVerifier(c.secret, c.digest, c.accept...); err != c.want || (v == nil) != (err != nil) {
			t.Errorf("%v, accepting %v: %v, want %v", c.digest, c.accept, err, c.want)
		}
	}

	// The secret is copied.
	secret := bytes.Clone(testSecret)
	v, err := NewMessageVerifier(secret, SHA256)
	if err != nil {
		t.Fatal(err)
	}
	clear(secret)
	if _, err := newVerifier(t, SHA256).Verify(v.Sign(nil)); err != nil {
		t.Error(err)
	}
}

func TestVerifierConcurrent(t *testing.T) {
	t.Parallel()
	v := newVerifier(t, SHA512)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 100 {
				// Sizes on both sides of what is kept between calls.
				message := bytes.Repeat([]byte{byte(g)}, i*(1+i%7*50))
				m, err := v.Verify(v.Sign(message))
				if err != nil || !bytes.Equal(m, message) {
					t.Errorf("message of %d: %v", len(message), err)
				}
				clear(m)
			}
		})
	}
	wg.Wait()
}
