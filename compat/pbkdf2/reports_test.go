package pbkdf2

import (
	"bytes"
	"context"
	"crypto"
	"crypto/hmac"
	"crypto/md5"
	stdpbkdf2 "crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"errors"
	"fmt"
	"hash"
	"hash/fnv"
	"math"
	"reflect"
	"strings"
	"testing"
)

// The tests in this file are for faults that were reported of other implementations.

// TestLongPasswordIsHashedOnce: symfony/polyfill#155 (CVE-2013-5958),
// OWASP/CheatSheetSeries#597 and browserify/pbkdf2#128 hashed a long password again in each
// iteration, which lets whoever sends it do harm. Here that would be 10 GB to hash for each
// output.
func TestLongPasswordIsHashedOnce(t *testing.T) {
	t.Parallel()
	password := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	for i, h := range hashes {
		digest := h.new()
		digest.Write(password)
		// RFC 2104: a key that is longer than a block stands for its digest.
		want := std(t, h.new, digest.Sum(nil), []byte("salt"), 10_000, 16)
		got := make([]byte, 16)
		if err := Fill(got, h.hash, password, []byte("salt"), 10_000); err != nil || !bytes.Equal(got, want) {
			t.Errorf("Fill, %v: %x, %v, want %x", h.hash, got, err, want)
		}
		if testing.Short() && i > 2 {
			break
		}
		got, err := Key(h.new, string(password), []byte("salt"), 10_000, 16)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("Key, %v: %x, %v, want %x", h.hash, got, err, want)
		}
	}
}

// TestIterationsBelowOne: nodejs/node#30578 and nodejs/webcrypto#29 took 0 iterations for 1.
// So does crypto/pbkdf2, and with it Key. The other forms return an error.
func TestIterationsBelowOne(t *testing.T) {
	t.Parallel()
	for _, h := range hashes {
		want := std(t, h.new, []byte("p"), []byte("s"), 1, 33)
		for _, iter := range []int{0, -1, math.MinInt32, math.MinInt} {
			oracle := std(t, h.new, []byte("p"), []byte("s"), iter, 33)
			got, err := Key(h.new, "p", []byte("s"), iter, 33)
			if err != nil || !bytes.Equal(got, want) || !bytes.Equal(got, oracle) {
				t.Errorf("Key, %v, %d iterations: %x, %v, want %x", h.hash, iter, got, err, want)
			}
			if err := Fill(make([]byte, 33), h.hash, []byte("p"), []byte("s"), iter); err != ErrIterations {
				t.Errorf("Fill, %v, %d iterations: %v", h.hash, iter, err)
			}
		}
	}
}

// TestKeyLength: in PeterScott/pwstore#11 the check for an output that is too long
// overflowed. Nothing may be allocated before it.
func TestKeyLength(t *testing.T) {
	t.Parallel()
	for _, h := range hashes {
		lengths := []int{math.MinInt, -1, 0, 1, 20, 21, 64, 65, math.MaxInt - 10, math.MaxInt}
		if n := int64(maxBlocks)*int64(h.hash.Size()) + 1; n <= math.MaxInt {
			lengths = append(lengths, int(n))
		}
		for _, n := range lengths {
			want, wantErr := stdpbkdf2.Key(h.new, "p", []byte("s"), 1, n)
			got, err := Key(h.new, "p", []byte("s"), 1, n)
			if !bytes.Equal(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Errorf("%v, %d bytes: %x, %v, want %x, %v", h.hash, n, got, err, want, wantErr)
			}
			if out := n < 1 || n > 100; (err != nil) != out {
				t.Errorf("%v, %d bytes: error %v", h.hash, n, err)
			}
		}
	}
	for _, c := range []struct {
		n, size int64
		want    bool
	}{{1, 20, false}, {maxBlocks * 20, 20, false}, {maxBlocks*20 + 1, 20, true}, {maxBlocks * 64, 64, false}, {maxBlocks*64 + 1, 64, true}} {
		if c.n <= math.MaxInt && tooLong(int(c.n), int(c.size)) != c.want {
			t.Errorf("tooLong(%d, %d) = %v", c.n, c.size, !c.want)
		}
	}
}

// TestSeveralBlocks: RustCrypto/password-hashes#329 refused an output longer than a digest,
// trezor/trezor-crypto#50 overflowed a buffer.
func TestSeveralBlocks(t *testing.T) {
	t.Parallel()
	for i, h := range hashes {
		longest := std(t, h.new, []byte("password"), []byte("salt"), 3, 1000)
		for _, n := range []int{1, 19, 20, 21, 40, 63, 64, 65, 127, 128, 129, 256, 257, 1000} {
			for name, got := range forms(t, i, []byte("password"), []byte("salt"), 3, n) {
				if !bytes.Equal(got, longest[:n]) {
					t.Errorf("%s, %v: %d bytes are not the first of 1000", name, h.hash, n)
				}
			}
		}
		// What comes after the output stays as it is.
		buf := bytes.Repeat([]byte{0xa5}, 200)
		if err := Fill(buf[:130], h.hash, []byte("password"), []byte("salt"), 3); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(buf[130:], bytes.Repeat([]byte{0xa5}, 70)) {
			t.Errorf("%v: bytes after the output changed", h.hash)
		}
	}
}

// TestEmpty: microsoft/go-crypto-winnative#43 and cryptocoinjs/pbkdf2-sha256#1 failed for an
// empty salt.
func TestEmpty(t *testing.T) {
	t.Parallel()
	for i := range hashes {
		for _, password := range [][]byte{nil, {}, []byte("p")} {
			for _, salt := range [][]byte{nil, {}, []byte("s")} {
				compare(t, i, password, salt, 2, 50)
			}
		}
	}
}

