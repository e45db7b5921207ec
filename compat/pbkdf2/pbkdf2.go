package pbkdf2

import (
	"bytes"
	"context"
	"crypto"
	"crypto/fips140"
	stdpbkdf2 "crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"errors"
	"fmt"
	"hash"
	"math"
	"math/bits"
	"reflect"
	"unsafe"

	"github.com/fastrsa/fastrsa/internal/sha"
)

// Errors that the functions other than [Key] return, some with more said in their text.
var (
	// ErrIterations is returned for a number of iterations below 1.
	ErrIterations = errors.New("pbkdf2: number of iterations must be at least 1")

	// ErrLength is returned for an empty output, and for one longer than 2^32 - 1 digests.
	ErrLength = errors.New("pbkdf2: output length out of range")

	// ErrHash is returned for a hash that is not linked into the program.
	ErrHash = errors.New("pbkdf2: hash is not available")

	// ErrOverlap is returned if the output overlaps the salt.
	ErrOverlap = errors.New("pbkdf2: output overlaps salt")
)

// maxBlocks is how many digests long an output may be, RFC 8018 §5.2 step 1.
const maxBlocks = 1<<32 - 1

// Key derives a key of keyLength bytes from a password and a salt, with iter iterations of
// HMAC over the hash that h makes. It is crypto/pbkdf2.Key: the result is the same, and so
// are errors, their texts and the treatment of unusual arguments. In particular, iter below
// 1 counts as 1, and keyLength must be from 1 to 2^32 - 1 digests.
//
// It may call h more often than crypto/pbkdf2.Key does.
func Key[Hash hash.Hash](h func() Hash, password string, salt []byte, iter, keyLength int) ([]byte, error) {
	if keyLength <= 0 || iter < minIterations || fips140.Enabled() {
		return stdpbkdf2.Key(h, password, salt, iter, keyLength)
	}
	kind, ok := detect(h)
	if !ok || !kind.Fast() || tooLong(keyLength, kind.Size()) {
		return stdpbkdf2.Key(h, password, salt, iter, keyLength)
	}
	dk := make([]byte, keyLength)
	// The bytes of the password are only read.
	raw := unsafe.Slice(unsafe.StringData(password), len(password))
	one := [...]Request{{Dst: dk, Password: raw, Salt: salt, Iterations: iter}}
	q := queue{hash: kind, requests: one[:]}
	q.run(context.Background(), nil, 0)
	return dk, nil
}

// minIterations is from which number of iterations on it pays to find out what hash a
// function makes.
const minIterations = 4

// tooLong reports whether keyLength bytes are more than the digests of size bytes that
// there are.
func tooLong(keyLength, size int) bool {
	return uint64(keyLength) > maxBlocks*uint64(size) || keyLength > keyLength+size
}

// The types of the hashes of the standard library. SHA-512 shares its with SHA-384 and the
// like, SHA-256 with SHA-224.
var (
	typeSHA1   = reflect.TypeOf(sha1.New())
	typeSHA256 = reflect.TypeOf(sha256.New())
	typeSHA512 = reflect.TypeOf(sha512.New())
)

// detect returns the hash of the standard library that h makes, if HMAC over what h returns
// is HMAC over that hash. A function that returns the same object again, or one that has
// been written to, is no such hash.
func detect[Hash hash.Hash](h func() Hash) (sha.Hash, bool) {
	if h == nil {
		return 0, false
	}
	first := hash.Hash(h())
	var kind sha.Hash
	var empty []byte
	switch t := reflect.TypeOf(first); {
	case t == nil:
		return 0, false
	case t == typeSHA1:
		digest := sha1.Sum(nil)
		kind, empty = sha.SHA1, digest[:]
	case t == typeSHA256 && first.Size() == sha256.Size224:
		digest := sha256.Sum224(nil)
		kind, empty = sha.SHA224, digest[:]
	case t == typeSHA256:
		digest := sha256.Sum256(nil)
		kind, empty = sha.SHA256, digest[:]
	case t != typeSHA512:
		return 0, false
	case first.Size() == sha512.Size384:
		digest := sha512.Sum384(nil)
		kind, empty = sha.SHA384, digest[:]
	case first.Size() == sha512.Size224:
		digest := sha512.Sum512_224(nil)
		kind, empty = sha.SHA512x224, digest[:]
	case first.Size() == sha512.Size256:
		digest := sha512.Sum512_256(nil)
		kind, empty = sha.SHA512x256, digest[:]
	default:
		digest := sha512.Sum512(nil)
		kind, empty = sha.SHA512, digest[:]
	}
	second := hash.Hash(h())
	if reflect.TypeOf(second) != reflect.TypeOf(first) || second == first {
		return 0, false
	}
	return kind, bytes.Equal(first.Sum(nil), empty) && bytes.Equal(second.Sum(nil), empty)
}

