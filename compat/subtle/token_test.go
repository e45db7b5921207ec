package subtle

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"
)

// TestTokenRoundTrip masks and unmasks secrets of all lengths.
func TestTokenRoundTrip(t *testing.T) {
	r := newRand(10)
	for n := 1; n <= 200; n++ {
		secret := make([]byte, n)
		r.fill(secret)
		before := bytes.Clone(secret)
		token, err := MaskToken(secret)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
		if err != nil || len(raw) != 2*n {
			t.Fatalf("%d bytes: %q: %v", n, token, err)
		}
		for i := range secret {
			if raw[i]^raw[n+i] != secret[i] {
				t.Fatalf("%d bytes: %q is not mask, secret ^ mask", n, token)
			}
		}
		got, err := UnmaskToken(token)
		if err != nil || !bytes.Equal(got, secret) || !CompareMaskedToken(token, secret) || !bytes.Equal(secret, before) {
			t.Fatalf("%d bytes: %x, %v, want %x", n, got, err, secret)
		}
		other := bytes.Clone(secret)
		other[r.IntN(n)] ^= 1 << r.IntN(8)
		if CompareMaskedToken(token, other) || CompareMaskedToken(token, secret[:n-1]) || CompareMaskedToken(token, append(other, 0)) {
			t.Fatalf("%d bytes: %q is a token for another secret", n, token)
		}
	}
}

// TestTokenIsMasked checks that tokens of one secret have different masks.
func TestTokenIsMasked(t *testing.T) {
	secret := []byte("24 bytes, so 32 letters.")
	seen := map[string]bool{}
	for range 100 {
		token, err := MaskToken(secret)
		if err != nil {
			t.Fatal(err)
		}
		for _, half := range []string{token[:32], token[32:]} {
			if seen[half] {
				t.Fatalf("half of a token comes twice: %s", half)
			}
			seen[half] = true
		}
	}
}

// TestTokenMalformed feeds what MaskToken cannot have written.
func TestTokenMalformed(t *testing.T) {
	secret := []byte("0123456789abcdef")
	token, err := MaskToken(secret)
	if err != nil {
		t.Fatal(err)
	}
	n := len(token)
	bad := []string{
		"", "A", "AA", "AAB", "AAAAA", token + "=", token + "==", token[:n-1], token[:n-4], token + "AAAA",
		token[:n-1] + "\n", token + "\n", token + "\r\n", "\n" + token, token[:8] + "\n" + token[8:], " " + token, token + " ",
		token[:5] + "+" + token[6:], token[:5] + "/" + token[6:], token[:5] + "=" + token[6:], token[:5] + "\x00" + token[6:],
		token[:5] + "é" + token[7:], token[:5] + "\xff" + token[6:], strings.Repeat("=", n), "AA==", "AAA=",
	}
	// The last character holds 2 bits that are not used. All of its other spellings:
	for c := range 256 {
		if s := token[:n-1] + string([]byte{byte(c)}); s != token {
			if _, err := base64.RawURLEncoding.Strict().DecodeString(s); err != nil {
				bad = append(bad, s)
			}
		}
	}
	for _, s := range bad {
		if got, err := UnmaskToken(s); err != ErrToken || got != nil {
			t.Errorf("%q: %x, %v", s, got, err)
		}
		if CompareMaskedToken(s, secret) {
			t.Errorf("%q is accepted", s)
		}
	}
	// A token, but of another length.
	if got, err := UnmaskToken(token[:n-3]); err != nil || len(got) != 15 || CompareMaskedToken(token[:n-3], secret) {
		t.Errorf("%q: %x, %v", token[:n-3], got, err)
	}
	if len(bad) < 200 {
		t.Errorf("only %d cases", len(bad))
	}
}

// TestTokenEmptySecret checks that a session without a secret is not one that any
// token fits.
func TestTokenEmptySecret(t *testing.T) {
	if token, err := MaskToken(nil); err != ErrEmptySecret || token != "" {
		t.Errorf("%q, %v", token, err)
	}
	if CompareMaskedToken("", nil) || CompareMaskedToken("", []byte{}) || CompareMaskedToken("AA", nil) {
		t.Error("an empty secret has a token")
	}
	if _, err := UnmaskToken(""); err != ErrToken {
		t.Error(err)
	}
}

// TestBase64Characters compares both directions with encoding/base64 for every
// value and every character.
func TestBase64Characters(t *testing.T) {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" // RFC 4648, table 2
	for v := range 64 {
		if c := encode6(uint32(v)); c != alphabet[v] {
			t.Errorf("%d: %q, want %q", v, c, alphabet[v])
		}
	}
	for c := range 256 {
		want := strings.IndexByte(alphabet, byte(c))
		if v, bad := decode6(byte(c)); (bad == 0) != (want >= 0) || want >= 0 && v != uint32(want) {
			t.Errorf("%q: %d, %x, want %d", rune(c), v, bad, want)
		}
	}
}

// TestBase64Parity compares with the strict decoder of encoding/base64, on
// encodings and on strings with one character replaced.
func TestBase64Parity(t *testing.T) {
	r := newRand(11)
	strict := base64.RawURLEncoding.Strict()
	for n := range 100 {
		src := make([]byte, n)
		r.fill(src)
		s := string(appendBase64(nil, src))
		if want := strict.EncodeToString(src); s != want || encodedLen(n) != len(want) {
			t.Fatalf("%x: %q, want %q", src, s, want)
		}
		for range 20 {
			checkDecode(t, s)
			if n > 0 {
				b := []byte(s)
				b[r.IntN(len(b))] = byte(r.Uint32())
				checkDecode(t, string(b))
				checkDecode(t, s[:r.IntN(len(s))])
			}
		}
	}
}

// checkDecode compares decodeBase64 with encoding/base64, which also skips line
// breaks.
func checkDecode(t *testing.T, s string) {
	t.Helper()
	want, err := base64.RawURLEncoding.Strict().DecodeString(s)
	valid := err == nil && !strings.ContainsAny(s, "\r\n")
	n, ok := decodedLen(len(s))
	dst := make([]byte, n)
	if ok = ok && decodeBase64(dst, s); ok != valid || ok && !bytes.Equal(dst, want) {
		t.Fatalf("%q: %x, %t, want %x, %v", s, dst, ok, want, err)
	}
}
