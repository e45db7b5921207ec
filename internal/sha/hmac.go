package sha

import "encoding/binary"

// A Hash is one of the hashes of FIPS 180-4.
type Hash uint8

const (
	SHA1 Hash = iota + 1
	SHA224
	SHA256
	SHA384
	SHA512
	SHA512x224
	SHA512x256
)

// Size returns the length of a digest in bytes.
func (h Hash) Size() int {
	switch h {
	case SHA1:
		return 20
	case SHA224, SHA512x224:
		return 28
	case SHA256, SHA512x256:
		return 32
	case SHA384:
		return 48
	default:
		return 64
	}
}

// BlockSize returns the length of a message block in bytes.
func (h Hash) BlockSize() int {
	if h <= SHA256 {
		return 64
	}
	return 128
}

// Fast reports whether the loop of h is a kernel, rather than a generic function that is
// slower than the standard library.
func (h Hash) Fast() bool {
	switch {
	case h == SHA1:
		return fast1()
	case h <= SHA256:
		return fast256()
	default:
		return fast512()
	}
}

// Width returns the number of streams that take the least time for each when they run
// together, at most [MaxStreams].
func (h Hash) Width() int {
	switch {
	case h == SHA1:
		return width1(MaxStreams)
	case h <= SHA256:
		return width256(MaxStreams)
	default:
		return width512(MaxStreams)
	}
}

func (h Hash) trim256() *Trim256 {
	if h == SHA224 {
		return Trim224
	}
	return nil
}

func (h Hash) trim512() *Trim512 {
	switch h {
	case SHA384:
		return Trim384
	case SHA512x224:
		return Trim512x224
	case SHA512x256:
		return Trim512x256
	default:
		return nil
	}
}

// A state is the state of a hash, in as many words as it has.
type state struct {
	w32 [8]uint32
	w64 [8]uint64
}

func (h Hash) init() state {
	switch h {
	case SHA1:
		var s state
		copy(s.w32[:], Init1[:])
		return s
	case SHA224:
		return state{w32: Init224}
	case SHA256:
		return state{w32: Init256}
	case SHA384:
		return state{w64: Init384}
	case SHA512x224:
		return state{w64: Init512x224}
	case SHA512x256:
		return state{w64: Init512x256}
	default:
		return state{w64: Init512}
	}
}

// callBytes is how much of a message one call of assembly takes, less than 100 µs for the
// slowest hash.
const callBytes = 16 << 10

// blocks replaces s by the state after the blocks of p.
func (h Hash) blocks(s *state, p []byte) {
	for len(p) > 0 {
		n := min(len(p), callBytes)
		switch {
		case h == SHA1:
			blocks1((*[5]uint32)(s.w32[:]), p[:n])
		case h <= SHA256:
			blocks256(&s.w32, p[:n])
		default:
			blocks512(&s.w64, p[:n])
		}
		p = p[n:]
	}
}

// finish replaces s by the state after the rest of a message and its padding. Before it
// come done bytes, a multiple of the block size. The rest is p and then q, which is
// shorter than a block less the padding.
func (h Hash) finish(s *state, done int, p, q []byte) {
	size := h.BlockSize()
	whole := len(p) &^ (size - 1)
	h.blocks(s, p[:whole])
	var buf [256]byte
	n := copy(buf[:], p[whole:])
	n += copy(buf[n:], q)
	buf[n] = 0x80
	// The length takes an eighth of a block.
	end := (n + 1 + size/8 + size - 1) &^ (size - 1)
	binary.BigEndian.PutUint64(buf[end-8:], uint64(done+len(p)+len(q))<<3)
	h.blocks(s, buf[:end])
	clear(buf[:])
}

// put writes a digest, or as much of it as dst takes.
func (h Hash) put(dst []byte, s *state) {
	var buf [64]byte
	if h <= SHA256 {
		for i, w := range s.w32 {
			binary.BigEndian.PutUint32(buf[4*i:], w)
		}
	} else {
		for i, w := range s.w64 {
			binary.BigEndian.PutUint64(buf[8*i:], w)
		}
	}
	copy(dst, buf[:h.Size()])
	clear(buf[:])
}

// An HMAC has the states of the two hashes of RFC 2104 after the key's block.
type HMAC struct {
	hash         Hash
	inner, outer state
}

