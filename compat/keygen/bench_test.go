package keygen

import (
	"crypto/pbkdf2"
	"fmt"
	"testing"
)

// BenchmarkGenerate derives with Plug's defaults but for the digest.
func BenchmarkGenerate(b *testing.B) {
	secret, salt := make([]byte, 64), make([]byte, 16)
	for d := range numDigests {
		b.Run(fmt.Sprintf("digest=%v/impl=std", d), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := pbkdf2.Key(digests[d].new, string(secret), salt, DefaultIterations, DefaultLength); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("digest=%v/impl=fastrsa", d), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Generate(secret, salt, WithDigest(d)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCache asks for keys that a cache holds, beside deriving them: entries are
// as many as there are, all in turn.
func BenchmarkCache(b *testing.B) {
	secret, salt := make([]byte, 64), make([]byte, 16)
	for _, n := range []int{0, 1, 1000} {
		b.Run(fmt.Sprintf("entries=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			var c *Cache
			if n > 0 {
				c = NewCache(n, 0)
			}
			for i := range n {
				salt[0], salt[1] = byte(i), byte(i>>8)
				if _, err := Generate(secret, salt, WithCache(c)); err != nil {
					b.Fatal(err)
				}
			}
			for i := 0; b.Loop(); i++ {
				if n > 0 {
					salt[0], salt[1] = byte(i%n), byte(i%n>>8)
				}
				if _, err := Generate(secret, salt, WithCache(c)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("entries=1/parallel", func(b *testing.B) {
		c := NewCache(1, 0)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if _, err := Generate(secret, salt[:2], WithCache(c)); err != nil {
					b.Error(err)
				}
			}
		})
	})
}

func BenchmarkMessageVerifier(b *testing.B) {
	for _, d := range []Digest{SHA256, SHA384, SHA512} {
		for _, n := range []int{64, 1024} {
			v := newVerifier(b, d)
			message := make([]byte, n)
			token := v.Sign(message)
			b.Run(fmt.Sprintf("op=sign/digest=%v/bytes=%d", d, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					v.Sign(message)
				}
			})
			b.Run(fmt.Sprintf("op=verify/digest=%v/bytes=%d", d, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := v.Verify(token); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkMessageEncryptor(b *testing.B) {
	e := newEncryptor(b, string(testSecret), "")
	for _, n := range []int{64, 1024} {
		message := make([]byte, n)
		token := encrypt(b, e, string(message), DefaultAAD)
		b.Run(fmt.Sprintf("op=encrypt/format=xcp/bytes=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Encrypt(message); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("op=decrypt/format=xcp/bytes=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Decrypt(token); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
