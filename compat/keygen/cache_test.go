package keygen

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"time"
)

// request asks c for the key of name, which a call of derive would give, too.
func request(t testing.TB, c *Cache, name string) []byte {
	t.Helper()
	key, err := Generate([]byte(name), []byte("salt"), WithIterations(1), WithCache(c))
	if err != nil {
		t.Fatal(err)
	}
	want, err := derive([]byte(name), []byte("salt"), params{1, DefaultLength, SHA256})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(key, want) {
		t.Fatalf("key of %s: %x, want %x", name, key, want)
	}
	return key
}

// entry returns the stored key of name, not a copy, or nil.
func entry(c *Cache, name string) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[c.id([]byte(name), []byte("salt"), params{1, DefaultLength, SHA256})]
	if e == nil {
		return nil
	}
	return e.key
}

func isZero(b []byte) bool { return bytes.Equal(b, make([]byte, len(b))) }

func TestCacheReturnsCopies(t *testing.T) {
	t.Parallel()
	c := NewCache(2, 0)
	clear(request(t, c, "a")) // the one derived
	clear(request(t, c, "a")) // one found
	request(t, c, "a")
	if s := c.Stats(); s != (CacheStats{Entries: 1, Hits: 2, Derivations: 1}) {
		t.Errorf("%+v", s)
	}
}

func TestCacheLRU(t *testing.T) {
	t.Parallel()
	c := NewCache(2, 0)
	request(t, c, "a")
	request(t, c, "b")
	request(t, c, "a")
	b := entry(c, "b")
	request(t, c, "c")
	if entry(c, "a") == nil || entry(c, "b") != nil || entry(c, "c") == nil {
		t.Error("not the least recently used was evicted")
	}
	if b == nil || !isZero(b) {
		t.Errorf("evicted key not wiped: %x", b)
	}
	request(t, c, "b")
	if s := c.Stats(); s != (CacheStats{Entries: 2, Hits: 1, Derivations: 4, Evictions: 2}) {
		t.Errorf("%+v", s)
	}
	for i := range 100 {
		request(t, c, string(rune('A'+i)))
		if n := c.Stats().Entries; n > 2 {
			t.Fatalf("%d entries", n)
		}
	}
	for _, n := range []int{0, -1} {
		if c := NewCache(n, 0); c.max != DefaultCacheEntries {
			t.Errorf("NewCache(%d): %d entries", n, c.max)
		}
	}
}

func TestCacheTTL(t *testing.T) {
	t.Parallel()
	now := time.Now()
	c := NewCache(10, time.Minute)
	c.now = func() time.Time { return now }
	request(t, c, "a")
	a := entry(c, "a")
	now = now.Add(time.Minute - 1)
	request(t, c, "a")
	if s := c.Stats(); s.Hits != 1 {
		t.Errorf("before the TTL: %+v", s)
	}
	now = now.Add(1) // being used does not prolong it
	request(t, c, "a")
	if s := c.Stats(); s.Hits != 1 || s.Derivations != 2 {
		t.Errorf("at the TTL: %+v", s)
	}
	if !isZero(a) {
		t.Errorf("expired key not wiped: %x", a)
	}

	// Nobody asks for a again; storing b some time later removes it.
	a = entry(c, "a")
	now = now.Add(2 * time.Minute)
	request(t, c, "b")
	if entry(c, "a") != nil || a == nil || !isZero(a) {
		t.Errorf("forgotten key not wiped: %x", a)
	}
	if s := c.Stats(); s.Entries != 1 || s.Evictions != 0 {
		t.Errorf("after the sweep: %+v", s)
	}

	if c := NewCache(1, -time.Second); c.ttl != 0 {
		t.Errorf("negative TTL: %v", c.ttl)
	}
}

func TestCacheWipe(t *testing.T) {
	t.Parallel()
	c := NewCache(10, 0)
	c.Wipe()
	request(t, c, "a")
	request(t, c, "b")
	a, b := entry(c, "a"), entry(c, "b")
	c.Wipe()
	if !isZero(a) || !isZero(b) || entry(c, "a") != nil || c.Stats().Entries != 0 {
		t.Errorf("left: %x, %x, %+v", a, b, c.Stats())
	}
	request(t, c, "a")
	if s := c.Stats(); s != (CacheStats{Entries: 1, Derivations: 3}) {
		t.Errorf("%+v", s)
	}
}

