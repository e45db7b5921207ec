package rsa

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"strings"

	"github.com/fastrsa/fastrsa/bigmod"
)

// A Severity says how bad a [Finding] is.
type Severity int

const (
	// SeverityNote is for what is worth knowing, and for checks that could not be made.
	SeverityNote Severity = iota + 1
	// SeverityWarning is for keys that today's standards do not allow, or that some
	// implementations refuse.
	SeverityWarning
	// SeverityError is for keys that do not work or whose private key can be found.
	SeverityError
)

// String returns "note", "warning" or "error".
func (s Severity) String() string {
	switch s {
	case SeverityNote:
		return "note"
	case SeverityWarning:
		return "warning"
	case SeverityError:
		return "error"
	}
	return fmt.Sprintf("Severity(%d)", int(s))
}

// MarshalText returns the same as String, so that a Severity is a word in JSON.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// A Finding is something that an audit has to say about a key.
type Finding struct {
	// Check is the name of the check, one of those in the documentation of
	// [AuditPublicKey] and [AuditPrivateKey].
	Check    string   `json:"check"`
	Severity Severity `json:"severity"`
	// Message is for people. It contains no secret that the audit did not find
	// by itself in the public key, and of those only prime factors below 2^20.
	Message string `json:"message"`
}

// AuditPublicKey looks for known weaknesses in a public key and returns what it finds,
// none for a sound key. It is for people who audit keys: it takes some 30 ms for a
// 2048-bit key, while the other functions of this package make only the checks that
// cost nothing. The checks are, by the names in [Finding]:
//
//   - modulus: n is missing, negative, even, or prime.
//   - size: n has less than 1024 bits (error), less than 2048 or an odd number of bits
//     (warnings), or more than 16384, which is not examined further.
//   - exponent: e is even or less than 3 (errors), not above 2^16 as FIPS 186-5 asks,
//     or above 2^31-1, which crypto/rsa refuses (warnings).
//   - small-factor: n has a prime divisor below 2^20.
//   - power: n is a power of another number, as it is when p = q.
//   - fermat: p and q are so close that Fermat's method finds them within 2^18 steps: up to
//     a difference of about 2^10·n^(1/4).
//   - roca: n has the structure of the keys of a faulty library of Infineon
//     (CVE-2017-15361), and can be factored with little effort at many sizes. A sound
//     key looks like one with a probability of 2^-154.
//   - small-d: Wiener's attack finds the private exponent, as it does up to about a
//     quarter of the length of n. That cannot happen if e is small.
//
// What it does not look for: the keys of Debian's OpenSSL of 2006 to 2008
// (CVE-2008-0166), which only a list of them tells; factors shared with other keys,
// which only shows in the other keys; and whatever is not known to anybody.
//
// Nothing is assumed about the key; it may come from an adversary. The error is
// that of ctx, when that is done, and the findings up to then are returned with it.
//
// The arithmetic here is no approved service of FIPS 140-3, in any mode, and protects
// nothing.
func AuditPublicKey(ctx context.Context, pub *PublicKey) ([]Finding, error) {
	if pub == nil {
		return AuditPublicNumbers(ctx, nil, nil)
	}
	return AuditPublicNumbers(ctx, pub.N, big.NewInt(int64(pub.E)))
}

// AuditPublicNumbers is [AuditPublicKey] for a key whose exponent may be too large for a
// [PublicKey].
func AuditPublicNumbers(ctx context.Context, n, e *big.Int) ([]Finding, error) {
	a := &audit{ctx: ctx}
	a.public(n, e)
	return a.findings, a.err
}

// AuditPrivateKey is [AuditPublicKey] for a private key, whose public half it examines as
// well. It makes these further checks:
//
//   - consistency: the numbers of the key do not fit together, by the rules and with the
//     error texts of crypto/rsa, or there are none of some kind.
//   - prime: a prime factor of the key is not prime: it does not pass 64 rounds of the
//     Miller–Rabin test with random bases, as no more than one composite number in 2^128
//     does, whoever chose it.
//   - prime-size: p and q have different lengths, which FIPS 186-5 does not allow
//     (warning), or one is short enough to be found by elliptic curves (error).
//   - close-primes: p = q, or |p-q| is at most 2^(nlen/2-100), the limit of FIPS 186-5.
//   - small-d: d is at most 2^(nlen/2), the limit of FIPS 186-5.
//
// It takes some 50 ms more for a 2048-bit key. What is private leaks as little as it does in
// [GenerateKey], unless the key turns out to be bad.
func AuditPrivateKey(ctx context.Context, priv *PrivateKey) ([]Finding, error) {
	a := &audit{ctx: ctx}
	if priv == nil {
		priv = new(PrivateKey)
	}
	if a.public(priv.N, big.NewInt(int64(priv.E))) {
		a.private(priv)
	}
	return a.findings, a.err
}

