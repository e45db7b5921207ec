package sha

// A Stream1 is one HMAC-SHA-1 iterated on its own output. All words are in host
// order, as FIPS 180-4 §3.1 reads them from big-endian bytes.
type Stream1 struct {
	// Inner and Outer are the hash states after the key's block, exclusive-ored with
	// ipad and with opad.
	Inner, Outer [5]uint32

	// U is the last HMAC output.
	U [5]uint32

	// Acc is the exclusive or of the outputs.
	Acc [5]uint32
}

// A Stream256 is [Stream1] for SHA-256, and with a [Trim256] for SHA-224.
type Stream256 struct {
	Inner, Outer [8]uint32
	U, Acc       [8]uint32
}

// A Stream512 is [Stream1] for SHA-512, and with a [Trim512] for SHA-384, SHA-512/224
// and SHA-512/256.
type Stream512 struct {
	Inner, Outer [8]uint64
	U, Acc       [8]uint64
}

// A Trim256 describes a hash that is SHA-256 with part of the final state left out. With a
// final state h, the digest is the words h[i] & Keep[i] and the block that has this digest
// as its message, after the key's block, is h[i] & Keep[i] | Pad[i], i < 8, then Pad[8:].
// Pad[i] and Keep[i] have no bit in common, and Pad[9:15] is 0.
//
// U and Acc of a stream are 0 wherever Keep is, on entry to a loop and on return.
//
// A nil *Trim256 stands for SHA-256 itself: Keep is all ones, Pad is 8 words 0, the
// word 0x80000000, and in the last word the length of 64 + 32 bytes in bits.
type Trim256 struct {
	Keep [8]uint32
	Pad  [16]uint32
}

// A Trim512 is [Trim256] for SHA-512. A nil *Trim512 stands for SHA-512 itself.
type Trim512 struct {
	Keep [8]uint64
	Pad  [16]uint64
}

const (
	ones32 = 1<<32 - 1
	ones64 = 1<<64 - 1
)

// The hashes with a trimmed state. They must not be changed.
var (
	Trim224 = &Trim256{
		Keep: [8]uint32{ones32, ones32, ones32, ones32, ones32, ones32, ones32},
		Pad:  [16]uint32{7: 1 << 31, 15: (64 + 28) * 8},
	}
	Trim384 = &Trim512{
		Keep: [8]uint64{ones64, ones64, ones64, ones64, ones64, ones64},
		Pad:  [16]uint64{6: 1 << 63, 15: (128 + 48) * 8},
	}
	Trim512x256 = &Trim512{
		Keep: [8]uint64{ones64, ones64, ones64, ones64},
		Pad:  [16]uint64{4: 1 << 63, 15: (128 + 32) * 8},
	}
	Trim512x224 = &Trim512{
		Keep: [8]uint64{ones64, ones64, ones64, ones32 << 32},
		Pad:  [16]uint64{3: 1 << 31, 15: (128 + 28) * 8},
	}
)

// MaxStreams is the number of streams that is enough for the widest kernel.
const MaxStreams = 8

// callIterations is how many iterations one call of a kernel makes. The runtime cannot
// preempt assembly; the slowest kernel, the widest, takes less than 1 µs for one.
const callIterations = 64

// Each architecture's file has, with the contracts of the generic functions:
//   - loop1x1, loop1x2 and loop1x8, loop256x1, …x2 and …x8, loop512x1, …x2 and …x4. They call
//     a kernel or a generic function directly, since a call through a variable would make
//     the streams escape.
//   - blocks1, blocks256 and blocks512 for what comes before the loop.
//   - width1, width256 and width512: given that m >= 1 streams are left, how wide the next
//     call is. That may be more than m: the rest is padded then.
//   - fast1, fast256 and fast512: whether the loops over one stream are kernels.

// Loop1 runs n iterations of every stream of s, U = HMAC(U), Acc ^= U.
func Loop1(s []Stream1, n int) {
	for len(s) > 0 {
		w := width1(len(s))
		if w > len(s) {
			var padded [8]Stream1
			copy(padded[:], s)
			loop1(padded[:w], n)
			copy(s, padded[:])
			clear(padded[:])
			return
		}
		loop1(s[:w], n)
		s = s[w:]
	}
}

// loop1 runs n iterations of the streams of s, which are as many as a kernel takes.
func loop1(s []Stream1, n int) {
	for ; n > 0; n -= callIterations {
		step := min(n, callIterations)
		switch len(s) {
		case 8:
			loop1x8((*[8]Stream1)(s), step)
		case 2:
			loop1x2((*[2]Stream1)(s), step)
		default:
			loop1x1(&s[0], step)
		}
	}
}

// Loop256 is [Loop1] for SHA-256, or for what trim makes of it if that is not nil.
func Loop256(s []Stream256, trim *Trim256, n int) {
	for len(s) > 0 {
		w := width256(len(s))
		if w > len(s) {
			var padded [8]Stream256
			copy(padded[:], s)
			loop256(padded[:w], trim, n)
			copy(s, padded[:])
			clear(padded[:])
			return
		}
		loop256(s[:w], trim, n)
		s = s[w:]
	}
}

// loop256 runs n iterations of the streams of s, which are as many as a kernel takes.
func loop256(s []Stream256, trim *Trim256, n int) {
	for ; n > 0; n -= callIterations {
		step := min(n, callIterations)
		switch len(s) {
		case 8:
			loop256x8((*[8]Stream256)(s), trim, step)
		case 2:
			loop256x2((*[2]Stream256)(s), trim, step)
		default:
			loop256x1(&s[0], trim, step)
		}
	}
}

// Loop512 is [Loop1] for SHA-512, or for what trim makes of it if that is not nil.
func Loop512(s []Stream512, trim *Trim512, n int) {
	for len(s) > 0 {
		w := width512(len(s))
		if w > len(s) {
			var padded [4]Stream512
			copy(padded[:], s)
			loop512(padded[:w], trim, n)
			copy(s, padded[:])
			clear(padded[:])
			return
		}
		loop512(s[:w], trim, n)
		s = s[w:]
	}
}

// loop512 runs n iterations of the streams of s, which are as many as a kernel takes.
func loop512(s []Stream512, trim *Trim512, n int) {
	for ; n > 0; n -= callIterations {
		step := min(n, callIterations)
		switch len(s) {
		case 4:
			loop512x4((*[4]Stream512)(s), trim, step)
		case 2:
			loop512x2((*[2]Stream512)(s), trim, step)
		default:
			loop512x1(&s[0], trim, step)
		}
	}
}
