package keygen

import (
	"bytes"
	"crypto/pbkdf2"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

func TestGenerateOptions(t *testing.T) {
	t.Parallel()
	secret, salt := []byte("secret"), []byte("salt")
	cache := NewCache(1, 0)
	tooLarge := math.MaxInt
	wantLarge := ErrLengthTooLarge
	if strconv.IntSize == 32 {
		// No int exceeds the bound; leave a length that is refused.
		tooLarge, wantLarge = 0, ErrLengthTooSmall
	}
	for _, c := range []struct {
		name    string
		options []Option
		want    error
	}{
		{"iterations 0", []Option{WithIterations(0)}, ErrIterations},
		{"iterations -1", []Option{WithIterations(-1)}, ErrIterations},
		{"iterations minimal int", []Option{WithIterations(math.MinInt)}, ErrIterations},
		{"length 0", []Option{WithLength(0)}, ErrLengthTooSmall},
		{"length -1", []Option{WithLength(-1)}, ErrLengthTooSmall},
		{"length minimal int", []Option{WithLength(math.MinInt)}, ErrLengthTooSmall},
		{"length maximal int", []Option{WithLength(tooLarge)}, wantLarge},
		{"digest", []Option{WithDigest(numDigests)}, ErrDigest},
		{"digest 255", []Option{WithDigest(255)}, ErrDigest},
		{"iterations before length", []Option{WithDigest(99), WithLength(tooLarge), WithIterations(0)}, ErrIterations},
		{"length before digest", []Option{WithDigest(99), WithLength(tooLarge)}, wantLarge},
		{"the last counts", []Option{WithLength(0), WithLength(32), WithIterations(1), WithIterations(0)}, ErrIterations},
	} {
		// A cache must not be asked before the options are found valid.
		for _, o := range []Option{WithCache(nil), WithCache(cache)} {
			if key, err := Generate(secret, salt, append(c.options, o)...); key != nil || err != c.want {
				t.Errorf("%s: %x, %v, want %v", c.name, key, err, c.want)
			}
		}
	}
	if cache.Stats() != (CacheStats{}) {
		t.Errorf("the cache was asked: %+v", cache.Stats())
	}
	if strconv.IntSize == 64 {
		over := int64(MaxLength) + 1
		if err := (params{1, int(over), SHA256}).validate(); err != ErrLengthTooLarge {
			t.Errorf("length 2^32: %v", err)
		}
		if err := (params{1, int(over - 1), SHA256}).validate(); err != nil {
			t.Errorf("length 2^32 - 1: %v", err)
		}
	}

	for err, text := range map[error]string{
		ErrIterations:     "keygen: iterations must be an integer >= 1",
		ErrLengthTooLarge: "keygen: length must be less than or equal to 4294967295",
	} {
		if err.Error() != text {
			t.Errorf("%q, want %q", err, text)
		}
	}

	want, err := Generate(secret, salt)
	if err != nil {
		t.Fatal(err)
	}
	for _, options := range [][]Option{
		{{}},
		{WithIterations(1000), WithLength(32), WithDigest(SHA256), WithCache(nil)},
		{WithLength(0), WithLength(32)},
	} {
		if got, err := Generate(secret, salt, options...); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v: %x, %v, want %x", options, got, err, want)
		}
	}
}

