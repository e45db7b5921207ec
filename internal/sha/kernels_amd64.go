//go:build !purego

package sha

import (
	"os"
	"strings"

	"golang.org/x/sys/cpu"
)

//go:generate go -C _asm run . -decl ../kernels_amd64.go -asm ../sha_amd64.s

// hasSHANI reports whether the processor has the SHA extensions, and AVX, which the kernels
// that use them need beside. What has AVX has leaf 7 of CPUID.
var hasSHANI = cpu.X86.HasAVX && cpuid7()>>29&1 == 1 && !disabled("sha")

// hasSHA512 reports whether the kernels for SHA-512 run, which need AVX, BMI1 and BMI2.
var hasSHA512 = cpu.X86.HasAVX && cpu.X86.HasBMI1 && cpu.X86.HasBMI2

// hasAVX2 reports whether the kernels for many streams run.
var hasAVX2 = cpu.X86.HasAVX2

// disabled reports whether GODEBUG turns off a feature that package cpu does not know.
func disabled(feature string) bool {
	off := false
	for _, s := range strings.Split(os.Getenv("GODEBUG"), ",") {
		switch s {
		case "cpu." + feature + "=off", "cpu.all=off":
			off = true
		case "cpu." + feature + "=on":
			off = false
		}
	}
	return off
}

// Without the SHA extensions SHA-1 takes the eight streams of AVX2 even for one, which is
// faster than a function in Go.
func fast1() bool   { return hasSHANI || hasAVX2 }
func fast256() bool { return hasSHANI }
func fast512() bool { return hasSHA512 || hasAVX2 }

// The numbers in the functions below are those from which on the wider call takes less
// time, measured on Zen 3. There one stream of SHA-1, two and eight take 75, 83 and 264 ns
// for an iteration, of SHA-256 81, 82 and 633, and one and four of SHA-512 329 and 770.

func width1(m int) int {
	switch {
	case hasAVX2 && (m >= 7 || !hasSHANI):
		return 8
	case hasSHANI:
		return min(m, 2)
	default:
		return 1
	}
}

func width256(m int) int {
	switch {
	case hasSHANI:
		return min(m, 2)
	case hasAVX2 && m >= 2:
		return 8
	default:
		return 1
	}
}

func width512(m int) int {
	if hasAVX2 && (m >= 3 || !hasSHA512) {
		return 4
	}
	return 1
}

func loop1x1(s *Stream1, n int) {
	if hasSHANI {
		loop1x1SHANI(s, n)
	} else {
		loop1x1Generic(s, n)
	}
}

func loop1x2(s *[2]Stream1, n int) {
	if hasSHANI {
		loop1x2SHANI(s, n)
	} else {
		loop1x2Generic(s, n)
	}
}

func loop1x8(s *[8]Stream1, n int) {
	if hasAVX2 {
		loop1x8AVX2(s, n)
	} else {
		loop1x8Generic(s, n)
	}
}

func loop256x1(s *Stream256, trim *Trim256, n int) {
	switch {
	case !hasSHANI:
		loop256x1Generic(s, trim, n)
	case trim == nil:
		loop256x1SHANI(s, n)
	default:
		loop256x1TrimSHANI(s, trim, n)
	}
}

func loop256x2(s *[2]Stream256, trim *Trim256, n int) {
	switch {
	case !hasSHANI:
		loop256x2Generic(s, trim, n)
	case trim == nil:
		loop256x2SHANI(s, n)
	default:
		loop256x2TrimSHANI(s, trim, n)
	}
}

func loop256x8(s *[8]Stream256, trim *Trim256, n int) {
	if trim == nil {
		trim = trimNone256
	}
	if hasAVX2 {
		loop256x8AVX2(s, trim, n)
	} else {
		loop256x8Generic(s, trim, n)
	}
}

func loop512x1(s *Stream512, trim *Trim512, n int) {
	switch {
	case !hasSHA512:
		loop512x1Generic(s, trim, n)
	case trim == nil:
		loop512x1AVX(s, n)
	default:
		loop512x1TrimAVX(s, trim, n)
	}
}

func loop512x2(s *[2]Stream512, trim *Trim512, n int) { loop512x2Generic(s, trim, n) }