// An audit is one of a key in progress.
type audit struct {
	ctx      context.Context
	findings []Finding
	err      error
}

func (a *audit) add(severity Severity, check, format string, args ...any) {
	a.findings = append(a.findings, Finding{check, severity, fmt.Sprintf(format, args...)})
}

func (a *audit) note(check, format string, args ...any) { a.add(SeverityNote, check, format, args...) }
func (a *audit) warning(check, format string, args ...any) {
	a.add(SeverityWarning, check, format, args...)
}
func (a *audit) error(check, format string, args ...any) {
	a.add(SeverityError, check, format, args...)
}

// done reports whether the context is.
func (a *audit) done() bool {
	if a.err == nil {
		a.err = a.ctx.Err()
	}
	return a.err != nil
}

// public examines a public key, and reports whether there is a modulus with which one can
// calculate.
func (a *audit) public(n, e *big.Int) bool {
	a.exponent(n, e)
	switch {
	case n == nil:
		a.error("modulus", "there is no modulus")
		return false
	case n.Sign() <= 0:
		a.error("modulus", "the modulus is not positive")
		return false
	case n.BitLen() > maxPublicBits:
		a.warning("size", "the modulus has %d bits; above %d it is refused here and not examined", n.BitLen(), maxPublicBits)
		return false
	}
	switch size := n.BitLen(); {
	case size < minBits:
		a.error("size", "the modulus has %d bits; numbers of 829 bits have been factored", size)
	case size < 2048:
		a.warning("size", "the modulus has %d bits; less than 2048 is not allowed any more (NIST SP 800-131A)", size)
	}
	if n.BitLen()%2 == 1 {
		a.warning("size", "the modulus has %d bits, an odd number, which FIPS 186-5 does not allow", n.BitLen())
	}
	if n.Bit(0) == 0 {
		a.error("modulus", "the modulus is even")
		return false
	}
	if n.BitLen() < 8 {
		return false // nothing more to say
	}
	for _, check := range []func(n, e *big.Int){a.smallFactor, a.power, a.primeModulus, a.roca, a.fermat, a.wiener} {
		if a.done() {
			return false
		}
		check(n, e)
	}
	return !a.done()
}

func (a *audit) exponent(n, e *big.Int) {
	switch {
	case e == nil:
		a.error("exponent", "there is no public exponent")
	case e.Cmp(big.NewInt(3)) < 0:
		a.error("exponent", "the public exponent is less than 3")
	case e.Bit(0) == 0:
		a.error("exponent", "the public exponent is even")
	case n != nil && e.Cmp(n) >= 0:
		a.error("exponent", "the public exponent is not less than the modulus")
	case e.BitLen() > 31:
		a.warning("exponent", "the public exponent has %d bits; above 31 it is refused by crypto/rsa and others", e.BitLen())
	case e.BitLen() <= 16:
		a.warning("exponent", "the public exponent is %v; FIPS 186-5 asks for more than 65536", e)
	}
}

// auditSieveLimit bounds the primes that a modulus is divided by.
const auditSieveLimit = 1 << 20

func (a *audit) smallFactor(n, _ *big.Int) {
	x := limbs(n, nil)
	groups := groupPrimes(auditSieveLimit)
	if !hasSmallDivisor(x, groups) {
		return
	}
	for i := range groups {
		if groups[i].divides(remainder(x, &groups[i])) == 0 {
			continue
		}
		for _, p := range groups[i].primes {
			// limit is ⌊(2^W-1)/p⌋, and p·inverse = 1 mod 2^W.
			prime := new(big.Int).SetUint64(uint64(inverseLimb(p.inverse)))
			if prime.Cmp(n) != 0 && new(big.Int).Mod(n, prime).Sign() == 0 {
				a.error("small-factor", "%v divides the modulus", prime)
				return
			}
		}
	}
}

// power finds out whether n is a power. Prime exponents are enough, and bases without
// small divisors.
func (a *audit) power(n, _ *big.Int) {
	for _, k := range append([]uint{2}, oddPrimes(n.BitLen()+1)...) {
		if n.BitLen()/int(k) < bits.Len(auditSieveLimit)-1 && k > 2 || a.done() {
			return
		}
		x := root(n, k)
		if x.Exp(x, new(big.Int).SetUint64(uint64(k)), nil).Cmp(n) == 0 {
			if k == 2 {
				a.error("power", "the modulus is a square: p = q")
			} else {
				a.error("power", "the modulus is a power with the exponent %d", k)
			}
			return
		}
	}
}

