package bigmod

import "math/bits"

// rrChainThreshold is the number of doublings per limb of the modulus that
// [Modulus.rrChain] prefers to Montgomery squarings: a doubling costs about n
// steps, a squaring about n² products, so the point where the second becomes
// cheaper grows with n.
const rrChainThreshold = 2

// rrChain sets z = R² mod m, the constant of the usual way into Montgomery form.
// z has the width w of m.mont, t has 2w limbs. The package does not need it for
// any computation: it is the reference that direct conversion (toMont) is tested
// and measured against.
//
// It doubles 2^(bitlen(m)-1) up to R·2^a, then squares: the Montgomery square of
// R·2^i is R·2^(2i). An exponent that is not a multiple of a power of two takes
// single doublings in between. BoringSSL computes the constant so, with a
// threshold fitted to its own kernels.
func (m *Modulus) rrChain(z, t []uint, threshold int) {
	n, w := len(m.nat.limbs), len(m.mont)
	target := w * _W
	double := func() {
		carry := addLimbs(z, z, z)
		reduceOnce(z, m.mont, carry)
	}
	squarings := 0
	for target>>squarings > threshold*n && target>>squarings > 1 {
		squarings++
	}
	clear(z)
	z[n-1] = 1 << (bits.UintSize - 1 - m.shift)
	for range target - (m.BitLen() - 1) + target>>squarings {
		double()
	}
	for i := squarings - 1; i >= 0; i-- {
		m.montSqr(z, z, t)
		if target>>i&1 == 1 {
			double()
		}
	}
}
