package keygen

import (
	"bytes"
	"encoding/base64"
	"strings"
	"sync"
	"testing"
)

func newEncryptor(t testing.TB, secret, signSecret string) *MessageEncryptor {
	t.Helper()
	e, err := NewMessageEncryptor([]byte(secret), []byte(signSecret))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func encrypt(t testing.TB, e *MessageEncryptor, message, aad string) string {
	t.Helper()
	token, err := e.EncryptAAD([]byte(message), []byte(aad))
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestEncryptorRoundTrip(t *testing.T) {
	t.Parallel()
	e := newEncryptor(t, string(testSecret), "")
	long := bytes.Repeat([]byte("message "), 1000)
	seen := map[string]bool{}
	for _, n := range []int{0, 1, 2, 3, 4, 15, 16, 17, 63, 64, 65, 255, 256, 257, 8000} {
		for _, aad := range []string{"", "a", DefaultAAD, string(long)} {
			token := encrypt(t, e, string(long[:n]), aad)
			if want := len("XCP.") + base64.RawURLEncoding.EncodedLen(40+n); len(token) != want || seen[token] {
				t.Errorf("token of %d for a message of %d, want %d; again: %v", len(token), n, want, seen[token])
			}
			seen[token] = true
			m, err := e.DecryptAAD(token, []byte(aad))
			if err != nil || m == nil || !bytes.Equal(m, long[:n]) {
				t.Errorf("message of %d: %v", n, err)
			}
			if cap(m) != len(m) {
				t.Errorf("message of %d has room for %d", n, cap(m))
			}
			want := ErrInvalidToken
			if aad == DefaultAAD {
				want = nil
			}
			if _, err := e.Decrypt(token); err != want {
				t.Errorf("associated data of %d: %v, want %v", len(aad), err, want)
			}
		}
	}
	if !bytes.Equal(long, bytes.Repeat([]byte("message "), 1000)) {
		t.Error("the message changed")
	}
	// Each token has a nonce of its own, all of whose bytes vary.
	var first, varied [24]byte
	nonces := map[[24]byte]bool{}
	for i := range 64 {
		b, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(encrypt(t, e, "message", ""), "XCP."))
		if err != nil {
			t.Fatal(err)
		}
		nonce := [24]byte(b)
		if i == 0 {
			first = nonce
		}
		for j := range nonce {
			varied[j] |= nonce[j] ^ first[j]
		}
		nonces[nonce] = true
	}
	if len(nonces) != 64 || bytes.IndexByte(varied[:], 0) >= 0 {
		t.Errorf("%d nonces in 64 tokens, varying in %x", len(nonces), varied)
	}

	token, err := e.Encrypt([]byte("default"))
	if err != nil {
		t.Fatal(err)
	}
	if m, err := e.DecryptAAD(token, []byte("A128GCM")); err != nil || string(m) != "default" {
		t.Errorf("%q, %v", m, err)
	}
}

func TestEncryptorAlteredTokens(t *testing.T) {
	t.Parallel()
	for _, message := range []string{"user:42", "user:421", "user:4211", ""} {
		e := newEncryptor(t, string(testSecret), "")
		token := encrypt(t, e, message, "aad")
		for _, bad := range alterations(token) {
			if m, err := e.DecryptAAD(bad, []byte("aad")); m != nil || err != ErrInvalidToken {
				t.Fatalf("%q, %v for %q, altered from %q", m, err, bad, token)
			}
		}
	}
	altered := 0
	for _, v := range vectors(t, "encryptor-v1", 12) {
		if len(v.Message) > 20 || altered > 2 {
			continue
		}
		altered++
		e := newEncryptor(t, string(v.Secret), string(v.SignSecret))
		for _, bad := range alterations(v.Token) {
			if m, err := e.DecryptAAD(bad, v.AAD); m != nil || err != ErrInvalidToken {
				t.Fatalf("%q, %v for %q, altered from %q", m, err, bad, v.Token)
			}
		}
	}
	if altered == 0 {
		t.Error("no short token of the older format")
	}
}

// TestEncryptorV1Sizes gives the parts of tokens, made with the right keys, other sizes:
// cut short, extended, and with bytes moved from one part to its neighbour.
func TestEncryptorV1Sizes(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t, "encryptor-v1", 12) {
		e := newEncryptor(t, string(v.Secret), string(v.SignSecret))
		var parts [4][]byte
		for i, s := range strings.Split(v.Token, ".")[1:] {
			b, err := base64.RawURLEncoding.DecodeString(s)
			if err != nil {
				t.Fatal(err)
			}
			parts[i] = b[:len(b):len(b)]
		}
		token := func(parts [4][]byte) string {
			s := "QTEyOEdDTQ"
			for _, b := range parts {
				s += "." + base64.RawURLEncoding.EncodeToString(b)
			}
			return s
		}
		if token(parts) != v.Token {
			t.Fatalf("%s is not %s", token(parts), v.Token)
		}
		refuse := func(parts [4][]byte) {
			t.Helper()
			if m, err := e.DecryptAAD(token(parts), v.AAD); m != nil || err != ErrInvalidToken {
				t.Errorf("%q, %v for %q, resized from %q", m, err, token(parts), v.Token)
			}
		}
		for i, b := range parts {
			for n := range 20 {
				p := parts
				p[i] = append(b, make([]byte, 1+n)...)
				refuse(p)
				if n < len(b) {
					p[i] = b[:n]
					refuse(p)
					p[i] = b[n+1:]
					refuse(p)
				}
				if i == 3 {
					continue
				}
				next := parts[i+1]
				p = parts
				if n < len(next) {
					p[i], p[i+1] = append(b, next[:n+1]...), next[n+1:]
					refuse(p)
				}
				if n < len(b) {
					p[i], p[i+1] = b[:len(b)-n-1], append(b[len(b)-n-1:len(b):len(b)], next...)
					refuse(p)
				}
			}
		}
	}
}