// kindOf returns h as a hash of package sha, and whether it runs on a kernel here.
func kindOf(h crypto.Hash) (sha.Hash, bool) {
	var kind sha.Hash
	switch h {
	case crypto.SHA1:
		kind = sha.SHA1
	case crypto.SHA224:
		kind = sha.SHA224
	case crypto.SHA256:
		kind = sha.SHA256
	case crypto.SHA384:
		kind = sha.SHA384
	case crypto.SHA512:
		kind = sha.SHA512
	case crypto.SHA512_224:
		kind = sha.SHA512x224
	case crypto.SHA512_256:
		kind = sha.SHA512x256
	default:
		return 0, false
	}
	return kind, kind.Fast() && !fips140.Enabled()
}

// Fast reports whether derivations with h run on code of this package on this processor, one at
// a time too, and do not go to crypto/pbkdf2..
func Fast(h crypto.Hash) bool {
	_, ok := kindOf(h)
	return ok
}

// check returns the error for arguments that have no meaning.
func check(dst []byte, h crypto.Hash, salt []byte, iter int) error {
	switch {
	case !h.Available():
		return fmt.Errorf("%w: %v", ErrHash, h)
	case iter < 1:
		return ErrIterations
	case len(dst) == 0 || tooLong(len(dst), h.Size()):
		return ErrLength
	case overlap(dst, salt):
		return ErrOverlap
	}
	return nil
}

// overlap reports whether two slices share memory.
func overlap(x, y []byte) bool {
	return len(x) > 0 && len(y) > 0 &&
		uintptr(unsafe.Pointer(&x[0])) <= uintptr(unsafe.Pointer(&y[len(y)-1])) &&
		uintptr(unsafe.Pointer(&y[0])) <= uintptr(unsafe.Pointer(&x[len(x)-1]))
}

// Fill derives len(dst) bytes into dst from a password and a salt, with iter iterations of
// HMAC over h. The bytes are those of [Key]. It allocates nothing where h is fast.
//
// dst may overlap the password, but not the salt. An error leaves dst as it was; the errors
// are [ErrIterations], [ErrLength], [ErrHash], [ErrOverlap] and, in FIPS 140-only mode,
// those of crypto/pbkdf2.
func Fill(dst []byte, h crypto.Hash, password, salt []byte, iter int) error {
	if err := check(dst, h, salt, iter); err != nil {
		return err
	}
	kind, ok := kindOf(h)
	if !ok {
		return fillStd(dst, h, password, salt, iter)
	}
	one := [...]Request{{Dst: dst, Password: password, Salt: salt, Iterations: iter}}
	q := queue{hash: kind, requests: one[:]}
	return q.run(context.Background(), nil, 0)
}

// FillContext is [Fill] for a derivation that takes long. It stops within less than a
// millisecond after ctx is done, and returns an error that wraps ctx.Err(); then dst is
// cleared. Preparing the password and the salt, which takes time only if they are
// megabytes long, is not interrupted.
//
// If progress is not nil, it is called on the same goroutine up to about a hundred times, the
// last time with done = total: how many iterations out of how many are through, counting
// those of each digest that dst is long.
func FillContext(ctx context.Context, dst []byte, h crypto.Hash, password, salt []byte, iter int, progress func(done, total uint64)) error {
	if err := check(dst, h, salt, iter); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return stopped(err)
	}
	kind, ok := kindOf(h)
	if !ok {
		return fillStdContext(ctx, dst, h, password, salt, iter, progress)
	}
	one := [...]Request{{Dst: dst, Password: password, Salt: salt, Iterations: iter}}
	q := queue{hash: kind, requests: one[:]}
	err := q.run(ctx, progress, total(len(dst), kind.Size(), iter))
	if err != nil {
		clear(dst)
	}
	return err
}

// total returns how many iterations an output of n bytes takes, or the most that an uint64
// holds.
func total(n, size, iter int) uint64 {
	hi, lo := bits.Mul64(uint64((n-1)/size+1), uint64(iter))
	if hi > 0 {
		return math.MaxUint64
	}
	return lo
}

func stopped(err error) error { return fmt.Errorf("pbkdf2: derivation stopped: %w", err) }
