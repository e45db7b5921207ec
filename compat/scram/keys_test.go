package scram_test

import (
	"bytes"
	"crypto"
	"crypto/hmac"
	"crypto/pbkdf2"
	"encoding/base64"
	"math"
	"strings"
	"testing"

	"github.com/fastrsa/fastrsa/compat/scram"
)

var bareHashes = []crypto.Hash{
	crypto.SHA1, crypto.SHA224, crypto.SHA256, crypto.SHA384, crypto.SHA512,
	crypto.SHA3_224, crypto.SHA3_256, crypto.SHA3_384, crypto.SHA3_512,
}

// A bare is one of the functions with everything but dst filled in.
type bare struct {
	name string
	f    func(dst []byte) ([]byte, error)
}

// bareFunctions returns all the functions, on given inputs.
func bareFunctions(h crypto.Hash, password, salt []byte, iter int, key, other []byte, message string) []bare {
	return []bare{
		{"Hi", func(dst []byte) ([]byte, error) { return scram.Hi(dst, h, password, salt, iter) }},
		{"SaltedPassword", func(dst []byte) ([]byte, error) { return scram.SaltedPassword(dst, h, password, salt, iter) }},
		{"ClientKey", func(dst []byte) ([]byte, error) { return scram.ClientKey(dst, h, key) }},
		{"StoredKey", func(dst []byte) ([]byte, error) { return scram.StoredKey(dst, h, key) }},
		{"ServerKey", func(dst []byte) ([]byte, error) { return scram.ServerKey(dst, h, key) }},
		{"ClientSignature", func(dst []byte) ([]byte, error) { return scram.ClientSignature(dst, h, key, message) }},
		{"ServerSignature", func(dst []byte) ([]byte, error) { return scram.ServerSignature(dst, h, key, message) }},
		{"ClientProof", func(dst []byte) ([]byte, error) { return scram.ClientProof(dst, key, other) }},
	}
}

// TestBareFunctions compares each function with its definition in RFC 5802, by the
// standard library's HMAC and PBKDF2.
func TestBareFunctions(t *testing.T) {
	for _, h := range bareHashes {
		for n := range 300 {
			if n > 40 && n%37 != 0 {
				continue
			}
			password := bytes.Repeat([]byte{byte(n), 0xff}, n)
			salt := bytes.Repeat([]byte{byte(n) + 1}, n)
			message := strings.Repeat("n=u,", n)
			iter := 1 + n%3
			salted, err := pbkdf2.Key(h.New, string(password), salt, iter, h.Size())
			if err != nil {
				t.Fatal(err)
			}
			mac := func(key []byte, message string) []byte {
				m := hmac.New(h.New, key)
				m.Write([]byte(message))
				return m.Sum(nil)
			}
			hash := h.New()
			hash.Write(salted)
			stored := hash.Sum(nil)
			sum := mac(salted, message)
			want := map[string][]byte{
				"Hi": salted, "SaltedPassword": salted,
				"ClientKey": mac(salted, "Client Key"), "ServerKey": mac(salted, "Server Key"), "StoredKey": stored,
				"ClientSignature": sum, "ServerSignature": sum, "ClientProof": make([]byte, h.Size()),
			}
			for i := range salted {
				want["ClientProof"][i] = salted[i] ^ stored[i]
			}
			for _, b := range bareFunctions(h, password, salt, iter, salted, stored, message) {
				got, err := b.f([]byte("dst"))
				if err != nil || string(got[:3]) != "dst" || !bytes.Equal(got[3:], want[b.name]) {
					t.Errorf("%s, %v, n = %d: %x, %v, want %x", b.name, h, n, got, err, want[b.name])
				}
			}
		}
	}
}

