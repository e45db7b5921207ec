//go:build !purego

package sha

import "golang.org/x/sys/cpu"

// Which loops are kernels is decided here, at start, and by nothing else. The names of
// the features for GODEBUG are cpu.sha1, cpu.sha2 and cpu.sha512.
var (
	hasSHA1   = cpu.ARM64.HasSHA1
	hasSHA2   = cpu.ARM64.HasSHA2
	hasSHA512 = cpu.ARM64.HasSHA512
)

func fast1() bool   { return hasSHA1 }
func fast256() bool { return hasSHA2 }
func fast512() bool { return hasSHA512 }

func width1(m int) int   { return width(hasSHA1, m) }
func width256(m int) int { return width(hasSHA2, m) }
func width512(m int) int { return width(hasSHA512, m) }

// width returns how many of m streams the next call takes. The instructions take several
// cycles each and are pipelined, so two streams in turn take less time than one after
// the other.
func width(kernels bool, m int) int {
	if kernels && m >= 2 {
		return 2
	}
	return 1
}

func loop1x1(s *Stream1, n int) {
	if hasSHA1 {
		loop1x1SHA1(s, n)
	} else {
		loop1x1Generic(s, n)
	}
}

func loop1x2(s *[2]Stream1, n int) {
	if hasSHA1 {
		loop1x2SHA1(s, n)
	} else {
		loop1x2Generic(s, n)
	}
}

func loop1x8(s *[8]Stream1, n int) { loop1x8Generic(s, n) }

func loop256x1(s *Stream256, trim *Trim256, n int) {
	if trim == nil {
		trim = trimNone256
	}
	if hasSHA2 {
		loop256x1SHA2(s, trim, n)
	} else {
		loop256x1Generic(s, trim, n)
	}
}

func loop256x2(s *[2]Stream256, trim *Trim256, n int) {
	if trim == nil {
		trim = trimNone256
	}
	if hasSHA2 {
		loop256x2SHA2(s, trim, n)
	} else {
		loop256x2Generic(s, trim, n)
	}
}

func loop256x8(s *[8]Stream256, trim *Trim256, n int) { loop256x8Generic(s, trim, n) }

func loop512x1(s *Stream512, trim *Trim512, n int) {
	if trim == nil {
		trim = trimNone512
	}
	if hasSHA512 {
		loop512x1SHA512(s, trim, n)
	} else {
		loop512x1Generic(s, trim, n)
	}
}

func loop512x2(s *[2]Stream512, trim *Trim512, n int) {
	if trim == nil {
		trim = trimNone512
	}
	if hasSHA512 {
		loop512x2SHA512(s, trim, n)
	} else {
		loop512x2Generic(s, trim, n)
	}
}

func loop512x4(s *[4]Stream512, trim *Trim512, n int) { loop512x4Generic(s, trim, n) }

func blocks1(h *[5]uint32, p []byte) {
	if hasSHA1 && len(p) > 0 {
		blocks1SHA1(h, p)
	} else {
		blocks1Generic(h, p)
	}
}

func blocks256(h *[8]uint32, p []byte) {
	if hasSHA2 && len(p) > 0 {
		blocks256SHA2(h, p)
	} else {
		blocks256Generic(h, p)
	}
}

func blocks512(h *[8]uint64, p []byte) {
	if hasSHA512 && len(p) > 0 {
		blocks512SHA512(h, p)
	} else {
		blocks512Generic(h, p)
	}
}

// loop1x1SHA1 runs n iterations of HMAC-SHA-1 in a stream: U = HMAC(U), Acc = Acc ^ U.
//
// On entry: n is at least 1.
// Secret: all words of the stream. Public: n.
// Needs: FEAT_SHA1.
//
//go:noescape
func loop1x1SHA1(s *Stream1, n int)

// loop1x2SHA1 runs n iterations of HMAC-SHA-1 in each of two streams. The rest is as for
// loop1x1SHA1.
//
//go:noescape
func loop1x2SHA1(s *[2]Stream1, n int)

// blocks1SHA1 replaces the state h by that after the message p.
//
// Lengths: p has a multiple of 64 bytes and is not empty.
// Aliasing: h does not overlap p.
// Secret: all values. Public: the length of p.
// Needs: FEAT_SHA1.
//
//go:noescape
func blocks1SHA1(h *[5]uint32, p []byte)

// loop256x1SHA2 runs n iterations of HMAC-SHA-256, trimmed, in a stream: U = HMAC(U),
// Acc = Acc ^ U.
//
// On entry: n is at least 1; the first 8 words of trim.Pad have no bit in common with
// trim.Keep; U is 0 wherever trim.Keep is.
// Aliasing: s does not overlap trim.
// Secret: all words of the stream. Public: n, trim.
// Needs: FEAT_SHA256.
//
//go:noescape
func loop256x1SHA2(s *Stream256, trim *Trim256, n int)

// loop256x2SHA2 runs n iterations of HMAC-SHA-256, trimmed, in each of two streams. The
// rest is as for loop256x1SHA2.
//
//go:noescape
func loop256x2SHA2(s *[2]Stream256, trim *Trim256, n int)

// blocks256SHA2 replaces the state h by that after the message p.
//
// Lengths: p has a multiple of 64 bytes and is not empty.
// Aliasing: h does not overlap p.
// Secret: all values. Public: the length of p.
// Needs: FEAT_SHA256.
//
//go:noescape
func blocks256SHA2(h *[8]uint32, p []byte)

// loop512x1SHA512 runs n iterations of HMAC-SHA-512, trimmed, in a stream: U = HMAC(U),
// Acc = Acc ^ U.
//
// On entry: n is at least 1; the first 8 words of trim.Pad have no bit in common with
// trim.Keep; U is 0 wherever trim.Keep is.
// Aliasing: s does not overlap trim.
// Secret: all words of the stream. Public: n, trim.
// Needs: FEAT_SHA512.
//
//go:noescape
func loop512x1SHA512(s *Stream512, trim *Trim512, n int)

// loop512x2SHA512 runs n iterations of HMAC-SHA-512, trimmed, in each of two streams. The
// rest is as for loop512x1SHA512.
//
//go:noescape
func loop512x2SHA512(s *[2]Stream512, trim *Trim512, n int)

// blocks512SHA512 replaces the state h by that after the message p.
//
// Lengths: p has a multiple of 128 bytes and is not empty.
// Aliasing: h does not overlap p.
// Secret: all values. Public: the length of p.
// Needs: FEAT_SHA512.
//
//go:noescape
func blocks512SHA512(h *[8]uint64, p []byte)
