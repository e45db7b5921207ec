package pbkdf2

import (
	"bytes"
	"context"
	"crypto"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/fastrsa/fastrsa/internal/sha"
)

// ErrWiped is returned by the methods of a [Deriver] after its Wipe method was called.
var ErrWiped = errors.New("pbkdf2: the deriver has been wiped")

// A Deriver derives keys from one password, with different salts. It keeps the states of
// HMAC after the password, which saves four blocks of the hash, and hashing a long
// password, for each derivation. They are as secret as the password.
//
// A Deriver may be used by several goroutines at once.
type Deriver struct {
	hash crypto.Hash

	mu   sync.RWMutex
	mac  sha.HMAC
	fast bool

	// password is what the standard library needs, where it does the work.
	password []byte

	wiped bool
}

// NewDeriver returns a [Deriver] for a password, which it does not keep a reference to. If
// the hash is not linked into the program, the error is [ErrHash].
func NewDeriver(h crypto.Hash, password []byte) (*Deriver, error) {
	if !h.Available() {
		return nil, fmt.Errorf("%w: %v", ErrHash, h)
	}
	d := &Deriver{hash: h}
	kind, ok := kindOf(h)
	if ok {
		d.fast = true
		d.mac.Init(kind, password)
	} else {
		d.password = bytes.Clone(password)
	}
	return d, nil
}

// Hash returns the hash.
func (d *Deriver) Hash() crypto.Hash { return d.hash }

// load sets the key of q. Where the standard library has to do the work, q is left alone
// and the password returned instead.
func (d *Deriver) load(q *queue) (password []byte, fast bool, err error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	switch {
	case d.wiped:
		return nil, false, ErrWiped
	case !d.fast:
		// A copy, for Wipe may be called while it is in use.
		return bytes.Clone(d.password), false, nil
	}
	q.mac, q.keyed = d.mac, true
	q.hash = d.mac.Hash()
	return nil, true, nil
}

// Derive does what [Fill] does.
func (d *Deriver) Derive(dst, salt []byte, iter int) error {
	if err := check(dst, d.hash, salt, iter); err != nil {
		return err
	}
	var q queue
	password, fast, err := d.load(&q)
	if err != nil {
		return err
	}
	if !fast {
		defer clear(password)
		return fillStd(dst, d.hash, password, salt, iter)
	}
	one := [...]Request{{Dst: dst, Salt: salt, Iterations: iter}}
	q.requests = one[:]
	return q.run(context.Background(), nil, 0)
}

// DeriveContext does what [FillContext] does.
func (d *Deriver) DeriveContext(ctx context.Context, dst, salt []byte, iter int, progress func(done, total uint64)) error {
	if err := check(dst, d.hash, salt, iter); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return stopped(err)
	}
	var q queue
	password, fast, err := d.load(&q)
	if err != nil {
		return err
	}
	if !fast {
		defer clear(password)
		return fillStdContext(ctx, dst, d.hash, password, salt, iter, progress)
	}
	one := [...]Request{{Dst: dst, Salt: salt, Iterations: iter}}
	q.requests = one[:]
	err = q.run(ctx, progress, total(len(dst), d.hash.Size(), iter))
	if err != nil {
		clear(dst)
	}
	return err
}

// Block derives one block, T_i of RFC 8018 §5.2: the bytes from (i-1)·Size to i·Size of a
// long output, where Size is the length of a digest and of dst. i is at least 1.
func (d *Deriver) Block(dst, salt []byte, iter int, i uint32) error {
	if err := check(dst, d.hash, salt, iter); err != nil {
		return err
	}
	size := d.hash.Size()
	if len(dst) != size || i == 0 {
		return fmt.Errorf("%w: block %d, %d bytes, for digests of %d", ErrLength, i, len(dst), size)
	}
	var q queue
	password, fast, err := d.load(&q)
	if err != nil {
		return err
	}
	if !fast {
		defer clear(password)
		prf, err := prfStd(d.hash, password, salt, size)
		if err != nil {
			return err
		}
		return blockStd(dst, prf, salt, iter, i, nil)
	}
	one := [...]Request{{Dst: dst, Salt: salt, Iterations: iter}}
	q.requests = one[:]
	q.block = i
	return q.run(context.Background(), nil, 0)
}

// Wipe clears what d knows of the password. It does not wait for derivations that have
// begun. Whatever is begun afterwards fails with [ErrWiped].
func (d *Deriver) Wipe() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.mac.Wipe()
	clear(d.password)
	d.password = nil
	d.wiped = true
}

// Format prints the name of the type whatever the verb, so that nothing secret gets into a log.
func (*Deriver) Format(f fmt.State, _ rune) { io.WriteString(f, "pbkdf2.Deriver") }
