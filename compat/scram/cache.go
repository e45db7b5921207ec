package scram

import (
	"crypto"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// A Cache keeps derived keys, so that another login with the same password, salt
// and iteration count costs a few HMACs instead of thousands (RFC 5802 section 5.1
// and RFC 7677 section 4 allow it). Every [Client] has a small one of its own; one
// that is shared by many Clients, with [Client.WithCache], also serves programs that
// make a new Client for each connection. It is safe for concurrent use.
//
// Concurrent logins that need the same keys derive them once, the others wait. When
// the cache is full, the entry that was not used for longest goes. An entry that
// goes, for whatever reason, is overwritten.
//
// An entry is found by a digest of hash, password, salt and iteration count, keyed
// with a random secret: the cache holds no password, and keys never serve another
// password than the one they were derived from. What it does hold, the ClientKey,
// is good for logging in; see [DerivedKeys].
type Cache struct {
	mu      sync.Mutex
	secret  [32]byte
	max     int
	ttl     time.Duration
	entries map[digest]*entry
	flights map[digest]*flight
	lru     entry // the head of a ring; next is the one used last
	timer   *time.Timer
	epoch   uint64 // counts the calls of Wipe
	stats   CacheStats
}

// CacheStats count what a [Cache] did since it was made.
type CacheStats struct {
	Entries int    // now in the cache
	Hits    uint64 // keys taken from the cache
	Waits   uint64 // keys taken from a derivation that was under way
	Misses  uint64 // derivations
	Evicted uint64 // entries that had to go because the cache was full
	Expired uint64 // entries that had to go because of their age
}

type digest [32]byte

type entry struct {
	id         digest
	keys       keys
	expires    time.Time
	prev, next *entry
}

// A flight is a derivation under way.
type flight struct {
	done    chan struct{}
	waiting int
	keys    keys
	err     error
}

// defaultEntries is how many entries a Cache has if nothing else is said. A client
// meets one salt and iteration count for each user, and new ones when a password
// is set anew.
const defaultEntries = 16

// NewCache returns a Cache of at most entries entries, 16 if entries is less than
// 1, each of which goes when it is ttl old. If ttl is 0 or less, entries do not age.
func NewCache(entries int, ttl time.Duration) *Cache {
	if entries < 1 {
		entries = defaultEntries
	}
	c := &Cache{
		max:     entries,
		ttl:     max(ttl, 0),
		entries: make(map[digest]*entry),
		flights: make(map[digest]*flight),
	}
	rand.Read(c.secret[:])
	c.lru.prev, c.lru.next = &c.lru, &c.lru
	return c
}

// Wipe overwrites and removes all entries. Derivations that are under way end, for
// those who wait for them, and leave no entry.
func (c *Cache) Wipe() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.lru.next != &c.lru {
		c.remove(c.lru.next)
	}
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	c.epoch++
}

// Stats returns the counters.
func (c *Cache) Stats() CacheStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	stats := c.stats
	stats.Entries = len(c.entries)
	return stats
}

// digest returns the name of an entry. The lengths keep the fields apart.
func (c *Cache) digest(e *engine, password, salt []byte, iter int) (id digest) {
	var head [32]byte
	binary.LittleEndian.PutUint64(head[0:], e.tag)
	binary.LittleEndian.PutUint64(head[8:], uint64(iter))
	binary.LittleEndian.PutUint64(head[16:], uint64(len(password)))
	binary.LittleEndian.PutUint64(head[24:], uint64(len(salt)))
	sha := known[crypto.SHA256]
	s := sha.get()
	s.startHMAC(sha, c.secret[:])
	write(s, head[:])
	write(s, password)
	write(s, salt)
	s.finishHMAC(sha, id[:])
	sha.put(s)
	return id
}

// get copies the keys of an entry to k, if there is one. It also returns how often the cache
// has been wiped, for derive.
func (c *Cache) get(k *keys, id digest) (epoch uint64, found bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.epoch, c.find(k, id)
}

// find is get for those who hold the lock.
func (c *Cache) find(k *keys, id digest) bool {
	e := c.entries[id]
	if e == nil {
		return false
	}
	if c.ttl > 0 && !time.Now().Before(e.expires) {
		c.stats.Expired++
		c.remove(e)
		return false
	}
	c.stats.Hits++
	e.unlink()
	c.front(e)
	*k = e.keys
	return true
}

var errDerivation = errors.New("scram: the derivation of the keys did not end")

// derive sets k to the keys of an entry or derives them, or waits for somebody else
// to derive them. They are not kept if the cache was wiped since get returned epoch.
func (c *Cache) derive(k *keys, id digest, epoch uint64, e *engine, password, salt []byte, iter int) error {
	c.mu.Lock()
	if c.find(k, id) {
		c.mu.Unlock()
		return nil
	}
	if f := c.flights[id]; f != nil {
		f.waiting++
		c.stats.Waits++
		c.mu.Unlock()
		<-f.done
		c.mu.Lock()
		defer c.mu.Unlock()
		*k = f.keys
		if f.waiting--; f.waiting == 0 {
			f.keys.wipe()
		}
		return f.err
	}
	f := &flight{done: make(chan struct{}), err: errDerivation}
	c.flights[id] = f
	c.stats.Misses++
	c.mu.Unlock()

	// Deferred, because a hash that is not this package's may panic.
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.flights, id)
		if f.err == nil {
			*k = f.keys
			if epoch == c.epoch {
				c.insert(id, k)
			}
		}
		if f.waiting == 0 {
			f.keys.wipe()
		}
		close(f.done)
	}()
	f.err = f.keys.derive(e, password, salt, iter)
	return f.err
}

// insert adds an entry, and makes room for it.
func (c *Cache) insert(id digest, k *keys) {
	for len(c.entries) >= c.max {
		c.stats.Evicted++
		c.remove(c.lru.prev)
	}
	e := &entry{id: id, keys: *k}
	if c.ttl > 0 {
		e.expires = time.Now().Add(c.ttl)
		if c.timer == nil {
			c.timer = time.AfterFunc(c.ttl, c.expire)
		}
	}
	c.entries[id] = e
	c.front(e)
}

// expire removes what is too old, and comes back for the rest.
func (c *Cache) expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer == nil {
		return
	}
	now := time.Now()
	var first time.Time
	for e := c.lru.next; e != &c.lru; {
		next := e.next
		if !now.Before(e.expires) {
			c.stats.Expired++
			c.remove(e)
		} else if first.IsZero() || e.expires.Before(first) {
			first = e.expires
		}
		e = next
	}
	if first.IsZero() {
		c.timer = nil
		return
	}
	// Each visit looks at all entries. That there are at most 16 visits in a ttl
	// bounds the work; find does not hand out what waits for the visit.
	c.timer.Reset(max(first.Sub(now), c.ttl/16))
}

// remove overwrites an entry and takes it out.
func (c *Cache) remove(e *entry) {
	e.unlink()
	delete(c.entries, e.id)
	e.keys.wipe()
}

func (c *Cache) front(e *entry) {
	e.prev, e.next = &c.lru, c.lru.next
	e.prev.next, e.next.prev = e, e
}

func (e *entry) unlink() {
	e.prev.next, e.next.prev = e.next, e.prev
}

// Format prints the name of the type whatever the verb, so that nothing secret gets into a log.
func (*Cache) Format(f fmt.State, _ rune) { io.WriteString(f, "scram.Cache") }
