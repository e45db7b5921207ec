package scram

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"
)

// cached returns a client with a cache, and a function that asks it for keys.
func cached(t *testing.T, f HashGeneratorFcn, cache *Cache, password string) func(salt string, iter int) keys {
	t.Helper()
	c, err := f.NewClientUnprepped("user", password, "")
	if err != nil {
		t.Fatal(err)
	}
	c.WithCache(cache)
	return func(salt string, iter int) (k keys) {
		t.Helper()
		if err := c.keys(&k, []byte(salt), iter); err != nil {
			t.Fatal(err)
		}
		return k
	}
}

// wantStats compares the counters of a cache.
func wantStats(t *testing.T, c *Cache, want CacheStats) {
	t.Helper()
	if got := c.Stats(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestCacheHits wants the same keys from the cache as from the KDF, and only for the
// same hash, password, salt and iteration count.
func TestCacheHits(t *testing.T) {
	cache := NewCache(100, 0)
	type inputs struct {
		f        string
		password string
		salt     string
		iter     int
	}
	hashes := map[string]HashGeneratorFcn{
		"SHA-256": SHA256, "SHA3-256": SHA3_256, "SHA-512": SHA512,
		"other": func() hash.Hash { return &struct{ hash.Hash }{sha256.New()} },
	}
	seen := map[keys]inputs{}
	all := []inputs{}
	for f := range hashes {
		all = append(all,
			inputs{f, "pencil", "salt", 3}, inputs{f, "pencil", "salt", 4}, inputs{f, "pencil", "salu", 3}, inputs{f, "pencim", "salt", 3},
			inputs{f, "pencilsalt", "x", 3}, inputs{f, "pencil", "saltx", 3}, inputs{f, "pencils", "alt", 3}, inputs{f, "penci", "lsalt", 3}, inputs{f, "", "pencilsalt", 3},
		)
	}
	clients := map[[2]string]func(string, int) keys{}
	for round := range 2 {
		for _, in := range all {
			id := [2]string{in.f, in.password}
			if clients[id] == nil {
				clients[id] = cached(t, hashes[in.f], cache, in.password)
			}
			got := clients[id](in.salt, in.iter)
			var want keys
			e, err := hashes[in.f].engine()
			if err != nil {
				t.Fatal(err)
			}
			if err := want.derive(e, []byte(in.password), []byte(in.salt), in.iter); err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("%+v: wrong keys in round %d", in, round)
			}
			// The other hash is SHA-256 in disguise; its keys are the same.
			if in.f != "other" {
				if old, ok := seen[got]; ok && old != in {
					t.Errorf("%+v has the keys of %+v", in, old)
				}
				seen[got] = in
			}
		}
	}
	n := len(all)
	wantStats(t, cache, CacheStats{Entries: n, Hits: uint64(n), Misses: uint64(n)})
}

// TestCacheForeignHashes keeps two hashes apart that look the same from outside.
func TestCacheForeignHashes(t *testing.T) {
	cache := NewCache(10, 0)
	f := func(b byte) HashGeneratorFcn {
		return func() hash.Hash { return &suffixed{sha256.New(), b} }
	}
	a := cached(t, f(1), cache, "pencil")("salt", 3)
	b := cached(t, f(2), cache, "pencil")("salt", 3)
	if a == b {
		t.Error("one hash has the keys of the other")
	}
}

// suffixed has a last byte of its own. Its Sum does not append in place.
type suffixed struct {
	hash.Hash
	b byte
}

func (s *suffixed) Sum(b []byte) []byte {
	return append(s.Hash.Sum(b[:len(b):len(b)])[:len(b)+31], s.b)
}

// TestCacheSharedByClients makes a new client for each login, as programs do that
// were written after Sarama's example, and wants one derivation for all.
func TestCacheSharedByClients(t *testing.T) {
	cache := NewCache(0, 0)
	for range 10 {
		cached(t, SHA256, cache, "pencil")("salt", 4096)
	}
	wantStats(t, cache, CacheStats{Entries: 1, Hits: 9, Misses: 1})
}

// TestCacheBounds fills caches, and wants the entry that was not used for longest to
// go, and to be overwritten.
func TestCacheBounds(t *testing.T) {
	cache := NewCache(3, 0)
	get := cached(t, SHA256, cache, "pencil")
	for i := 1; i <= 3; i++ {
		get("salt", i)
	}
	get("salt", 1) // 2 is the oldest now
	var oldest *entry
	for _, e := range cache.entries {
		if e == cache.lru.prev {
			oldest = e
		}
	}
	if oldest == nil || oldest.keys == (keys{}) {
		t.Fatal("no entry at the end of the list")
	}
	get("salt", 4)
	if oldest.keys != (keys{}) {
		t.Error("the entry that went still has its keys")
	}
	wantStats(t, cache, CacheStats{Entries: 3, Hits: 1, Misses: 4, Evicted: 1})
	get("salt", 1)
	get("salt", 3)
	get("salt", 4)
	get("salt", 2)
	wantStats(t, cache, CacheStats{Entries: 3, Hits: 4, Misses: 5, Evicted: 2})

	for range 1000 {
		get("salt", 1+int(cache.Stats().Misses))
	}
	if n := cache.Stats().Entries; n != 3 || len(cache.entries) != 3 || len(cache.flights) != 0 {
		t.Errorf("%d entries, %d flights", n, len(cache.flights))
	}
	n := 0
	for e := cache.lru.next; e != &cache.lru; e = e.next {
		if n++; e.next.prev != e || cache.entries[e.id] != e {
			t.Fatal("the list is broken")
		}
	}
	if n != 3 {
		t.Errorf("%d entries in the list", n)
	}
	if n := NewCache(-1, -1); n.max != defaultEntries || n.ttl != 0 {
		t.Errorf("a cache of %d entries, %v", n.max, n.ttl)
	}
}

// TestCacheOfClientIsBounded lets a server name a new salt at each login.
func TestCacheOfClientIsBounded(t *testing.T) {
	c, err := SHA256.NewClient("user", "pencil", "")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		if _, err := c.DerivedKeys(KeyFactors{fmt.Sprint("salt", i), 1}); err != nil {
			t.Fatal(err)
		}
	}
	if s := c.cache.Stats(); s.Entries != defaultEntries || s.Misses != 100 {
		t.Errorf("%+v", s)
	}
}

