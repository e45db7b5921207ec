package scram

import (
	"crypto"
	"crypto/fips140"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"errors"
	"hash"
	"reflect"
	"sync"
	"sync/atomic"
)

// HashGeneratorFcn makes the hash that a family of SCRAM mechanisms is built on.
// The package's variables are what one normally uses; any other function that
// returns a new [hash.Hash] at each call, of at most 64 bytes of output, works too.
type HashGeneratorFcn func() hash.Hash

// SHA1 is for SCRAM-SHA-1 (RFC 5802), which old servers still need.
var SHA1 HashGeneratorFcn = func() hash.Hash { return sha1.New() }

// SHA224 is for SCRAM-SHA-224.
var SHA224 HashGeneratorFcn = func() hash.Hash { return sha256.New224() }

// SHA256 is for SCRAM-SHA-256 (RFC 7677).
var SHA256 HashGeneratorFcn = func() hash.Hash { return sha256.New() }

// SHA384 is for SCRAM-SHA-384.
var SHA384 HashGeneratorFcn = func() hash.Hash { return sha512.New384() }

// SHA512 is for SCRAM-SHA-512.
var SHA512 HashGeneratorFcn = func() hash.Hash { return sha512.New() }

// SHA3_224 is for SCRAM-SHA3-224.
var SHA3_224 HashGeneratorFcn = func() hash.Hash { return sha3.New224() }

// SHA3_256 is for SCRAM-SHA3-256.
var SHA3_256 HashGeneratorFcn = func() hash.Hash { return sha3.New256() }

// SHA3_384 is for SCRAM-SHA3-384.
var SHA3_384 HashGeneratorFcn = func() hash.Hash { return sha3.New384() }

// SHA3_512 is for SCRAM-SHA3-512.
var SHA3_512 HashGeneratorFcn = func() hash.Hash { return sha3.New512() }

// maxSize is the longest output of a hash, in bytes.
const maxSize = 64

// An engine computes with one hash. Its states are pooled, so that neither an
// operation nor a conversation allocates one.
type engine struct {
	new   HashGeneratorFcn
	name  string // of the mechanism; empty for a hash that has none
	tag   uint64 // tells hashes apart in a shared Cache
	size  int
	block int
	typ   reflect.Type
	pool  sync.Pool // of *state
}

func newEngine(f HashGeneratorFcn, name string, tag uint64) *engine {
	h := f()
	e := &engine{new: f, name: name, tag: tag, size: h.Size(), block: h.BlockSize(), typ: reflect.TypeOf(h)}
	e.pool.New = func() any { return &state{h: f(), pad: make([]byte, e.block)} }
	return e
}

// firstForeign is below the tags of the hashes that this package has no name for, and
// above those of the others.
const firstForeign = 1 << 32

func (e *engine) foreign() bool { return e.tag > firstForeign }

// known are the engines of the hashes that this package has names for. The index
// is the [crypto.Hash].
var known = [...]*engine{
	crypto.SHA1:     newEngine(SHA1, "SCRAM-SHA-1", uint64(crypto.SHA1)),
	crypto.SHA224:   newEngine(SHA224, "SCRAM-SHA-224", uint64(crypto.SHA224)),
	crypto.SHA256:   newEngine(SHA256, "SCRAM-SHA-256", uint64(crypto.SHA256)),
	crypto.SHA384:   newEngine(SHA384, "SCRAM-SHA-384", uint64(crypto.SHA384)),
	crypto.SHA512:   newEngine(SHA512, "SCRAM-SHA-512", uint64(crypto.SHA512)),
	crypto.SHA3_224: newEngine(SHA3_224, "SCRAM-SHA3-224", uint64(crypto.SHA3_224)),
	crypto.SHA3_256: newEngine(SHA3_256, "SCRAM-SHA3-256", uint64(crypto.SHA3_256)),
	crypto.SHA3_384: newEngine(SHA3_384, "SCRAM-SHA3-384", uint64(crypto.SHA3_384)),
	crypto.SHA3_512: newEngine(SHA3_512, "SCRAM-SHA3-512", uint64(crypto.SHA3_512)),
}

var (
	errUnknownHash = errors.New("scram: unknown hash function")
	errNoHash      = errors.New("scram: no hash function")
	errHashSize    = errors.New("scram: hash function with an output of 0 or of more than 64 bytes")
	errSharedHash  = errors.New("scram: hash function returns the same object at each call")
	errFIPSHash    = errors.New("scram: SHA-1 and unknown hash functions are not allowed in FIPS 140-only mode")
)

// foreignTag numbers the engines of hashes that are not among the known. Two of them
// must never be taken for the same hash, hence not for the same cached keys.
var foreignTag atomic.Uint64

