package rsa

import (
	"io"
	"math/bits"
	"sync"

	"github.com/fastrsa/fastrsa/bigmod"
)

// A primeSearch looks for a random prime. What it does with a candidate that turns
// out to be composite may leak everything about it: each candidate is drawn anew, so
// it has nothing to do with the prime that is found in the end. That prime takes every
// branch that says "not composite", and but for those nothing depends on its value
// except what [GenerateKey] admits to.
type primeSearch struct {
	random io.Reader
	bits   int
	rounds int          // of the Miller–Rabin test
	tested func() error // called after each candidate that was tested; an error ends the search

	sieve []primeGroup
	draw  []byte        // a candidate, big-endian
	words [lanes][]uint // candidates as limbs, with the capacity that a modulus needs
}

// newPrimeSearch returns a search for a prime of the given size in bits, at least 16.
func newPrimeSearch(random io.Reader, bitLen int) *primeSearch {
	s := &primeSearch{
		random: random,
		bits:   bitLen,
		rounds: millerRabinRounds(bitLen),
		tested: func() error { return nil },
		sieve:  sieveFor(bitLen),
		draw:   make([]byte, (bitLen+7)/8),
	}
	n := (bitLen + bits.UintSize - 1) / bits.UintSize
	for i := range s.words {
		s.words[i] = make([]uint, n, (n+7)&^7)
	}
	return s
}

// wipe overwrites what is left of the candidates.
func (s *primeSearch) wipe() {
	clear(s.draw)
	for _, words := range s.words {
		clear(words[:cap(words)])
	}
}

// find returns a prime that is uniformly distributed over the primes of the given size
// whose two top bits are set, so that the product of two has the sum of their
// sizes. That is more than FIPS 186-5 asks for in steps 4.4 and 5.4 of appendix A.1.3:
// 3/2·2^(bits-1) > √2·2^(bits-1).
func (s *primeSearch) find() (*bigmod.Nat, error) {
	for {
		prime, err := s.try()
		if prime != nil || err != nil {
			return prime, err
		}
	}
}

// try tests one candidate for each lane and returns the first one that is prime, or nil.
func (s *primeSearch) try() (*bigmod.Nat, error) {
	var moduli [lanes]bigmod.Modulus // which take over s.words, until they are wiped
	var tests [lanes]*strongTest
	defer func() {
		for i := range lanes {
			if tests[i] != nil {
				tests[i].wipe()
			}
			moduli[i].Wipe()
		}
	}()
	for i, words := range s.words {
		if err := s.candidate(words); err != nil {
			return nil, err
		}
		var err error
		if moduli[i], err = bigmod.MakeModulus(words); err != nil {
			return nil, err
		}
		tests[i] = newStrongTest(&moduli[i])
		if err := tests[i].begin(s.random); err != nil {
			return nil, err
		}
	}
	exponentiate(tests[:])
	for _, t := range tests {
		prime := t.passes()
		if prime {
			var err error
			if prime, err = t.more(s.random, s.rounds-1); err != nil {
				return nil, err
			}
		}
		if err := s.tested(); err != nil {
			return nil, err
		}
		if prime {
			return t.w.Nat(), nil
		}
	}
	return nil, nil
}

// candidate sets words to a random odd number of the right size with its two top bits
// set that has no small divisor.
func (s *primeSearch) candidate(words []uint) error {
	b := s.draw
	for {
		if _, err := io.ReadFull(s.random, b); err != nil {
			return err
		}
		// The excess bits of the first byte go, the next two are ones.
		excess := len(b)*8 - s.bits
		b[0] &= 0xff >> excess
		b[0] |= 0xc0 >> excess
		if excess == 7 {
			b[1] |= 0x80
		}
		b[len(b)-1] |= 1
		setLimbs(words, b)
		if !hasSmallDivisor(words, s.sieve) {
			return nil
		}
	}
}

// setLimbs sets z to b, big-endian, which is not longer.
func setLimbs(z []uint, b []byte) {
	clear(z)
	for i := range b {
		z[i/(bits.UintSize/8)] |= uint(b[len(b)-1-i]) << (i * 8 % bits.UintSize)
	}
}

// sieveLimit bounds the primes that candidates are divided by. On a processor of 2021
// (Zen 3), one more of them takes 6 ns for a candidate of 1024 bits and saves the
// fraction 1/limit of an exponentiation of 250 µs, which breaks even at 40000; with 2048
// bits, 12 ns and 1.8 ms, at 150000. The optimum is flat: either is within 2 % of it.
const sieveLimit = 1 << 16

// A primeGroup is some small primes whose product fits in a limb.
type primeGroup struct {
	product, inverse uint // inverse = product⁻¹ mod 2^W
	primes           []smallPrime
}