// TestCacheExpires wants entries gone when they are old: from the moment on for those
// who ask, and soon also from memory.
func TestCacheExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const ttl = 16 * time.Minute
		cache := NewCache(10, ttl)
		get := cached(t, SHA256, cache, "pencil")
		get("salt", 1)
		first := cache.lru.next
		time.Sleep(10 * time.Minute)
		get("salt", 2)
		get("salt", 1) // use does not make it younger
		time.Sleep(6*time.Minute - time.Nanosecond)
		synctest.Wait()
		wantStats(t, cache, CacheStats{Entries: 2, Hits: 1, Misses: 2})
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		wantStats(t, cache, CacheStats{Entries: 1, Hits: 1, Misses: 2, Expired: 1})
		if first.keys != (keys{}) {
			t.Error("the old entry still has its keys")
		}
		time.Sleep(11 * time.Minute)
		synctest.Wait()
		wantStats(t, cache, CacheStats{Hits: 1, Misses: 2, Expired: 2})
		if cache.timer != nil {
			t.Error("a timer runs for an empty cache")
		}
		get("salt", 1)
		wantStats(t, cache, CacheStats{Entries: 1, Hits: 1, Misses: 3, Expired: 2})

		// Entries a little older than the visit's raster: find does not hand them out.
		time.Sleep(time.Second)
		get("salt", 2)
		time.Sleep(ttl - time.Second)
		synctest.Wait()
		time.Sleep(time.Second + time.Nanosecond)
		if s := cache.Stats(); s.Entries != 1 {
			t.Fatalf("%+v", s)
		}
		get("salt", 2)
		wantStats(t, cache, CacheStats{Entries: 1, Hits: 1, Misses: 5, Expired: 4})
		cache.Wipe()
		time.Sleep(2 * ttl)
		synctest.Wait()
		wantStats(t, cache, CacheStats{Hits: 1, Misses: 5, Expired: 4})
	})
}

// TestCacheSingleFlight lets many ask for the same keys while they are derived.
func TestCacheSingleFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := NewCache(10, 0)
		slow := make(chan struct{})
		var made atomic.Int32
		f := HashGeneratorFcn(func() hash.Hash {
			made.Add(1)
			return &waiting{sha256.New(), slow}
		})
		c, err := f.NewClientUnprepped("user", "pencil", "")
		if err != nil {
			t.Fatal(err)
		}
		c.WithCache(cache)
		got := make([]keys, 50)
		var wg sync.WaitGroup
		for i := range got {
			wg.Go(func() {
				if err := c.keys(&got[i], []byte("salt"), 2); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		wantStats(t, cache, CacheStats{Waits: 49, Misses: 1})
		var f0 *flight
		for _, fl := range cache.flights {
			f0 = fl
		}
		close(slow)
		wg.Wait()
		for i := range got {
			if got[i] != got[0] || got[i] == (keys{}) {
				t.Fatalf("keys %d differ", i)
			}
		}
		wantStats(t, cache, CacheStats{Entries: 1, Waits: 49, Misses: 1})
		if f0.keys != (keys{}) {
			t.Error("the derivation still has the keys")
		}
	})
}

// waiting is a hash that blocks at its first write until a channel is closed.
type waiting struct {
	hash.Hash
	c chan struct{}
}

func (w *waiting) Write(p []byte) (int, error) {
	<-w.c
	return w.Hash.Write(p)
}

