package subtle

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"testing"
)

// TestCompareHidingLength compares strings of all lengths around block boundaries,
// of one repeated byte: everything but the length is equal.
func TestCompareHidingLength(t *testing.T) {
	zero := make([]byte, 150)
	for n := range zero {
		for _, m := range []int{0, 1, n - 1, n, n + 1, n + 64} {
			if m < 0 || m > len(zero) {
				continue
			}
			if got := CompareHidingLength(zero[:n], zero[:m]); got != (n == m) {
				t.Errorf("%d and %d bytes: %t", n, m, got)
			}
			s := NewSecret(zero[:n])
			if got := s.Equal(zero[:m]); got != (n == m) || s.EqualString(string(zero[:m])) != got {
				t.Errorf("%d and %d bytes: Secret: %t", n, m, got)
			}
		}
	}
	x := []byte("a value of one block and a little more, 65 bytes of it altogether")
	for i := range x {
		y := bytes.Clone(x)
		y[i] ^= 0x10
		if CompareHidingLength(x, y) || NewSecret(x).Equal(y) {
			t.Errorf("difference at %d is not noticed", i)
		}
	}
}

// TestSecret checks what surrounds a comparison: the zero value, wiping, copies,
// and that a Secret does not print what it holds.
func TestSecret(t *testing.T) {
	value := []byte("correct horse")
	var zero Secret
	if zero.Equal(nil) || zero.Equal(zero.tag[:]) || zero.EqualString("") {
		t.Error("the zero Secret equals something")
	}
	s := NewSecret(value)
	clear(value)
	if s.Equal(value) || !s.EqualString("correct horse") {
		t.Error("a Secret refers to the caller's memory")
	}
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d"} {
		for _, v := range []any{s, *s} {
			text := strings.ToLower(fmt.Sprintf(format, v))
			for _, tag := range []string{hex.EncodeToString(s.tag[:3]), fmt.Sprintf("%d %d %d", s.tag[0], s.tag[1], s.tag[2]), fmt.Sprintf("%#x, %#x", s.tag[0], s.tag[1])} {
				if strings.Contains(text, tag) {
					t.Errorf("%s of %T prints the tag: %s", format, v, text)
				}
			}
		}
	}
	if s.Wipe(); *s != (Secret{}) || s.EqualString("correct horse") {
		t.Error("not wiped")
	}
}

// TestHMACVectors checks against RFC 4231 §4.2 and §4.7, adapted: keys here have
// 32 bytes, to which the key of the first is extended by zeros as HMAC itself does.
func TestHMACVectors(t *testing.T) {
	var key, tag [32]byte
	copy(key[:], bytes.Repeat([]byte{0x0b}, 20))
	hmacSHA256(&tag, &key, []byte("Hi There"))
	if got, want := hex.EncodeToString(tag[:]), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	key = [32]byte{}
	copy(key[:], "Jefe")
	hmacSHA256(&tag, &key, []byte("what do ya want for nothing?"))
	if got, want := hex.EncodeToString(tag[:]), "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestHMACParity compares with crypto/hmac.
func TestHMACParity(t *testing.T) {
	r := newRand(9)
	message := make([]byte, 200)
	for n := range message {
		var key, tag [32]byte
		r.fill(key[:])
		r.fill(message[:n])
		h := hmac.New(sha256.New, key[:])
		h.Write(message[:n])
		want := [32]byte(h.Sum(nil))
		if hmacSHA256(&tag, &key, message[:n]); tag != want || standardMAC(&key, message[:n]) != want {
			t.Fatalf("%d bytes: %x, want %x", n, tag, want)
		}
	}
}

// TestProcessKey checks that the key is random, made once, and the same for all.
func TestProcessKey(t *testing.T) {
	var wg sync.WaitGroup
	keys := make([]*[32]byte, 16)
	for i := range keys {
		wg.Go(func() { keys[i] = processKey() })
	}
	wg.Wait()
	for _, k := range keys {
		if k != keys[0] || bytes.Count(k[:], []byte{0}) > 8 {
			t.Fatalf("keys %p and %p, %d bytes 0", k, keys[0], bytes.Count(k[:], []byte{0}))
		}
	}
}
