package keygen

import (
	"crypto/fips140"
	"crypto/hmac"
	"encoding/base64"
	"errors"
	"fmt"
	"hash"
	"io"
	"strings"
	"sync"
)

// ErrInvalidToken is the error of every token that is refused: malformed, of
// another format, made with another secret, or altered. It says no more than that, and
// wraps nothing, so that it can be passed on to whoever sent the token.
var ErrInvalidToken = errors.New("keygen: invalid token")

// ErrEmptySecret is returned by [NewMessageVerifier] for an empty secret.
var ErrEmptySecret = errors.New("keygen: empty secret")

var errFIPS = errors.New("keygen: not permitted in FIPS 140-only mode")

// base64url is the encoding of all parts of a token: RFC 4648 §5 without padding, with
// trailing bits that are zero.
var base64url = base64.RawURLEncoding.Strict()

// isCanonical reports that s holds no line break, which package base64 would skip.
func isCanonical(s string) bool {
	return strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\r') < 0
}

// MessageVerifier signs messages and verifies them, as Plug.Crypto.MessageVerifier
// does. The message can be read by everybody. A token is
//
//	header "." b64(message) "." b64(HMAC-digest(secret, header "." b64(message)))
//
// with header = b64("HS256"), b64("HS384") or b64("HS512"), where b64 is base64url without
// padding. It resembles a JWT, but is none.
//
// A MessageVerifier is made by [NewMessageVerifier], holds a copy of the secret and is
// safe for concurrent use.
type MessageVerifier struct {
	sign   *macs
	accept [3]*macs
}

// NewMessageVerifier returns a verifier that signs with digest, which must be [SHA256],
// [SHA384] or [SHA512], and that verifies tokens signed with the digests listed in
// accept. If there are none, it accepts all three, as Plug does. Different
// uses of one secret must be kept apart by deriving a secret for each with [Generate].
//
// An empty secret is [ErrEmptySecret], another digest [ErrDigest].
func NewMessageVerifier(secret []byte, digest Digest, accept ...Digest) (*MessageVerifier, error) {
	if len(secret) == 0 {
		return nil, ErrEmptySecret
	}
	if fips140.Enforced() && len(secret) < 112/8 {
		return nil, errFIPS
	}
	secret = append([]byte(nil), secret...)
	var all [3]*macs
	for i := range all {
		all[i] = newMACs(i, secret)
	}
	i, ok := macIndex(digest)
	if !ok {
		return nil, ErrDigest
	}
	v := &MessageVerifier{sign: all[i]}
	if len(accept) == 0 {
		v.accept = all
	}
	for _, d := range accept {
		i, ok := macIndex(d)
		if !ok {
			return nil, ErrDigest
		}
		v.accept[i] = all[i]
	}
	return v, nil
}

// Sign returns the token of message, which may be empty. Equal messages have equal tokens.
func (v *MessageVerifier) Sign(message []byte) string {
	m := v.sign.get()
	defer v.sign.put(m)
	b := append(m.buf[:0], v.sign.header...)
	b = append(b, '.')
	b = base64url.AppendEncode(b, message)
	m.sum = m.compute(b, m.sum[:0])
	b = append(b, '.')
	b = base64url.AppendEncode(b, m.sum)
	m.buf = b
	return string(b)
}

// Verify returns the message of a token that was signed with the secret. Every other
// token is [ErrInvalidToken]. The message is decoded only after the MAC was found
// right, in constant time.
func (v *MessageVerifier) Verify(token string) ([]byte, error) {
	header, _, _ := strings.Cut(token, ".")
	var set *macs
	for _, s := range v.accept {
		if s != nil && s.header == header {
			set = s
		}
	}
	end := strings.LastIndexByte(token, '.')
	if set == nil || end <= len(header) || !isCanonical(token) {
		return nil, ErrInvalidToken
	}
	m := set.get()
	defer set.put(m)
	m.buf = append(m.buf[:0], token...)
	payload, signature := m.buf[len(header)+1:end], m.buf[end+1:]
	if len(signature) != base64url.EncodedLen(m.h.Size()) {
		return nil, ErrInvalidToken
	}
	m.sum = m.compute(m.buf[:end], m.sum[:0])
	got, err := base64url.AppendDecode(m.got[:0], signature)
	if err != nil || !hmac.Equal(m.sum, got) {
		return nil, ErrInvalidToken
	}
	// A third dot would be in payload, and is not base64url.
	message := make([]byte, base64url.DecodedLen(len(payload)))
	if _, err := base64url.Decode(message, payload); err != nil {
		return nil, ErrInvalidToken
	}
	return message, nil
}

// Format writes a constant for every verb, so that printing a verifier does not print
// what it holds.
func (MessageVerifier) Format(s fmt.State, _ rune) { io.WriteString(s, "keygen.MessageVerifier") }

// macs is a supply of keyed HMACs for one algorithm. Absorbing the key costs two
// compressions, as much as a short message, and the allocations of hmac.New.
type macs struct {
	header string
	pool   sync.Pool
}

var macAlgorithms = [3]struct {
	digest Digest
	header string
}{
	{SHA256, base64.RawURLEncoding.EncodeToString([]byte("HS256"))},
	{SHA384, base64.RawURLEncoding.EncodeToString([]byte("HS384"))},
	{SHA512, base64.RawURLEncoding.EncodeToString([]byte("HS512"))},
}

func macIndex(d Digest) (int, bool) {
	for i, a := range macAlgorithms {
		if a.digest == d {
			return i, true
		}
	}
	return 0, false
}

func newMACs(i int, secret []byte) *macs {
	a := macAlgorithms[i]
	s := &macs{header: a.header}
	s.pool.New = func() any { return &mac{h: hmac.New(digests[a.digest].new, secret)} }
	return s
}

func (s *macs) get() *mac { return s.pool.Get().(*mac) }

func (s *macs) put(m *mac) {
	const keep = 16 << 10 // one large token must not occupy memory for ever
	if cap(m.buf) > keep {
		m.buf = nil
	}
	// The MAC of a refused token would be what a forger needs.
	clear(m.sum)
	s.pool.Put(m)
}

type mac struct {
	h   hash.Hash
	buf []byte // a token, which is public
	sum []byte
	got [64]byte
}

func (m *mac) compute(b, dst []byte) []byte {
	m.h.Reset()
	m.h.Write(b)
	return m.h.Sum(dst)
}
