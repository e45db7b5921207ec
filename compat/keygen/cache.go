package keygen

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// DefaultCacheEntries is the bound of a cache for which none was given.
const DefaultCacheEntries = 256

// maxCachedLength bounds the keys that a cache stores, and so its memory: longer ones
// are derived for whoever asks together and then forgotten.
const maxCachedLength = 4096

// Cache holds keys that [Generate] derived, for [WithCache]. It is made by
// [NewCache], safe for concurrent use, and must not be copied.
//
// It is bounded by a number of entries, of which the least recently used goes
// first, and by 4096 bytes an entry; longer keys are not stored. Goroutines that ask for
// one key while it is being derived wait for that derivation.
//
// Entries are found by a digest of secret, salt and options under a random key of
// this cache, so that neither secrets nor salts stay in memory. Whoever can read the
// memory can still test guesses of a secret against the derived keys, at the price of an iterated
// derivation each. Keys are wiped when they are evicted, expire or fall to [Cache.Wipe].
type Cache struct {
	max int
	ttl time.Duration
	now func() time.Time

	// seed keys the digests: 64 random bytes, a block of SHA-256.
	seed [sha256.BlockSize]byte

	mu      sync.Mutex
	epoch   uint64 // counts calls of Wipe
	entries map[cacheID]*cacheEntry
	root    cacheEntry // ring: root.next is the most recently used
	flights map[cacheID]*flight
	sweep   time.Time // when expired entries are next looked for
	stats   CacheStats
}

type cacheID [sha256.Size]byte

type cacheEntry struct {
	id         cacheID
	key        []byte
	expires    time.Time // zero: never
	prev, next *cacheEntry
}

// flight is a derivation in progress. Its fields are guarded by Cache.mu.
type flight struct {
	done    chan struct{} // closed when err and key are set
	epoch   uint64
	waiters int
	key     []byte // the waiters' copy; the last of them wipes it
	err     error
}

// CacheStats counts what became of the keys that a [Cache] was asked for. Requests =
// Hits + Derivations + Shared.
type CacheStats struct {
	Entries     int    // stored now
	Hits        uint64 // found
	Derivations uint64 // derived, or tried to
	Shared      uint64 // waited for a derivation that had begun
	Evictions   uint64 // gone for lack of room
}

// NewCache returns an empty cache of at most maxEntries keys, each of which is
// used for ttl at most. A maxEntries below 1 means [DefaultCacheEntries], a ttl of 0
// or less that keys do not expire. Expired keys are removed when they are asked
// for, or when a key is stored after another ttl has passed.
func NewCache(maxEntries int, ttl time.Duration) *Cache {
	if maxEntries < 1 {
		maxEntries = DefaultCacheEntries
	}
	c := &Cache{
		max:     maxEntries,
		ttl:     max(ttl, 0),
		now:     time.Now,
		entries: make(map[cacheID]*cacheEntry),
		flights: make(map[cacheID]*flight),
	}
	c.root.prev, c.root.next = &c.root, &c.root
	rand.Read(c.seed[:])
	return c
}

// Wipe overwrites and removes all keys. A derivation that is in progress still serves
// those who wait for it, but is not stored.
func (c *Cache) Wipe() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.epoch++
	for _, e := range c.entries {
		c.remove(e)
	}
	clear(c.flights)
}

// Stats returns the counters, which no call resets.
func (c *Cache) Stats() CacheStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.Entries = len(c.entries)
	return s
}

// Format writes a constant for every verb, so that printing a cache does not print
// what it holds.
func (c *Cache) Format(s fmt.State, _ rune) { io.WriteString(s, "keygen.Cache") }

// generate is Generate for valid parameters.
func (c *Cache) generate(secret, salt []byte, p params) ([]byte, error) {
	return c.do(c.id(secret, salt, p), func() ([]byte, error) {
		return derive(secret, salt, p)
	})
}

