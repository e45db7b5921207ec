//go:build !purego

package bigmod

import (
	"math/rand"
	"slices"
	"testing"
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
