package rsa

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"testing"
)

// found returns the findings as "severity check", in their order.
func found(findings []Finding) []string {
	list := []string{}
	for _, f := range findings {
		list = append(list, f.Severity.String()+" "+f.Check)
	}
	return list
}

// wantFindings compares findings with "severity check, severity check, …".
func wantFindings(t *testing.T, name string, findings []Finding, err error, want string) {
	t.Helper()
	if got := strings.Join(found(findings), ", "); got != want || err != nil {
		t.Errorf("%s: %q, %v, want %q\n%v", name, got, err, want, findings)
	}
	for _, f := range findings {
		if f.Message == "" || strings.HasPrefix(f.Message, "crypto/rsa") {
			t.Errorf("%s: message %q", name, f.Message)
		}
	}
}

// hex returns the number with the given hexadecimal digits.
func hex(t testing.TB, s string) *big.Int {
	t.Helper()
	x, ok := new(big.Int).SetString(s, 16)
	if !ok {
		t.Fatalf("not a number: %s", s)
	}
	return x
}

// randomTestPrime returns a prime with the two top bits set that is 2 modulo 3, so that 3 can
// be an exponent.
func randomTestPrime(random io.Reader, bits int) *big.Int {
	for {
		p, err := newPrimeSearch(random, bits).find()
		if err != nil {
			panic(err)
		}
		if x := toBig(p); new(big.Int).Mod(x, big.NewInt(3)).Int64() == 2 && x.ProbablyPrime(1) {
			return x
		}
	}
}

// nextTestPrime returns the first prime after x that is 2 modulo 3.
func nextTestPrime(x *big.Int) *big.Int {
	x = new(big.Int).Set(x)
	for {
		x.Add(x, big.NewInt(1))
		if x.Bit(0) == 1 && new(big.Int).Mod(x, big.NewInt(3)).Int64() == 2 && x.ProbablyPrime(1) {
			return x
		}
	}
}

// keyOf returns the key with the given prime factors and exponent.
func keyOf(t testing.TB, e int64, primes ...*big.Int) *PrivateKey {
	t.Helper()
	one := big.NewInt(1)
	n, phi := big.NewInt(1), big.NewInt(1)
	for _, p := range primes {
		n.Mul(n, p)
		phi.Mul(phi, new(big.Int).Sub(p, one))
	}
	d := new(big.Int).ModInverse(big.NewInt(e), phi)
	if d == nil {
		t.Fatalf("no private exponent for e = %d", e)
	}
	return &PrivateKey{PublicKey: PublicKey{N: n, E: int(e)}, D: d, Primes: primes}
}

// TestAuditSound has nothing to say about keys that this package generates.
func TestAuditSound(t *testing.T) {
	t.Parallel()
	key, err := GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	if err := key.Validate(); err != nil {
		t.Fatal(err)
	}
	findings, err := AuditPrivateKey(t.Context(), key)
	wantFindings(t, "generated", findings, err, "")
	findings, err = AuditPublicKey(t.Context(), &key.PublicKey)
	wantFindings(t, "generated, public half", findings, err, "")
}