// root returns the integer part of the kth root of n, by Newton's method from above.
func root(n *big.Int, k uint) *big.Int {
	if k == 2 {
		return new(big.Int).Sqrt(n)
	}
	K, kMinus1 := new(big.Int).SetUint64(uint64(k)), new(big.Int).SetUint64(uint64(k-1))
	x := new(big.Int).Lsh(big.NewInt(1), (uint(n.BitLen())+k-1)/k)
	y, t := new(big.Int), new(big.Int)
	for {
		// y = ((k-1)·x + n / x^(k-1)) / k
		t.Exp(x, kMinus1, nil)
		t.Div(n, t)
		y.Mul(x, kMinus1)
		y.Add(y, t).Div(y, K)
		if y.Cmp(x) >= 0 {
			return x
		}
		x, y = y, x
	}
}

func (a *audit) primeModulus(n, _ *big.Int) {
	if a.prime(n) {
		a.error("modulus", "the modulus is prime")
	}
}

// prime reports whether x, which is odd, is prime. If it is, then no more leaks about it
// than what [millerRabin] says.
func (a *audit) prime(x *big.Int) bool {
	if x.Cmp(big.NewInt(5)) < 0 {
		return x.Cmp(big.NewInt(3)) == 0
	}
	w, err := bigmod.MakeModulus(limbs(x, nil))
	if err != nil {
		return false
	}
	defer w.Wipe()
	const step = 8
	for rounds := 0; rounds < adversarialRounds; rounds += step {
		if a.done() {
			return false
		}
		if ok, err := millerRabin(rand.Reader, &w, step); !ok || err != nil {
			return false
		}
	}
	return true
}

// roca looks for the fingerprint of
//
//	Matus Nemec, Marek Sys, Petr Svenda, Dusan Klinec, Vashek Matyas: The Return of
//	Coppersmith's Attack: Practical Factorization of Widely Used RSA Moduli. CCS 2017,
//
// section 3: the primes of such keys are k·M + (65537^a mod M), where M is the product
// of the first primes, 39 of them or more, so that n = 65537^c mod M.
func (a *audit) roca(n, _ *big.Int) {
	if n.BitLen() >= 512 && hasROCA(n) {
		a.error("roca", "the modulus has the structure of ROCA (CVE-2017-15361): n = 65537^c modulo the product of the first 39 primes")
	}
}

func hasROCA(n *big.Int) bool {
	// c is known modulo period: 1 to begin with, and at the end the order of 65537 modulo
	// the product of the primes up to 167, which is below 2^62.
	c, period := uint64(0), uint64(1)
	for _, p := range oddPrimes(168) {
		r := new(big.Int).Mod(n, new(big.Int).SetUint64(uint64(p))).Uint64()
		// The order of 65537 modulo p, and the logarithm of r.
		p, order, logarithm, found := uint64(p), uint64(0), uint64(0), false
		for x := uint64(1); order == 0 || x != 1; x = x * 65537 % p {
			if x == r {
				logarithm, found = order, true
			}
			order++
		}
		if !found {
			return false
		}
		// Of the c + i·period, one has to be the logarithm, and i below order is enough.
		i := uint64(0)
		for ; (c+i*period)%order != logarithm; i++ {
			if i == order {
				return false
			}
		}
		c += i * period
		period = period / gcd(period, order) * order
	}
	return true
}

func gcd(x, y uint64) uint64 {
	for y != 0 {
		x, y = y, x%y
	}
	return x
}

// fermatSteps is how many numbers x from √n up are tried for x² - n = y², which
// gives n = (x+y)(x-y).
const fermatSteps = 1 << 18

