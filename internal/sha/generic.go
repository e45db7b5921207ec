package sha

import (
	"encoding/binary"
	"math/bits"
)

// pad256 and pad512 are the padding of a digest that follows a key's block.
var (
	pad256 = [16]uint32{8: 1 << 31, 15: (64 + 32) * 8}
	pad512 = [16]uint64{8: 1 << 63, 15: (128 + 64) * 8}
)

// trimNone256 and trimNone512 are what a nil trim stands for.
var (
	trimNone256 = &Trim256{
		Keep: [8]uint32{ones32, ones32, ones32, ones32, ones32, ones32, ones32, ones32},
		Pad:  pad256,
	}
	trimNone512 = &Trim512{
		Keep: [8]uint64{ones64, ones64, ones64, ones64, ones64, ones64, ones64, ones64},
		Pad:  pad512,
	}
)

// loop1x1Generic runs n iterations of s.
func loop1x1Generic(s *Stream1, n int) {
	for ; n > 0; n-- {
		w := [16]uint32{5: 1 << 31, 15: (64 + 20) * 8}
		copy(w[:], s.U[:])
		u := s.Inner
		block1(&u, &w)
		copy(w[:], u[:])
		s.U = s.Outer
		w[5], w[15] = 1<<31, (64+20)*8
		block1(&s.U, &w)
		for i, u := range s.U {
			s.Acc[i] ^= u
		}
	}
}

// loop1x2Generic runs n iterations of both streams of s.
func loop1x2Generic(s *[2]Stream1, n int) {
	for i := range s {
		loop1x1Generic(&s[i], n)
	}
}

// loop1x8Generic runs n iterations of each stream of s.
func loop1x8Generic(s *[8]Stream1, n int) {
	for i := range s {
		loop1x1Generic(&s[i], n)
	}
}

// loop256x1Generic runs n iterations of s.
func loop256x1Generic(s *Stream256, trim *Trim256, n int) {
	if trim == nil {
		trim = trimNone256
	}
	for ; n > 0; n-- {
		u := s.Inner
		block256Trimmed(&u, &s.U, trim)
		o := s.Outer
		block256Trimmed(&o, &u, trim)
		for i := range o {
			s.U[i] = o[i] & trim.Keep[i]
			s.Acc[i] ^= s.U[i]
		}
	}
}

// block256Trimmed is [block256] with the padded trim of a final state for a message.
func block256Trimmed(h, state *[8]uint32, trim *Trim256) {
	w := trim.Pad
	for i, x := range state {
		w[i] |= x & trim.Keep[i]
	}
	block256(h, &w)
}

// loop256x2Generic runs n iterations of both streams of s.
func loop256x2Generic(s *[2]Stream256, trim *Trim256, n int) {
	for i := range s {
		loop256x1Generic(&s[i], trim, n)
	}
}

// loop256x8Generic runs n iterations of each stream of s.
func loop256x8Generic(s *[8]Stream256, trim *Trim256, n int) {
	for i := range s {
		loop256x1Generic(&s[i], trim, n)
	}
}

// loop512x1Generic runs n iterations of s.
func loop512x1Generic(s *Stream512, trim *Trim512, n int) {
	if trim == nil {
		trim = trimNone512
	}
	for ; n > 0; n-- {
		u := s.Inner
		block512Trimmed(&u, &s.U, trim)
		o := s.Outer
		block512Trimmed(&o, &u, trim)
		for i := range o {
			s.U[i] = o[i] & trim.Keep[i]
			s.Acc[i] ^= s.U[i]
		}
	}
}

// block512Trimmed is [block512] with the padded trim of a final state for a message.
func block512Trimmed(h, state *[8]uint64, trim *Trim512) {
	w := trim.Pad
	for i, x := range state {
		w[i] |= x & trim.Keep[i]
	}
	block512(h, &w)
}

// loop512x2Generic runs n iterations of both streams of s.
func loop512x2Generic(s *[2]Stream512, trim *Trim512, n int) {
	for i := range s {
		loop512x1Generic(&s[i], trim, n)
	}
}

// loop512x4Generic runs n iterations of each stream of s.
func loop512x4Generic(s *[4]Stream512, trim *Trim512, n int) {
	for i := range s {
		loop512x1Generic(&s[i], trim, n)
	}
}