// TestAuditPublic examines bad public keys, each bad in one way, or in one way that
// brings others with it.
func TestAuditPublic(t *testing.T) {
	t.Parallel()
	random := seeded("audit public")
	one := big.NewInt(1)
	p, q := randomTestPrime(random, 1024), randomTestPrime(random, 1024)
	n := new(big.Int).Mul(p, q)
	e := big.NewInt(65537)
	mul := func(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }
	number := func(x int64) *big.Int { return big.NewInt(x) }
	r := randomTestPrime(random, 688)
	for mul(r, mul(r, r)).BitLen()%8 != 0 { // 2062 to 2064, and odd sizes are a finding
		r = randomTestPrime(random, 688)
	}
	odd := number(1)
	for odd.BitLen() != 2049 { // from a prime of 1025 bits that begins with 11
		odd = mul(p, nextTestPrime(new(big.Int).Lsh(randomTestPrime(random, 1024), 1)))
	}
	times := func(small int64) *big.Int {
		x := number(1)
		for x.BitLen()%2 == 1 || x.BitLen() < 2048 {
			x = mul(number(small), mul(p, randomTestPrime(random, 1032)))
		}
		return x
	}

	for i, tt := range []struct {
		name string
		n, e *big.Int
		want string
	}{
		{"sound", n, e, ""},
		{"nothing", nil, nil, "error exponent, error modulus"},
		{"no modulus", nil, e, "error modulus"},
		{"no exponent", n, nil, "error exponent"},
		{"zero", number(0), e, "error exponent, error modulus"},
		{"negative", new(big.Int).Neg(n), e, "error exponent, error modulus"},
		{"one", one, e, "error exponent, error size, warning size"},
		{"fifteen", number(15), number(3), "warning exponent, error size"},
		{"641 · 6700417", number(641 * 6700417), e, "error size, warning size, error small-factor"},
		{"even", new(big.Int).Lsh(n, 1), e, "warning size, error modulus"},
		{"1016 bits", mul(randomTestPrime(random, 504), randomTestPrime(random, 512)), e, "error size"},
		{"1024 bits", mul(randomTestPrime(random, 512), randomTestPrime(random, 512)), e, "warning size"},
		{"2040 bits", mul(randomTestPrime(random, 1016), p), e, "warning size"},
		{"2049 bits", odd, e, "warning size"},
		{"16392 bits", new(big.Int).Lsh(n, 16392-2048), e, "warning size"},
		{"e = 0", n, number(0), "error exponent"},
		{"e = 1", n, one, "error exponent"},
		{"e = -3", n, number(-3), "error exponent"},
		{"e = 65536", n, number(65536), "error exponent"},
		{"e = 3", n, number(3), "warning exponent"},
		{"e = 65535", n, number(65535), "warning exponent"},
		{"e = 2^31 - 1", n, number(1<<31 - 1), ""},
		{"e = 2^31 + 1", n, number(1<<31 + 1), "warning exponent"},
		{"e = n", n, n, "error exponent"},
		{"prime", mersenne(2203), e, "warning size, error modulus"},
		{"3", times(3), e, "error small-factor"},
		{"65537", times(65537), e, "error small-factor"},
		{"1048573, the last prime below 2^20", times(1048573), e, "error small-factor"},
		{"1048583, the first one above", times(1048583), e, ""},
		{"p²", mul(p, p), e, "error power"},
		{"p³", mul(r, mul(r, r)), e, "error power"},
		{"two close primes", mul(p, nextTestPrime(p)), e, "error fermat"},
	} {
		if testing.Short() && i%3 > 0 {
			continue
		}
		findings, err := AuditPublicNumbers(t.Context(), tt.n, tt.e)
		wantFindings(t, tt.name, findings, err, tt.want)
	}
	findings, err := AuditPublicKey(t.Context(), nil)
	wantFindings(t, "nil", findings, err, "error exponent, error modulus")
}

// TestAuditPower finds every prime power with a base of at least 21 bits, and not the number
// next to it.
func TestAuditPower(t *testing.T) {
	t.Parallel()
	random := seeded("audit power")
	for _, k := range []int64{2, 3, 5, 7, 11, 13, 29, 47} {
		for _, size := range []int{24, 32, 64, 160, 512} {
			if int(k)*size > 2200 {
				continue
			}
			p := randomTestPrime(random, size)
			n := new(big.Int).Exp(p, big.NewInt(k), nil)
			for _, tt := range []struct {
				add  int64
				want string
			}{{0, "error power"}, {2, ""}, {-2, ""}} {
				a := &audit{ctx: t.Context()}
				a.power(new(big.Int).Add(n, big.NewInt(tt.add)), nil)
				wantFindings(t, fmt.Sprintf("p^%d%+d for %d bits", k, tt.add, size), a.findings, a.err, tt.want)
			}
		}
	}
}