func (a *audit) fermat(n, _ *big.Int) {
	x := new(big.Int).Sqrt(n)
	if new(big.Int).Mul(x, x).Cmp(n) == 0 {
		return // found by power
	}
	x.Add(x, big.NewInt(1))
	// Whether x² - n can be a square is looked up first modulo small numbers, after which one
	// in about 120 is left.
	type filter struct {
		m, x, n uint64
		square  []bool
	}
	var filters []filter
	for _, m := range []uint64{64, 63, 65, 11} {
		f := filter{m: m, square: make([]bool, m)}
		M := new(big.Int).SetUint64(m)
		f.x, f.n = new(big.Int).Mod(x, M).Uint64(), new(big.Int).Mod(n, M).Uint64()
		for i := range m {
			f.square[i*i%m] = true
		}
		filters = append(filters, f)
	}
	y, root := new(big.Int), new(big.Int)
	for step := range uint64(fermatSteps) {
		maybe := true
		for i := range filters {
			f := &filters[i]
			maybe = maybe && f.square[(f.x*f.x+f.m-f.n)%f.m]
			if f.x++; f.x == f.m {
				f.x = 0
			}
		}
		if !maybe {
			continue
		}
		y.SetUint64(step).Add(y, x)
		if y.Cmp(n) >= 0 {
			return
		}
		y.Mul(y, y).Sub(y, n)
		if root.Sqrt(y); root.Mul(root, root).Cmp(y) == 0 {
			// x - y = 1 is the factorization that every odd number has. Numbers that small
			// have a small factor, or are prime.
			if n.BitLen() > 2*bits.Len(auditSieveLimit) {
				a.error("fermat", "p and q are so close that Fermat's method finds them in %d steps", step+1)
			}
			return
		}
	}
}

// wiener runs the attack of Wiener, Cryptanalysis of short RSA secret exponents, IEEE
// Transactions on Information Theory 36(3), 1990: if d is small then k/d, for
// e·d = 1 + k·(p-1)(q-1), is a convergent of the continued fraction of e/n.
//
// d is usually the inverse modulo lcm(p-1, q-1) = (p-1)(q-1)/g instead, and then the denominator
// D of a convergent is d·g or a divisor of that by a divisor of g. The test is for g up to
// 16: 2^(e·D) is 2^i for a small i.
func (a *audit) wiener(n, e *big.Int) {
	if e == nil || e.Sign() <= 0 || e.Bit(0) == 0 || e.Cmp(n) >= 0 {
		return
	}
	num, den := new(big.Int).Set(n), new(big.Int).Set(e)
	quotient, rest, next, nextPower := new(big.Int), new(big.Int), new(big.Int), new(big.Int)
	// The denominators are D₋₁ = 0, D₀ = 1, Dᵢ₊₁ = qᵢ·Dᵢ + Dᵢ₋₁, and the powers 2^(e·D)
	// follow them by multiplications.
	before, D := big.NewInt(0), big.NewInt(1)
	powerBefore, power := big.NewInt(1), new(big.Int).Exp(big.NewInt(2), e, n)
	for den.Sign() > 0 && !a.done() {
		quotient.DivMod(num, den, rest)
		num, den, rest = den, rest, num
		next.Mul(quotient, D).Add(next, before)
		before, D, next = D, next, before
		if D.BitLen() > n.BitLen()/4+8 {
			return
		}
		nextPower.Exp(power, quotient, n).Mul(nextPower, powerBefore).Mod(nextPower, n)
		powerBefore, power, nextPower = power, nextPower, powerBefore
		if i := power.BitLen() - 1; i >= 1 && i <= 16 && power.TrailingZeroBits() == uint(i) && i < n.BitLen()/2 {
			a.error("small-d", "the private exponent is so small that Wiener's attack finds it")
			return
		}
	}
}

// ecmBits is the size of prime factors that elliptic curves find: the largest so far
// has 274 bits, and 2^80 operations find one of about 400.
const ecmBits = 400

// private examines the private part of a key whose modulus is odd and not too large.
func (a *audit) private(priv *PrivateKey) {
	n := priv.N
	if err := checkPresent(priv); err != nil {
		a.error("consistency", "%s", plain(err))
		return
	}
	if d := priv.D.BitLen(); d <= n.BitLen()/2 {
		a.error("small-d", "the private exponent has %d bits, not more than half of the modulus", d)
	}
	switch len(priv.Primes) {
	case 0:
		a.note("consistency", "the key has no prime factors, which crypto/rsa cannot encode")
		if !a.exponentsMatch(priv) {
			a.error("consistency", "the private exponent does not match the public key")
		}
		return
	case 2:
		a.closePrimes(priv)
		a.twoPrimes(priv)
	default:
		a.warning("prime-size", "the number of prime factors is %d; FIPS 186-5 asks for two", len(priv.Primes))
		if err := checkFactors(priv); err != nil {
			a.error("consistency", "%s", plain(err))
			return // there may be any number of factors of any size
		}
	}
	a.primes(priv)
}

// plain returns the text of err without the name of the package.
func plain(err error) string { return strings.TrimPrefix(err.Error(), "crypto/rsa: ") }