func TestCacheLongKeys(t *testing.T) {
	t.Parallel()
	c := NewCache(10, 0)
	for range 2 {
		for _, n := range []int{maxCachedLength, maxCachedLength + 1} {
			key, err := Generate(nil, nil, WithIterations(1), WithLength(n), WithCache(c))
			if err != nil || len(key) != n {
				t.Fatal(len(key), err)
			}
		}
	}
	if s := c.Stats(); s != (CacheStats{Entries: 1, Hits: 1, Derivations: 3}) {
		t.Errorf("%+v", s)
	}
}

// TestCacheID checks the digest against its definition for sizes on both sides of the
// buffer on the stack, and that each argument and the cache matter.
func TestCacheID(t *testing.T) {
	t.Parallel()
	c := NewCache(1, 0)
	long := bytes.Repeat([]byte("abcdefgh"), 100)
	base := params{1000, 32, SHA256}
	for _, secret := range []int{0, 1, 64, 300, 382, 383, 384, 800} {
		for _, salt := range []int{0, 1, 33, 800} {
			h := sha256.New()
			h.Write(c.seed[:])
			for _, n := range []int{secret, salt, base.iterations, base.length} {
				binary.Write(h, binary.BigEndian, int64(n))
			}
			h.Write([]byte{byte(base.digest)})
			h.Write(long[:secret])
			h.Write(long[:salt])
			if got := c.id(long[:secret], long[:salt], base); !bytes.Equal(got[:], h.Sum(nil)) {
				t.Errorf("secret of %d, salt of %d: %x", secret, salt, got)
			}
		}
	}
	seen := map[cacheID]string{}
	for _, x := range []struct {
		name         string
		c            *Cache
		secret, salt string
		p            params
	}{
		{"base", c, "ab", "c", base},
		{"boundary", c, "a", "bc", base},
		{"swapped", c, "c", "ab", base},
		{"no salt", c, "abc", "", base},
		{"no secret", c, "", "abc", base},
		{"zero byte", c, "ab", "c\x00", base},
		{"iterations", c, "ab", "c", params{1001, 32, SHA256}},
		{"length", c, "ab", "c", params{1000, 33, SHA256}},
		{"digest", c, "ab", "c", params{1000, 32, SHA512}},
		{"cache", NewCache(1, 0), "ab", "c", base},
	} {
		id := x.c.id([]byte(x.secret), []byte(x.salt), x.p)
		if other, ok := seen[id]; ok {
			t.Errorf("%s and %s share an entry", x.name, other)
		}
		seen[id] = x.name
	}
}

func TestCacheAllocations(t *testing.T) {
	c := NewCache(1, time.Hour)
	secret, salt := make([]byte, 64), make([]byte, 16)
	options := []Option{WithIterations(1), WithCache(c)}
	hit := func() {
		if _, err := Generate(secret, salt, options...); err != nil {
			t.Fatal(err)
		}
	}
	hit()
	if n := testing.AllocsPerRun(10, hit); n != 1 {
		t.Errorf("a hit makes %v allocations, want that of the key", n)
	}
}

// TestCacheHoldsNoPlaintext walks everything that a cache refers to.
func TestCacheHoldsNoPlaintext(t *testing.T) {
	t.Parallel()
	const secret = "a secret of more than a block of SHA-256, so that nobody hashes it beforehand"
	const salt = "salt of the test"
	c := NewCache(4, time.Hour)
	key, err := Generate([]byte(secret), []byte(salt), WithIterations(1), WithCache(c))
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	seen := map[any]bool{}
	var walk func(reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if v.IsNil() || v.Kind() == reflect.Pointer && seen[v.Pointer()] {
				return
			}
			if v.Kind() == reflect.Pointer {
				seen[v.Pointer()] = true
			}
			walk(v.Elem())
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Map:
			for _, k := range v.MapKeys() {
				walk(k)
				walk(v.MapIndex(k))
			}
		case reflect.String:
			all = append(all, v.String()...)
		case reflect.Uint8:
			all = append(all, byte(v.Uint()))
		}
	}
	walk(reflect.ValueOf(c))
	if !bytes.Contains(all, key) {
		t.Fatal("the walk missed the key")
	}
	for _, s := range []string{secret[:8], salt[:8]} {
		if bytes.Contains(all, []byte(s)) {
			t.Errorf("the cache holds %q", s)
		}
	}
}