// TestAuditFermat builds p and q around a middle m so that the number of steps is known:
// the first is for ⌊√n⌋+1, and m is the one that hits.
func TestAuditFermat(t *testing.T) {
	t.Parallel()
	random := seeded("audit fermat")
	for _, tt := range []struct {
		steps uint64
		found bool
	}{{1, true}, {2, true}, {1000, true}, {fermatSteps - 1, true}, {fermatSteps + 2, false}, {1 << 40, false}} {
		m := randomTestPrime(random, 512)
		// n = m² - h², and √n is about m - h²/2m: as many steps as h²/2m.
		h := new(big.Int).Mul(m, new(big.Int).SetUint64(2*tt.steps))
		h.Sqrt(h)
		n := new(big.Int).Mul(m, m)
		n.Sub(n, h.Mul(h, h))
		if n.Bit(0) == 0 {
			n.Mul(m, m).Sub(n, h.Add(h.Sqrt(h), big.NewInt(1)).Mul(h, h))
		}
		a := &audit{ctx: t.Context()}
		a.fermat(n, nil)
		want := ""
		if tt.found {
			want = "error fermat"
		}
		wantFindings(t, fmt.Sprintf("%d steps", tt.steps), a.findings, a.err, want)
		var steps uint64
		if tt.found && len(a.findings) == 1 {
			fmt.Sscanf(a.findings[0].Message[strings.Index(a.findings[0].Message, " in ")+4:], "%d", &steps)
			if steps+1 < tt.steps || steps > tt.steps+1 {
				t.Errorf("found in %d steps, want %d", steps, tt.steps)
			}
		}
	}
}

// rocaKey returns a modulus with the structure of section 2 of the paper named at
// [audit.roca]: for 512-bit primes, M is the product of the first 71 primes.
func rocaKey(random io.Reader) *big.Int {
	M := big.NewInt(2)
	for _, p := range oddPrimes(354) {
		M.Mul(M, new(big.Int).SetUint64(uint64(p)))
	}
	prime := func() *big.Int {
		for {
			var b [16]byte
			io.ReadFull(random, b[:])
			b[0] |= 0x80
			x := new(big.Int).SetBytes(b[:8])
			x.Exp(big.NewInt(65537), x, M)
			k := new(big.Int).SetBytes(b[8 : 8+5])
			k.SetBit(k, 38, 1).SetBit(k, 39, 0)
			x.Add(x, k.Mul(k, M))
			if x.ProbablyPrime(1) {
				return x
			}
		}
	}
	return prime().Mul(prime(), prime())
}

// TestAuditROCA has moduli of affected devices, one that is not, and some made up. The
// published ones are mod01.txt, mod03.txt and mod04.txt (which is not affected) of the
// tests of the detection tool by the authors of the paper,
// https://github.com/crocs-muni/roca.
func TestAuditROCA(t *testing.T) {
	t.Parallel()
	random := seeded("audit roca")
	var structured []*big.Int
	for range 5 {
		structured = append(structured, rocaKey(random))
	}
	for _, n := range append(structured,
		hex(t, "944e13208a280c37efc31c3114485e590192adbb8e11c87cad60cdef0037ce99278330d3f471a2538fa667802ed2a3c44a8b7dea826e888d0aa341fd664f7fa7"),
		hex(t, "9dcd7420e420c270a68060eb8b5aa7457a9f6648f86fafed2775cc1f79ae962f1e63f1b9e51c55f9ea6fdc7332e9b0058c9ff2eb1fc89855029cf6aafe21e689"+
			"feb38ac9ffb12f1ce371bb5d0e9aae64161abce74b4244bf68f1edb4411f756a097c8929c14740245ea355f8332d1aa36bb50c7dcb4505da8de02e4e53d38f8d"+
			"f06097da7524df0df93db48eac8cc4af2d3a16257eb2b2adca6ba464e5974fa92550d31b1babf161e7692d00b86e3dd886ecab4abfbe1a8f8cc263ff4af55cdb"+
			"45f4249a5193925f5e983d762f0b6800943eb0267b08f42ed311ce1f5c86eacbc8ce4d3cb7a2fee1ef5641423a1cf4114e5ecf50034a60a412523af9e6f4aa11"),
	) {
		if !hasROCA(n) {
			t.Errorf("%x has no fingerprint", n)
		}
		findings, err := AuditPublicNumbers(t.Context(), n, big.NewInt(65537))
		if got := found(findings); err != nil || !slices.Contains(got, "error roca") {
			t.Errorf("%x: %v, %v", n, got, err)
		}
	}
	if hasROCA(hex(t, "af659676197f1db06da7ac111a0a0ec175b8b7ef07192ffcd1f6b854c327785f1a7fd3db7da45cd4a31b2b2e5ce0d823a68e28c8adf1747316becce1fe576806"+
		"4039ad2062260c8d1a34e0586dce9bc13090fcc9fb8b8b2c08ed3ae8d61b29818a669689a7d9c1dab053b557fb8d3f9c44faad3e18c55e739b00d3c9126558bc"+
		"8e980cd2af377126ef5b1374136774b8bd370e3c1c149db395c8f99696b628b105946fea20106fe24d103ac062661a9248e8c3f628e00b308d33953aabe55513"+
		"2e218e74ef4b578716b4fe7cf340e8e604a319bf6e9951e1942601d34291032db54999d09e5d036dde3544ad35256bbb97d5e3fffd38166c21eae9199548853b")) {
		t.Error("a fingerprint in a key without the structure")
	}
	for range 1000 {
		b := make([]byte, 128)
		random.Read(b)
		if n := new(big.Int).SetBytes(b); hasROCA(n) {
			t.Errorf("a fingerprint in the random number %x", n)
		}
	}
	// A number that is in each of the groups, but with logarithms that contradict each
	// other: modulo 5 and 17, 65537 is 2 and 2, whose orders are 4 and 8.
	x := structured[0]
	M := big.NewInt(2)
	for _, p := range oddPrimes(168) {
		M.Mul(M, new(big.Int).SetUint64(uint64(p)))
	}
	rest := new(big.Int).Div(M, big.NewInt(5))
	y := new(big.Int).Set(x)
	for new(big.Int).Mod(y, big.NewInt(5)).Cmp(new(big.Int).Mod(new(big.Int).Mul(x, big.NewInt(2)), big.NewInt(5))) != 0 {
		y.Add(y, rest)
	}
	if hasROCA(y) {
		t.Error("contradicting logarithms are found to be one")
	}
	// 65537^0 modulo all primes but 11, where 65537 is -1 and 2 is no power of it.
	rest.Div(M, big.NewInt(11))
	for y.SetInt64(1); new(big.Int).Mod(y, big.NewInt(11)).Int64() != 2; {
		y.Add(y, rest)
	}
	if hasROCA(y) {
		t.Error("a number that is no power of 65537 modulo 11 is found to be one")
	}
}