// A smallPrime p is what it takes to see by one multiplication whether p divides a
// limb x. The multiples of p below 2^W are, modulo 2^W, p times the numbers 0 to
// limit = ⌊(2^W-1)/p⌋, and x·p⁻¹ mod 2^W maps the limbs to the limbs one to one: so p
// divides x if and only if that is at most limit (Granlund and Montgomery, Division by
// invariant integers using multiplication, 1994, section 9).
type smallPrime struct{ inverse, limit uint }

// smallPrimes returns the odd primes below sieveLimit.
var smallPrimes = sync.OnceValue(func() []primeGroup { return groupPrimes(sieveLimit) })

// oddPrimes returns the odd primes below limit, by the sieve of Eratosthenes.
func oddPrimes(limit int) (primes []uint) {
	composite := make([]bool, limit)
	for n := 3; n < limit; n += 2 {
		if composite[n] {
			continue
		}
		primes = append(primes, uint(n))
		if n > limit/n {
			continue // n² is beyond the limit, and perhaps beyond an int
		}
		for i := n * n; i < limit; i += 2 * n {
			composite[i] = true
		}
	}
	return primes
}

// groupPrimes returns the odd primes below limit in groups as large as a limb allows.
func groupPrimes(limit int) []primeGroup {
	groups := []primeGroup{{product: 1}}
	for _, p := range oddPrimes(limit) {
		last := &groups[len(groups)-1]
		if hi, _ := bits.Mul(last.product, p); hi != 0 {
			groups = append(groups, primeGroup{product: 1})
			last = &groups[len(groups)-1]
		}
		last.product *= p
		last.primes = append(last.primes, smallPrime{inverseLimb(p), ^uint(0) / p})
	}
	for i := range groups {
		groups[i].inverse = inverseLimb(groups[i].product)
	}
	return groups
}

// sieveFor returns the groups of primes that candidates of the given size are divided
// by. Below 32 bits, a size for tests, those primes have a third as many bits as the
// candidates, so that no prime is taken for a multiple of itself, and something is left
// for the Miller–Rabin test.
func sieveFor(bitLen int) []primeGroup {
	if bitLen < 32 {
		return groupPrimes(1 << (bitLen / 3))
	}
	return smallPrimes()
}

// hasSmallDivisor reports whether one of the primes divides x, an odd number as limbs,
// little-endian. It leaks in which pair of groups the first divisor is, if there is any.
func hasSmallDivisor(x []uint, groups []primeGroup) bool {
	// The first group finds three quarters of the composites.
	if first := &groups[0]; first.divides(remainder(x, first)) != 0 {
		return true
	}
	for groups = groups[1:]; len(groups) >= 2; groups = groups[2:] {
		r0, r1 := remainders(x, &groups[0], &groups[1])
		if groups[0].divides(r0)|groups[1].divides(r1) != 0 {
			return true
		}
	}
	return len(groups) == 1 && groups[0].divides(remainder(x, &groups[0])) != 0
}

// remainder returns an r with x = -r·2^(W·n) modulo the product g of the group, where n
// is the length of x, so that a divisor of g divides x if and only if it divides r.
//
// It divides from the lowest limb up, as [divideExact] does: each step takes a multiple
// q·g from what is left so that its lowest limb becomes zero.
func remainder(x []uint, group *primeGroup) (r uint) {
	for _, v := range x {
		s, borrow := bits.Sub(v, r, 0)
		hi, _ := bits.Mul(s*group.inverse, group.product)
		r = hi + borrow
	}
	return r
}

// remainders is [remainder] for two groups at once. Each of its steps has to wait for
// the one before, and two chains of them take little longer than one.
func remainders(x []uint, g0, g1 *primeGroup) (r0, r1 uint) {
	inverse0, product0, inverse1, product1 := g0.inverse, g0.product, g1.inverse, g1.product
	for _, v := range x {
		s0, borrow0 := bits.Sub(v, r0, 0)
		s1, borrow1 := bits.Sub(v, r1, 0)
		hi0, _ := bits.Mul(s0*inverse0, product0)
		hi1, _ := bits.Mul(s1*inverse1, product1)
		r0, r1 = hi0+borrow0, hi1+borrow1
	}
	return r0, r1
}

// divides returns 1 if one of the primes of the group divides r, and 0 otherwise.
func (group *primeGroup) divides(r uint) (yes uint) {
	for _, p := range group.primes {
		_, above := bits.Sub(p.limit, r*p.inverse, 0)
		yes |= above ^ 1
	}
	return yes
}

