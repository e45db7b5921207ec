package rsa_test

import (
	"crypto"
	"crypto/rand"
	stdrsa "crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"fmt"
	"hash"
	"io"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/fastrsa/fastrsa/rsa"
)

// implementations are what the benchmarks compare; std is crypto/rsa. Each benchmark runs both, so
// that one run gives a ratio.
var implementations = []struct {
	name            string
	sign            func(io.Reader, *rsa.PrivateKey, crypto.Hash, []byte) ([]byte, error)
	verify          func(*rsa.PublicKey, crypto.Hash, []byte, []byte) error
	signPSS         func(io.Reader, *rsa.PrivateKey, crypto.Hash, []byte, *rsa.PSSOptions) ([]byte, error)
	verifyPSS       func(*rsa.PublicKey, crypto.Hash, []byte, []byte, *rsa.PSSOptions) error
	encrypt         func(hash.Hash, io.Reader, *rsa.PublicKey, []byte, []byte) ([]byte, error)
	decrypt         func(hash.Hash, io.Reader, *rsa.PrivateKey, []byte, []byte) ([]byte, error)
	encryptPKCS1v15 func(io.Reader, *rsa.PublicKey, []byte) ([]byte, error)
	decryptPKCS1v15 func(io.Reader, *rsa.PrivateKey, []byte) ([]byte, error)
	generate        func(io.Reader, int) (*rsa.PrivateKey, error)
}{
	{
		"std", stdrsa.SignPKCS1v15, stdrsa.VerifyPKCS1v15, stdrsa.SignPSS, stdrsa.VerifyPSS,
		stdrsa.EncryptOAEP, stdrsa.DecryptOAEP, stdrsa.EncryptPKCS1v15, stdrsa.DecryptPKCS1v15, stdrsa.GenerateKey,
	},
	{
		"fastrsa", rsa.SignPKCS1v15, rsa.VerifyPKCS1v15, rsa.SignPSS, rsa.VerifyPSS,
		rsa.EncryptOAEP, rsa.DecryptOAEP, rsa.EncryptPKCS1v15, rsa.DecryptPKCS1v15, rsa.GenerateKey,
	},
}

var benchmarkSizes = []int{1024, 2048, 3072, 4096}

// benchmarkKey returns a key that is the same in every run, precomputed.
func benchmarkKey(b *testing.B, bits int) *rsa.PrivateKey {
	key := testKeyOf(b, "bench", bits, 65537).private()
	key.Precompute()
	if err := key.Validate(); err != nil {
		b.Fatal(err)
	}
	return key
}

// fresh returns pub as it comes out of a parser: nothing remembers the modulus.
func fresh(pub *rsa.PublicKey) *rsa.PublicKey {
	return &rsa.PublicKey{N: new(big.Int).Set(pub.N), E: pub.E}
}

func must(b *testing.B, err error) {
	if err != nil {
		b.Fatal(err)
	}
}

func BenchmarkVerifyPKCS1v15(b *testing.B) {
	for _, bits := range benchmarkSizes {
		key := benchmarkKey(b, bits)
		digest := sha256.Sum256([]byte("message"))
		sig, err := stdrsa.SignPKCS1v15(nil, key, crypto.SHA256, digest[:])
		must(b, err)
		for _, impl := range implementations {
			b.Run(fmt.Sprintf("bits=%d/e=65537/key=fresh/impl=%s", bits, impl.name), func(b *testing.B) {
				b.ReportAllocs()
				pub := fresh(&key.PublicKey)
				for b.Loop() {
					must(b, impl.verify(pub, crypto.SHA256, digest[:], sig))
				}
			})
		}
	}
}

func BenchmarkSignPKCS1v15(b *testing.B) {
	for _, bits := range benchmarkSizes {
		key := benchmarkKey(b, bits)
		digest := sha256.Sum256([]byte("message"))
		for _, impl := range implementations {
			b.Run(fmt.Sprintf("bits=%d/e=65537/key=precomputed/impl=%s", bits, impl.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					_, err := impl.sign(nil, key, crypto.SHA256, digest[:])
					must(b, err)
				}
			})
		}
	}
}

