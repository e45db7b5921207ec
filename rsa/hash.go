package rsa

import (
	"crypto"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"crypto/subtle"
	"encoding/binary"
	"hash"
)

// maxHashBytes is the size in bytes of the longest digest of a [crypto.Hash].
const maxHashBytes = 64

// A hasher computes hashes. Those of the SHA families it takes from their one-shot
// functions, which the compiler knows to keep nothing of what they are given, so that
// the input can be on the stack. Others are computed by a [hash.Hash], behind which
// nothing is known, so that it only ever sees memory of the hasher's own.
type hasher struct {
	id   crypto.Hash
	h    hash.Hash // nil for the SHA families
	size int
	buf  []byte
}

// newHasher returns the hasher of a hash function that is available.
func newHasher(id crypto.Hash) hasher {
	switch id {
	case crypto.SHA1, crypto.SHA224, crypto.SHA256, crypto.SHA384, crypto.SHA512, crypto.SHA512_224, crypto.SHA512_256,
		crypto.SHA3_224, crypto.SHA3_256, crypto.SHA3_384, crypto.SHA3_512:
		return hasher{id: id, size: id.Size()}
	}
	return hasherOf(id.New())
}

// hasherOf returns a hasher that uses h.
func hasherOf(h hash.Hash) hasher { return hasher{h: h, size: h.Size()} }

// sum sets out, which has the size of the hash, to the hash of in. Both are treated as
// secret.
func (x *hasher) sum(out, in []byte) {
	switch x.id {
	case crypto.SHA1:
		d := sha1.Sum(in)
		copy(out, d[:])
	case crypto.SHA224:
		d := sha256.Sum224(in)
		copy(out, d[:])
	case crypto.SHA256:
		d := sha256.Sum256(in)
		copy(out, d[:])
	case crypto.SHA384:
		d := sha512.Sum384(in)
		copy(out, d[:])
	case crypto.SHA512:
		d := sha512.Sum512(in)
		copy(out, d[:])
	case crypto.SHA512_224:
		d := sha512.Sum512_224(in)
		copy(out, d[:])
	case crypto.SHA512_256:
		d := sha512.Sum512_256(in)
		copy(out, d[:])
	case crypto.SHA3_224:
		d := sha3.Sum224(in)
		copy(out, d[:])
	case crypto.SHA3_256:
		d := sha3.Sum256(in)
		copy(out, d[:])
	case crypto.SHA3_384:
		d := sha3.Sum384(in)
		copy(out, d[:])
	case crypto.SHA3_512:
		d := sha3.Sum512(in)
		copy(out, d[:])
	default:
		if need := max(len(in), x.size); cap(x.buf) < need {
			wipe(x.buf)
			x.buf = make([]byte, need)
		}
		x.buf = x.buf[:cap(x.buf)]
		n := copy(x.buf, in)
		x.h.Reset()
		x.h.Write(x.buf[:n])
		copy(out, x.h.Sum(x.buf[:0]))
	}
}

// wipe overwrites what the hasher's own memory has seen. What the hash functions
// themselves leave behind is out of reach.
func (x *hasher) wipe() {
	wipe(x.buf)
	if x.h != nil {
		x.h.Reset()
	}
}

// mgf1XOR XORs MGF1(seed, len(out)) with the hash of h onto out, RFC 8017, appendix
// B.2.1.
func mgf1XOR(out []byte, h *hasher, seed []byte) {
	// The longest seed is the maskedDB of OAEP.
	var stack [stackBytes + 4]byte
	in := buffer(stack[:], len(seed)+4)
	copy(in, seed)
	var digest [maxHashBytes]byte
	mask := buffer(digest[:], h.size)
	for counter := uint32(0); len(out) > 0; counter++ {
		binary.BigEndian.PutUint32(in[len(seed):], counter)
		h.sum(mask, in)
		out = out[subtle.XORBytes(out, out, mask):]
	}
	wipe(in)
	wipe(mask)
}

// wipe overwrites b with zeros. It is not inlined, so that the compiler cannot drop
// stores to memory that is not read again.
//
//go:noinline
func wipe(b []byte) { clear(b) }