// millerRabinRounds returns the number of rounds after which a random odd number
// of the given size passes as a prime although it is none with a probability of
// at most 2^-128, by the bound of Damgård, Landrock and Pomerance, Average case
// error estimates for the strong probable prime test, Mathematics of Computation
// 61(203), 1993. FIPS 186-5, table B.1, has the same numbers or smaller ones for
// the sizes in it.
func millerRabinRounds(bits int) int {
	switch {
	case bits >= 3747:
		return 3
	case bits >= 1345:
		return 4
	case bits >= 512:
		return 5
	default: // no primes of keys
		return adversarialRounds
	}
}

// adversarialRounds is the number of rounds after which any composite number, chosen by
// whomever, passes with a probability of at most 2^-128: each lets it pass with at most
// 1/4 (Rabin, 1980).
const adversarialRounds = 64

// millerRabin runs the given number of rounds of the Miller–Rabin test with random
// bases on w, FIPS 186-5, appendix B.3.1. w must be odd and greater than three.
//
// If w passes then no more leaks about it than the number of trailing zero bits of w-1, and
// how many bases were drawn, which are as long as w and have to be below it.
func millerRabin(random io.Reader, w *bigmod.Modulus, rounds int) (bool, error) {
	t := newStrongTest(w)
	defer t.wipe()
	return t.more(random, rounds)
}

// lanes is the number of independent exponentiations that are handed to [exponentiate]
// together: of different candidates, or of one with different bases.
const lanes = 2

// exponentiate does the one step of the test that takes time, for up to lanes tests
// whose numbers have the same size.
func exponentiate(tests []*strongTest) {
	for ; len(tests) >= 2; tests = tests[2:] {
		t, u := tests[0], tests[1]
		bigmod.ExpPair(t.z, t.base, t.exponent, t.w, u.z, u.base, u.exponent, u.w)
	}
	for _, t := range tests {
		t.z.Exp(t.base, t.exponent, t.w)
	}
}

// A strongTest is the Miller–Rabin test of a number w, with w - 1 = m·2^a and m odd.
type strongTest struct {
	w        *bigmod.Modulus
	a        uint
	exponent []byte // m, big-endian, as long as w

	// Of the round in progress: the base and its power m.
	base, z *bigmod.Nat
	draw    []byte
}

// newStrongTest returns a test of w, which must be odd and greater than three. It leaks
// the number of trailing zero bits of w-1.
func newStrongTest(w *bigmod.Modulus) *strongTest {
	m := w.Nat()
	defer m.Wipe()
	m.Bits()[0]--
	a := m.TrailingZeroBitsVarTime()
	t := &strongTest{w: w, a: a, exponent: m.ShiftRightVarTime(a).FillBytes(make([]byte, w.Size()))}
	return t.again()
}

// again returns a test of the same number with room for a round of its own.
func (t *strongTest) again() *strongTest {
	return &strongTest{
		w: t.w, a: t.a, exponent: t.exponent,
		base: bigmod.NewNat(), z: bigmod.NewNat(), draw: make([]byte, t.w.Size()),
	}
}

func (t *strongTest) wipe() {
	clear(t.exponent)
	clear(t.draw)
	t.base.Wipe()
	t.z.Wipe()
}

// more runs the given number of rounds and reports whether w passes all of them.
func (t *strongTest) more(random io.Reader, rounds int) (bool, error) {
	tests := [lanes]*strongTest{t}
	for i := 1; i < min(lanes, rounds); i++ {
		tests[i] = t.again()
		defer tests[i].wipe()
	}
	for ; rounds > 0; rounds -= lanes {
		now := tests[:min(lanes, rounds)]
		for _, t := range now {
			if err := t.begin(random); err != nil {
				return false, err
			}
		}
		exponentiate(now)
		for _, t := range now {
			if !t.passes() {
				return false, nil
			}
		}
	}
	return true, nil
}

// begin begins a round: it draws a base from 2 to w-2.
func (t *strongTest) begin(random io.Reader) error {
	for {
		if _, err := io.ReadFull(random, t.draw); err != nil {
			return err
		}
		t.draw[0] &= 0xff >> (len(t.draw)*8 - t.w.BitLen())
		if _, err := t.base.SetBytes(t.draw, t.w); err != nil {
			continue
		}
		if t.base.IsZero()|t.base.IsOne()|t.base.IsMinusOne(t.w) == 0 {
			return nil
		}
	}
}

// passes ends a round, after [exponentiate]. It reports whether w may be a prime:
// whether z = base^m is one, or one of z, z², z⁴, … z^(2^(a-1)) is -1. Which of them it
// is leaks; for a prime w and a random base that depends on a alone.
func (t *strongTest) passes() bool {
	if t.z.IsOne()|t.z.IsMinusOne(t.w) == 1 {
		return true
	}
	for range t.a - 1 {
		if t.z.Mul(t.z, t.w); t.z.IsMinusOne(t.w) == 1 {
			return true
		}
	}
	return false
}
