package pbkdf2

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"fmt"
	"hash"
	"math"
	"testing"

	xpbkdf2 "golang.org/x/crypto/pbkdf2"
)

// The two signatures are one.
var _ = []func([]byte, []byte, int, int, func() hash.Hash) []byte{Key, xpbkdf2.Key}

// try returns the result of a call, or what it panics with.
func try(key func([]byte, []byte, int, int, func() hash.Hash) []byte, password, salt []byte, iter, keyLen int, h func() hash.Hash) (dk []byte, panicked string) {
	defer func() {
		if e := recover(); e != nil {
			panicked = fmt.Sprintf("%T: %v", e, e)
		}
	}()
	return key(password, salt, iter, keyLen, h), ""
}

// TestKey compares results and panics with those of golang.org/x/crypto/pbkdf2.
func TestKey(t *testing.T) {
	shared := sha256.New()
	panics := 0
	for i, h := range []func() hash.Hash{
		sha1.New, sha256.New, sha512.New, sha512.New384, func() hash.Hash { return sha3.New256() },
		func() hash.Hash { return shared }, func() hash.Hash { return nil }, nil,
	} {
		for _, password := range [][]byte{nil, {}, []byte("password"), bytes.Repeat([]byte("long"), 100)} {
			for _, iter := range []int{math.MinInt, 0, 1, 5} {
				for _, keyLen := range []int{math.MinInt, -1, 0, 1, 32, 200, math.MaxInt - 10, math.MaxInt} {
					before := bytes.Clone(password)
					got, gotPanic := try(Key, password, []byte("salt"), iter, keyLen, h)
					want, wantPanic := try(xpbkdf2.Key, password, []byte("salt"), iter, keyLen, h)
					if !bytes.Equal(got, want) || gotPanic != wantPanic {
						t.Errorf("hash %d, password %q, %d iterations, %d bytes\n= %x, panic %q\nwant %x, %q", i, password, iter, keyLen, got, gotPanic, want, wantPanic)
					}
					if !bytes.Equal(password, before) {
						t.Error("the password changed")
					}
					if gotPanic != "" {
						panics++
					}
				}
			}
		}
	}
	if panics == 0 {
		t.Error("nothing panicked")
	}
}