// engine returns the engine for f.
func (f HashGeneratorFcn) engine() (*engine, error) {
	if f == nil {
		return nil, errNoHash
	}
	h := f()
	if h == nil {
		return nil, errNoHash
	}
	// SHA-224 and SHA-256 share a type, as SHA-384 and SHA-512 do: only type and
	// size together name the hash.
	typ := reflect.TypeOf(h)
	for _, e := range known {
		if e != nil && typ == e.typ && h.Size() == e.size && e.allowed() {
			return e, nil
		}
	}
	if fips140.Enforced() {
		return nil, errFIPSHash
	}
	if n := h.Size(); n < 1 || n > maxSize || h.BlockSize() < 1 {
		return nil, errHashSize
	}
	if again := f(); typ.Comparable() && typ == reflect.TypeOf(again) && h == again {
		return nil, errSharedHash
	}
	return newEngine(f, "", firstForeign+foreignTag.Add(1)), nil
}

// allowed tells whether FIPS 140-only mode, if that is on, admits e's hash.
func (e *engine) allowed() bool {
	return e.tag != uint64(crypto.SHA1) || !fips140.Enforced()
}

// Mechanism returns the SASL name of the mechanism without channel binding, such
// as SCRAM-SHA-256; "-PLUS" is appended to it for the one with. It is empty for a
// hash that this package has no name for.
func (f HashGeneratorFcn) Mechanism() string {
	e, err := f.engine()
	if err != nil {
		return ""
	}
	return e.name
}

// A state computes one HMAC or hash. Input is copied into it piece by piece before
// it reaches the hash: what is passed to an interface's method escapes to the
// heap, and the caller's buffers shall not.
type state struct {
	h   hash.Hash
	mac hash.Hash // in FIPS mode only
	pad []byte    // K ⊕ ipad, then K ⊕ opad
	in  [128]byte
	sum [maxSize]byte

	inner, outer [256]byte // encoded states, for Hi only
}

func (e *engine) get() *state { return e.pool.Get().(*state) }

// put wipes s and returns it to the pool.
func (e *engine) put(s *state) {
	// A hash keeps its last partial block. Zeros written in these two portions
	// go through that buffer and overwrite all of it.
	clear(s.pad)
	s.h.Reset()
	s.h.Write(s.pad[:e.block-1])
	s.h.Write(s.pad[e.block-1:])
	s.h.Reset()
	s.mac = nil
	clear(s.in[:])
	clear(s.sum[:])
	clear(s.inner[:])
	clear(s.outer[:])
	e.pool.Put(s)
}

// startHMAC begins an HMAC (RFC 2104).
func (s *state) startHMAC(e *engine, key []byte) {
	if fips140.Enabled() {
		// hmac.New makes its argument escape, and with it the caller's buffer.
		key := append([]byte(nil), key...)
		s.mac = hmac.New(e.new, key)
		clear(key)
		return
	}
	clear(s.pad)
	if len(key) > len(s.pad) {
		s.h.Reset()
		write(s, key)
		s.finishHash()
		copy(s.pad, s.sum[:e.size])
	} else {
		copy(s.pad, key)
	}
	for i := range s.pad {
		s.pad[i] ^= 0x36
	}
	s.h.Reset()
	s.h.Write(s.pad)
}

// finishHash sets s.sum to the hash. It is copied there in case that the hash's Sum
// does not use the capacity that it is given.
func (s *state) finishHash() { copy(s.sum[:], s.h.Sum(s.sum[:0])) }

// invertPad makes K ⊕ opad of K ⊕ ipad.
func (s *state) invertPad() {
	for i := range s.pad {
		s.pad[i] ^= 0x36 ^ 0x5c
	}
}

// write adds p to what s hashes.
func write[T string | []byte](s *state, p T) {
	w := s.h
	if s.mac != nil {
		w = s.mac
	}
	for len(p) > 0 {
		n := copy(s.in[:], p)
		w.Write(s.in[:n])
		p = p[n:]
	}
}

// finishHMAC writes the HMAC to dst, of the hash's size. dst may overlap the key
// and the input.
func (s *state) finishHMAC(e *engine, dst []byte) {
	if s.mac != nil {
		copy(dst[:e.size], s.mac.Sum(s.sum[:0]))
		return
	}
	s.finishHash()
	s.invertPad()
	s.h.Reset()
	s.h.Write(s.pad)
	s.h.Write(s.sum[:e.size])
	s.finishHash()
	copy(dst, s.sum[:e.size])
}

// hmac writes HMAC(key, message) to dst.
func (e *engine) hmac(dst, key []byte, message string) {
	s := e.get()
	s.startHMAC(e, key)
	write(s, message)
	s.finishHMAC(e, dst)
	e.put(s)
}

// hash writes H(message) to dst.
func (e *engine) hash(dst, message []byte) {
	s := e.get()
	s.h.Reset()
	write(s, message)
	s.finishHash()
	copy(dst, s.sum[:e.size])
	e.put(s)
}

// signature writes HMAC(key, AuthMessage) to dst, the AuthMessage being the three
// parts with commas between them.
func (e *engine) signature(dst, key []byte, clientFirstBare, serverFirst, clientFinalWithoutProof string) {
	s := e.get()
	s.startHMAC(e, key)
	write(s, clientFirstBare)
	write(s, ",")
	write(s, serverFirst)
	write(s, ",")
	write(s, clientFinalWithoutProof)
	s.finishHMAC(e, dst)
	e.put(s)
}