func loop512x4(s *[4]Stream512, trim *Trim512, n int) {
	if trim == nil {
		trim = trimNone512
	}
	if hasAVX2 {
		loop512x4AVX2(s, trim, n)
	} else {
		loop512x4Generic(s, trim, n)
	}
}

func blocks1(h *[5]uint32, p []byte) {
	if hasSHANI && len(p) > 0 {
		blocks1SHANI(h, p)
	} else {
		blocks1Generic(h, p)
	}
}

func blocks256(h *[8]uint32, p []byte) {
	if hasSHANI && len(p) > 0 {
		blocks256SHANI(h, p)
	} else {
		blocks256Generic(h, p)
	}
}

func blocks512(h *[8]uint64, p []byte) {
	if hasSHA512 && len(p) > 0 {
		blocks512AVX(h, p)
	} else {
		blocks512Generic(h, p)
	}
}

// loop1x1SHANI runs n iterations of s.
//
// On entry: n is at least 1.
// Secret: all words of s. Public: n.
// Needs: SHA, AVX.
//
//go:noescape
func loop1x1SHANI(s *Stream1, n int)

// loop1x2SHANI runs n iterations of both streams of s. The rest is as for loop1x1SHANI.
//
//go:noescape
func loop1x2SHANI(s *[2]Stream1, n int)

// blocks1SHANI replaces h by the state after the message p.
//
// Lengths: p is a multiple of 64 bytes and not 0.
// Aliasing: h does not overlap p.
// Secret: h, p. Public: the length.
// Needs: SHA, AVX.
//
//go:noescape
func blocks1SHANI(h *[5]uint32, p []byte)

// loop256x1SHANI runs n iterations of s, untrimmed.
//
// On entry: n is at least 1.
// Secret: all words of s. Public: n.
// Needs: SHA, AVX.
//
//go:noescape
func loop256x1SHANI(s *Stream256, n int)

// loop256x2SHANI runs n iterations of both streams of s, untrimmed. The rest is as for
// loop256x1SHANI.
//
//go:noescape
func loop256x2SHANI(s *[2]Stream256, n int)

// loop256x1TrimSHANI runs n iterations of s, trimmed.
//
// On entry: n is at least 1; U and Acc are 0 wherever trim.Keep is.
// On return: so they are.
// Aliasing: s does not overlap trim.
// Secret: all words of s. Public: n, trim.
// Needs: SHA, AVX.
//
//go:noescape
func loop256x1TrimSHANI(s *Stream256, trim *Trim256, n int)

// loop256x2TrimSHANI runs n iterations of both streams of s, trimmed. The rest is as for
// loop256x1TrimSHANI.
//
//go:noescape
func loop256x2TrimSHANI(s *[2]Stream256, trim *Trim256, n int)

// blocks256SHANI replaces h by the state after the message p. The rest is as for
// blocks1SHANI.
//
//go:noescape
func blocks256SHANI(h *[8]uint32, p []byte)

// loop512x1AVX runs n iterations of s, untrimmed.
//
// On entry: n is at least 1.
// Secret: all words of s. Public: n.
// Needs: AVX, BMI1, BMI2.
//
//go:noescape
func loop512x1AVX(s *Stream512, n int)

// loop512x1TrimAVX runs n iterations of s, trimmed.
//
// On entry: n is at least 1; U and Acc are 0 wherever trim.Keep is.
// On return: so they are.
// Aliasing: s does not overlap trim.
// Secret: all words of s. Public: n, trim.
// Needs: AVX, BMI1, BMI2.
//
//go:noescape
func loop512x1TrimAVX(s *Stream512, trim *Trim512, n int)

// blocks512AVX replaces h by the state after the message p.
//
// Lengths: p is a multiple of 128 bytes and not 0.
// Aliasing: h does not overlap p.
// Secret: h, p. Public: the length.
// Needs: AVX, BMI1, BMI2.
//
//go:noescape
func blocks512AVX(h *[8]uint64, p []byte)

// cpuid7 returns the register EBX of leaf 7 of CPUID.
//
// Needs: leaf 7.
func cpuid7() (ebx uint32)