func TestEncryptorWrongKeys(t *testing.T) {
	t.Parallel()
	flip := func(b []byte) string {
		b = bytes.Clone(b)
		b[len(b)-1] ^= 1
		return string(b)
	}
	for _, v := range vectors(t, "encryptor-v1", 12) {
		for what, e := range map[string]*MessageEncryptor{
			"secret":            newEncryptor(t, flip(v.Secret), string(v.SignSecret)),
			"size of secret":    newEncryptor(t, string(append(v.Secret[:8:8], v.Secret...)[:16]), string(v.SignSecret)),
			"sign secret":       newEncryptor(t, string(v.Secret), flip(v.SignSecret)),
			"empty sign secret": newEncryptor(t, string(v.Secret), ""),
		} {
			if m, err := e.DecryptAAD(v.Token, v.AAD); m != nil || err != ErrInvalidToken {
				t.Errorf("wrong %s: %q, %v", what, m, err)
			}
		}
	}
	e := newEncryptor(t, string(testSecret), "one")
	token := encrypt(t, e, "message", "")
	if m, err := newEncryptor(t, flip(testSecret), "one").DecryptAAD(token, nil); m != nil || err != ErrInvalidToken {
		t.Errorf("%q, %v", m, err)
	}
	// The present format does not use the sign secret, in Plug as here.
	if m, err := newEncryptor(t, string(testSecret), "two").DecryptAAD(token, nil); err != nil || string(m) != "message" {
		t.Errorf("%q, %v", m, err)
	}
	// A token under the prefix of the other format.
	body := strings.TrimPrefix(token, "XCP.")
	if m, err := e.DecryptAAD("QTEyOEdDTQ."+body, nil); m != nil || err != ErrInvalidToken {
		t.Errorf("%q, %v", m, err)
	}
	// What a verifier signed is not something to decrypt, and the reverse.
	if m, err := e.Decrypt(newVerifier(t, SHA256).Sign([]byte("message"))); m != nil || err != ErrInvalidToken {
		t.Errorf("%q, %v", m, err)
	}
	if m, err := newVerifier(t, SHA256).Verify(token); m != nil || err != ErrInvalidToken {
		t.Errorf("%q, %v", m, err)
	}
}