// twoPrimes checks a key of two primes as crypto/rsa does.
func (a *audit) twoPrimes(priv *PrivateKey) {
	for _, p := range priv.Primes {
		// crypto/rsa would notice after an exponentiation modulo the prime.
		if p.BitLen() > priv.N.BitLen() {
			a.error("consistency", "a prime is larger than the modulus")
			return
		}
	}
	// In a copy, because crypto/rsa remembers having checked.
	pre := &priv.Precomputed
	fresh := &PrivateKey{
		PublicKey: priv.PublicKey, D: priv.D, Primes: priv.Primes,
		Precomputed: PrecomputedValues{Dp: pre.Dp, Dq: pre.Dq, Qinv: pre.Qinv},
	}
	err := fresh.Validate()
	if err == nil {
		return
	}
	// These come last, after all the rest was found to be right, and have checks of
	// their own.
	switch text := plain(err); text {
	case "p == q", "|p - q| too small", "d too small":
	default:
		a.error("consistency", "%s", text)
	}
}

// closePrimes leaks the lengths of p, q and p-q and which of p and q is larger.
func (a *audit) closePrimes(priv *PrivateKey) {
	difference := new(big.Int).Sub(priv.Primes[0], priv.Primes[1])
	defer clear(difference.Bits())
	switch size := difference.BitLen(); {
	case size == 0:
		a.error("close-primes", "p = q")
	case size <= priv.N.BitLen()/2-100:
		a.error("close-primes", "p and q differ by a number of %d bits only", size)
	}
}

// exponentsMatch reports whether (x^e)^d = x modulo n for a few x, n being odd.
func (a *audit) exponentsMatch(priv *PrivateKey) bool {
	n, err := bigmod.MakeModulusVarTime(limbs(priv.N, nil))
	if err != nil || priv.E < 0 || priv.D.BitLen() > priv.N.BitLen() {
		return false
	}
	d := priv.D.FillBytes(make([]byte, n.Size()))
	defer clear(d)
	for _, x := range []uint{2, 3, 5} {
		base := bigmod.NewNat().SetUint(x).ExpandFor(&n)
		y := bigmod.NewNat().ExpShortVarTime(base, uint(priv.E), &n)
		if y.Exp(y, d, &n).Equal(base) == 0 {
			return false
		}
	}
	return true
}

// checkFactors returns an error unless the product of the factors is n and e·d = 1
// modulo each of them minus one.
func checkFactors(priv *PrivateKey) error {
	if len(priv.Primes) > priv.N.BitLen() {
		return errors.New("there are more prime factors than the modulus has bits")
	}
	product := big.NewInt(1)
	for i, p := range priv.Primes {
		if p == nil || p.BitLen() <= 1 || p.Bit(0) == 0 || p.BitLen() > priv.N.BitLen() {
			return fmt.Errorf("prime factor %d is missing, even or out of range", i+1)
		}
		for j, other := range priv.Primes[:i] {
			if equalBig(p, other) {
				return fmt.Errorf("prime factors %d and %d are equal", j+1, i+1)
			}
		}
		product.Mul(product, p)
	}
	if product.Cmp(priv.N) != 0 {
		return errors.New("the product of the prime factors is not the modulus")
	}
	d := bigmod.NewNat().SetBits(limbs(priv.D, nil))
	defer d.Wipe()
	for i, p := range priv.Primes {
		m, err := bigmod.MakeModulus(limbs(p, nil))
		if err != nil {
			return err
		}
		minus1, err := minusOne(&m, nil)
		m.Wipe()
		if err != nil {
			return err
		}
		dP := bigmod.NewNat().Mod(d, &minus1)
		match := dP.MulUint(uint(priv.E), &minus1).IsOne()
		dP.Wipe()
		minus1.Wipe()
		if match == 0 {
			return fmt.Errorf("the exponents do not match modulo prime factor %d minus one", i+1)
		}
	}
	return nil
}

// primes looks at each prime factor by itself.
func (a *audit) primes(priv *PrivateKey) {
	n := priv.N
	shortest, longest := n.BitLen(), 0
	for i, p := range priv.Primes {
		if p == nil || p.BitLen() > n.BitLen() {
			return // not consistent
		}
		shortest, longest = min(shortest, p.BitLen()), max(longest, p.BitLen())
		prime := p.Bit(0) == 1 && a.prime(p)
		if a.done() {
			return
		}
		if !prime {
			a.error("prime", "factor %d of the key is not prime", i+1)
		}
	}
	switch {
	case shortest < ecmBits && n.BitLen() >= 2*ecmBits:
		a.error("prime-size", "the shortest prime factor has %d bits, which is in reach of elliptic curves", shortest)
	case shortest != longest:
		a.warning("prime-size", "the prime factors have %d to %d bits; FIPS 186-5 asks for equal lengths", shortest, longest)
	}
}