// waitFor blocks until n goroutines wait for the flight of id. After some seconds it
// gives up, and the caller's counts are wrong.
func waitFor(c *Cache, id cacheID, n int) {
	for begin := time.Now(); time.Since(begin) < 10*time.Second; {
		c.mu.Lock()
		f := c.flights[id]
		ready := f != nil && f.waiters == n
		c.mu.Unlock()
		if ready {
			return
		}
		time.Sleep(50 * time.Microsecond)
	}
}

func TestCacheSingleFlight(t *testing.T) {
	t.Parallel()
	const callers = 32
	c := NewCache(4, 0)
	id := cacheID{1}
	calls := 0 // without a lock: the race detector would see a second one
	keys := make([][]byte, callers)
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			key, err := c.do(id, func() ([]byte, error) {
				calls++
				waitFor(c, id, callers-1)
				return []byte("the key"), nil
			})
			if err != nil {
				t.Error(err)
			}
			keys[i] = key
		})
	}
	wg.Wait()
	if calls != 1 {
		t.Errorf("%d derivations", calls)
	}
	if s := c.Stats(); s != (CacheStats{Entries: 1, Derivations: 1, Shared: callers - 1}) {
		t.Errorf("%+v", s)
	}
	for i, key := range keys {
		if string(key) != "the key" {
			t.Errorf("caller %d: %q", i, key)
		}
		clear(key) // must not be visible to the others
	}
	if key, err := c.do(id, nil); err != nil || string(key) != "the key" {
		t.Errorf("stored %q, %v", key, err)
	}
	if len(c.flights) != 0 {
		t.Errorf("%d flights left", len(c.flights))
	}
}

// TestCacheEvictedUnderWaiters has the entry of a flight evicted, and wiped, before those
// who waited for it wake up.
func TestCacheEvictedUnderWaiters(t *testing.T) {
	t.Parallel()
	c := NewCache(1, 0)
	f := &flight{done: make(chan struct{}), err: errPanicked, waiters: 2}
	c.flights[cacheID{1}] = f
	if _, err := c.fly(cacheID{1}, f, func() ([]byte, error) { return []byte("one"), nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := c.do(cacheID{2}, func() ([]byte, error) { return []byte("two"), nil }); err != nil {
		t.Fatal(err)
	}
	shared := f.key
	for range 2 {
		if key, err := c.land(f); err != nil || string(key) != "one" {
			t.Errorf("%q, %v", key, err)
		}
	}
	if !isZero(shared) {
		t.Errorf("the flight still holds %q", shared)
	}
}

func TestCacheErrorIsSharedNotStored(t *testing.T) {
	t.Parallel()
	const callers = 8
	c := NewCache(4, 0)
	id := cacheID{1}
	fault := errors.New("fault")
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			key, err := c.do(id, func() ([]byte, error) {
				waitFor(c, id, callers-1)
				return nil, fault
			})
			if key != nil || err != fault {
				t.Errorf("%q, %v", key, err)
			}
		})
	}
	wg.Wait()
	if s := c.Stats(); s != (CacheStats{Derivations: 1, Shared: callers - 1}) {
		t.Errorf("%+v", s)
	}
	if key, err := c.do(id, func() ([]byte, error) { return []byte("key"), nil }); err != nil || string(key) != "key" {
		t.Errorf("after the error: %q, %v", key, err)
	}
}

