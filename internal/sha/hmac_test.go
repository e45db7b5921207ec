package sha

import (
	"bytes"
	"crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"hash"
	"math/rand"
	"testing"
	"unsafe"
)

var hashes = []struct {
	name string
	hash Hash
	new  func() hash.Hash
}{
	{"SHA-1", SHA1, sha1.New},
	{"SHA-224", SHA224, sha256.New224},
	{"SHA-256", SHA256, sha256.New},
	{"SHA-384", SHA384, sha512.New384},
	{"SHA-512", SHA512, sha512.New},
	{"SHA-512/224", SHA512x224, sha512.New512_224},
	{"SHA-512/256", SHA512x256, sha512.New512_256},
}

// TestLanes compares what every number of streams derives with crypto/pbkdf2, for lengths
// of passwords and salts around those at which a hash takes another block.
func TestLanes(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewSource(6))
	for _, h := range hashes {
		if h.hash.Size() != h.new().Size() || h.hash.BlockSize() != h.new().BlockSize() {
			t.Fatalf("%s: sizes %d, %d", h.name, h.hash.Size(), h.hash.BlockSize())
		}
		if w := h.hash.Width(); w < 1 || w > MaxStreams {
			t.Fatalf("%s: width %d", h.name, w)
		}
		size := h.hash.BlockSize()
		lengths := []int{0, 1, size - 1, size, size + 1, 2*size + 3, callBytes + size/2}
		for i := size - 25; i < size; i++ {
			lengths = append(lengths, i)
		}
		for i, n := range lengths {
			password, salt := make([]byte, n), make([]byte, lengths[len(lengths)-1-i])
			r.Read(password)
			r.Read(salt)
			iter := 1 + r.Intn(3)
			streams := 1 + r.Intn(MaxStreams)
			length := (streams-1)*h.hash.Size() + 1 + r.Intn(h.hash.Size())
			want, err := pbkdf2.Key(h.new, string(password), salt, iter, length)
			if err != nil {
				t.Fatal(err)
			}

			var m HMAC
			m.Init(h.hash, password)
			var l Lanes
			for i := range streams {
				// In another order, by way of another stream.
				l.Start(i, &m, salt, uint32(streams-i))
			}
			l.Run(h.hash, streams, iter-1)
			got := make([]byte, length)
			for i := range streams {
				l.Move(h.hash, 0, i)
				l.Put(h.hash, got[(streams-1-i)*h.hash.Size():], 0)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s, password of %d bytes, salt of %d, %d iterations\n= %x\nwant %x", h.name, len(password), len(salt), iter, got, want)
			}
			m.Wipe()
			l.Wipe(h.hash, streams)
			if !zero(&m) || !zero(&l) {
				t.Errorf("%s: not wiped", h.name)
			}
		}
	}
}

// zero reports whether all bytes of *x are.
func zero[T any](x *T) bool {
	for _, b := range unsafe.Slice((*byte)(unsafe.Pointer(x)), unsafe.Sizeof(*x)) {
		if b != 0 {
			return false
		}
	}
	return true
}

// FuzzLanes compares one stream of every hash with crypto/pbkdf2.
func FuzzLanes(f *testing.F) {
	f.Add(uint8(2), []byte("password"), []byte("salt"), uint8(3))
	f.Add(uint8(4), make([]byte, 129), make([]byte, 111), uint8(1))
	f.Add(uint8(1), []byte{}, []byte{}, uint8(0))
	f.Fuzz(func(t *testing.T, hash uint8, password, salt []byte, iter uint8) {
		h := hashes[int(hash)%len(hashes)]
		want, err := pbkdf2.Key(h.new, string(password), salt, int(iter), h.hash.Size())
		if err != nil {
			t.Fatal(err)
		}
		var m HMAC
		m.Init(h.hash, password)
		var l Lanes
		l.Start(0, &m, salt, 1)
		l.Run(h.hash, 1, int(iter)-1)
		got := make([]byte, len(want))
		if l.Put(h.hash, got, 0); !bytes.Equal(got, want) {
			t.Errorf("%s = %x, want %x", h.name, got, want)
		}
	})
}
