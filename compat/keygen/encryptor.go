package keygen

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/fips140"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/crypto/chacha20poly1305"
)

// ErrSecretSize is returned for a secret that has not the size needed: 32
// bytes to encrypt; 16, 24 or 32 bytes to decrypt.
var ErrSecretSize = errors.New("keygen: secret must be 32 bytes (16 or 24 to decrypt tokens of plug_crypto 1.x)")

// DefaultAAD is the associated data of [MessageEncryptor.Encrypt] and
// [MessageEncryptor.Decrypt], in both formats: Plug's default.
const DefaultAAD = "A128GCM"

const (
	prefixXCP = "XCP."

	nonceSizeX = chacha20poly1305.NonceSizeX
	tagSize    = chacha20poly1305.Overhead // and that of AES-GCM
	headSize   = nonceSizeX + tagSize

	nonceSizeGCM = 12
	cekSize      = 16 // the content encryption key of A128GCM
)

var (
	prefixV1   = base64.RawURLEncoding.EncodeToString([]byte("A128GCM")) + "."
	defaultAAD = []byte(DefaultAAD)
)

// MessageEncryptor encrypts and authenticates messages, as
// Plug.Crypto.MessageEncryptor does. A token is
//
//	"XCP." b64(nonce ‖ tag ‖ ciphertext)
//
// made by XChaCha20-Poly1305 with a random nonce of 24 bytes, where b64 is base64url
// without padding. Its length tells that of the message.
//
// Tokens of plug_crypto 1.x, which begin with "QTEyOEdDTQ.", are still decrypted: a
// random AES-128 key wrapped by AES-GCM under the secret with the sign secret as
// associated data, and the message under that key (RFC 7518 §4.7). They are not made any more.
//
// A MessageEncryptor is made by [NewMessageEncryptor], holds copies of its secrets and
// is safe for concurrent use.
type MessageEncryptor struct {
	xcp        cipher.AEAD // nil if the secret is not of 32 bytes
	wrap       cipher.AEAD
	signSecret []byte
}

// NewMessageEncryptor returns an encryptor for secret, which must be of 32 bytes; with
// 16 or 24 it can only decrypt tokens of plug_crypto 1.x. Other sizes are
// [ErrSecretSize]. The signSecret may be empty: the present format does not use it.
func NewMessageEncryptor(secret, signSecret []byte) (*MessageEncryptor, error) {
	switch len(secret) {
	case 16, 24, chacha20poly1305.KeySize:
	default:
		return nil, ErrSecretSize
	}
	if fips140.Enforced() {
		return nil, errFIPS
	}
	wrap, err := newGCM(secret)
	if err != nil {
		return nil, err
	}
	e := &MessageEncryptor{wrap: wrap, signSecret: append([]byte(nil), signSecret...)}
	if len(secret) == chacha20poly1305.KeySize {
		if e.xcp, err = chacha20poly1305.NewX(secret); err != nil {
			return nil, err
		}
	}
	return e, nil
}

func newGCM(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// Encrypt is [MessageEncryptor.EncryptAAD] with [DefaultAAD].
func (e *MessageEncryptor) Encrypt(message []byte) (string, error) {
	return e.EncryptAAD(message, defaultAAD)
}

// EncryptAAD returns a token that only the secret and the same aad decrypt. Both
// message and aad may be empty. A secret of 16 or 24 bytes is [ErrSecretSize].
func (e *MessageEncryptor) EncryptAAD(message, aad []byte) (string, error) {
	if e.xcp == nil {
		return "", ErrSecretSize
	}
	// One buffer: nonce, room for the tag, ciphertext, and the tag where Seal puts it.
	b := make([]byte, headSize+len(message)+tagSize)
	nonce := b[:nonceSizeX]
	rand.Read(nonce)
	end := len(b) - tagSize
	e.xcp.Seal(b[headSize:headSize], nonce, message, aad)
	copy(b[nonceSizeX:], b[end:])
	b = b[:end]

	token := make([]byte, 0, len(prefixXCP)+base64url.EncodedLen(len(b)))
	token = append(token, prefixXCP...)
	return string(base64url.AppendEncode(token, b)), nil
}

// Decrypt is [MessageEncryptor.DecryptAAD] with [DefaultAAD].
func (e *MessageEncryptor) Decrypt(token string) ([]byte, error) {
	return e.DecryptAAD(token, defaultAAD)
}

// DecryptAAD returns the message of a token that was made, in either format, with the
// secrets of e and with aad. Every other token is [ErrInvalidToken].
func (e *MessageEncryptor) DecryptAAD(token string, aad []byte) ([]byte, error) {
	if !isCanonical(token) {
		return nil, ErrInvalidToken
	}
	if body, ok := strings.CutPrefix(token, prefixXCP); ok {
		return e.decryptXCP(body, aad)
	}
	if body, ok := strings.CutPrefix(token, prefixV1); ok {
		return e.decryptV1(body, aad)
	}
	return nil, ErrInvalidToken
}

func (e *MessageEncryptor) decryptXCP(body string, aad []byte) ([]byte, error) {
	n := base64url.DecodedLen(len(body))
	if e.xcp == nil || n < headSize {
		return nil, ErrInvalidToken
	}
	b := make([]byte, n, n+tagSize)
	if _, err := base64url.Decode(b, []byte(body)); err != nil {
		return nil, ErrInvalidToken
	}
	nonce, tag, rest := b[:nonceSizeX], b[nonceSizeX:headSize], b[headSize:]
	return open(e.xcp, nonce, append(rest, tag...), aad)
}

// decryptV1 takes b64(wrapped key ‖ tag ‖ nonce) "." b64(nonce) "." b64(ciphertext) "."
// b64(tag).
func (e *MessageEncryptor) decryptV1(body string, aad []byte) ([]byte, error) {
	var parts [4][]byte
	for i := range parts {
		// A fifth part is left in the fourth, where the dot is not base64url.
		part := body
		if i < len(parts)-1 {
			var ok bool
			if part, body, ok = strings.Cut(body, "."); !ok {
				return nil, ErrInvalidToken
			}
		}
		var err error
		if parts[i], err = base64url.DecodeString(part); err != nil {
			return nil, ErrInvalidToken
		}
	}
	wrapped, nonce, ciphertext, tag := parts[0], parts[1], parts[2], parts[3]
	if len(wrapped) != cekSize+tagSize+nonceSizeGCM || len(nonce) != nonceSizeGCM || len(tag) != tagSize {
		return nil, ErrInvalidToken
	}
	cek, err := open(e.wrap, wrapped[cekSize+tagSize:], wrapped[:cekSize+tagSize], e.signSecret)
	if err != nil {
		return nil, err
	}
	defer clear(cek)
	content, err := newGCM(cek)
	if err != nil {
		return nil, ErrInvalidToken
	}
	return open(content, nonce, append(ciphertext, tag...), aad)
}

// open decrypts sealed in its own memory.
func open(a cipher.AEAD, nonce, sealed, aad []byte) ([]byte, error) {
	message, err := a.Open(sealed[:0], nonce, sealed, aad)
	if err != nil {
		return nil, ErrInvalidToken
	}
	// Clipped: what follows is the tag, not room for an append of the caller's.
	return message[:len(message):len(message)], nil
}

// Format writes a constant for every verb, so that printing an encryptor does not print
// what it holds.
func (MessageEncryptor) Format(s fmt.State, _ rune) { io.WriteString(s, "keygen.MessageEncryptor") }