func TestEncryptorSecretSizes(t *testing.T) {
	t.Parallel()
	valid := encrypt(t, newEncryptor(t, string(testSecret), ""), "message", DefaultAAD)
	for n := range 130 {
		e, err := NewMessageEncryptor(make([]byte, n), nil)
		switch n {
		case 16, 24:
			if err != nil {
				t.Fatal(err)
			}
			if token, err := e.Encrypt(nil); token != "" || err != ErrSecretSize {
				t.Errorf("encrypted with a secret of %d: %q, %v", n, token, err)
			}
			// The sender chose the format, so this is the sender's error only.
			if m, err := e.Decrypt(valid); m != nil || err != ErrInvalidToken {
				t.Errorf("decrypted with a secret of %d: %q, %v", n, m, err)
			}
		case 32:
			if err != nil {
				t.Error(err)
			}
		default:
			if e != nil || err != ErrSecretSize {
				t.Errorf("secret of %d: %v", n, err)
			}
		}
	}
	secret := bytes.Clone(testSecret)
	sign := []byte("sign")
	e, err := NewMessageEncryptor(secret, sign)
	if err != nil {
		t.Fatal(err)
	}
	clear(secret)
	clear(sign)
	if m, err := e.Decrypt(valid); err != nil || string(m) != "message" || string(e.signSecret) != "sign" {
		t.Errorf("the secrets are not copied: %q, %v", m, err)
	}
}

func TestEncryptorHostileShapes(t *testing.T) {
	t.Parallel()
	e := newEncryptor(t, string(testSecret), "")
	many := strings.Repeat(".", 1<<20)
	large := strings.Repeat("A", 1<<20)
	bodies := []string{"", "A", ".", "..", "...", "....", many, large, large + ".", "." + large, strings.Repeat(large[:60]+".", 3) + large}
	// Each number of bytes around the sizes that the formats need.
	for n := range 60 {
		bodies = append(bodies, base64.RawURLEncoding.EncodeToString(make([]byte, n)))
	}
	for _, wrapped := range []int{0, 43, 44, 45, 52, 60} {
		for _, nonce := range []int{0, 11, 12, 13, 16} {
			for _, tag := range []int{0, 4, 12, 15, 16, 17} {
				var parts []string
				for _, n := range []int{wrapped, nonce, 5, tag} {
					parts = append(parts, base64.RawURLEncoding.EncodeToString(make([]byte, n)))
				}
				bodies = append(bodies, strings.Join(parts, "."))
			}
		}
	}
	for _, body := range bodies {
		for _, prefix := range []string{"XCP.", "QTEyOEdDTQ.", "XCP", "QTEyOEdDTQ", "xcp.", ""} {
			if m, err := e.Decrypt(prefix + body); m != nil || err != ErrInvalidToken {
				t.Errorf("%q, %v for %.20q", m, err, prefix+body)
			}
		}
	}
}

func TestEncryptorConcurrent(t *testing.T) {
	t.Parallel()
	e := newEncryptor(t, string(testSecret), "")
	old := vectors(t, "encryptor-v1", 12)[0]
	o := newEncryptor(t, string(old.Secret), string(old.SignSecret))
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 50 {
				message := bytes.Repeat([]byte{byte(g)}, i)
				token, err := e.Encrypt(message)
				if err != nil {
					t.Error(err)
				}
				if m, err := e.Decrypt(token); err != nil || !bytes.Equal(m, message) {
					t.Errorf("%x, %v", m, err)
				}
				if m, err := o.DecryptAAD(old.Token, old.AAD); err != nil || !bytes.Equal(m, old.Message) {
					t.Errorf("%x, %v", m, err)
				}
			}
		})
	}
	wg.Wait()
}
