package subtle

import (
	"crypto/rand"
	"crypto/subtle"
	"errors"
)

var (
	// ErrEmptySecret is returned for a secret of no bytes, whose token would prove
	// nothing.
	ErrEmptySecret = errors.New("subtle: empty secret")

	// ErrToken is returned for a string that [MaskToken] cannot have returned.
	ErrToken = errors.New("subtle: malformed token")
)

// MaskToken returns secret in a form that differs each time, for an HTML form or
// another response: a random mask as long as secret, then secret ^ mask, both
// together in base64url without padding (RFC 4648 §5). A constant secret in a
// response that is compressed along with what an attacker chose can be read out
// through the length of the response (the BREACH attack); a masked one cannot. Use
// 16 to 64 random bytes, kept in the session, as the secret.
//
// The length of secret is public. Nothing else leaks, and no table is indexed by the
// bytes encoded. It returns [ErrEmptySecret] if secret is empty.
func MaskToken(secret []byte) (string, error) {
	if len(secret) == 0 {
		return "", ErrEmptySecret
	}
	raw := make([]byte, 2*len(secret))
	rand.Read(raw[:len(secret)])
	subtle.XORBytes(raw[len(secret):], raw, secret)
	token := make([]byte, 0, encodedLen(len(raw)))
	token = appendBase64(token, raw)
	clear(raw)
	return string(token), nil
}

// UnmaskToken returns the secret that token was made of by [MaskToken], or
// [ErrToken]. It is strict: there is one spelling of each token, without padding or
// line breaks. The length of token, and whether it is well-formed, are public.
//
// To check a token that came back, use [CompareMaskedToken].
func UnmaskToken(token string) ([]byte, error) {
	n, ok := decodedLen(len(token))
	if !ok || n == 0 || n%2 != 0 {
		return nil, ErrToken
	}
	raw := make([]byte, n)
	if !decodeBase64(raw, token) {
		clear(raw)
		return nil, ErrToken
	}
	secret := make([]byte, n/2)
	subtle.XORBytes(secret, raw[:n/2], raw[n/2:])
	clear(raw)
	return secret, nil
}

// CompareMaskedToken reports whether token is secret, masked by [MaskToken]. It
// returns false at once for a token of the wrong length and always for an
// empty secret. The bytes of both are secret. It allocates memory only if secret is
// longer than 128 bytes.
func CompareMaskedToken(token string, secret []byte) bool {
	n := len(secret)
	if size, ok := decodedLen(len(token)); !ok || n == 0 || size != 2*n {
		return false
	}
	var buf [256]byte
	raw := buf[:]
	if 2*n > len(buf) {
		raw = make([]byte, 2*n)
	}
	raw = raw[:2*n]
	ok := decodeBase64(raw, token)
	ok = MaskedCompare(raw[:n], raw[n:], secret) && ok
	clear(raw)
	return ok
}
