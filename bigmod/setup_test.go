package bigmod

import (
	"fmt"
	"testing"
)

// rrChainThreshold is the number of doublings per limb of the modulus that
// [Modulus.rrChain] prefers to Montgomery squarings: a doubling costs about n
// steps, a squaring about n² products, so the point where the second becomes
// cheaper grows with n. One is the fastest with the ADX kernels, and within the noise
// in Go (BenchmarkSetup, Zen 3). Whatever the threshold, the chain takes eight to
// twelve times as long as direct conversion.
const rrChainThreshold = 1

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
	z[n-1] = 1 << (_W - 1 - m.shift)
	for range target - (m.BitLen() - 1) + target>>squarings {
		double()
	}
	for i := squarings - 1; i >= 0; i-- {
		m.montSqrs(z, z, t, 1)
		if target>>i&1 == 1 {
			double()
		}
	}
}

// BenchmarkSetup compares the ways to bring a number into Montgomery form modulo
// a modulus that is used for the first time.
func BenchmarkSetup(b *testing.B) {
	for _, n := range []int{16, 24, 32, 48, 64} {
		m, x := benchmarkOperands(b, n)
		w := len(m.mont)
		z, rr, t := make([]uint, w), make([]uint, w), make([]uint, 2*w)
		b.Run(fmt.Sprintf("bits=%d/way=direct", n*_W), func(b *testing.B) {
			for b.Loop() {
				m.toMont(z, x, t)
			}
		})
		for _, threshold := range []int{1, 2, 3, 4, 8} {
			b.Run(fmt.Sprintf("bits=%d/way=chain/threshold=%d", n*_W, threshold), func(b *testing.B) {
				for b.Loop() {
					m.rrChain(rr, t, threshold)
					m.montMul(z, x, rr, t)
				}
			})
		}
	}
}

// BenchmarkExpVarTime compares the two paths of a public exponent around the length
// at which ExpVarTime changes from one to the other.
func BenchmarkExpVarTime(b *testing.B) {
	for _, n := range []int{16, 32, 64} {
		m, x := benchmarkOperands(b, n)
		base := &Nat{x}
		for _, size := range []int{64, 80, 96, 112, 128, 160, 256} {
			// As many ones as zeros, which is what the chain takes on average.
			e := make([]byte, size/8)
			for i := range e {
				e[i] = 0xa5
			}
			for path, exp := range map[string]func(z *Nat) *Nat{
				"chain":  func(z *Nat) *Nat { return z.expChainVarTime(base, e, m) },
				"window": func(z *Nat) *Nat { return z.Exp(base, e, m) },
			} {
				b.Run(fmt.Sprintf("bits=%d/ebits=%d/path=%s", n*_W, size, path), func(b *testing.B) {
					z := NewNat()
					for b.Loop() {
						exp(z)
					}
				})
			}
		}
	}
}

// benchmarkOperands returns a fixed modulus of n limbs and a number below it that
// look random.
func benchmarkOperands(b *testing.B, n int) (*Modulus, []uint) {
	limbs := make([]uint, 2*n)
	state := uint64(1)
	for i := range limbs {
		state = state*6364136223846793005 + 1442695040888963407
		limbs[i] = uint(state ^ state>>29)
	}
	limbs[0] |= 1
	limbs[n-1] |= 1 << (_W - 1)
	limbs[2*n-1] >>= 1
	m, err := MakeModulus(limbs[:n:n])
	if err != nil {
		b.Fatal(err)
	}
	return &m, limbs[n:]
}