// TestAuditWiener makes keys from private exponents of given sizes, with e modulo
// (p-1)(q-1) and modulo lcm(p-1, q-1).
func TestAuditWiener(t *testing.T) {
	t.Parallel()
	random := seeded("audit wiener")
	one := big.NewInt(1)
	for _, tt := range []struct {
		bits  int
		found bool
	}{{16, true}, {128, true}, {248, true}, {280, false}, {512, false}} {
		p, q := randomTestPrime(random, 512), randomTestPrime(random, 512)
		n := new(big.Int).Mul(p, q)
		p.Sub(p, one)
		q.Sub(q, one)
		phi := new(big.Int).Mul(p, q)
		lambda := new(big.Int).Div(phi, new(big.Int).GCD(nil, nil, p, q))
		for name, modulus := range map[string]*big.Int{"φ": phi, "λ": lambda} {
			var d, e *big.Int
			for e == nil {
				d = randomTestPrime(random, (tt.bits+7)/8*8)
				e = new(big.Int).ModInverse(d, modulus)
			}
			a := &audit{ctx: t.Context()}
			a.wiener(n, e)
			want := ""
			if tt.found {
				want = "error small-d"
			}
			wantFindings(t, fmt.Sprintf("d of %d bits modulo %s", d.BitLen(), name), a.findings, a.err, want)
		}
	}
}