// TestCacheWipe wants everything gone at once, and nothing left by what was under
// way.
func TestCacheWipe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := NewCache(10, time.Hour)
		get := cached(t, SHA256, cache, "pencil")
		get("salt", 1)
		get("salt", 2)
		old := []*entry{cache.lru.next, cache.lru.prev}
		cache.Wipe()
		for _, e := range old {
			if e.keys != (keys{}) {
				t.Error("an entry still has its keys")
			}
		}
		wantStats(t, cache, CacheStats{Misses: 2})

		slow := make(chan struct{})
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				f := HashGeneratorFcn(func() hash.Hash { return &waiting{sha256.New(), slow} })
				cached(t, f, cache, "pencil")("salt", 1)
			})
		}
		synctest.Wait()
		cache.Wipe()
		close(slow)
		wg.Wait()
		wantStats(t, cache, CacheStats{Misses: 4})
		if cache.timer != nil {
			t.Error("a timer runs for an empty cache")
		}
		get("salt", 1)
		wantStats(t, cache, CacheStats{Entries: 1, Misses: 5})
		cache.Wipe()
	})
}

// TestCacheOfPanickingHash wants those who wait for a derivation that panics to get
// an error, and the next one to try again.
func TestCacheOfPanickingHash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := NewCache(10, 0)
		slow := make(chan struct{})
		var broken atomic.Bool
		broken.Store(true)
		f := HashGeneratorFcn(func() hash.Hash { return &panicking{waiting{sha256.New(), slow}, &broken} })
		c, err := f.NewClientUnprepped("user", "pencil", "")
		if err != nil {
			t.Fatal(err)
		}
		c.WithCache(cache)
		var panics, errs atomic.Int32
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				defer func() {
					if recover() != nil {
						panics.Add(1)
					}
				}()
				var k keys
				if err := c.keys(&k, []byte("salt"), 1); errors.Is(err, errDerivation) && k == (keys{}) {
					errs.Add(1)
				}
			})
		}
		synctest.Wait()
		close(slow)
		wg.Wait()
		if panics.Load() != 1 || errs.Load() != 4 || len(cache.flights) != 0 {
			t.Errorf("%d panics, %d errors, %d flights", panics.Load(), errs.Load(), len(cache.flights))
		}
		broken.Store(false)
		var k keys
		if err := c.keys(&k, []byte("salt"), 1); err != nil {
			t.Error(err)
		}
		wantStats(t, cache, CacheStats{Entries: 1, Waits: 4, Misses: 2})
	})
}

type panicking struct {
	waiting
	broken *atomic.Bool
}

func (p *panicking) Write(b []byte) (int, error) {
	n, err := p.waiting.Write(b)
	if p.broken.Load() {
		panic("broken")
	}
	return n, err
}

// TestCacheHoldsNoPassword looks for the password, or its plain digest, in the names
// of entries, and wants two caches to have different names.
func TestCacheHoldsNoPassword(t *testing.T) {
	a, b := NewCache(1, 0), NewCache(1, 0)
	const password = "0123456789abcdef0123456789abcdef" // as long as a name
	e, err := SHA256.engine()
	if err != nil {
		t.Fatal(err)
	}
	x, y := a.digest(e, []byte(password), []byte("salt"), 1), b.digest(e, []byte(password), []byte("salt"), 1)
	if x == y {
		t.Error("the names do not depend on a secret")
	}
	if x != a.digest(e, []byte(password), []byte("salt"), 1) {
		t.Error("the names change")
	}
	if x == digest([]byte(password)) || x == sha256.Sum256([]byte(password)) {
		t.Error("the name is the password or its digest")
	}
}

// TestClientWipesItsCache wants a client's own cache wiped with it and when it is
// replaced, and a shared one kept.
func TestClientWipesItsCache(t *testing.T) {
	make := func() (*Client, *Cache) {
		c, err := SHA256.NewClient("user", "pencil", "")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.DerivedKeys(KeyFactors{"salt", 1}); err != nil {
			t.Fatal(err)
		}
		return c, c.cache
	}
	c, own := make()
	password := c.password[:len("pencil"):len("pencil")]
	c.Wipe()
	if own.Stats().Entries != 0 || string(password) != "\x00\x00\x00\x00\x00\x00" {
		t.Errorf("%+v, password %q", own.Stats(), password)
	}
	c, own = make()
	shared := NewCache(10, 0)
	c.WithCache(shared)
	if own.Stats().Entries != 0 {
		t.Errorf("%+v", own.Stats())
	}
	if _, err := c.DerivedKeys(KeyFactors{"salt", 1}); err != nil {
		t.Fatal(err)
	}
	c.Wipe()
	if shared.Stats().Entries != 1 {
		t.Errorf("%+v", shared.Stats())
	}
	// Without a cache, nothing is kept.
	c, _ = make()
	c.WithCache(nil)
	if _, err := c.DerivedKeys(KeyFactors{"salt", 1}); err != nil {
		t.Fatal(err)
	}
	c.Wipe()
}

// TestCacheEntrySize keeps an eye on what an entry takes.
func TestCacheEntrySize(t *testing.T) {
	if n := unsafe.Sizeof(entry{}); n > 300 {
		t.Errorf("an entry takes %d bytes", n)
	}
}
