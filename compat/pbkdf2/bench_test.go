package pbkdf2

import (
	"context"
	"crypto"
	stdpbkdf2 "crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"fmt"
	"hash"
	"testing"
)

// perIteration reports the time for one iteration of one block.
func perIteration(b *testing.B, iterations int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(iterations), "ns/iteration")
}

// BenchmarkKey has the outputs that the claims are about, with 4096 iterations.
func BenchmarkKey(b *testing.B) {
	const iter = 4096
	for _, c := range []struct {
		name string
		new  func() hash.Hash
		n    int
	}{
		{"sha1", sha1.New, 20}, {"sha256", sha256.New, 32}, {"sha512", sha512.New, 64},
		{"sha224", sha256.New224, 28}, {"sha384", sha512.New384, 48},
		{"sha1", sha1.New, 40}, {"sha256", sha256.New, 64}, {"sha512", sha512.New, 256},
	} {
		for _, impl := range []struct {
			name string
			key  func(func() hash.Hash, string, []byte, int, int) ([]byte, error)
		}{{"std", stdpbkdf2.Key[hash.Hash]}, {"fastrsa", Key[hash.Hash]}} {
			b.Run(fmt.Sprintf("hash=%s/bytes=%d/iterations=%d/impl=%s", c.name, c.n, iter, impl.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := impl.key(c.new, "password", []byte("0123456789abcdef"), iter, c.n); err != nil {
						b.Fatal(err)
					}
				}
				perIteration(b, iter)
			})
		}
	}
}

// BenchmarkBatch has 64 derivations that have nothing in common. The times are for one.
func BenchmarkBatch(b *testing.B) {
	const iter, requests = 4096, 64
	for _, c := range []struct {
		name string
		hash crypto.Hash
		new  func() hash.Hash
	}{{"sha1", crypto.SHA1, sha1.New}, {"sha256", crypto.SHA256, sha256.New}, {"sha512", crypto.SHA512, sha512.New}} {
		reqs := make([]Request, requests)
		for i := range reqs {
			reqs[i] = Request{make([]byte, c.hash.Size()), fmt.Append(nil, "password", i), fmt.Append(nil, "salt", i), iter}
		}
		b.Run(fmt.Sprintf("hash=%s/requests=%d/iterations=%d/impl=std", c.name, requests, iter), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, r := range reqs {
					if _, err := stdpbkdf2.Key(c.new, string(r.Password), r.Salt, r.Iterations, len(r.Dst)); err != nil {
						b.Fatal(err)
					}
				}
			}
			perIteration(b, requests*iter)
		})
		b.Run(fmt.Sprintf("hash=%s/requests=%d/iterations=%d/impl=fastrsa", c.name, requests, iter), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := Batch(context.Background(), c.hash, reqs, nil); err != nil {
					b.Fatal(err)
				}
			}
			perIteration(b, requests*iter)
		})
	}
}

// BenchmarkFill has one iteration, which is all overhead.
func BenchmarkFill(b *testing.B) {
	for _, impl := range []string{"std", "fastrsa"} {
		b.Run("hash=sha256/bytes=32/iterations=1/impl="+impl, func(b *testing.B) {
			b.ReportAllocs()
			var dst [32]byte
			password, salt := []byte("password"), []byte("0123456789abcdef")
			for b.Loop() {
				if impl == "std" {
					stdpbkdf2.Key(sha256.New, string(password), salt, 1, len(dst))
				} else {
					Fill(dst[:], crypto.SHA256, password, salt, 1)
				}
			}
		})
	}
}