// TestAuditPrivate takes a good key and spoils it. It has 1024 bits, to be quick, so most
// have a warning of their size, which is left out here.
func TestAuditPrivate(t *testing.T) {
	t.Parallel()
	random := seeded("audit private")
	p, q := randomTestPrime(random, 512), randomTestPrime(random, 512)
	one, two := big.NewInt(1), big.NewInt(2)
	key := func() *PrivateKey {
		k := keyOf(t, 65537, p, q)
		k.Primes = []*big.Int{p, q}
		return k
	}
	change := func(f func(*PrivateKey)) *PrivateKey {
		k := key()
		f(k)
		return k
	}
	precomputed := func(f func(*PrecomputedValues)) *PrivateKey {
		k := key()
		k.Precompute()
		pre := k.Precomputed
		k.Precomputed = PrecomputedValues{Dp: pre.Dp, Dq: pre.Dq, Qinv: pre.Qinv}
		f(&k.Precomputed)
		return k
	}
	plus := func(x *big.Int, y int64) *big.Int { return new(big.Int).Add(x, big.NewInt(y)) }
	composite := new(big.Int).Mul(randomTestPrime(random, 256), randomTestPrime(random, 256))
	r, s := randomTestPrime(random, 680), randomTestPrime(random, 680)
	// A d that short is the inverse of no e that is an int, so they do not match either.
	small := change(func(k *PrivateKey) { k.D = new(big.Int).Rsh(k.D, 520); k.D.SetBit(k.D, 0, 1) })

	for i, tt := range []struct {
		name string
		key  *PrivateKey
		want string
	}{
		{"sound", key(), ""},
		{"sound, precomputed", precomputed(func(*PrecomputedValues) {}), ""},
		{"sound, q before p", keyOf(t, 65537, q, p), ""},
		{"nil", nil, "error exponent, error modulus"},
		{"no d", change(func(k *PrivateKey) { k.D = nil }), "error consistency"},
		{"d = 0", change(func(k *PrivateKey) { k.D = new(big.Int) }), "error small-d, error consistency"},
		{"d + 2", change(func(k *PrivateKey) { k.D = plus(k.D, 2) }), "error consistency"},
		{"d negative", change(func(k *PrivateKey) { k.D = new(big.Int).Neg(k.D) }), "error consistency"},
		{"d short", small, "error small-d, error consistency"},
		{"other e", change(func(k *PrivateKey) { k.E = 65539 }), "error consistency"},
		{"other p", change(func(k *PrivateKey) { k.Primes[0] = nextTestPrime(p) }), "error consistency"},
		{"p = nil", change(func(k *PrivateKey) { k.Primes[0] = nil }), "error consistency"},
		{"p = 1, q = n", change(func(k *PrivateKey) { k.Primes = []*big.Int{one, k.N} }), "error consistency, error prime, error prime, error prime-size"},
		{"dP + 2", precomputed(func(pre *PrecomputedValues) { pre.Dp = plus(pre.Dp, 2) }), "error consistency"},
		{"dQ + 2", precomputed(func(pre *PrecomputedValues) { pre.Dq = plus(pre.Dq, 2) }), "error consistency"},
		{"qInv + 1", precomputed(func(pre *PrecomputedValues) { pre.Qinv = plus(pre.Qinv, 1) }), "error consistency"},
		{"dP of d = 2", precomputed(func(pre *PrecomputedValues) { pre.Dp = two }), "error consistency"},
		{"p composite", keyOf(t, 65537, composite, q), "error consistency, error prime"},
		{"three primes", keyOf(t, 65537, r, s, randomTestPrime(random, 688)), "warning prime-size, warning prime-size"},
		{"three primes, d + 2", func() *PrivateKey {
			k := keyOf(t, 65537, r, s, randomTestPrime(random, 680))
			k.D = plus(k.D, 2)
			return k
		}(), "warning size, warning prime-size, error consistency"},
		{"one prime", change(func(k *PrivateKey) { k.Primes = k.Primes[:1] }), "warning prime-size, error consistency"},
		{"no primes", change(func(k *PrivateKey) { k.Primes = nil }), "note consistency"},
		{"no primes, d + 2", change(func(k *PrivateKey) { k.Primes, k.D = nil, plus(k.D, 2) }), "note consistency, error consistency"},
		{"different lengths", keyOf(t, 65537, randomTestPrime(random, 504), randomTestPrime(random, 520)), "warning prime-size"},
		{"a short prime", keyOf(t, 65537, randomTestPrime(random, 256), randomTestPrime(random, 768)), "error prime-size"},
		{"p = q", &PrivateKey{PublicKey: PublicKey{N: new(big.Int).Mul(p, p), E: 65537}, D: key().D, Primes: []*big.Int{p, p}},
			"error power, error close-primes, error consistency"},
		{"close primes", keyOf(t, 65537, p, nextTestPrime(p)), "error fermat, error close-primes"},
		{"close primes, too far for Fermat", keyOf(t, 65537, p, nextTestPrime(new(big.Int).Xor(p, new(big.Int).Lsh(one, 400)))), "error close-primes"},
	} {
		if testing.Short() && i%3 > 0 {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			findings, err := AuditPrivateKey(t.Context(), tt.key)
			if len(findings) > 0 && tt.key != nil && tt.key.N.BitLen() == 1024 && found(findings[:1])[0] == "warning size" {
				findings = findings[1:]
			}
			wantFindings(t, tt.name, findings, err, tt.want)
		})
	}
}