func BenchmarkPSS(b *testing.B) {
	key := benchmarkKey(b, 2048)
	digest := sha256.Sum256([]byte("message"))
	sig, err := stdrsa.SignPSS(rand.Reader, key, crypto.SHA256, digest[:], nil)
	must(b, err)
	for _, impl := range implementations {
		b.Run("op=sign/bits=2048/e=65537/key=precomputed/impl="+impl.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := impl.signPSS(rand.Reader, key, crypto.SHA256, digest[:], nil)
				must(b, err)
			}
		})
		b.Run("op=verify/bits=2048/e=65537/key=fresh/impl="+impl.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				must(b, impl.verifyPSS(&key.PublicKey, crypto.SHA256, digest[:], sig, nil))
			}
		})
	}
}

func BenchmarkOAEP(b *testing.B) {
	key := benchmarkKey(b, 2048)
	message := []byte("message")
	ciphertext, err := stdrsa.EncryptOAEP(sha256.New(), rand.Reader, &key.PublicKey, message, nil)
	must(b, err)
	for _, impl := range implementations {
		b.Run("op=encrypt/bits=2048/e=65537/key=fresh/impl="+impl.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := impl.encrypt(sha256.New(), rand.Reader, &key.PublicKey, message, nil)
				must(b, err)
			}
		})
		b.Run("op=decrypt/bits=2048/e=65537/key=precomputed/impl="+impl.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := impl.decrypt(sha256.New(), nil, key, ciphertext, nil)
				must(b, err)
			}
		})
	}
}

func BenchmarkPKCS1v15Encryption(b *testing.B) {
	key := benchmarkKey(b, 2048)
	message := []byte("message")
	ciphertext, err := stdrsa.EncryptPKCS1v15(rand.Reader, &key.PublicKey, message)
	must(b, err)
	for _, impl := range implementations {
		b.Run("op=encrypt/bits=2048/e=65537/key=fresh/impl="+impl.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := impl.encryptPKCS1v15(rand.Reader, &key.PublicKey, message)
				must(b, err)
			}
		})
		b.Run("op=decrypt/bits=2048/e=65537/key=precomputed/impl="+impl.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := impl.decryptPKCS1v15(nil, key, ciphertext)
				must(b, err)
			}
		})
	}
}

// BenchmarkGenerateKey is the mean over keys whose primes take very different
// times to find; run it with -benchtime=60x or more.
func BenchmarkGenerateKey(b *testing.B) {
	for _, bits := range []int{2048, 3072, 4096} {
		for _, impl := range implementations {
			b.Run(fmt.Sprintf("bits=%d/impl=%s", bits, impl.name), func(b *testing.B) {
				for b.Loop() {
					_, err := impl.generate(rand.Reader, bits)
					must(b, err)
				}
			})
		}
	}
}

// BenchmarkParseAndSign parses a key and signs once with it, as a program does that
// keeps keys encoded. Parsing is the standard library's in both cases.
func BenchmarkParseAndSign(b *testing.B) {
	der := x509.MarshalPKCS1PrivateKey(benchmarkKey(b, 2048))
	digest := sha256.Sum256([]byte("message"))
	for _, impl := range implementations {
		b.Run("bits=2048/e=65537/impl="+impl.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				key, err := x509.ParsePKCS1PrivateKey(der)
				must(b, err)
				_, err = impl.sign(nil, key, crypto.SHA256, digest[:])
				must(b, err)
			}
		})
	}
}

