package keygen

import (
	"crypto"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"errors"
	"hash"

	"github.com/fastrsa/fastrsa/compat/pbkdf2"
)

// The defaults of Plug.Crypto.KeyGenerator, and its bound on the length.
const (
	DefaultIterations = 1000
	DefaultLength     = 32

	MaxLength = 1<<32 - 1
)

// Errors of [Generate]. The first two texts are Plug's after the prefix.
var (
	ErrIterations     = errors.New("keygen: iterations must be an integer >= 1")
	ErrLengthTooLarge = errors.New("keygen: length must be less than or equal to 4294967295")
	ErrLengthTooSmall = errors.New("keygen: length must be an integer >= 1")
	ErrDigest         = errors.New("keygen: unsupported digest")
)

// Digest names a hash function. The zero value is SHA-256, Plug's default.
type Digest uint8

// The digests. [MessageVerifier] takes SHA256, SHA384 and SHA512 only.
const (
	SHA256 Digest = iota
	SHA1
	SHA224
	SHA384
	SHA512

	numDigests
)

var digests = [numDigests]struct {
	name string
	new  func() hash.Hash
	hash crypto.Hash
}{
	SHA256: {"sha256", sha256.New, crypto.SHA256},
	SHA1:   {"sha", sha1.New, crypto.SHA1},
	SHA224: {"sha224", sha256.New224, crypto.SHA224},
	SHA384: {"sha384", sha512.New384, crypto.SHA384},
	SHA512: {"sha512", sha512.New, crypto.SHA512},
}

// ParseDigest returns the digest with the given name in Erlang, which Plug's options
// are written with: sha (that is SHA-1), sha224, sha256, sha384 or sha512. Any
// other name is [ErrDigest].
func ParseDigest(name string) (Digest, error) {
	for d := range digests {
		if digests[d].name == name {
			return Digest(d), nil
		}
	}
	return 0, ErrDigest
}

// String returns the name that [ParseDigest] takes.
func (d Digest) String() string {
	if d >= numDigests {
		return "unsupported"
	}
	return digests[d].name
}

// Option is an option of [Generate]. The zero Option changes nothing.
type Option struct {
	kind  optionKind
	n     int
	cache *Cache
}

type optionKind uint8

const (
	_ optionKind = iota
	optionIterations
	optionLength
	optionDigest
	optionCache
)

// WithIterations sets the iteration count, [DefaultIterations] without it. Plug
// advises at least 65536 where the secret is a password and not random.
func WithIterations(n int) Option { return Option{kind: optionIterations, n: n} }

// WithLength sets the length of the key in bytes, [DefaultLength] without it.
func WithLength(n int) Option { return Option{kind: optionLength, n: n} }

// WithDigest sets the hash function, [SHA256] without it.
func WithDigest(d Digest) Option { return Option{kind: optionDigest, n: int(d)} }

// WithCache lets [Generate] look the key up in c, and store it there. A nil c
// means no cache.
func WithCache(c *Cache) Option { return Option{kind: optionCache, cache: c} }

// params is what a key depends on besides secret and salt.
type params struct {
	iterations int
	length     int
	digest     Digest
}

// Generate derives a key from secret and salt:
//
//	PBKDF2-HMAC-digest(secret, salt, iterations, length)
//
// as Plug.Crypto.KeyGenerator.generate does (RFC 8018 §5.2), with its defaults: 1000
// iterations, 32 bytes, SHA-256, no cache. Of several options of one kind the last
// counts. Secret and salt may be empty and are not kept. The key belongs to the caller,
// also when it came from a cache.
//
// The options are validated before a cache is asked, in this order: iterations >= 1
// ([ErrIterations]), length <= [MaxLength] ([ErrLengthTooLarge]), length >= 1
// ([ErrLengthTooSmall]), digest ([ErrDigest]).
//
// The time depends on the sizes of all arguments and on the iterations, and on whether a
// cache held the key, not on the values of secret, salt and key.
func Generate(secret, salt []byte, options ...Option) ([]byte, error) {
	p := params{DefaultIterations, DefaultLength, SHA256}
	var cache *Cache
	for i := range options {
		switch o := &options[i]; o.kind {
		case optionIterations:
			p.iterations = o.n
		case optionLength:
			p.length = o.n
		case optionDigest:
			p.digest = Digest(o.n)
		case optionCache:
			cache = o.cache
		}
	}
	if err := p.validate(); err != nil {
		return nil, err
	}
	if cache != nil {
		return cache.generate(secret, salt, p)
	}
	return derive(secret, salt, p)
}

func (p params) validate() error {
	switch {
	case p.iterations < 1:
		return ErrIterations
	case uint64(p.length) > MaxLength && p.length > 0:
		return ErrLengthTooLarge
	case p.length < 1:
		return ErrLengthTooSmall
	case p.digest >= numDigests:
		return ErrDigest
	}
	return nil
}

// derive computes the key of valid parameters.
func derive(secret, salt []byte, p params) ([]byte, error) {
	key := make([]byte, p.length)
	if err := pbkdf2.Fill(key, digests[p.digest].hash, secret, salt, p.iterations); err != nil {
		return nil, err
	}
	return key, nil
}
