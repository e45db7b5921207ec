//go:build !purego

package bigmod

import (
	"math/rand"
	"slices"
	"testing"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// TestKernelFusedGuardPages is TestKernelGuardPages for products with their reduction
// in one call.
func TestKernelFusedGuardPages(t *testing.T) {
	const maxN = 80
	gx, gy, gz := newGuarded(t, 2*maxN), newGuarded(t, 2*maxN), newGuarded(t, 2*maxN)
	gt, gm := newGuarded(t, 3*maxN), newGuarded(t, 2*maxN)
	r := edgeRand{rand.New(rand.NewSource(12))}
	for _, set := range fusedSets() {
		for n := 1; n <= maxN; n++ {
			if !set.takes(n) {
				continue
			}
			for _, end := range []bool{false, true} {
				m := gm.place(r.modulus(n, true), end)
				x, y := gx.place(r.below(m), end), gy.place(r.number(n), end)
				m0inv := negInverse(m[0])
				z, p := gz.place(junk(n), end), gt.place(junk(2*n), end)
				q, want := make([]uint, 2*n), make([]uint, n)
				set.montMul(z, x, y, p, m, m0inv)
				mulGeneric(q, x, y)
				montReduceGeneric(want, q, m, m0inv)
				if !slices.Equal(z, want) || !gz.intact(n, end) || !gt.intact(2*n, end) {
					t.Fatalf("%s: montMul of %d limbs", set.name, n)
				}
				set.montSqrs(z, x, p, m, m0inv, 2)
				for _, v := range [][]uint{x, want} {
					sqrGeneric(q, v)
					montReduceGeneric(want, q, m, m0inv)
				}
				if !slices.Equal(z, want) || !gz.intact(n, end) || !gt.intact(2*n, end) {
					t.Fatalf("%s: montSqrs of %d limbs", set.name, n)
				}
			}
		}
	}
}

// TestLanesGuardPages is the same for numbers in lanes.
func TestLanesGuardPages(t *testing.T) {
	if !cpu.X86.HasAVX2 {
		t.Skip("the kernels are not tested: this processor lacks AVX2, or GODEBUG turns it off")
	}
	words := func(x []uint) []uint64 { return unsafe.Slice((*uint64)(unsafe.Pointer(&x[0])), len(x)) }
	limbs := func(x []uint64) []uint { return unsafe.Slice((*uint)(unsafe.Pointer(&x[0])), len(x)) }
	var guard [5]guarded
	for i := range guard {
		guard[i] = newGuarded(t, 1<<13)
	}
	r := edgeRand{rand.New(rand.NewSource(33))}
	laneForms(r, func(f laneForm, size int) {
		if f.width > 40 && f.width < 80 {
			return
		}
		for _, end := range []bool{false, true} {
			place := func(i int, x []uint64) []uint64 { return words(guard[i].place(limbs(x), end)) }
			intact := func(what string) {
				t.Helper()
				if !guard[0].intact(f.vector(), end) || !guard[4].intact(f.scratch(), end) {
					t.Fatalf("%s, %+v: writes outside", what, f)
				}
			}
			c := r.laneCase(t, f, size)
			x, y, m := place(1, r.lanes(c)), place(2, r.lanes(c)), place(3, c.mod)
			z, want := place(0, make([]uint64, f.vector())), make([]uint64, f.vector())
			scratch := place(4, make([]uint64, f.scratch()))
			laneAVX2.montMul(&f, z, x, y, scratch, m)
			montMulLanesGeneric(&f, want, x, y, m)
			if intact("product"); !slices.Equal(z, want) {
				t.Fatalf("product, %+v: wrong", f)
			}
			laneAVX2.montSqrs(&f, z, x, scratch, m, 2)
			montSqrsLanesGeneric(&f, want, x, m, 2)
			if intact("squares"); !slices.Equal(z, want) {
				t.Fatalf("squares, %+v: wrong", f)
			}
			if f.each == 2 {
				table := place(4, make([]uint64, f.vector()/2<<expWindow))
				laneAVX2.selectPair(z, table, 3, 31)
				if !guard[0].intact(f.vector(), end) {
					t.Fatalf("selection, %+v: writes outside", f)
				}
			}
		}
	})
}
