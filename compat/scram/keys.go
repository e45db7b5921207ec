package scram

import (
	"crypto"
	"crypto/fips140"
	"crypto/pbkdf2"
	"crypto/sha512"
	"crypto/subtle"
	"encoding"
	"errors"

	fast "github.com/fastrsa/fastrsa/compat/pbkdf2"
)

var (
	errIterations = errors.New("scram: iteration count less than 1")
	errKeySize    = errors.New("scram: key or signature of another size than the hash's")
)

// lookup returns the engine of h, and an error if one of the keys does not have
// the size of h's output.
func lookup(h crypto.Hash, keys ...[]byte) (*engine, error) {
	if uint64(h) >= uint64(len(known)) || known[h] == nil {
		return nil, errUnknownHash
	}
	e := known[h]
	if !e.allowed() {
		return nil, errFIPSHash
	}
	for _, k := range keys {
		if len(k) != e.size {
			return nil, errKeySize
		}
	}
	return e, nil
}

// Hi appends Hi(password, salt, i), the PBKDF2 of one block with HMAC as its
// function, to dst. It is the only function here that takes long: the time is
// proportional to iter, which has no upper limit here but what int holds. The
// password is used as it is; see [Preparation].
func Hi(dst []byte, h crypto.Hash, password, salt []byte, iter int) ([]byte, error) {
	e, err := lookup(h)
	if err != nil {
		return dst, err
	}
	var buf [maxSize]byte
	if err := e.hi(buf[:e.size], password, salt, iter); err != nil {
		return dst, err
	}
	dst = append(dst, buf[:e.size]...)
	clear(buf[:])
	return dst, nil
}

// SaltedPassword is [Hi] under the name that RFC 5802 gives to its result.
func SaltedPassword(dst []byte, h crypto.Hash, password, salt []byte, iter int) ([]byte, error) {
	return Hi(dst, h, password, salt, iter)
}

// ClientKey appends HMAC(SaltedPassword, "Client Key").
func ClientKey(dst []byte, h crypto.Hash, saltedPassword []byte) ([]byte, error) {
	return appendHMAC(dst, h, saltedPassword, "Client Key")
}

// ServerKey appends HMAC(SaltedPassword, "Server Key").
func ServerKey(dst []byte, h crypto.Hash, saltedPassword []byte) ([]byte, error) {
	return appendHMAC(dst, h, saltedPassword, "Server Key")
}

// StoredKey appends H(ClientKey).
func StoredKey(dst []byte, h crypto.Hash, clientKey []byte) ([]byte, error) {
	e, err := lookup(h, clientKey)
	if err != nil {
		return dst, err
	}
	var buf [maxSize]byte
	e.hash(buf[:], clientKey)
	dst = append(dst, buf[:e.size]...)
	clear(buf[:])
	return dst, nil
}

// ClientSignature appends HMAC(StoredKey, AuthMessage).
func ClientSignature(dst []byte, h crypto.Hash, storedKey []byte, authMessage string) ([]byte, error) {
	return appendHMAC(dst, h, storedKey, authMessage)
}

// ServerSignature appends HMAC(ServerKey, AuthMessage).
func ServerSignature(dst []byte, h crypto.Hash, serverKey []byte, authMessage string) ([]byte, error) {
	return appendHMAC(dst, h, serverKey, authMessage)
}

// ClientProof appends ClientKey XOR ClientSignature. A server gets the ClientKey
// back by the same function from the proof and the signature.
func ClientProof(dst, clientKey, clientSignature []byte) ([]byte, error) {
	if len(clientKey) != len(clientSignature) || len(clientKey) > maxSize {
		return dst, errKeySize
	}
	var buf [maxSize]byte
	n := subtle.XORBytes(buf[:], clientKey, clientSignature)
	dst = append(dst, buf[:n]...)
	clear(buf[:])
	return dst, nil
}

func appendHMAC(dst []byte, h crypto.Hash, key []byte, message string) ([]byte, error) {
	e, err := lookup(h, key)
	if err != nil {
		return dst, err
	}
	var buf [maxSize]byte
	e.hmac(buf[:], key, message)
	dst = append(dst, buf[:e.size]...)
	clear(buf[:])
	return dst, nil
}

// hi writes Hi(password, salt, iter) to dst.
func (e *engine) hi(dst, password, salt []byte, iter int) error {
	if iter < 1 {
		return errIterations
	}
	switch h := crypto.Hash(e.tag); {
	case fips140.Enabled() || e.foreign():
		return e.hiStandard(dst, password, salt, iter)
	case fast.Fast(h):
		// dst may overlap the salt.
		var key [sha512.Size]byte
		defer clear(key[:])
		if err := fast.Fill(key[:e.size], h, password, salt, iter); err != nil {
			return err
		}
		copy(dst, key[:e.size])
		return nil
	default:
		return e.hiPooled(dst, password, salt, iter)
	}
}

// hiStandard is hi by the standard library, for FIPS mode and hashes from elsewhere.
func (e *engine) hiStandard(dst, password, salt []byte, iter int) error {
	// A copy, because the function makes its argument escape, and with it the
	// caller's buffer.
	ownSalt := append([]byte(nil), salt...)
	key, err := pbkdf2.Key(e.new, string(password), ownSalt, iter, e.size)
	if err != nil {
		return err
	}
	copy(dst, key)
	clear(key)
	return nil
}

// hiPooled is PBKDF2's first block (RFC 8018 section 5.2), with the states behind the
// two padded keys kept. It does what crypto/pbkdf2 does, in a state from the pool
// instead of new ones, for what compat/pbkdf2 would hand to it.
func (e *engine) hiPooled(dst, password, salt []byte, iter int) error {
	s := e.get()
	defer e.put(s)
	s.startHMAC(e, password)
	inner, err := s.h.(encoding.BinaryAppender).AppendBinary(s.inner[:0])
	if err != nil {
		return err
	}
	s.invertPad()
	s.h.Reset()
	s.h.Write(s.pad)
	outer, err := s.h.(encoding.BinaryAppender).AppendBinary(s.outer[:0])
	if err != nil {
		return err
	}
	h := s.h.(encoding.BinaryUnmarshaler)
	u := s.sum[:e.size]
	for i := range iter {
		if err := h.UnmarshalBinary(inner); err != nil {
			return err
		}
		if i == 0 {
			write(s, salt)
			write(s, "\x00\x00\x00\x01")
		} else {
			s.h.Write(u)
		}
		s.h.Sum(u[:0])
		if err := h.UnmarshalBinary(outer); err != nil {
			return err
		}
		s.h.Write(u)
		s.h.Sum(u[:0])
		if i == 0 {
			copy(dst, u)
		} else {
			subtle.XORBytes(dst, dst, u)
		}
	}
	return nil
}

// keys are what a conversation needs of a password, a salt and an iteration
// count. They are an array, not slices, so that a copy shares nothing with the
// original, which can be wiped at any time.
type keys struct {
	client, stored, server [maxSize]byte
}

func (k *keys) wipe() { *k = keys{} }

// derive computes k by the KDF.
func (k *keys) derive(e *engine, password, salt []byte, iter int) error {
	var salted [maxSize]byte
	if err := e.hi(salted[:e.size], password, salt, iter); err != nil {
		return err
	}
	e.hmac(k.client[:], salted[:e.size], "Client Key")
	e.hash(k.stored[:], k.client[:e.size])
	e.hmac(k.server[:], salted[:e.size], "Server Key")
	clear(salted[:])
	return nil
}
