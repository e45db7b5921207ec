package subtle

import (
	"bytes"
	"crypto/fips140"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"
	"sync"
	"unsafe"
)

// CompareHidingLength reports whether x and y are equal. Unlike [SecureCompare] it
// does the same whether their lengths are equal or not: it compares HMAC-SHA-256
// tags of x and y, under a random key that the process makes at first use. Unequal
// inputs with equal tags would be a collision of SHA-256.
//
// What leaks is the total time, which grows by a step for each 64 bytes of x and of
// y. With one input fixed, its length only adds a constant to that, but whoever
// knows the machine well could tell from the constant in which 64 bytes the length
// ends. Where that is too much, or one secret is compared often, use [Secret].
func CompareHidingLength(x, y []byte) bool {
	var tx, ty [sha256.Size]byte
	processMAC(&tx, x)
	processMAC(&ty, y)
	return SecureCompare(tx[:], ty[:])
}

// A Secret is a value that others are compared with, without a trace of its length
// in the time that takes. It holds an HMAC-SHA-256 tag of the value, not the
// value, under a random key of the process. It cannot be written down and used in
// another process. The zero Secret equals nothing: no value is known with a tag of
// zeros.
//
// A Secret is safe for concurrent use, except that Wipe must not run beside other
// calls.
type Secret struct {
	tag [sha256.Size]byte
}

// NewSecret returns a Secret with the given value, which it does not keep.
func NewSecret(value []byte) *Secret {
	s := new(Secret)
	processMAC(&s.tag, value)
	return s
}

// Equal reports whether candidate equals the value of s. The time depends on the
// length of candidate, in steps of 64 bytes, and on nothing else.
func (s *Secret) Equal(candidate []byte) bool {
	var tag [sha256.Size]byte
	processMAC(&tag, candidate)
	return SecureCompare(tag[:], s.tag[:])
}

// EqualString is Equal for a string, which it does not copy.
func (s *Secret) EqualString(candidate string) bool {
	return s.Equal(unsafe.Slice(unsafe.StringData(candidate), len(candidate)))
}

// Wipe overwrites s, after which it equals nothing.
func (s *Secret) Wipe() { *s = Secret{} }

// Format implements [fmt.Formatter]. For every verb it writes a constant, to keep
// the tag out of logs.
func (Secret) Format(f fmt.State, verb rune) { io.WriteString(f, "subtle.Secret") }

// processKey returns the key of processMAC. It is the same for the life of the
// process, and crypto/rand does not fail.
var processKey = sync.OnceValue(func() *[sha256.Size]byte {
	key := new([sha256.Size]byte)
	rand.Read(key[:])
	return key
})

// processMAC sets tag to the tag of message under the key of the process.
func processMAC(tag *[sha256.Size]byte, message []byte) {
	if fips140.Enabled() {
		*tag = standardMAC(processKey(), message)
		return
	}
	hmacSHA256(tag, processKey(), message)
}

// standardMAC returns HMAC-SHA-256(key, message) by crypto/hmac. That goes through an
// interface, for which arguments move to the heap. A copy does, so that the
// caller's need not where this is not called.
func standardMAC(key *[sha256.Size]byte, message []byte) (tag [sha256.Size]byte) {
	c := bytes.Clone(message)
	h := hmac.New(sha256.New, key[:])
	h.Write(c)
	copy(tag[:], h.Sum(nil))
	clear(c)
	return tag
}

// hmacSHA256 sets tag to HMAC-SHA-256(key, message) as in RFC 2104. It takes no
// memory from the heap, which crypto/hmac does.
func hmacSHA256(tag, key *[sha256.Size]byte, message []byte) {
	var pad [sha256.BlockSize]byte
	h := sha256.New()
	xorPad(&pad, key, 0x36)
	h.Write(pad[:])
	h.Write(message)
	h.Sum(tag[:0])

	h.Reset()
	xorPad(&pad, key, 0x5c)
	h.Write(pad[:])
	h.Write(tag[:])
	h.Sum(tag[:0])
	clear(pad[:])
}

// xorPad sets pad to key, extended by zeros, with every byte xor-ed with b.
func xorPad(pad *[sha256.BlockSize]byte, key *[sha256.Size]byte, b byte) {
	*pad = [sha256.BlockSize]byte{}
	copy(pad[:], key[:])
	for i := range pad {
		pad[i] ^= b
	}
}