// block1 is the compression function of SHA-1, FIPS 180-4 §6.1.2: it replaces h by the
// state after the message block w.
func block1(h *[5]uint32, w *[16]uint32) {
	a, b, c, d, e := h[0], h[1], h[2], h[3], h[4]
	m := *w
	for t := range 80 {
		if t >= 16 {
			m[t&15] = bits.RotateLeft32(m[(t-3)&15]^m[(t-8)&15]^m[(t-14)&15]^m[t&15], 1)
		}
		var f, k uint32
		switch t / 20 {
		case 0:
			f, k = b&c|^b&d, 0x5a827999
		case 1:
			f, k = b^c^d, 0x6ed9eba1
		case 2:
			f, k = b&c|b&d|c&d, 0x8f1bbcdc
		default:
			f, k = b^c^d, 0xca62c1d6
		}
		a, b, c, d, e = bits.RotateLeft32(a, 5)+f+e+k+m[t&15], a, bits.RotateLeft32(b, 30), c, d
	}
	h[0] += a
	h[1] += b
	h[2] += c
	h[3] += d
	h[4] += e
}

// block256 is the compression function of SHA-256, FIPS 180-4 §6.2.2: it replaces h by
// the state after the message block w.
func block256(h *[8]uint32, w *[16]uint32) {
	rot := bits.RotateLeft32
	s0, s1, s2, s3, s4, s5, s6, s7 := h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]
	m := *w
	for t := range 64 {
		if t >= 16 {
			x, y := m[(t-15)&15], m[(t-2)&15]
			m[t&15] += (rot(x, -7) ^ rot(x, -18) ^ x>>3) + m[(t-7)&15] + (rot(y, -17) ^ rot(y, -19) ^ y>>10)
		}
		t1 := s7 + (rot(s4, -6) ^ rot(s4, -11) ^ rot(s4, -25)) + (s4&s5 ^ ^s4&s6) + k256[t] + m[t&15]
		t2 := (rot(s0, -2) ^ rot(s0, -13) ^ rot(s0, -22)) + (s0&s1 ^ s0&s2 ^ s1&s2)
		s0, s1, s2, s3, s4, s5, s6, s7 = t1+t2, s0, s1, s2, s3+t1, s4, s5, s6
	}
	h[0] += s0
	h[1] += s1
	h[2] += s2
	h[3] += s3
	h[4] += s4
	h[5] += s5
	h[6] += s6
	h[7] += s7
}

// block512 is the compression function of SHA-512, FIPS 180-4 §6.4.2: it replaces h by
// the state after the message block w.
func block512(h *[8]uint64, w *[16]uint64) {
	rot := bits.RotateLeft64
	s0, s1, s2, s3, s4, s5, s6, s7 := h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]
	m := *w
	for t := range 80 {
		if t >= 16 {
			x, y := m[(t-15)&15], m[(t-2)&15]
			m[t&15] += (rot(x, -1) ^ rot(x, -8) ^ x>>7) + m[(t-7)&15] + (rot(y, -19) ^ rot(y, -61) ^ y>>6)
		}
		t1 := s7 + (rot(s4, -14) ^ rot(s4, -18) ^ rot(s4, -41)) + (s4&s5 ^ ^s4&s6) + k512[t] + m[t&15]
		t2 := (rot(s0, -28) ^ rot(s0, -34) ^ rot(s0, -39)) + (s0&s1 ^ s0&s2 ^ s1&s2)
		s0, s1, s2, s3, s4, s5, s6, s7 = t1+t2, s0, s1, s2, s3+t1, s4, s5, s6
	}
	h[0] += s0
	h[1] += s1
	h[2] += s2
	h[3] += s3
	h[4] += s4
	h[5] += s5
	h[6] += s6
	h[7] += s7
}

// blocks1Generic replaces h by the state after the message p, a multiple of 64 bytes.
func blocks1Generic(h *[5]uint32, p []byte) {
	for ; len(p) > 0; p = p[64:] {
		var w [16]uint32
		for i := range w {
			w[i] = binary.BigEndian.Uint32(p[4*i:])
		}
		block1(h, &w)
	}
}

// blocks256Generic replaces h by the state after the message p, a multiple of 64 bytes.
func blocks256Generic(h *[8]uint32, p []byte) {
	for ; len(p) > 0; p = p[64:] {
		var w [16]uint32
		for i := range w {
			w[i] = binary.BigEndian.Uint32(p[4*i:])
		}
		block256(h, &w)
	}
}

// blocks512Generic replaces h by the state after the message p, a multiple of 128 bytes.
func blocks512Generic(h *[8]uint64, p []byte) {
	for ; len(p) > 0; p = p[128:] {
		var w [16]uint64
		for i := range w {
			w[i] = binary.BigEndian.Uint64(p[8*i:])
		}
		block512(h, &w)
	}
}