// TestCachePanic ends a flight by a panic and by runtime.Goexit: the waiters derive for
// themselves, in one flight again.
func TestCachePanic(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(){"panic": func() { panic("planned") }, "Goexit": runtime.Goexit} {
		const waiters = 8
		c := NewCache(4, 0)
		id := cacheID{1}
		started := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			defer func() {
				if r := recover(); name == "panic" && r != "planned" {
					t.Errorf("recovered %v", r)
				}
			}()
			c.do(id, func() ([]byte, error) {
				close(started)
				waitFor(c, id, waiters)
				end()
				return nil, nil
			})
			t.Errorf("%s: returned", name)
		})
		<-started
		for range waiters {
			wg.Go(func() {
				key, err := c.do(id, func() ([]byte, error) { return []byte("key"), nil })
				if err != nil || string(key) != "key" {
					t.Errorf("%s: %q, %v", name, key, err)
				}
			})
		}
		wg.Wait()
		s := c.Stats()
		if s.Derivations != 2 || s.Hits+s.Shared != waiters-1 || s.Entries != 1 || len(c.flights) != 0 {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// TestCacheWipeDuringFlight: what was begun before a Wipe serves those who wait, but
// is not stored, and nobody joins it any more.
func TestCacheWipeDuringFlight(t *testing.T) {
	t.Parallel()
	c := NewCache(4, 0)
	id := cacheID{1}
	key, err := c.do(id, func() ([]byte, error) {
		c.Wipe()
		inner, err := c.do(id, func() ([]byte, error) { return []byte("new"), nil })
		if err != nil || string(inner) != "new" {
			t.Errorf("during the old flight: %q, %v", inner, err)
		}
		return []byte("old"), nil
	})
	if err != nil || string(key) != "old" {
		t.Errorf("the old flight: %q, %v", key, err)
	}
	if key, err := c.do(id, nil); err != nil || string(key) != "new" {
		t.Errorf("stored: %q, %v", key, err)
	}
}

// TestCacheOldFlightLands: a flight from before a Wipe ends while a new one for the same
// key is under way, and must not strike that off the list.
func TestCacheOldFlightLands(t *testing.T) {
	t.Parallel()
	c := NewCache(4, 0)
	id := cacheID{1}
	oldStarted, oldLands := make(chan struct{}), make(chan struct{})
	var old, all sync.WaitGroup
	old.Go(func() {
		c.do(id, func() ([]byte, error) {
			close(oldStarted)
			<-oldLands
			return []byte("old"), nil
		})
	})
	<-oldStarted
	c.Wipe()
	all.Go(func() {
		key, err := c.do(id, func() ([]byte, error) {
			close(oldLands)
			old.Wait()
			waitFor(c, id, 1)
			return []byte("new"), nil
		})
		if err != nil || string(key) != "new" {
			t.Errorf("%q, %v", key, err)
		}
	})
	old.Wait()
	all.Go(func() {
		key, err := c.do(id, func() ([]byte, error) { return []byte("third"), nil })
		if err != nil || string(key) != "new" {
			t.Errorf("joined %q, %v", key, err)
		}
	})
	all.Wait()
	if s := c.Stats(); s != (CacheStats{Entries: 1, Derivations: 2, Shared: 1}) {
		t.Errorf("%+v", s)
	}
}

// TestCacheStress mixes everything, for the race detector and for the keys' values.
func TestCacheStress(t *testing.T) {
	t.Parallel()
	rounds := 300
	if testing.Short() {
		rounds = 100
	}
	c := NewCache(2, time.Millisecond)
	names := []string{"a", "b", "c", "d"}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range rounds {
				clear(request(t, c, names[(g*i+i/7)%len(names)]))
				if g == 0 && i%20 == 0 {
					c.Wipe()
				}
			}
		})
	}
	wg.Wait()
	s := c.Stats()
	if s.Hits+s.Shared+s.Derivations != uint64(8*rounds) || s.Entries > 2 || len(c.flights) != 0 {
		t.Errorf("%+v", s)
	}
	n := 0
	for e := c.root.next; e != &c.root; e = e.next {
		if c.entries[e.id] != e || e.next.prev != e {
			t.Error("ring and map differ")
		}
		n++
	}
	if n != len(c.entries) {
		t.Errorf("%d in the ring, %d in the map", n, len(c.entries))
	}
}
