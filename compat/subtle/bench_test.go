package subtle

import (
	"crypto/subtle"
	"fmt"
	"testing"
)

// benchLengths are those of authenticators and 1 KiB, then all up to 64.
func benchLengths() []int {
	lengths := []int{16, 32, 64, 65, 128, 256, 1024, 16 << 10}
	for n := range 64 {
		if n != 16 && n != 32 {
			lengths = append(lengths, n)
		}
	}
	return lengths
}

var benchResult int

// BenchmarkConstantTimeCompare compares equal slices, as a statement in the
// benchmark's loop, into which both sides are inlined as far as they can be.
func BenchmarkConstantTimeCompare(b *testing.B) {
	for _, n := range benchLengths() {
		x, y := make([]byte, n), make([]byte, n)
		b.Run(fmt.Sprintf("len=%d/impl=std", n), func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				benchResult = subtle.ConstantTimeCompare(x, y)
			}
		})
		b.Run(fmt.Sprintf("len=%d/impl=fastrsa", n), func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				benchResult = ConstantTimeCompare(x, y)
			}
		})
	}
}

// BenchmarkSecureCompareString has conversions on the side of crypto/subtle. Where it
// sees that nothing writes to their result, the compiler makes no copy.
func BenchmarkSecureCompareString(b *testing.B) {
	for _, n := range []int{8, 16, 32, 64, 1024} {
		x, y := string(make([]byte, n)), string(make([]byte, n))
		b.Run(fmt.Sprintf("len=%d/impl=std", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				benchResult = subtle.ConstantTimeCompare([]byte(x), []byte(y))
			}
		})
		b.Run(fmt.Sprintf("len=%d/impl=fastrsa", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				SecureCompareString(x, y)
			}
		})
	}
}

// BenchmarkMaskedCompare has an xor into a buffer and a comparison on the side of
// crypto/subtle.
func BenchmarkMaskedCompare(b *testing.B) {
	for _, n := range []int{8, 16, 32, 64, 1024} {
		x, y, m, z := make([]byte, n), make([]byte, n), make([]byte, n), make([]byte, n)
		b.Run(fmt.Sprintf("len=%d/impl=std", n), func(b *testing.B) {
			for b.Loop() {
				subtle.XORBytes(z, x, y)
				benchResult = subtle.ConstantTimeCompare(z, m)
			}
		})
		b.Run(fmt.Sprintf("len=%d/impl=fastrsa", n), func(b *testing.B) {
			for b.Loop() {
				MaskedCompare(x, y, m)
			}
		})
	}
}

func BenchmarkCompareHidingLength(b *testing.B) {
	for _, n := range []int{16, 64} {
		x, y := make([]byte, n), make([]byte, n)
		b.Run(fmt.Sprintf("len=%d/form=oneshot", n), func(b *testing.B) {
			for b.Loop() {
				CompareHidingLength(x, y)
			}
		})
		b.Run(fmt.Sprintf("len=%d/form=secret", n), func(b *testing.B) {
			s := NewSecret(x)
			for b.Loop() {
				s.Equal(y)
			}
		})
	}
}

func BenchmarkToken(b *testing.B) {
	secret := make([]byte, 32)
	token, err := MaskToken(secret)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("op=mask", func(b *testing.B) {
		for b.Loop() {
			MaskToken(secret)
		}
	})
	b.Run("op=compare", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			CompareMaskedToken(token, secret)
		}
	})
}
