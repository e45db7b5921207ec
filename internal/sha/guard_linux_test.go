package sha

import (
	"math/rand"
	"slices"
	"syscall"
	"testing"
	"unsafe"
)

// guarded is memory between two pages that cannot be accessed.
type guarded []byte

func newGuarded(t *testing.T, size int) guarded {
	page := syscall.Getpagesize()
	size = (size + page - 1) / page * page
	b, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(b) })
	for _, guard := range [][]byte{b[:page], b[page+size:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return b[page : page+size]
}

// place returns a copy of x at the end of g, or at its start. The byte next to it, on the
// other side, is a canary.
func place[T any](g guarded, x []T, end bool) []T {
	size := len(x) * int(unsafe.Sizeof(x[0]))
	at, canary := 0, size
	if end {
		at, canary = len(g)-size, len(g)-size-1
	}
	g[canary] = 0x5a
	z := unsafe.Slice((*T)(unsafe.Pointer(&g[at])), len(x))
	copy(z, x)
	return z
}

// intact reports whether the canary next to x is.
func intact[T any](g guarded, x []T, end bool) bool {
	size := len(x) * int(unsafe.Sizeof(x[0]))
	if end {
		return g[len(g)-size-1] == 0x5a
	}
	return g[size] == 0x5a
}

// TestGuardPages runs every set with the streams and the trim, and the functions for
// whole blocks with the state and the message, against a page that cannot be accessed, at
// their end and at their start.
func TestGuardPages(t *testing.T) {
	g, gt := newGuarded(t, MaxStreams*int(unsafe.Sizeof(Stream512{}))), newGuarded(t, 512)
	r := rand.New(rand.NewSource(4))
	for _, end := range []bool{false, true} {
		for _, set := range sets1 {
			want := make([]Stream1, set.width)
			for i := range want {
				want[i] = random1(r)
			}
			got := place(g, want, end)
			set.run(got, 2)
			for i := range want {
				loop1x1Generic(&want[i], 2)
			}
			if !slices.Equal(got, want) || !intact(g, got, end) {
				t.Errorf("SHA-1, %s, %d streams", set.name, set.width)
			}
		}
		for _, set := range sets256 {
			want := make([]Stream256, set.width)
			for i := range want {
				want[i] = random256(r, Trim224)
			}
			got, trim := place(g, want, end), place(gt, []Trim256{*Trim224}, end)
			set.run(got, &trim[0], 2)
			for i := range want {
				loop256x1Generic(&want[i], Trim224, 2)
			}
			if !slices.Equal(got, want) || !intact(g, got, end) || trim[0] != *Trim224 || !intact(gt, trim, end) {
				t.Errorf("SHA-256, %s, %d streams", set.name, set.width)
			}
		}
		for _, set := range sets512 {
			want := make([]Stream512, set.width)
			for i := range want {
				want[i] = random512(r, Trim384)
			}
			got, trim := place(g, want, end), place(gt, []Trim512{*Trim384}, end)
			set.run(got, &trim[0], 2)
			for i := range want {
				loop512x1Generic(&want[i], Trim384, 2)
			}
			if !slices.Equal(got, want) || !intact(g, got, end) || trim[0] != *Trim384 || !intact(gt, trim, end) {
				t.Errorf("SHA-512, %s, %d streams", set.name, set.width)
			}
		}
		for blocks := range 4 {
			b := make([]byte, 128*(blocks+1))
			r.Read(b)
			p := place(g, b, end)

			w1, w256, w512 := random1(r).U, random256(r, nil).U, random512(r, nil).U
			h1, h256, h512 := place(gt, w1[:], end), w256, w512
			blocks1((*[5]uint32)(h1), p)
			if blocks1Generic(&w1, b); [5]uint32(h1) != w1 || !intact(gt, h1, end) {
				t.Errorf("SHA-1, %d bytes", len(p))
			}
			h := place(gt, h256[:], end)
			blocks256((*[8]uint32)(h), p)
			if blocks256Generic(&w256, b); [8]uint32(h) != w256 || !intact(gt, h, end) {
				t.Errorf("SHA-256, %d bytes", len(p))
			}
			h2 := place(gt, h512[:], end)
			blocks512((*[8]uint64)(h2), p)
			if blocks512Generic(&w512, b); [8]uint64(h2) != w512 || !intact(gt, h2, end) {
				t.Errorf("SHA-512, %d bytes", len(p))
			}
			if !slices.Equal(p, b) || !intact(g, p, end) {
				t.Errorf("%d bytes: the message changed", len(p))
			}
		}
	}
}
