package pbkdf2

import (
	"context"

	"github.com/fastrsa/fastrsa/internal/sha"
)

// contextSteps is how many iterations are made between two looks at the context. The
// slowest loop takes about a microsecond for one.
const contextSteps = 256

// A queue is the blocks that are to be derived, those of one request after those of
// another. Each block is a chain of iterations; as many as [sha.Hash.Width] run together.
//
// It refers to requests by number and keeps no slice of them, since the compiler would move
// to the heap what a pointer's fields are set to, and with it the caller's buffers.
type queue struct {
	hash     sha.Hash
	requests []Request

	// The request in hand, its keyed states once that is said to be so, how much of its
	// output has been started, and the next block.
	next  int
	keyed bool
	mac   sha.HMAC
	done  int
	block uint32
}

// start starts the next block in stream i of l, and returns where its output goes and how
// many iterations are left. If there is no block left, it returns false.
func (q *queue) start(l *sha.Lanes, i int) (dst []byte, left int, ok bool) {
	if q.empty() {
		return nil, 0, false
	}
	r := &q.requests[q.next]
	if !q.keyed {
		q.mac.Init(q.hash, r.Password)
		q.keyed = true
	}
	if q.block == 0 {
		q.block = 1
	}
	l.Start(i, &q.mac, r.Salt, q.block)
	dst = r.Dst[q.done:min(len(r.Dst), q.done+q.hash.Size())]
	q.done += len(dst)
	q.block++
	if q.done == len(r.Dst) {
		q.next++
		q.keyed, q.done, q.block = false, 0, 0
	}
	return dst, r.Iterations - 1, true
}

func (q *queue) empty() bool { return q.next == len(q.requests) }

// run derives all blocks and wipes q. It returns early when ctx is done. If progress is not
// nil, it gets to know how many of total iterations are through.
func (q *queue) run(ctx context.Context, progress func(done, total uint64), total uint64) error {
	var (
		l    sha.Lanes
		dst  [sha.MaxStreams][]byte
		left [sha.MaxStreams]int
		m    int // streams that are running

		done, told uint64
		err        error
	)
	width := q.hash.Width()
	// Deferred, because progress may panic.
	defer func() {
		l.Wipe(q.hash, width)
		q.mac.Wipe()
	}()
	watched := ctx.Done() != nil || progress != nil
	for err == nil {
		for m < width {
			var ok bool
			if dst[m], left[m], ok = q.start(&l, m); !ok {
				break
			}
			m++
			done++
		}
		if m == 0 {
			break
		}
		n := left[0]
		for _, k := range left[1:m] {
			n = min(n, k)
		}
		if watched {
			n = min(n, contextSteps)
		}
		l.Run(q.hash, m, n)
		done += uint64(n) * uint64(m)
		for i := m - 1; i >= 0; i-- {
			if left[i] -= n; left[i] > 0 {
				continue
			}
			l.Put(q.hash, dst[i], i)
			m--
			l.Move(q.hash, i, m)
			dst[i], left[i] = dst[m], left[m]
		}
		if watched && (m > 0 || !q.empty()) && ctx.Err() != nil {
			err = stopped(ctx.Err())
		}
		if progress != nil && err == nil && (done-told >= total/100 || done == total) {
			progress(done, total)
			told = done
		}
	}
	return err
}