// id returns SHA-256(seed ‖ |secret| ‖ |salt| ‖ iterations ‖ length ‖ digest ‖ secret ‖
// salt), the numbers in 8 bytes each, the digest in one. The lengths stand first: the
// encoding is injective and prefix-free, and on prefix-free inputs the keyed Merkle–Damgård
// cascade is a pseudorandom function (Bellare, Canetti, Krawczyk, FOCS 1996), with no need
// for the second hash of HMAC.
func (c *Cache) id(secret, salt []byte, p params) cacheID {
	var stack [512]byte
	b := stack[:0]
	if n := len(c.seed) + 4*8 + 1 + len(secret) + len(salt); n > len(stack) {
		b = make([]byte, 0, n)
	}
	b = append(b, c.seed[:]...)
	b = binary.BigEndian.AppendUint64(b, uint64(len(secret)))
	b = binary.BigEndian.AppendUint64(b, uint64(len(salt)))
	b = binary.BigEndian.AppendUint64(b, uint64(p.iterations))
	b = binary.BigEndian.AppendUint64(b, uint64(p.length))
	b = append(b, byte(p.digest))
	b = append(b, secret...)
	b = append(b, salt...)
	id := cacheID(sha256.Sum256(b))
	clear(b)
	return id
}

// errPanicked marks a flight whose derivation did not return. Nobody gets to see it.
var errPanicked = errors.New("keygen: derivation panicked")

// do returns the key stored under id, or that of the flight in progress, or that of
// derive. The result is the caller's.
func (c *Cache) do(id cacheID, derive func() ([]byte, error)) ([]byte, error) {
	for {
		c.mu.Lock()
		if e := c.lookup(id); e != nil {
			c.stats.Hits++
			key := append([]byte(nil), e.key...)
			c.mu.Unlock()
			return key, nil
		}
		f := c.flights[id]
		if f == nil {
			f = &flight{done: make(chan struct{}), epoch: c.epoch, err: errPanicked}
			c.flights[id] = f
			c.stats.Derivations++
			c.mu.Unlock()
			return c.fly(id, f, derive)
		}
		f.waiters++
		c.mu.Unlock()

		<-f.done
		if key, err := c.land(f); err != errPanicked {
			return key, err
		}
		// The panic is the leader's. Deriving anew, this goroutine gets the
		// outcome that it would have had alone.
	}
}

// fly runs derive for everybody who waits for f.
func (c *Cache) fly(id cacheID, f *flight, derive func() ([]byte, error)) (key []byte, err error) {
	// Deferred, because a panic or runtime.Goexit in derive must release the waiters.
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.flights[id] == f {
			delete(c.flights, id)
		}
		if f.err == nil {
			if f.waiters > 0 {
				f.key = append([]byte(nil), key...)
			}
			if f.epoch == c.epoch && len(key) <= maxCachedLength {
				c.store(id, key)
			}
		}
		close(f.done)
	}()
	key, err = derive()
	f.err = err
	return key, err
}

// land returns a waiter's share of the finished flight f.
func (c *Cache) land(f *flight) (key []byte, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f.waiters--
	if f.err != nil {
		if f.err != errPanicked {
			c.stats.Shared++
		}
		return nil, f.err
	}
	c.stats.Shared++
	key = append([]byte(nil), f.key...)
	if f.waiters == 0 {
		clear(f.key)
	}
	return key, nil
}

// lookup returns the entry of id, as the most recently used, or nil.
func (c *Cache) lookup(id cacheID) *cacheEntry {
	e := c.entries[id]
	if e == nil {
		return nil
	}
	if c.ttl > 0 && !c.now().Before(e.expires) {
		c.remove(e)
		return nil
	}
	e.unlink()
	c.pushFront(e)
	return e
}

// store adds a copy of key, for which there is no entry, and makes room for it.
func (c *Cache) store(id cacheID, key []byte) {
	e := &cacheEntry{id: id, key: append([]byte(nil), key...)}
	if c.ttl > 0 {
		now := c.now()
		e.expires = now.Add(c.ttl)
		// A whole pass at most once a ttl: amortized over the entries, no key
		// outlives its ttl by more than another one while keys are stored.
		if !now.Before(c.sweep) {
			for _, old := range c.entries {
				if !now.Before(old.expires) {
					c.remove(old)
				}
			}
			c.sweep = now.Add(c.ttl)
		}
	}
	for len(c.entries) >= c.max {
		c.remove(c.root.prev)
		c.stats.Evictions++
	}
	c.entries[id] = e
	c.pushFront(e)
}

func (c *Cache) remove(e *cacheEntry) {
	delete(c.entries, e.id)
	e.unlink()
	clear(e.key)
}

func (c *Cache) pushFront(e *cacheEntry) {
	e.prev, e.next = &c.root, c.root.next
	e.prev.next, e.next.prev = e, e
}

func (e *cacheEntry) unlink() {
	e.prev.next, e.next.prev = e.next, e.prev
}
