package pbkdf2

import (
	"context"
	"crypto"
	"crypto/fips140"
	"fmt"
	"math"
	"math/bits"

	"github.com/fastrsa/fastrsa/internal/sha"
)

// A Request is one derivation of a [Batch]: len(Dst) bytes into Dst.
type Request struct {
	Dst            []byte
	Password, Salt []byte
	Iterations     int
}

// Batch makes many derivations with one hash, such as checking a list of passwords or
// importing accounts. Each result is that of [Fill]; they need not have anything in common.
// It runs on one goroutine, and as many derivations at a time as the processor's vectors or
// pipelines hold.
//
// No Dst may overlap another field of any request. Arguments are checked first, all of
// them; an error leaves every Dst as it was and says which request it is about. When ctx is
// done, Batch returns an error that wraps ctx.Err(), and every Dst is cleared; so it is where
// crypto/pbkdf2 refuses a request in FIPS 140-only mode. progress is
// as for [FillContext], over all requests.
func Batch(ctx context.Context, h crypto.Hash, requests []Request, progress func(done, total uint64)) error {
	if !h.Available() {
		return fmt.Errorf("%w: %v", ErrHash, h)
	}
	var all uint64
	for i, r := range requests {
		if err := check(r.Dst, h, r.Salt, r.Iterations); err != nil {
			return fmt.Errorf("request %d: %w", i, err)
		}
		var carry uint64
		if all, carry = bits.Add64(all, total(len(r.Dst), h.Size(), r.Iterations), 0); carry > 0 {
			all = math.MaxUint64
		}
	}
	if err := ctx.Err(); err != nil {
		return stopped(err)
	}
	kind, ok := batchKind(h, len(requests))
	var err error
	if ok {
		q := queue{hash: kind, requests: requests}
		err = q.run(ctx, progress, all)
	} else {
		err = batchStd(ctx, h, requests, progress, all)
	}
	if err != nil {
		for _, r := range requests {
			clear(r.Dst)
		}
	}
	return err
}

// batchKind is [kindOf] for a batch of n requests. For those, a kernel for many streams is
// enough.
func batchKind(h crypto.Hash, n int) (sha.Hash, bool) {
	kind, ok := kindOf(h)
	return kind, ok || kind != 0 && n > 1 && kind.Width() > 1 && !fips140.Enabled()
}

// batchStd is [Batch] by the standard library.
func batchStd(ctx context.Context, h crypto.Hash, requests []Request, progress func(done, total uint64), all uint64) error {
	var before, told uint64
	sum := progress
	if progress != nil {
		sum = func(done, _ uint64) {
			if done += before; done-told >= all/100 || done == all {
				progress(done, all)
				told = done
			}
		}
	}
	for _, r := range requests {
		if err := ctx.Err(); err != nil {
			return stopped(err)
		}
		if err := fillStdContext(ctx, r.Dst, h, r.Password, r.Salt, r.Iterations, sum); err != nil {
			return err
		}
		before += total(len(r.Dst), h.Size(), r.Iterations)
	}
	return nil
}