// BenchmarkParallel shares one key between all processors: run it with -cpu 1,2,…
// to see how throughput scales.
func BenchmarkParallel(b *testing.B) {
	key := benchmarkKey(b, 2048)
	digest := sha256.Sum256([]byte("message"))
	sig, err := stdrsa.SignPKCS1v15(nil, key, crypto.SHA256, digest[:])
	must(b, err)
	for _, impl := range implementations {
		b.Run("op=verify/bits=2048/impl="+impl.name, func(b *testing.B) {
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if err := impl.verify(&key.PublicKey, crypto.SHA256, digest[:], sig); err != nil {
						b.Error(err)
					}
				}
			})
		})
		b.Run("op=sign/bits=2048/impl="+impl.name, func(b *testing.B) {
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if _, err := impl.sign(nil, key, crypto.SHA256, digest[:]); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}

// BenchmarkLoad takes a key from its encoding to the form that signs fastest. NewSigner
// gets a key that is parsed already, so that its own cost shows.
func BenchmarkLoad(b *testing.B) {
	for _, bits := range []int{2048, 3072, 4096} {
		key := benchmarkKey(b, bits)
		der := x509.MarshalPKCS1PrivateKey(key)
		without := testKeyOf(b, "bench", bits, 65537).private()
		bare := &rsa.PrivateKey{PublicKey: key.PublicKey, D: key.D}
		b.Run(fmt.Sprintf("bits=%d/op=ParsePKCS1PrivateKey/impl=std", bits), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := x509.ParsePKCS1PrivateKey(der)
				must(b, err)
			}
		})
		for _, c := range []struct {
			name string
			key  *rsa.PrivateKey
		}{{"precomputed", key}, {"primes", without}, {"n-e-d", bare}} {
			b.Run(fmt.Sprintf("bits=%d/op=NewSigner/key=%s/impl=fastrsa", bits, c.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					_, err := rsa.NewSigner(c.key)
					must(b, err)
				}
			})
		}
		b.Run(fmt.Sprintf("bits=%d/op=NewVerifier/impl=fastrsa", bits), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := rsa.NewVerifier(&key.PublicKey)
				must(b, err)
			}
		})
	}
}

// BenchmarkLoadRatio times a parse and a NewSigner in turn and reports the quotient of
// their fastest tenths, which other work on the machine disturbs little.
func BenchmarkLoadRatio(b *testing.B) {
	for _, bits := range []int{2048, 3072, 4096} {
		der := x509.MarshalPKCS1PrivateKey(benchmarkKey(b, bits))
		b.Run(fmt.Sprintf("bits=%d", bits), func(b *testing.B) {
			var parse, load []time.Duration
			for b.Loop() {
				start := time.Now()
				key, err := x509.ParsePKCS1PrivateKey(der)
				must(b, err)
				parsed := time.Now()
				_, err = rsa.NewSigner(key)
				end := time.Now()
				must(b, err)
				parse, load = append(parse, parsed.Sub(start)), append(load, end.Sub(parsed))
			}
			slices.Sort(parse)
			slices.Sort(load)
			std, ours := parse[len(parse)/10], load[len(load)/10]
			b.ReportMetric(float64(std.Nanoseconds()), "parse-ns")
			b.ReportMetric(float64(ours.Nanoseconds()), "NewSigner-ns")
			b.ReportMetric(float64(ours)/float64(std), "NewSigner/parse")
		})
	}
}

// BenchmarkSigner signs and decrypts into one buffer.
func BenchmarkSigner(b *testing.B) {
	for _, bits := range []int{2048, 3072, 4096} {
		for name, options := range map[string][]rsa.SignerOption{"serial": nil, "parallel": {rsa.ParallelCRT()}} {
			p := benchPrepared(b, bits)
			p.signer = newSigner(b, p.key, options...)
			buf := make([]byte, 0, p.signer.Size())
			for _, op := range []string{"SignPKCS1v15", "SignPSS", "DecryptOAEP"} {
				b.Run(fmt.Sprintf("op=%s/bits=%d/crt=%s/impl=fastrsa", op, bits, name), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						_, err := appends[op](p, buf)
						must(b, err)
					}
				})
			}
		}
	}
}

// BenchmarkVerifier verifies and encrypts into one buffer.
func BenchmarkVerifier(b *testing.B) {
	for _, bits := range benchmarkSizes[1:] {
		p := benchPrepared(b, bits)
		buf := make([]byte, 0, p.signer.Size())
		for _, op := range []string{"VerifyPKCS1v15", "VerifyPSS"} {
			b.Run(fmt.Sprintf("op=%s/bits=%d/impl=fastrsa", op, bits), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					must(b, others[op](p))
				}
			})
		}
		b.Run(fmt.Sprintf("op=EncryptOAEP/bits=%d/impl=fastrsa", bits), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := appends["EncryptOAEP"](p, buf)
				must(b, err)
			}
		})
	}
}