// An oddHash is FNV with a block size and a digest size that no other hash has.
type oddHash struct{ hash.Hash64 }

func (oddHash) BlockSize() int { return 3 }

// A wrapped hash has the methods of another, but not its type.
type wrapped struct{ hash.Hash }

// A value is a hash that is not comparable.
type value struct {
	hash.Hash
	_ []byte
}

// TestOtherHashes: niksy/node-stdlib-browser#43 and browserify/crypto-browserify#248
// (CVE-2025-6545) returned zeros for an algorithm that they did not know. Here unknown hashes
// go to crypto/pbkdf2, and so does what looks like a known one and is not.
func TestOtherHashes(t *testing.T) {
	t.Parallel()
	shared := sha256.New()
	calls := 0
	for name, h := range map[string]func() hash.Hash{
		"MD5":         md5.New,
		"SHA-224":     sha256.New224,
		"SHA-384":     sha512.New384,
		"SHA-512/224": sha512.New512_224,
		"SHA-512/256": sha512.New512_256,
		"SHA3-256":    func() hash.Hash { return sha3.New256() },
		"FNV":         func() hash.Hash { return oddHash{fnv.New64a()} },
		"wrapped":     func() hash.Hash { return wrapped{sha256.New()} },
		"a value":     func() hash.Hash { return value{Hash: sha256.New()} },
		"HMAC":        func() hash.Hash { return hmac.New(sha256.New, []byte("k")) },
		"shared":      func() hash.Hash { return shared },
		"nil":         func() hash.Hash { return nil },
		"panics":      func() hash.Hash { panic("no hash") },
		"no function": nil,
		"written to": func() hash.Hash {
			h := sha256.New()
			h.Write([]byte("prefix"))
			return h
		},
		"one written to": func() hash.Hash {
			h := sha1.New()
			if calls++; calls%2 == 0 {
				h.Write([]byte("prefix"))
			}
			return h
		},
		"the other written to": func() hash.Hash {
			h := sha512.New()
			if calls++; calls%2 == 1 {
				h.Write([]byte("prefix"))
			}
			return h
		},
		"in turn": func() hash.Hash {
			if calls++; calls%2 == 0 {
				return sha512.New()
			}
			return sha512.New384()
		},
	} {
		for _, password := range []string{"password", strings.Repeat("long", 50)} {
			try := func(key func(func() hash.Hash, string, []byte, int, int) ([]byte, error)) (dk []byte, err string) {
				defer func() {
					if e := recover(); e != nil {
						err = fmt.Sprint("panic: ", e)
					}
				}()
				calls = 0
				dk, e := key(h, password, []byte("salt"), 5, 100)
				return dk, fmt.Sprint(e)
			}
			want, wantErr := try(stdpbkdf2.Key[hash.Hash])
			got, err := try(Key[hash.Hash])
			if !bytes.Equal(got, want) || err != wantErr {
				t.Errorf("%s: %x, %s, want %x, %s", name, got, err, want, wantErr)
			}
			if bytes.Count(got, []byte{0}) > 50 {
				t.Errorf("%s: %x", name, got)
			}
		}
	}

	// Functions that return a type, not the interface.
	got, err := Key(sha3.New256, "password", []byte("salt"), 3, 50)
	if want := std(t, func() hash.Hash { return sha3.New256() }, []byte("password"), []byte("salt"), 3, 50); err != nil || !bytes.Equal(got, want) {
		t.Errorf("SHA3-256: %x, %v, want %x", got, err, want)
	}
	got, err = Key(func() wrapped { return wrapped{sha1.New()} }, "password", []byte("salt"), 3, 50)
	if want := std(t, sha1.New, []byte("password"), []byte("salt"), 3, 50); err != nil || !bytes.Equal(got, want) {
		t.Errorf("wrapped: %x, %v, want %x", got, err, want)
	}
}

// TestDetect checks what is taken for a hash with a kernel.
func TestDetect(t *testing.T) {
	known := 0
	for _, h := range hashes {
		kind, ok := detect(h.new)
		if ok {
			known++
			if kind.Size() != h.hash.Size() || kind.BlockSize() != h.new().BlockSize() {
				t.Errorf("%v: taken for a hash of %d bytes", h.hash, kind.Size())
			}
		}
	}
	if known != 7 {
		t.Errorf("%d hashes are known", known)
	}
	if reflect.TypeOf(sha512.New()) != reflect.TypeOf(sha512.New384()) || reflect.TypeOf(sha256.New()) != reflect.TypeOf(sha256.New224()) {
		t.Error("the standard library has types of their own for trimmed hashes: tell them apart by that")
	}
}

// TestIterationsDoNotWrap: jcmturner/gokrb5#445 and go-krb5/krb5#143 kept the number of
// iterations in 32 bits, where 2^32 became 0. Here it is an int, and what does not fit
// cannot be passed. The largest one is not taken for a small one.
func TestIterationsDoNotWrap(t *testing.T) {
	t.Parallel()
	counts := []int{math.MaxInt, math.MaxInt32}
	if n := int64(1) << 32; n <= math.MaxInt {
		counts = append(counts, int(n), int(n+1))
	}
	for _, h := range hashes {
		for _, iter := range counts {
			ctx := &countedContext{Context: context.Background(), n: 3}
			dst := make([]byte, 20)
			if err := FillContext(ctx, dst, h.hash, []byte("p"), []byte("s"), iter, nil); !errors.Is(err, context.Canceled) {
				t.Errorf("%v, %d iterations: %v, %x", h.hash, iter, err, dst)
			}
		}
	}
	if err := (Limits{MaxIterations: math.MaxInt32 - 1}).Fill(make([]byte, 20), crypto.SHA256, nil, nil, math.MaxInt); err == nil {
		t.Error("no error above the limit")
	}
}
