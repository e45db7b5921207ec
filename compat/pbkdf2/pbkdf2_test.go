package pbkdf2

import (
	"bytes"
	"context"
	"crypto"
	"crypto/fips140"
	"crypto/md5"
	stdpbkdf2 "crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

// The two signatures are one.
var _ = []func(func() hash.Hash, string, []byte, int, int) ([]byte, error){Key[hash.Hash], stdpbkdf2.Key[hash.Hash]}

var hashes = []struct {
	hash crypto.Hash
	new  func() hash.Hash
}{
	{crypto.SHA1, sha1.New},
	{crypto.SHA224, sha256.New224},
	{crypto.SHA256, sha256.New},
	{crypto.SHA384, sha512.New384},
	{crypto.SHA512, sha512.New},
	{crypto.SHA512_224, sha512.New512_224},
	{crypto.SHA512_256, sha512.New512_256},
	{crypto.SHA3_256, func() hash.Hash { return sha3.New256() }},
	{crypto.MD5, md5.New},
}

// std is the oracle.
func std(t testing.TB, h func() hash.Hash, password, salt []byte, iter, n int) []byte {
	t.Helper()
	key, err := stdpbkdf2.Key(h, string(password), salt, iter, n)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// forms returns what every form of the function derives.
func forms(t testing.TB, i int, password, salt []byte, iter, n int) map[string][]byte {
	t.Helper()
	h := hashes[i].hash
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	forms := make(map[string][]byte)
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	next := func(name string) []byte {
		forms[name] = bytes.Repeat([]byte{0xa5}, n)
		return forms[name]
	}
	// progress checks that what is called done rises to the total.
	progress := func(last *uint64) func(done, total uint64) {
		return func(done, total uint64) {
			if done <= *last || done > total {
				t.Errorf("progress: %d of %d after %d", done, total, *last)
			}
			if *last = done; done == total {
				*last = math.MaxUint64
			}
		}
	}
	ended := func(last uint64) {
		if last != math.MaxUint64 {
			t.Helper()
			t.Errorf("progress: last call for %d", last)
		}
	}

	key, err := Key(hashes[i].new, string(password), salt, iter, n)
	must(err)
	forms["Key"] = key
	must(Fill(next("Fill"), h, password, salt, iter))
	must(Limits{}.Fill(next("Limits.Fill"), h, password, salt, iter))
	var last uint64
	must(FillContext(ctx, next("FillContext"), h, password, salt, iter, progress(&last)))
	ended(last)
	d, err := NewDeriver(h, password)
	must(err)
	must(d.Derive(next("Deriver.Derive"), salt, iter))
	last = 0
	must(d.DeriveContext(ctx, next("Deriver.DeriveContext"), salt, iter, progress(&last)))
	ended(last)
	blocks := next("Deriver.Block")
	for i := 0; i < n; i += h.Size() {
		block := make([]byte, h.Size())
		must(d.Block(block, salt, iter, uint32(i/h.Size()+1)))
		copy(blocks[i:], block)
	}
	d.Wipe()

	// In a batch, among others that are longer and shorter.
	var requests []Request
	for i := range 5 {
		requests = append(requests, Request{make([]byte, 1+30*i), []byte{byte(i)}, bytes.Repeat([]byte{7}, 5*i), 1 + 2*i})
	}
	requests = slices.Insert(requests, n%6, Request{next("Batch"), password, salt, iter})
	last = 0
	must(Batch(ctx, h, requests, progress(&last)))
	ended(last)
	for k, r := range requests {
		if want := std(t, hashes[i].new, r.Password, r.Salt, r.Iterations, len(r.Dst)); !bytes.Equal(r.Dst, want) {
			t.Errorf("%v, request %d of a batch = %x, want %x", h, k, r.Dst, want)
		}
	}
	return forms
}

// compare checks that all forms are what crypto/pbkdf2 derives.
func compare(t testing.TB, i int, password, salt []byte, iter, n int) {
	t.Helper()
	want := std(t, hashes[i].new, password, salt, iter, n)
	for name, got := range forms(t, i, password, salt, iter, n) {
		if !bytes.Equal(got, want) {
			t.Errorf("%s, %v, password %x, salt %x, %d iterations\n= %x\nwant %x", name, hashes[i].hash, password, salt, iter, got, want)
		}
	}
}

// TestRFC has the vectors of RFC 6070 and RFC 7914 §11. The one of RFC 6070 with 2^24
// iterations is in the Wycheproof test.
func TestRFC(t *testing.T) {
	t.Parallel()
	for _, v := range []struct {
		hash           int
		password, salt string
		iter           int
		want           string
	}{
		{0, "password", "salt", 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"},
		{0, "password", "salt", 2, "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"},
		{0, "password", "salt", 4096, "4b007901b765489abead49d926f721d065a429c1"},
		{0, "passwordPASSWORDpassword", "saltSALTsaltSALTsaltSALTsaltSALTsalt", 4096, "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"},
		{0, "pass\x00word", "sa\x00lt", 4096, "56fa6aa75548099dcc37d7f03425e0c3"},
		{2, "passwd", "salt", 1, "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"},
		{2, "Password", "NaCl", 80000, "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d"},
	} {
		if v.iter > 4096 && testing.Short() {
			continue
		}
		want, err := hex.DecodeString(v.want)
		if err != nil {
			t.Fatal(err)
		}
		for name, got := range forms(t, v.hash, []byte(v.password), []byte(v.salt), v.iter, len(want)) {
			if !bytes.Equal(got, want) {
				t.Errorf("%s, %q, %q, %d iterations = %x, want %x", name, v.password, v.salt, v.iter, got, want)
			}
		}
	}
}

// TestParity compares all forms, for all hashes, with crypto/pbkdf2.
func TestParity(t *testing.T) {
	t.Parallel()
	text := bytes.Repeat([]byte("0123456789abcdefghijklmnopqrstuvwxyz"), 10)
	for i, h := range hashes {
		block := h.new().BlockSize()
		for k, n := range []int{0, 1, block - 1, block, block + 1, 2*block + 3} {
			for j, m := range []int{0, 8, block - 13, block - 12, block - 5, block - 4, block, 2 * block} {
				if testing.Short() && (k+j)%3 > 0 {
					continue
				}
				compare(t, i, text[:n], text[300-m:300], 1+(k*j)%5, 1+(37*k+61*j)%(9*h.hash.Size()))
			}
		}
		// More than one step between looks at the context.
		compare(t, i, text[:9], text[:9], 2*contextSteps+7, 3*h.hash.Size()+1)
	}
}

// FuzzKey compares all forms with crypto/pbkdf2.
func FuzzKey(f *testing.F) {
	f.Add(uint8(0), []byte("password"), []byte("salt"), uint16(2), uint16(20))
	f.Add(uint8(1), []byte("pass\x00word"), []byte{}, uint16(1), uint16(29))
	f.Add(uint8(2), bytes.Repeat([]byte("k"), 65), bytes.Repeat([]byte("s"), 52), uint16(3), uint16(64))
	f.Add(uint8(3), bytes.Repeat([]byte("k"), 128), bytes.Repeat([]byte("s"), 108), uint16(2), uint16(200))
	f.Add(uint8(4), bytes.Repeat([]byte("k"), 129), bytes.Repeat([]byte("s"), 107), uint16(300), uint16(257))
	f.Add(uint8(7), []byte{}, []byte{}, uint16(1), uint16(1))
	f.Fuzz(func(t *testing.T, hash uint8, password, salt []byte, iter, n uint16) {
		compare(t, int(hash)%len(hashes), password, salt, 1+int(iter)%600, 1+int(n)%700)
	})
}

// TestErrors checks what each form makes of arguments without meaning.
func TestErrors(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, c := range []struct {
		hash crypto.Hash
		n    int
		iter int
		want error
	}{
		{crypto.SHA256, 32, 0, ErrIterations},
		{crypto.SHA256, 32, -1, ErrIterations},
		{crypto.SHA256, 32, math.MinInt, ErrIterations},
		{crypto.SHA3_256, 32, 0, ErrIterations},
		{crypto.SHA256, 0, 1, ErrLength},
		{crypto.SHA3_256, 0, 1, ErrLength},
		{0, 32, 1, ErrHash},
		{crypto.MD5SHA1, 32, 1, ErrHash},
		{crypto.Hash(9999), 32, 1, ErrHash},
		{crypto.MD4, 32, 1, ErrHash},
	} {
		dst := bytes.Repeat([]byte{0xa5}, c.n)
		got := map[string]error{
			"Fill":        Fill(dst, c.hash, []byte("p"), []byte("s"), c.iter),
			"FillContext": FillContext(ctx, dst, c.hash, []byte("p"), []byte("s"), c.iter, nil),
			"Batch":       Batch(ctx, c.hash, []Request{{make([]byte, 9), nil, nil, 1}, {dst, nil, nil, c.iter}}, nil),
		}
		d, err := NewDeriver(c.hash, []byte("p"))
		if c.want == ErrHash {
			got["NewDeriver"] = err
		} else {
			got["Deriver.Derive"] = d.Derive(dst, []byte("s"), c.iter)
			got["Deriver.DeriveContext"] = d.DeriveContext(ctx, dst, []byte("s"), c.iter, nil)
			got["Deriver.Block"] = d.Block(dst, []byte("s"), c.iter, 1)
		}
		for name, err := range got {
			if !errors.Is(err, c.want) || !strings.HasPrefix(strings.TrimPrefix(err.Error(), "request 1: "), "pbkdf2: ") {
				t.Errorf("%s, %v, %d bytes, %d iterations: %v, want %v", name, c.hash, c.n, c.iter, err, c.want)
			}
		}
		if !bytes.Equal(dst, bytes.Repeat([]byte{0xa5}, c.n)) {
			t.Error("the output was written to")
		}
	}
	d, err := NewDeriver(crypto.SHA256, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Block(make([]byte, 31), nil, 1, 1); !errors.Is(err, ErrLength) {
		t.Error("a block of 31 bytes:", err)
	}
	if err := d.Block(make([]byte, 32), nil, 1, 0); !errors.Is(err, ErrLength) {
		t.Error("block 0:", err)
	}
	if err := d.Block(make([]byte, 32), nil, 1, math.MaxUint32); err != nil {
		t.Error("the last block:", err)
	}
	if d.Hash() != crypto.SHA256 {
		t.Error("Hash() =", d.Hash())
	}
}

// TestOverlap checks that an output in the place of the password is right, and one in that
// of the salt, which would be read again for the next block, an error.
func TestOverlap(t *testing.T) {
	t.Parallel()
	for _, h := range hashes {
		password := bytes.Repeat([]byte("pw"), 100)
		want := std(t, h.new, password, []byte("salt"), 3, 150)
		if err := Fill(password[20:170], h.hash, password, []byte("salt"), 3); err != nil || !bytes.Equal(password[20:170], want) {
			t.Errorf("%v: %v", h.hash, err)
		}
		b := make([]byte, 100)
		for _, c := range []struct {
			dst, salt []byte
			want      error
		}{
			{b[:50], b[:1], ErrOverlap}, {b[:50], b[49:], ErrOverlap}, {b[10:20], b, ErrOverlap}, {b, b[10:20], ErrOverlap}, {b[99:], b, ErrOverlap},
			{b[:50], b[50:], nil}, {b[50:], b[:50], nil}, {b, b[:0], nil}, {b, nil, nil}, {b, b[100:], nil},
		} {
			if err := Fill(c.dst, h.hash, nil, c.salt, 1); err != c.want {
				t.Errorf("%v: %v, want %v", h.hash, err, c.want)
			}
		}
	}
}

// TestAllocations checks that nothing is allocated for hashes that are fast.
func TestAllocations(t *testing.T) {
	dst, password, salt := make([]byte, 300), make([]byte, 200), make([]byte, 200)
	ctx := context.Background()
	fast := 0
	for _, h := range hashes {
		if _, ok := kindOf(h.hash); !ok {
			continue
		}
		fast++
		d, err := NewDeriver(h.hash, password)
		if err != nil {
			t.Fatal(err)
		}
		requests := []Request{{dst[:100], password, salt, 3}, {dst[100:], password[:10], salt, 5}}
		var last uint64
		progress := func(done, total uint64) { last = done }
		for name, f := range map[string]func() error{
			"Fill":           func() error { return Fill(dst, h.hash, password, salt, 3) },
			"FillContext":    func() error { return FillContext(ctx, dst, h.hash, password, salt, 3, progress) },
			"Derive":         func() error { return d.Derive(dst, salt, 3) },
			"DeriveContext":  func() error { return d.DeriveContext(ctx, dst, salt, 3, progress) },
			"Block":          func() error { return d.Block(dst[:h.hash.Size()], salt, 3, 2) },
			"Batch":          func() error { return Batch(ctx, h.hash, requests, progress) },
			"Limits.Fill":    func() error { return SP800132().Fill(dst, h.hash, password, salt, 1000) },
			"one iteration":  func() error { return Fill(dst, h.hash, password, salt, 1) },
			"half of a hash": func() error { return Fill(dst[:10], h.hash, password, salt, 1) },
		} {
			n := testing.AllocsPerRun(20, func() {
				if err := f(); err != nil {
					t.Error(err)
				}
			})
			if n > 0 {
				t.Errorf("%v, %s: %v allocations", h.hash, name, n)
			}
		}
		if last == 0 {
			t.Error("no progress")
		}
	}
	if fast == 0 {
		t.Log("no hash is fast on this processor, or in this mode")
	}
}

// countedContext is done when it has been asked n times.
type countedContext struct {
	context.Context
	asked, n int
}

func (c *countedContext) Done() <-chan struct{} { return make(chan struct{}) }

func (c *countedContext) Err() error {
	if c.asked++; c.asked > c.n {
		return context.Canceled
	}
	return nil
}

// TestCancel checks that the context is looked at after every few iterations, that no
// iterations follow when it is done, and that then the output is cleared.
func TestCancel(t *testing.T) {
	t.Parallel()
	const iter = 20 * contextSteps
	for _, h := range hashes {
		d, err := NewDeriver(h.hash, []byte("password"))
		if err != nil {
			t.Fatal(err)
		}
		size := h.hash.Size()
		dst := make([]byte, 2*size)
		short := [2][]byte{make([]byte, 8), make([]byte, 8)}
		for name, f := range map[string]func(ctx context.Context, progress func(done, total uint64)) error{
			"FillContext": func(ctx context.Context, progress func(done, total uint64)) error {
				return FillContext(ctx, dst, h.hash, []byte("password"), []byte("salt"), iter, progress)
			},
			"DeriveContext": func(ctx context.Context, progress func(done, total uint64)) error {
				return d.DeriveContext(ctx, dst, []byte("salt"), iter, progress)
			},
			"Batch": func(ctx context.Context, progress func(done, total uint64)) error {
				return Batch(ctx, h.hash, []Request{
					{short[0], nil, nil, 1}, {dst, []byte("password"), []byte("salt"), iter}, {short[1], nil, nil, 1},
				}, progress)
			},
		} {
			// Not stopped: two blocks, at most two at a time.
			ctx := &countedContext{Context: context.Background(), n: math.MaxInt}
			if err := f(ctx, nil); err != nil || ctx.asked < iter/contextSteps {
				t.Errorf("%v, %s: %v, context asked %d times", h.hash, name, err, ctx.asked)
			}
			for _, n := range []int{0, 1, 7} {
				for i := range dst {
					dst[i] = 0xa5
				}
				var last uint64
				ctx := &countedContext{Context: context.Background(), n: n}
				err := f(ctx, func(done, total uint64) { last = done })
				if !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "pbkdf2: ") {
					t.Errorf("%v, %s, %d: %v", h.hash, name, n, err)
				}
				// The request with one iteration is another block.
				if last > uint64(n+1)*contextSteps*3 {
					t.Errorf("%v, %s, %d: %d iterations", h.hash, name, n, last)
				}
				// A context that is done before anything happens leaves the output alone.
				want := make([]byte, len(dst))
				if n == 0 {
					want = bytes.Repeat([]byte{0xa5}, len(dst))
				}
				if !bytes.Equal(dst, want) {
					t.Errorf("%v, %s, %d: output %x", h.hash, name, n, dst)
				}
			}
		}
	}
}

// TestHugeIterations starts what would take millennia, and stops it.
func TestHugeIterations(t *testing.T) {
	t.Parallel()
	for _, h := range hashes {
		ctx, cancel := context.WithCancel(context.Background())
		begun := make(chan struct{})
		go func() {
			<-begun
			cancel()
		}()
		close(begun)
		dst := make([]byte, 5*h.hash.Size())
		if err := FillContext(ctx, dst, h.hash, nil, nil, math.MaxInt, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%v: %v", h.hash, err)
		}
	}
	if n := total(math.MaxInt, 20, math.MaxInt); n != math.MaxUint64 && math.MaxInt > math.MaxInt32 {
		t.Error("total =", n)
	}
}

// TestConcurrent uses a Deriver from many goroutines, until it is wiped under their hands.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	for _, h := range hashes {
		password := []byte("password")
		d, err := NewDeriver(h.hash, password)
		if err != nil {
			t.Fatal(err)
		}
		clear(password)
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				salt := []byte{byte(i)}
				want := std(t, h.new, []byte("password"), salt, 50, 100)
				got := make([]byte, 100)
				for n := range 20 {
					if i == 0 && n == 10 {
						d.Wipe()
					}
					err := d.Derive(got, salt, 50)
					if err == nil && !bytes.Equal(got, want) || err != nil && err != ErrWiped || i == 0 && (err != nil) != (n >= 10) {
						t.Errorf("%v: %x, %v", h.hash, got, err)
					}
				}
			})
		}
		wg.Wait()
		if d.mac.Hash() != 0 || d.password != nil {
			t.Errorf("%v: not wiped", h.hash)
		}
		if err := d.DeriveContext(context.Background(), make([]byte, 9), nil, 1, nil); err != ErrWiped {
			t.Error(err)
		}
		if err := d.Block(make([]byte, h.hash.Size()), nil, 1, 1); err != ErrWiped {
			t.Error(err)
		}
	}
}