func TestDigest(t *testing.T) {
	t.Parallel()
	for d, name := range map[Digest]string{SHA1: "sha", SHA224: "sha224", SHA256: "sha256", SHA384: "sha384", SHA512: "sha512"} {
		if got, err := ParseDigest(name); err != nil || got != d || d.String() != name {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for _, name := range []string{"", "sha1", "SHA256", ":sha256", "sha256 ", "md5", "sha3_256", "unsupported"} {
		if _, err := ParseDigest(name); err != ErrDigest {
			t.Errorf("%q: %v", name, err)
		}
	}
	if s := numDigests.String(); s != "unsupported" {
		t.Error(s)
	}
}

// TestGenerateParity covers the inputs that other implementations got wrong: empty
// secret and salt, keys of several blocks, secrets longer than a block.
func TestGenerateParity(t *testing.T) {
	t.Parallel()
	long := bytes.Repeat([]byte("0123456789"), 100)
	for d := range numDigests {
		for _, n := range []int{0, 1, 63, 64, 65, 127, 128, 129, 1000} {
			for _, length := range []int{1, 20, 32, 40, 64, 65, 128, 129, 1000} {
				for _, salt := range [][]byte{nil, {}, long[:17]} {
					want, err := pbkdf2.Key(digests[d].new, string(long[:n]), salt, 2, length)
					if err != nil {
						t.Fatal(err)
					}
					got, err := Generate(long[:n], salt, WithDigest(d), WithIterations(2), WithLength(length))
					if err != nil || !bytes.Equal(got, want) {
						t.Fatalf("%v, secret of %d, salt of %d, length %d: %x, %v, want %x", d, n, len(salt), length, got, err, want)
					}
				}
			}
		}
	}
	// A secret of a mebibyte is hashed once, not in each of the iterations.
	huge := bytes.Repeat([]byte{1}, 1<<20)
	if _, err := Generate(huge, long, WithIterations(10000), WithCache(NewCache(1, 0))); err != nil {
		t.Error(err)
	}
}

func TestGenerateLeavesArguments(t *testing.T) {
	t.Parallel()
	secret, salt := []byte("secret with room"), []byte("salt with room")
	for _, c := range []*Cache{nil, NewCache(1, 0)} {
		s, a := secret[:6:6], salt[:4]
		if _, err := Generate(s, a, WithIterations(2), WithCache(c)); err != nil {
			t.Fatal(err)
		}
	}
	if string(secret) != "secret with room" || string(salt) != "salt with room" {
		t.Errorf("changed to %q and %q", secret, salt)
	}
}

// TestNoLeaks collects the errors and the formatted values that a program could
// log, and looks for secrets, salts and payloads in them.
func TestNoLeaks(t *testing.T) {
	t.Parallel()
	secret := []byte("TOP-SECRET-0123456789abcdefghijk")
	salt, payload := []byte("THE-SALT"), []byte("THE-PAYLOAD")
	cache := NewCache(4, 0)
	key, err := Generate(secret, salt, WithCache(cache))
	if err != nil {
		t.Fatal(err)
	}
	var errs []error
	add := func(_ any, err error) {
		t.Helper()
		if err == nil {
			t.Error("no error")
		}
		errs = append(errs, err)
	}
	add(Generate(secret, salt, WithIterations(0)))
	add(Generate(secret, salt, WithLength(0)))
	add(Generate(secret, salt, WithDigest(77)))
	add(NewMessageVerifier(nil, SHA256))
	add(NewMessageVerifier(secret, SHA1))
	add(NewMessageVerifier(secret, SHA256, SHA224))
	add(NewMessageEncryptor(secret[:31], secret))
	v, err := NewMessageVerifier(secret, SHA256)
	if err != nil {
		t.Fatal(err)
	}
	add(v.Verify(v.Sign(payload) + "x"))
	e, err := NewMessageEncryptor(secret, secret)
	if err != nil {
		t.Fatal(err)
	}
	token, err := e.Encrypt(payload)
	if err != nil {
		t.Fatal(err)
	}
	add(e.DecryptAAD(token, payload))
	small, err := NewMessageEncryptor(secret[:16], secret)
	if err != nil {
		t.Fatal(err)
	}
	add(small.Encrypt(payload))

	var text strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%T"} {
		for _, err := range errs {
			fmt.Fprintf(&text, verb+"\n", err)
			if errors.Unwrap(err) != nil {
				t.Errorf("%v wraps another error", err)
			}
		}
		for _, x := range []any{cache, v, *v, e, *e, small} {
			fmt.Fprintf(&text, verb+"\n", x)
		}
	}
	for name, b := range map[string][]byte{"secret": secret[:8], "salt": salt, "payload": payload, "key": key[:4]} {
		for _, verb := range []string{"%s", "%x", "%X", "%d", "%q"} {
			s := strings.Trim(fmt.Sprintf(verb, b), `"[]`)
			if strings.Contains(text.String(), s) {
				t.Errorf("the %s shows, by %s", name, verb)
			}
		}
	}
}
