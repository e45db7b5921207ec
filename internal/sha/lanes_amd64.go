//go:build !purego

package sha

//go:generate go -C _asm run ./lanes -decl ../lanes_amd64.go -asm ../lanes_amd64.s

// loop1x8AVX2 runs n iterations of HMAC-SHA-1 in each of 8 streams: U = HMAC(U),
// Acc = Acc ^ U.
//
// On entry: n is at least 1.
// Secret: all words of the streams. Public: n.
// Needs: AVX2.
//
//go:noescape
func loop1x8AVX2(s *[8]Stream1, n int)

// loop256x8AVX2 runs n iterations of HMAC-SHA-256, trimmed, in each of 8 streams:
// U = HMAC(U), Acc = Acc ^ U.
//
// On entry: n is at least 1; the first 8 words of trim.Pad have no bit in common with
// trim.Keep; U is 0 wherever trim.Keep is.
// Aliasing: s does not overlap trim.
// Secret: all words of the streams. Public: n, trim.
// Needs: AVX2.
//
//go:noescape
func loop256x8AVX2(s *[8]Stream256, trim *Trim256, n int)

// loop512x4AVX2 runs n iterations of HMAC-SHA-512, trimmed, in each of 4 streams:
// U = HMAC(U), Acc = Acc ^ U.
//
// On entry: n is at least 1; the first 8 words of trim.Pad have no bit in common with
// trim.Keep; U is 0 wherever trim.Keep is.
// Aliasing: s does not overlap trim.
// Secret: all words of the streams. Public: n, trim.
// Needs: AVX2.
//
//go:noescape
func loop512x4AVX2(s *[4]Stream512, trim *Trim512, n int)
