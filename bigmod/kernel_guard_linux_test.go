package bigmod

import (
	"math/rand"
	"slices"
	"syscall"
	"testing"
	"unsafe"
)

// A guarded is memory between two pages that cannot be accessed.
type guarded []uint

func newGuarded(t *testing.T, limbs int) guarded {
	page := syscall.Getpagesize()
	size := (limbs*_S + page - 1) / page * page
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
	return unsafe.Slice((*uint)(unsafe.Pointer(&b[page])), size/_S)
}

// place returns a copy of x at the end of g, or at its start. The limb next to it,
// on the other side, is a canary.
func (g guarded) place(x []uint, end bool) []uint {
	z := g[:len(x)]
	if end {
		z = g[len(g)-len(x):]
	}
	copy(z, x)
	if end {
		g[len(g)-len(x)-1] = 0x5a5a5a5a
	} else {
		g[len(x)] = 0x5a5a5a5a
	}
	return z
}

// intact reports whether the canary next to a slice of n limbs is.
func (g guarded) intact(n int, end bool) bool {
	if end {
		return g[len(g)-n-1] == 0x5a5a5a5a
	}
	return g[n] == 0x5a5a5a5a
}

// TestKernelGuardPages runs every kernel with every length up to 80 and each
// operand against a page that cannot be accessed, at its end and at its start.
// Reads and writes outside were faults of openssl/openssl#18625 (CVE-2022-2274),
// golang/go#21104, jedisct1/libsodium#848 and mirage/mirage-crypto#79.
func TestKernelGuardPages(t *testing.T) {
	const maxN = 80
	gx, gy, gz := newGuarded(t, 2*maxN), newGuarded(t, 2*maxN), newGuarded(t, 2*maxN+3)
	gt, gm := newGuarded(t, 4*maxN), newGuarded(t, 33*maxN)
	r := edgeRand{rand.New(rand.NewSource(6))}
	for _, set := range kernelSets() {
		for n := 1; n <= maxN; n++ {
			for _, end := range []bool{false, true} {
				x, y := gx.place(r.number(n), end), gy.place(r.number(n), end)
				if set.takes(n) {
					z, want := gz.place(junk(2*n), end), make([]uint, 2*n)
					set.mul(z, x, y)
					if mulGeneric(want, x, y); !slices.Equal(z, want) || !gz.intact(2*n, end) {
						t.Fatalf("%s: mul of %d limbs", set.name, n)
					}
					set.sqr(z, x)
					if sqrGeneric(want, x); !slices.Equal(z, want) || !gz.intact(2*n, end) {
						t.Fatalf("%s: sqr of %d limbs", set.name, n)
					}
					m := gm.place(r.modulus(n, true), end)
					in := append(r.number(n), r.below(m)...)
					p := gt.place(in, end)
					z = gz.place(junk(n), end)
					set.montReduce(z, p, m, negInverse(m[0]))
					montReduceGeneric(want[:n], in, m, negInverse(m[0]))
					if !slices.Equal(z, want[:n]) || !gz.intact(n, end) || !gt.intact(2*n, end) {
						t.Fatalf("%s: montReduce of %d limbs", set.name, n)
					}
				}
				if n >= set.minTop {
					m := limbModulus(t, r.modulus(n, false))
					m.nat.limbs = gm.place(m.nat.limbs, end)
					in := append(r.number(n+1), r.below(m.nat.limbs)...)
					p := gt.place(in, end)
					set.reduceTop(p, m)
					if reduceTopGeneric(in, m); !slices.Equal(p[:n], in[:n]) || !gt.intact(2*n+1, end) {
						t.Fatalf("%s: reduceTop of %d limbs", set.name, n)
					}
				}
				for _, entries := range []int{1, 2, 32} {
					table := gm.place(r.number(entries*n), end)
					i := r.Intn(entries)
					z := gz.place(junk(n), end)
					set.selectLimbs(z, table, uint(i))
					if !slices.Equal(z, table[i*n:(i+1)*n]) || !gz.intact(n, end) {
						t.Fatalf("%s: selectLimbs of %d limbs", set.name, n)
					}
				}
			}
		}
	}
}
