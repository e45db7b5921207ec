//go:build purego || !amd64

package bigmod

// montMul sets z = x · y · 2^(-W·n) mod m, by a product and a Montgomery
// reduction. z, x, y and m have n limbs, t has 2n and is scratch; z may be x or y.
// The result is reduced if one of x and y is. All values are secret.
func montMul(z, x, y, t, m []uint, m0inv uint) {
	mulLimbs(t, x, y)
	montReduce(z, t, m, m0inv)
}

// montSqrs squares count times, at least once, with a Montgomery reduction
// after each: z = x² · 2^(-W·n) mod m, then of z. z, x and m have n limbs, t has 2n
// and is scratch; z may be x. x must be reduced, the result is. All values but
// count are secret.
func montSqrs(z, x, t, m []uint, m0inv uint, count int) {
	for range count {
		sqrLimbs(t, x)
		montReduce(z, t, m, m0inv)
		x = z
	}
}