// TestBareFunctionsRFC builds the two messages of RFC 5802 and RFC 7677 that carry
// proofs.
func TestBareFunctionsRFC(t *testing.T) {
	for _, r := range records(t) {
		h := map[string]crypto.Hash{"good/rfc5802.json": crypto.SHA1, "good/rfc7677.json": crypto.SHA256, "good/sha-512-ascii.json": crypto.SHA512}[r.File]
		if h == 0 {
			continue
		}
		c2 := r.Steps[2]
		i := strings.LastIndex(c2, ",p=")
		auth := strings.TrimPrefix(r.Steps[0], "n,,") + "," + r.Steps[1] + "," + c2[:i]
		must := func(b []byte, err error) []byte {
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		salted := must(scram.SaltedPassword(nil, h, []byte(r.Pass), []byte(r.salt(t)), r.Iters))
		client := must(scram.ClientKey(nil, h, salted))
		stored := must(scram.StoredKey(nil, h, client))
		proof := must(scram.ClientProof(nil, client, must(scram.ClientSignature(nil, h, stored, auth))))
		if got := base64.StdEncoding.EncodeToString(proof); got != c2[i+3:] {
			t.Errorf("%s: proof %s, want %s", r.File, got, c2[i+3:])
		}
		server := must(scram.ServerKey(nil, h, salted))
		sig := must(scram.ServerSignature(nil, h, server, auth))
		if got := "v=" + base64.StdEncoding.EncodeToString(sig); got != r.Steps[3] {
			t.Errorf("%s: %s, want %s", r.File, got, r.Steps[3])
		}
	}
}

// TestBareFunctionsOverlap lets dst overlap the inputs in every way (compare
// golang/go#21624): the result is the same, and what is not dst's stays as it is.
func TestBareFunctionsOverlap(t *testing.T) {
	for _, h := range bareHashes {
		n := h.Size()
		key, other := bytes.Repeat([]byte{1}, n), bytes.Repeat([]byte{2}, n)
		for i, b := range bareFunctions(h, key, other, 2, key, other, "message") {
			want, err := b.f(nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, shift := range []int{0, 1, n / 2, n - 1, n} {
				buf := make([]byte, 4*n)
				k, o := buf[n:2*n], buf[2*n:3*n]
				copy(k, key)
				copy(o, other)
				f := bareFunctions(h, k, o, 2, k, o, "message")[i].f
				dst := buf[shift : shift : shift+n]
				got, err := f(dst)
				if err != nil || !bytes.Equal(got, want) || &got[0] != &buf[shift] {
					t.Fatalf("%s, %v, shift %d: %x, %v, want %x", b.name, h, shift, got, err, want)
				}
				if shift+n <= n && !bytes.Equal(k, key) || !bytes.Equal(o, other) {
					t.Errorf("%s, %v, shift %d: an input changed", b.name, h, shift)
				}
			}
		}
	}
}

// TestBareFunctionsErrors asks for an error, and an unchanged dst, for what cannot be
// computed.
func TestBareFunctionsErrors(t *testing.T) {
	dst := []byte("dst")
	for _, h := range []crypto.Hash{0, crypto.MD5, crypto.RIPEMD160, crypto.SHA512_256, crypto.BLAKE2b_512, 63, math.MaxUint} {
		key := make([]byte, 32)
		for _, b := range bareFunctions(h, key, key, 1, key, key, "") {
			if got, err := b.f(dst); b.name != "ClientProof" && (err == nil || string(got) != "dst") {
				t.Errorf("%s with hash %d: %q, %v", b.name, uint(h), got, err)
			}
		}
	}
	for _, h := range bareHashes {
		for _, n := range []int{0, h.Size() - 1, h.Size() + 1, 200} {
			key := make([]byte, n)
			for _, b := range bareFunctions(h, key, key, 0, key, key[:n/2], "") {
				if got, err := b.f(dst); (err == nil || string(got) != "dst") && !(b.name == "ClientProof" && n == 0) {
					t.Errorf("%s, %v, key of %d bytes or 0 iterations: %q, %v", b.name, h, n, got, err)
				}
			}
		}
		for _, iter := range []int{0, -1, math.MinInt} {
			if _, err := scram.Hi(dst, h, nil, nil, iter); err == nil {
				t.Errorf("Hi, %v, %d iterations: no error", h, iter)
			}
		}
	}
	if _, err := scram.ClientProof(nil, make([]byte, 65), make([]byte, 65)); err == nil {
		t.Error("ClientProof of 65 bytes: no error")
	}
}

// TestBareFunctionsAllocate wants no allocation, even for buffers on the stack.
func TestBareFunctionsAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes sync.Pool drop what it holds")
	}
	for _, h := range bareHashes {
		n := h.Size()
		allocs := testing.AllocsPerRun(100, func() {
			var salted, client, stored, sig, out [64]byte
			password := [...]byte{'p', 'e', 'n', 'c', 'i', 'l'}
			salt := [16]byte{1}
			_, e1 := scram.Hi(salted[:0], h, password[:], salt[:], 3)
			_, e2 := scram.ClientKey(client[:0], h, salted[:n])
			_, e3 := scram.StoredKey(stored[:0], h, client[:n])
			_, e4 := scram.ClientSignature(sig[:0], h, stored[:n], "message")
			_, e5 := scram.ClientProof(out[:0], client[:n], sig[:n])
			_, e6 := scram.ServerKey(out[:0], h, salted[:n])
			_, e7 := scram.ServerSignature(out[:0], h, out[:n], "message")
			for _, err := range [...]error{e1, e2, e3, e4, e5, e6, e7} {
				if err != nil {
					t.Fatal(err)
				}
			}
		})
		if allocs != 0 {
			t.Errorf("%v: %v allocations", h, allocs)
		}
	}
}
