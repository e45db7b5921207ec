package rsa

import (
	"crypto/subtle"
	"encoding/binary"
	"hash"
)

// mgf1XOR XORs MGF1(seed, len(out)) with the given hash onto out, RFC 8017,
// appendix B.2.1. scratch is overwritten and should have the capacity of a
// digest and four bytes more.
func mgf1XOR(out []byte, h hash.Hash, seed, scratch []byte) {
	for counter := uint32(0); len(out) > 0; counter++ {
		h.Reset()
		h.Write(seed)
		h.Write(binary.BigEndian.AppendUint32(scratch[:0], counter))
		digest := h.Sum(scratch[:0])
		out = out[subtle.XORBytes(out, out, digest):]
	}
}
