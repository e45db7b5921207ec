package pbkdf2

import (
	"bytes"
	"context"
	"crypto"
	"crypto/hmac"
	stdpbkdf2 "crypto/pbkdf2"
	"crypto/subtle"
	"encoding/binary"
	"hash"
)

// fillStd is [Fill] by the standard library.
func fillStd(dst []byte, h crypto.Hash, password, salt []byte, iter int) error {
	// A copy of the salt, which would make the caller's escape to the heap, also where this
	// function is not called.
	key, err := stdpbkdf2.Key(h.New, string(password), bytes.Clone(salt), iter, len(dst))
	if err != nil {
		return err
	}
	copy(dst, key)
	clear(key)
	return nil
}

// fillStdContext is [FillContext] over the HMAC of the standard library. If nothing can
// stop it and nobody wants to know how far it has got, crypto/pbkdf2 does all of it.
func fillStdContext(ctx context.Context, dst []byte, h crypto.Hash, password, salt []byte, iter int, progress func(done, total uint64)) error {
	if ctx.Done() == nil && progress == nil {
		return fillStd(dst, h, password, salt, iter)
	}
	prf, err := prfStd(h, password, salt, min(len(dst), h.Size()))
	if err != nil {
		return err
	}
	size := prf.Size()
	done, told, all := uint64(0), uint64(0), total(len(dst), size, iter)
	step := func(n int) error {
		done += uint64(n)
		if err := ctx.Err(); err != nil && done < all {
			return stopped(err)
		}
		if progress != nil && (done-told >= all/100 || done == all) {
			progress(done, all)
			told = done
		}
		return nil
	}
	for i := 0; i*size < len(dst); i++ {
		t := dst[i*size : min(len(dst), (i+1)*size)]
		if err := blockStd(t, prf, salt, iter, uint32(i+1), step); err != nil {
			clear(dst)
			return err
		}
	}
	return nil
}

// prfStd returns the HMAC with a password, or the error of crypto/pbkdf2 for an output of n
// bytes.
func prfStd(h crypto.Hash, password, salt []byte, n int) (hash.Hash, error) {
	// One iteration, for the checks of FIPS 140-only mode.
	if err := fillStd(make([]byte, n), h, password, salt, 1); err != nil {
		return nil, err
	}
	// That mode has crypto/hmac panic for a short key, which crypto/pbkdf2 accepts as a
	// password. Zeros up to the length of a block make no difference, RFC 2104 §2.
	if size := h.New().BlockSize(); len(password) < size {
		padded := make([]byte, size)
		copy(padded, password)
		defer clear(padded)
		password = padded
	}
	return hmac.New(h.New, password), nil
}

// blockStd derives block i, or as much of it as dst takes, with prf, the HMAC with the
// password. It calls step, unless that is nil, after every few iterations with their
// number.
func blockStd(dst []byte, prf hash.Hash, salt []byte, iter int, i uint32, step func(n int) error) error {
	prf.Reset()
	prf.Write(salt)
	prf.Write(binary.BigEndian.AppendUint32(nil, i))
	u := prf.Sum(nil)
	defer clear(u)
	copy(dst, u)
	fresh := 1
	for n := 1; ; n++ {
		if step != nil && (fresh == contextSteps || n == iter) {
			if err := step(fresh); err != nil {
				return err
			}
			fresh = 0
		}
		if n == iter {
			return nil
		}
		fresh++
		prf.Reset()
		prf.Write(u)
		u = prf.Sum(u[:0])
		subtle.XORBytes(dst, dst, u[:len(dst)])
	}
}