// TestBatch tries numbers of requests around those that run together, with results in
// order whatever finishes first.
func TestBatch(t *testing.T) {
	t.Parallel()
	for _, h := range hashes {
		for n := range 19 {
			requests := make([]Request, n)
			for i := range requests {
				requests[i] = Request{make([]byte, 1+17*i%90), fmt.Append(nil, "password", i), fmt.Append(nil, "salt", i), 1 + 31*i%70}
			}
			if err := Batch(context.Background(), h.hash, requests, nil); err != nil {
				t.Fatal(err)
			}
			for i, r := range requests {
				if want := std(t, h.new, r.Password, r.Salt, r.Iterations, len(r.Dst)); !bytes.Equal(r.Dst, want) {
					t.Errorf("%v, request %d of %d", h.hash, i, n)
				}
			}
		}
	}
}

// TestLimits checks each bound from both sides.
func TestLimits(t *testing.T) {
	t.Parallel()
	l := Limits{MinIterations: 1000, MaxIterations: 100_000, MinSalt: 16, MinOutput: 14, MaxOutput: 64}
	for _, c := range []struct {
		salt, iter, output int
		want               string
	}{
		{16, 1000, 14, ""},
		{1 << 20, 100_000, 64, ""},
		{16, 999, 14, "pbkdf2: iterations 999 is less than 1000"},
		{16, -1, 14, "pbkdf2: iterations -1 is less than 1000"},
		{16, 100_001, 14, "pbkdf2: iterations 100001 is more than 100000"},
		{16, math.MaxInt32, 14, "pbkdf2: iterations 2147483647 is more than 100000"},
		{15, 1000, 14, "pbkdf2: salt length 15 is less than 16"},
		{16, 1000, 13, "pbkdf2: output length 13 is less than 14"},
		{16, 1000, 65, "pbkdf2: output length 65 is more than 64"},
	} {
		err := l.Check(c.salt, c.iter, c.output)
		var limit *LimitError
		if c.want == "" && err != nil || c.want != "" && (!errors.As(err, &limit) || err.Error() != c.want) {
			t.Errorf("%v: %v", c, err)
		}
	}
	if err := (Limits{}).Check(0, 1, 1); err != nil {
		t.Error(err)
	}
	for _, c := range [][3]int{{15, 1000, 14}, {16, 999, 14}, {16, 1000, 13}} {
		dst := make([]byte, c[2])
		if err := SP800132().Fill(dst, crypto.SHA256, nil, make([]byte, c[0]), c[1]); err == nil || slices.Max(dst) > 0 {
			t.Errorf("%v: %v", c, err)
		}
	}
	if err := SP800132().Fill(make([]byte, 14), crypto.SHA256, nil, make([]byte, 16), 1000); err != nil {
		t.Error(err)
	}
}

