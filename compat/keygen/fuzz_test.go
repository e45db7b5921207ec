package keygen

import (
	"bytes"
	"crypto/pbkdf2"
	"testing"
)

// FuzzGenerate compares with crypto/pbkdf2, with and without a cache.
func FuzzGenerate(f *testing.F) {
	f.Add([]byte("password"), []byte("salt"), uint8(1), uint8(32), uint8(0))
	f.Add([]byte{}, []byte{}, uint8(2), uint8(65), uint8(1))
	f.Add(make([]byte, 129), make([]byte, 64), uint8(3), uint8(200), uint8(4))
	f.Add([]byte{0}, []byte{0, 0}, uint8(0), uint8(0), uint8(9))
	f.Fuzz(func(t *testing.T, secret, salt []byte, iterations, length, digest uint8) {
		options := []Option{WithIterations(int(iterations)), WithLength(int(length)), WithDigest(Digest(digest))}
		c := NewCache(1, 0)
		got, err := Generate(secret, salt, options...)
		cached, errCached := Generate(secret, salt, append(options, WithCache(c))...)
		found, errFound := Generate(secret, salt, append(options, WithCache(c))...)
		if iterations == 0 || length == 0 || digest >= uint8(numDigests) {
			if err == nil || errCached != err || errFound != err || c.Stats() != (CacheStats{}) {
				t.Fatal(err, errCached, errFound, c.Stats())
			}
			return
		}
		want, errWant := pbkdf2.Key(digests[digest].new, string(secret), salt, int(iterations), int(length))
		if err != nil || errCached != nil || errFound != nil || errWant != nil {
			t.Fatal(err, errCached, errFound, errWant)
		}
		if !bytes.Equal(got, want) || !bytes.Equal(cached, want) || !bytes.Equal(found, want) || c.Stats().Hits != 1 {
			t.Fatalf("%x, %x, %x, want %x", got, cached, found, want)
		}
	})
}

// FuzzVerify: no token is valid but that which Sign makes of its message.
func FuzzVerify(f *testing.F) {
	for _, v := range vectors(f, "verifier", 27) {
		f.Add(v.Token, []byte(v.Secret))
	}
	for _, v := range vectors(f, "verifier-bad", 8) {
		f.Add(v.Token, []byte(v.Secret))
	}
	f.Fuzz(func(t *testing.T, token string, secret []byte) {
		if len(secret) == 0 {
			secret = testSecret
		}
		again := ""
		for _, d := range []Digest{SHA256, SHA384, SHA512} {
			v, err := NewMessageVerifier(secret, d)
			if err != nil {
				t.Fatal(err)
			}
			m, err := v.Verify(token)
			if err != nil {
				if m != nil || err != ErrInvalidToken {
					t.Fatal(m, err)
				}
				return
			}
			if v.Sign(m) == token {
				again = v.Sign(m)
			}
		}
		if again != token {
			t.Fatalf("accepted %q", token)
		}
	})
}

// FuzzDecrypt: whatever is not a token gives the one error, whatever secrets and
// associated data are, and a message does not depend on being decrypted alone.
func FuzzDecrypt(f *testing.F) {
	for _, kind := range []struct {
		name string
		n    int
	}{{"encryptor", 27}, {"encryptor-v1", 12}} {
		for _, v := range vectors(f, kind.name, kind.n) {
			f.Add(v.Token, []byte(v.Secret), []byte(v.SignSecret), []byte(v.AAD))
		}
	}
	f.Add("XCP.", testSecret, []byte{}, []byte{})
	f.Add("QTEyOEdDTQ....", testSecret, []byte{}, []byte{})
	f.Fuzz(func(t *testing.T, token string, secret, signSecret, aad []byte) {
		e, err := NewMessageEncryptor(secret, signSecret)
		if err != nil {
			if e != nil || err != ErrSecretSize {
				t.Fatal(err)
			}
			return
		}
		m, err := e.DecryptAAD(token, aad)
		if err != nil {
			if m != nil || err != ErrInvalidToken {
				t.Fatal(m, err)
			}
			return
		}
		if again, err := e.DecryptAAD(token, aad); err != nil || !bytes.Equal(again, m) {
			t.Fatal(again, err)
		}
		if bad, err := e.DecryptAAD(token, append(aad, 0)); bad != nil || err != ErrInvalidToken {
			t.Fatal(bad, err)
		}
	})
}

// FuzzRoundTrip takes messages there and back.
func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte{}, []byte{})
	f.Add([]byte("message"), []byte(DefaultAAD))
	f.Add(make([]byte, 100), make([]byte, 100))
	v := newVerifier(f, SHA384)
	e := newEncryptor(f, string(testSecret), "")
	f.Fuzz(func(t *testing.T, message, aad []byte) {
		if m, err := v.Verify(v.Sign(message)); err != nil || !bytes.Equal(m, message) {
			t.Fatal(m, err)
		}
		token, err := e.EncryptAAD(message, aad)
		if err != nil {
			t.Fatal(err)
		}
		if m, err := e.DecryptAAD(token, aad); err != nil || !bytes.Equal(m, message) {
			t.Fatal(m, err)
		}
	})
}