// TestAuditTellsNoSecrets looks for the numbers of private keys in what is said about them.
func TestAuditTellsNoSecrets(t *testing.T) {
	t.Parallel()
	random := seeded("audit secrets")
	p := randomTestPrime(random, 512)
	for _, key := range []*PrivateKey{
		keyOf(t, 3, p, nextTestPrime(p)),
		keyOf(t, 3, p, randomTestPrime(random, 40)),
		{PublicKey: PublicKey{N: new(big.Int).Mul(p, p), E: 3}, D: big.NewInt(123456789123), Primes: []*big.Int{p, p}},
	} {
		findings, err := AuditPrivateKey(t.Context(), key)
		if err != nil || len(findings) == 0 {
			t.Errorf("%v, %v", findings, err)
		}
		text := strings.ToLower(fmt.Sprint(findings))
		for _, x := range append([]*big.Int{key.D}, key.Primes...) {
			for _, secret := range []string{x.String(), x.Text(16)} {
				if strings.Contains(text, secret) {
					t.Errorf("%s has the secret %s", text, secret)
				}
			}
		}
	}
}

// TestAuditPrime distinguishes primes from numbers that pass weaker tests.
func TestAuditPrime(t *testing.T) {
	t.Parallel()
	a := &audit{ctx: t.Context()}
	for x := int64(3); x < 5000; x += 2 {
		if got, want := a.prime(big.NewInt(x)), big.NewInt(x).ProbablyPrime(20); got != want {
			t.Errorf("%d is prime: %v", x, got)
		}
	}
	// Strong pseudoprimes: to the bases 2, 3, 5 and 7, and to all prime bases up to 37, by
	// Jaeschke, 1993, and Sorenson and Webster, 2015.
	for _, s := range []string{"3215031751", "3317044064679887385961981"} {
		x, _ := new(big.Int).SetString(s, 10)
		if a.prime(x) {
			t.Errorf("%s is found to be prime", s)
		}
	}
}

// TestAuditCancel cancels audits before and during the long checks.
func TestAuditCancel(t *testing.T) {
	t.Parallel()
	random := seeded("audit cancel")
	key := keyOf(t, 3, randomTestPrime(random, 512), randomTestPrime(random, 512))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	findings, err := AuditPrivateKey(ctx, key)
	if !errors.Is(err, context.Canceled) || strings.Join(found(findings), ", ") != "warning exponent, warning size" {
		t.Errorf("cancelled before: %v, %v", findings, err)
	}
	a := &audit{ctx: ctx}
	a.private(key)
	if !errors.Is(a.err, context.Canceled) || len(a.findings) != 0 {
		t.Errorf("cancelled before the primes: %v, %v", a.findings, a.err)
	}
}

func TestSeverity(t *testing.T) {
	t.Parallel()
	b, err := json.Marshal(Finding{"roca", SeverityError, "text"})
	if want := `{"check":"roca","severity":"error","message":"text"}`; err != nil || string(b) != want {
		t.Errorf("%s, %v, want %s", b, err, want)
	}
	if got := fmt.Sprint(SeverityNote, SeverityWarning, Severity(7)); got != "note warning Severity(7)" {
		t.Error(got)
	}
	if SeverityNote >= SeverityWarning || SeverityWarning >= SeverityError {
		t.Error("severities are not in order")
	}
}

func BenchmarkAudit(b *testing.B) {
	for _, size := range []int{2048, 4096} {
		random := seeded("audit benchmark")
		key := keyOf(b, 65537, randomTestPrime(random, size/2), randomTestPrime(random, size/2))
		b.Run(fmt.Sprintf("bits=%d/key=public", size), func(b *testing.B) {
			for b.Loop() {
				if f, err := AuditPublicKey(b.Context(), &key.PublicKey); len(f) > 0 || err != nil {
					b.Fatal(f, err)
				}
			}
		})
		b.Run(fmt.Sprintf("bits=%d/key=private", size), func(b *testing.B) {
			for b.Loop() {
				if f, err := AuditPrivateKey(b.Context(), key); len(f) > 0 || err != nil {
					b.Fatal(f, err)
				}
			}
		})
	}
}