// Hash returns the hash.
func (m *HMAC) Hash() Hash { return m.hash }

// Init sets m to the HMAC with a key. A key longer than a block is hashed, here and not
// again.
func (m *HMAC) Init(h Hash, key []byte) {
	var block [128]byte
	if size := h.BlockSize(); len(key) > size {
		s := h.init()
		h.finish(&s, 0, key, nil)
		h.put(block[:size], &s)
		s = state{}
	} else {
		copy(block[:], key)
	}
	m.hash = h
	for i := range block {
		block[i] ^= 0x36
	}
	m.inner = h.init()
	h.blocks(&m.inner, block[:h.BlockSize()])
	for i := range block {
		block[i] ^= 0x36 ^ 0x5c
	}
	m.outer = h.init()
	h.blocks(&m.outer, block[:h.BlockSize()])
	clear(block[:])
}

// Wipe clears m.
func (m *HMAC) Wipe() { *m = HMAC{} }

// sum returns the state whose digest is the HMAC of p and then q, which is at most 4
// bytes.
func (m *HMAC) sum(p, q []byte) state {
	h := m.hash
	var digest [64]byte
	s := m.inner
	h.finish(&s, h.BlockSize(), p, q)
	h.put(digest[:], &s)
	s = m.outer
	h.finish(&s, h.BlockSize(), digest[:h.Size()], nil)
	clear(digest[:])
	return s
}

// Lanes is up to [MaxStreams] streams of one hash that run together. The zero value is
// ready for use.
type Lanes struct {
	s1   [MaxStreams]Stream1
	s256 [MaxStreams]Stream256
	s512 [MaxStreams]Stream512
}

// Start sets stream i to the first iteration for a block of PBKDF2, HMAC(salt ‖ block).
func (l *Lanes) Start(i int, m *HMAC, salt []byte, block uint32) {
	var index [4]byte
	binary.BigEndian.PutUint32(index[:], block)
	u := m.sum(salt, index[:])
	switch h := m.hash; {
	case h == SHA1:
		s := &l.s1[i]
		copy(s.Inner[:], m.inner.w32[:])
		copy(s.Outer[:], m.outer.w32[:])
		copy(s.U[:], u.w32[:])
		s.Acc = s.U
	case h <= SHA256:
		s := &l.s256[i]
		s.Inner, s.Outer, s.U = m.inner.w32, m.outer.w32, u.w32
		if t := h.trim256(); t != nil {
			for i, k := range t.Keep {
				s.U[i] &= k
			}
		}
		s.Acc = s.U
	default:
		s := &l.s512[i]
		s.Inner, s.Outer, s.U = m.inner.w64, m.outer.w64, u.w64
		if t := h.trim512(); t != nil {
			for i, k := range t.Keep {
				s.U[i] &= k
			}
		}
		s.Acc = s.U
	}
	u = state{}
}

// Run runs n iterations of the first m streams, which are of hash h.
func (l *Lanes) Run(h Hash, m, n int) {
	switch {
	case h == SHA1:
		Loop1(l.s1[:m], n)
	case h <= SHA256:
		Loop256(l.s256[:m], h.trim256(), n)
	default:
		Loop512(l.s512[:m], h.trim512(), n)
	}
}

// Put writes the exclusive or of the outputs of stream i, or as much of it as dst takes.
func (l *Lanes) Put(h Hash, dst []byte, i int) {
	var s state
	switch {
	case h == SHA1:
		copy(s.w32[:], l.s1[i].Acc[:])
	case h <= SHA256:
		s.w32 = l.s256[i].Acc
	default:
		s.w64 = l.s512[i].Acc
	}
	h.put(dst, &s)
	s = state{}
}

// Move puts stream from in the place of stream to.
func (l *Lanes) Move(h Hash, to, from int) {
	switch {
	case h == SHA1:
		l.s1[to] = l.s1[from]
	case h <= SHA256:
		l.s256[to] = l.s256[from]
	default:
		l.s512[to] = l.s512[from]
	}
}

// Wipe clears the first m streams of hash h.
func (l *Lanes) Wipe(h Hash, m int) {
	switch {
	case h == SHA1:
		clear(l.s1[:m])
	case h <= SHA256:
		clear(l.s256[:m])
	default:
		clear(l.s512[:m])
	}
}