// TestQueueWipes checks that what a derivation makes of the password is not left.
func TestQueueWipes(t *testing.T) {
	for _, h := range hashes {
		kind, ok := kindOf(h.hash)
		if !ok {
			continue
		}
		for _, ctx := range []context.Context{context.Background(), &countedContext{Context: context.Background(), n: 1}} {
			q := queue{hash: kind, requests: []Request{{make([]byte, 100), []byte("password"), []byte("salt"), 10 * contextSteps}}}
			q.run(ctx, nil, 0)
			if q.mac.Hash() != 0 {
				t.Errorf("%v: the key is left", h.hash)
			}
		}
	}
}

// TestFIPS runs in processes in FIPS 140-3 mode: everything has to go to the standard
// library, with its errors.
func TestFIPS(t *testing.T) {
	const env = "PBKDF2_TEST_FIPS"
	if mode := os.Getenv(env); mode != "" {
		if !fips140.Enabled() {
			t.Fatal("not in FIPS 140-3 mode")
		}
		for i, h := range hashes {
			_, fast := kindOf(h.hash)
			if _, batch := batchKind(h.hash, 8); fast || batch {
				t.Errorf("%v: a kernel runs", h.hash)
			}
			if mode == "on" {
				compare(t, i, []byte("password"), []byte("0123456789abcdef"), 300, 100)
				continue
			}
			for _, n := range []int{13, 14} {
				for _, salt := range []string{"0123456789abcde", "0123456789abcdef"} {
					want, wantErr := stdpbkdf2.Key(h.new, "password", []byte(salt), 300, n)
					got, err := Key(h.new, "password", []byte(salt), 300, n)
					if !bytes.Equal(got, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
						t.Errorf("Key, %v: %x, %v, want %x, %v", h.hash, got, err, want, wantErr)
					}
					dst := make([]byte, n)
					err = FillContext(&countedContext{Context: context.Background(), n: 99}, dst, h.hash, []byte("password"), []byte(salt), 300, nil)
					if wantErr == nil && !bytes.Equal(dst, want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
						t.Errorf("FillContext, %v: %x, %v, want %x, %v", h.hash, dst, err, want, wantErr)
					}
					d, err := NewDeriver(h.hash, []byte("password"))
					if err != nil {
						t.Fatal(err)
					}
					block := make([]byte, h.hash.Size())
					_, wantErr = stdpbkdf2.Key(h.new, "password", []byte(salt), 300, len(block))
					err = d.Block(block, []byte(salt), 300, 1)
					if wantErr == nil && !bytes.Equal(block[:len(want)], want) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
						t.Errorf("Block, %v: %x, %v, want %x, %v", h.hash, block, err, want, wantErr)
					}
				}
			}
		}
		fmt.Println("FIPS mode", mode, "was tested")
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"on", "only"} {
		cmd := exec.Command(exe, "-test.run=^TestFIPS$")
		cmd.Env = append(os.Environ(), "GODEBUG=fips140="+mode, env+"="+mode)
		out, err := cmd.CombinedOutput()
		if err != nil && (strings.Contains(err.Error(), "exec format error") || strings.Contains(string(out), "FIPS 140-3 mode is incompatible with")) {
			t.Logf("fips140=%s is not tested: %v\n%s", mode, err, out)
			continue
		}
		if err != nil || !strings.Contains(string(out), "was tested") {
			t.Errorf("fips140=%s: %v\n%s", mode, err, out)
		}
	}
}

// TestFast checks that Fast says what the documentation does.
func TestFast(t *testing.T) {
	for _, h := range hashes {
		kind, ok := kindOf(h.hash)
		if got := Fast(h.hash); got != ok || got && !kind.Fast() {
			t.Errorf("%v: %t", h.hash, got)
		}
	}
	for _, h := range []crypto.Hash{0, crypto.MD5, crypto.SHA3_256, 1000} {
		if Fast(h) {
			t.Errorf("%v is said to be fast", h)
		}
	}
}

// TestFormat checks that a Deriver does not print what it knows of the password.
func TestFormat(t *testing.T) {
	for _, h := range []crypto.Hash{crypto.SHA256, crypto.SHA3_256} {
		d, err := NewDeriver(h, []byte("hunter2secret"))
		if err != nil {
			t.Fatal(err)
		}
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d"} {
			if got := fmt.Sprintf(verb, d); got != "pbkdf2.Deriver" {
				t.Errorf("%v, %s: %.60s", h, verb, got)
			}
		}
	}
}
