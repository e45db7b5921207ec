package bigmod

import (
	"bytes"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// The oracle of these tests is math/big, reached through toBig and fromBig and
// never through the code under test.

func toBig(x *Nat) *big.Int {
	words := make([]big.Word, len(x.limbs))
	for i, v := range x.limbs {
		words[i] = big.Word(v)
	}
	return new(big.Int).SetBits(words)
}

// fromBig returns x with a length of n limbs.
func fromBig(x *big.Int, n int) *Nat {
	nat := &Nat{make([]uint, n)}
	for i, w := range x.Bits() {
		nat.limbs[i] = uint(w)
	}
	return nat
}

// edges draws numbers whose limbs are mostly zero, all ones, or next to them:
// uniform limbs hardly ever make a carry go far.
type edges struct{ *rand.Rand }

// newEdges returns a source with a fresh seed, which it logs.
func newEdges(t testing.TB) edges {
	a, b := rand.Uint64(), rand.Uint64()
	t.Logf("seed %#x, %#x", a, b)
	return edges{rand.New(rand.NewPCG(a, b))}
}

func (r edges) limb() uint {
	switch r.IntN(8) {
	case 0, 1:
		return 0
	case 2, 3:
		return ^uint(0)
	case 4:
		return 1 << (_W - 1)
	case 5:
		return [...]uint{1, 2, ^uint(1), ^uint(0) >> 1}[r.IntN(4)]
	default:
		return uint(r.Uint64())
	}
}

func (r edges) limbs(n int) []uint {
	x := make([]uint, n)
	switch r.IntN(6) {
	case 0: // one limb that is not zero
		if n > 0 {
			x[r.IntN(n)] = r.limb()
		}
	case 1: // uniform
		for i := range x {
			x[i] = uint(r.Uint64())
		}
	default:
		for i := range x {
			x[i] = r.limb()
		}
	}
	return x
}

// modulus returns a modulus of exactly n limbs.
func (r edges) modulus(t testing.TB, n int, odd bool) (*Modulus, *big.Int) {
	x := r.limbs(n)
	x[0] = x[0]&^1 | uint(Choice(r.IntN(2)))
	if odd {
		x[0] |= 1
	}
	if x[n-1] == 0 {
		x[n-1] = uint(r.Uint64()) >> r.IntN(_W)
	}
	if x[n-1] == 0 || n == 1 && x[0] < 3 {
		x[n-1] = 3
	}
	b := toBig(&Nat{x})
	m, err := NewModulus(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return m, b
}

// below returns a number below m: near zero, near m, or anything else.
func (r edges) below(m *big.Int) *big.Int {
	x := toBig(&Nat{r.limbs(len(m.Bits()))})
	switch r.IntN(8) {
	case 0:
		x.SetUint64(uint64(r.IntN(3)))
	case 1:
		x.Sub(m, big.NewInt(int64(1+r.IntN(3))))
		if x.Sign() < 0 {
			x.SetUint64(0)
		}
	}
	return x.Mod(x, m)
}

// dirty returns a Nat to be used as an output that is in some state.
func (r edges) dirty() *Nat {
	switch r.IntN(4) {
	case 0:
		return new(Nat)
	case 1:
		return NewNat()
	default:
		limbs := r.limbs(r.IntN(70))
		return &Nat{limbs[:r.IntN(len(limbs)+1)]}
	}
}

// rounds returns how many random cases a test runs.
func rounds(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}

// check fails the test unless got has n limbs and the value want.
func check(t *testing.T, what string, got *Nat, n int, want *big.Int) {
	t.Helper()
	if len(got.limbs) != n || toBig(got).Cmp(want) != 0 {
		t.Fatalf("%s = %x (%d limbs), want %x (%d limbs)", what, toBig(got), len(got.limbs), want, n)
	}
}

func TestModularArithmetic(t *testing.T) {
	r := newEdges(t)
	for range rounds(20000) {
		n := 1 + r.IntN(12)
		m, mBig := r.modulus(t, n, false)
		xBig, yBig := r.below(mBig), r.below(mBig)
		x, y := fromBig(xBig, n), fromBig(yBig, n)
		what := fmt.Sprintf("%x, %x mod %x", xBig, yBig, mBig)
		mod := func(z *big.Int) *big.Int { return z.Mod(z, mBig) }
		copyOf := func(z *Nat) *Nat { return r.dirty().set(z) }

		check(t, "Add "+what, copyOf(x).Add(y, m), n, mod(new(big.Int).Add(xBig, yBig)))
		check(t, "Sub "+what, copyOf(x).Sub(y, m), n, mod(new(big.Int).Sub(xBig, yBig)))
		check(t, "SubOne "+what, copyOf(x).SubOne(m), n, mod(new(big.Int).Sub(xBig, big.NewInt(1))))
		check(t, "Mul "+what, copyOf(x).Mul(y, m), n, mod(new(big.Int).Mul(xBig, yBig)))
		limb := r.limb()
		check(t, "MulUint "+what, copyOf(x).MulUint(limb, m), n,
			mod(new(big.Int).Mul(xBig, new(big.Int).SetUint64(uint64(limb)))))

		// An operand that is the output, and one that is both operands.
		z := copyOf(x)
		check(t, "Mul x, x "+what, z.Mul(z, m), n, mod(new(big.Int).Mul(xBig, xBig)))
		z = copyOf(x)
		check(t, "Add x, x "+what, z.Add(z, m), n, mod(new(big.Int).Add(xBig, xBig)))
		z = copyOf(x)
		check(t, "Sub x, x "+what, z.Sub(z, m), n, new(big.Int))

		// Operands stay as they are.
		check(t, "x after "+what, x, n, xBig)
		check(t, "y after "+what, y, n, yBig)
		check(t, "m after "+what, m.Nat(), n, mBig)

		if got, want := x.IsMinusOne(m) == yes, xBig.Cmp(new(big.Int).Sub(mBig, big.NewInt(1))) == 0; got != want {
			t.Fatalf("IsMinusOne %s = %v", what, got)
		}
		if got, want := x.Equal(y) == yes, xBig.Cmp(yBig) == 0; got != want {
			t.Fatalf("Equal %s = %v", what, got)
		}
		if got, want := x.cmpGeq(y) == yes, xBig.Cmp(yBig) >= 0; got != want {
			t.Fatalf("cmpGeq %s = %v", what, got)
		}
	}
}

func TestMod(t *testing.T) {
	r := newEdges(t)
	for range rounds(20000) {
		n := 1 + r.IntN(10)
		m, mBig := r.modulus(t, n, false)
		x := &Nat{r.limbs(r.IntN(3*n + 2))}
		if r.IntN(4) == 0 {
			// A multiple of m, or just below one.
			z := new(big.Int).Mul(mBig, toBig(&Nat{r.limbs(1 + r.IntN(n))}))
			z.Sub(z, big.NewInt(int64(r.IntN(2))))
			if z.Sign() >= 0 {
				x = fromBig(z, len(z.Bits()))
			}
		}
		xBig := toBig(x)
		want := new(big.Int).Mod(xBig, mBig)
		what := fmt.Sprintf("%x mod %x", xBig, mBig)
		check(t, what, r.dirty().Mod(x, m), n, want)
		check(t, what+", in place", x.Mod(x, m), n, want)
	}
}

// TestHardQuotients drives a step of reduceTop with numerators for which the
// estimate of the quotient is too large by one, and with those whose top limbs
// equal those of the modulus, which are out of the division's domain.
func TestHardQuotients(t *testing.T) {
	r := newEdges(t)
	var exact, tooLarge, capped int
	for range rounds(20000) {
		n := 3 + r.IntN(6)
		m, mBig := r.modulus(t, n, true)
		u := new(big.Int)
		equal := r.IntN(3) == 0
		if equal {
			// The limbs of m on top, and less than those of m below.
			u.Lsh(mBig, _W)
			u.Sub(u, toBig(&Nat{r.limbs(1 + r.IntN(n-2))}))
			u.Sub(u, big.NewInt(1))
		} else {
			// u = q·m - 1: with low limbs of all ones, which the estimate does not see,
			// the quotient q - 1 is just missed.
			if r.IntN(2) == 0 {
				for i := range n - 2 {
					m.nat.limbs[i] = ^uint(0)
				}
				mBig = toBig(m.Nat())
				*m = mustModulus(t, mBig)
			}
			u.Mul(mBig, new(big.Int).SetUint64(uint64(r.limb()|1)))
			u.Sub(u, big.NewInt(1))
		}
		limbs := fromBig(u, n+1).limbs
		q := m.estimate(limbs, n, 0)
		want, rem := new(big.Int).QuoRem(u, mBig, new(big.Int))
		switch new(big.Int).Sub(new(big.Int).SetUint64(uint64(q)), want).Int64() {
		case 0:
			exact++
		case 1:
			tooLarge++
		default:
			t.Fatalf("estimate of %x / %x is %x, want %x", u, mBig, q, want)
		}
		if equal && q == ^uint(0) {
			capped++
		}
		// The same through complement: for a negative x, the limbs of -u-1.
		negated := make([]uint, n+1)
		for i, v := range limbs {
			negated[i] = ^v
		}
		if got := m.estimate(negated, n, ^uint(0)); got != q {
			t.Fatalf("estimate for the complement of %x is %x, want %x", u, got, q)
		}
		reduceTop(limbs, m)
		check(t, fmt.Sprintf("%x mod %x", u, mBig), &Nat{limbs[:n]}, n, rem)
		// And with a further step after it, which starts from a negative number.
		limbs = append([]uint{r.limb()}, fromBig(u, n+1).limbs...)
		u.Mod(toBig(&Nat{limbs}), mBig)
		reduceTop(limbs, m)
		check(t, "two steps", &Nat{limbs[:n]}, n, u)
	}
	if exact == 0 || tooLarge == 0 || capped == 0 {
		t.Errorf("%d estimates were exact, %d too large, %d capped: want some of each", exact, tooLarge, capped)
	}
}

func mustModulus(t testing.TB, x *big.Int) Modulus {
	m, err := MakeModulus(fromBig(x, len(x.Bits())).limbs)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestReciprocals(t *testing.T) {
	r := newEdges(t)
	b := new(big.Int).Lsh(big.NewInt(1), _W)
	for range rounds(50000) {
		d1, d0 := r.limb()|1<<(_W-1), r.limb()
		v := reciprocal2by1(d1)
		if want, _ := bits.Div(^d1, ^uint(0), d1); v != want {
			t.Fatalf("reciprocal2by1(%#x) = %#x, want %#x", d1, v, want)
		}
		// ⌊(B³ - 1) / d⌋ - B
		d := toBig(&Nat{[]uint{d0, d1}})
		want := new(big.Int).Exp(b, big.NewInt(3), nil)
		want.Sub(want, big.NewInt(1)).Div(want, d).Sub(want, b)
		v = reciprocal3by2(d1, d0, v)
		if want.Cmp(new(big.Int).SetUint64(uint64(v))) != 0 {
			t.Fatalf("reciprocal3by2(%#x, %#x) = %#x, want %#x", d1, d0, v, want)
		}

		u := toBig(&Nat{[]uint{r.limb(), r.limb()}})
		u.Mod(u, new(big.Int).Add(d, big.NewInt(1)))
		if r.IntN(8) == 0 {
			u.Set(d)
		}
		top := fromBig(u, 2)
		u0 := r.limb()
		q := div3by2(top.limbs[1], top.limbs[0], u0, d1, d0, v)
		num := new(big.Int).Lsh(u, _W)
		num.Add(num, new(big.Int).SetUint64(uint64(u0)))
		want = new(big.Int).Div(num, d)
		if limit := new(big.Int).Sub(b, big.NewInt(1)); want.Cmp(limit) > 0 {
			want = limit
		}
		if want.Cmp(new(big.Int).SetUint64(uint64(q))) != 0 {
			t.Fatalf("div3by2(%#x·B + %#x, %#x) = %#x, want %#x", u, u0, d, q, want)
		}
	}
}

func TestNegInverse(t *testing.T) {
	r := newEdges(t)
	for range 10000 {
		x := r.limb() | 1
		if x*negInverse(x) != ^uint(0) {
			t.Fatalf("%#x · %#x != -1", x, negInverse(x))
		}
	}
}

func TestExp(t *testing.T) {
	r := newEdges(t)
	for i := range rounds(3000) {
		n := 1 + r.IntN(9)
		m, mBig := r.modulus(t, n, true)
		xBig := r.below(mBig)
		x := fromBig(xBig, n)
		// Exponents of up to 17 bytes cross windowedBits, with leading zeros.
		e := make([]byte, r.IntN(18))
		for j := r.IntN(len(e) + 1); j < len(e); j++ {
			e[j] = byte(r.limb())
		}
		eBig := new(big.Int).SetBytes(e)
		want := new(big.Int).Exp(xBig, eBig, mBig)
		what := fmt.Sprintf("%x ^ %x mod %x", xBig, e, mBig)

		check(t, "Exp "+what, r.dirty().Exp(x, e, m), n, want)
		check(t, "ExpVarTime "+what, r.dirty().ExpVarTime(x, e, m), n, want)
		if eBig.BitLen() <= _W {
			check(t, "ExpShortVarTime "+what, r.dirty().ExpShortVarTime(x, uint(eBig.Uint64()), m), n, want)
		}
		check(t, "x after "+what, x, n, xBig)
		inPlace := [...]func(x *Nat) *Nat{
			func(x *Nat) *Nat { return x.Exp(x, e, m) },
			func(x *Nat) *Nat { return x.ExpVarTime(x, e, m) },
		}[i%2]
		check(t, "in place "+what, inPlace(x), n, want)

		// A base that is shorter than the modulus.
		short := &Nat{r.limbs(r.IntN(n))}
		want.Exp(toBig(short), eBig, mBig)
		check(t, "Exp with a short base", r.dirty().Exp(short, e, m), n, want)
		check(t, "ExpVarTime with a short base", r.dirty().ExpVarTime(short, e, m), n, want)
	}
}

// TestExpLarge covers the moduli of RSA and those around the sizes up to which
// scratch memory is on the stack.
func TestExpLarge(t *testing.T) {
	r := newEdges(t)
	for _, size := range []int{1023, 1024, 1025, 2047, 2048, 2049, 3072, 4095, 4096, 4097, 8192} {
		n := (size + _W - 1) / _W
		mBig := toBig(&Nat{r.limbs(n)})
		mBig.Mod(mBig, new(big.Int).Lsh(big.NewInt(1), uint(size)))
		mBig.SetBit(mBig, size-1, 1).SetBit(mBig, 0, 1)
		m, err := NewModulus(mBig.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if m.BitLen() != size || m.Size() != (size+7)/8 {
			t.Fatalf("BitLen = %d, Size = %d for %d bits", m.BitLen(), m.Size(), size)
		}
		xBig := r.below(mBig)
		x := fromBig(xBig, n)
		e := []byte{1, 0, 1}
		want := new(big.Int).Exp(xBig, big.NewInt(65537), mBig)
		check(t, fmt.Sprint("ExpShortVarTime, bits ", size), NewNat().ExpShortVarTime(x, 65537, m), n, want)
		check(t, fmt.Sprint("Exp, bits ", size), NewNat().Exp(x, e, m), n, want)
		if got := x.Bytes(m); !bytes.Equal(got, xBig.FillBytes(make([]byte, m.Size()))) {
			t.Errorf("Bytes, %d bits: %x", size, got)
		}
	}
}

// TestExhaustiveTiny tries every operand of every odd one-limb modulus below 64.
func TestExhaustiveTiny(t *testing.T) {
	for mod := uint(2); mod < 64; mod++ {
		m, err := NewModulus([]byte{byte(mod)})
		if err != nil {
			t.Fatal(err)
		}
		for x := range mod {
			for y := range mod {
				for name, c := range map[string]struct {
					got  *Nat
					want uint
				}{
					"+": {new(Nat).SetUint(x).Add(new(Nat).SetUint(y), m), (x + y) % mod},
					"-": {new(Nat).SetUint(x).Sub(new(Nat).SetUint(y), m), (x + mod - y) % mod},
					"·": {new(Nat).SetUint(x).Mul(new(Nat).SetUint(y), m), x * y % mod},
				} {
					if c.got.limbs[0] != c.want {
						t.Fatalf("%d %s %d mod %d = %d, want %d", x, name, y, mod, c.got.limbs[0], c.want)
					}
				}
			}
			if mod%2 == 0 {
				continue
			}
			want := uint(1)
			for e := range uint(40) {
				if got := new(Nat).ExpShortVarTime(new(Nat).SetUint(x), e, m).limbs[0]; got != want {
					t.Fatalf("%d ^ %d mod %d = %d, want %d", x, e, mod, got, want)
				}
				if got := new(Nat).Exp(new(Nat).SetUint(x), []byte{byte(e)}, m).limbs[0]; got != want {
					t.Fatalf("%d ^ %d mod %d = %d, want %d (Exp)", x, e, mod, got, want)
				}
				want = want * x % mod
			}
		}
	}
}

// TestSetup compares the two ways into Montgomery form.
func TestSetup(t *testing.T) {
	r := newEdges(t)
	for range rounds(3000) {
		n := 1 + r.IntN(20)
		m, mBig := r.modulus(t, n, true)
		w := len(m.mont)
		z, tmp, x := make([]uint, w), make([]uint, 2*w), make([]uint, w)
		R := new(big.Int).Lsh(big.NewInt(1), uint(w*_W))
		value := func(z []uint) *big.Int { return toBig(&Nat{z}) }

		m.montOne(z, tmp)
		if want := new(big.Int).Mod(R, mBig); value(z).Cmp(want) != 0 {
			t.Fatalf("montOne mod %x = %x, want %x", mBig, value(z), want)
		}
		for _, threshold := range []int{rrChainThreshold, 2, 5} {
			m.rrChain(z, tmp, threshold)
			want := new(big.Int).Mul(R, R)
			if want.Mod(want, mBig); value(z).Cmp(want) != 0 {
				t.Fatalf("rrChain mod %x = %x, want %x", mBig, value(z), want)
			}
		}
		xBig := r.below(mBig)
		copy(x, fromBig(xBig, n).limbs)
		m.montMul(z, x, z, tmp)
		direct := make([]uint, w)
		m.toMont(direct, x[:n], tmp)
		if value(direct).Cmp(value(z)) != 0 {
			t.Fatalf("%x · R mod %x = %x directly, %x by R²", xBig, mBig, value(direct), value(z))
		}
		m.fromMont(direct, direct, tmp)
		if value(direct).Cmp(xBig) != 0 {
			t.Fatalf("%x to Montgomery form mod %x and back is %x", xBig, mBig, value(direct))
		}
	}
}

func TestMulAdd(t *testing.T) {
	r := newEdges(t)
	for range rounds(5000) {
		a, b := &Nat{r.limbs(1 + r.IntN(10))}, &Nat{r.limbs(1 + r.IntN(10))}
		c := &Nat{r.limbs(r.IntN(max(len(a.limbs), len(b.limbs)) + 1))}
		want := new(big.Int).Mul(toBig(a), toBig(b))
		want.Add(want, toBig(c))
		n := len(a.limbs) + len(b.limbs)
		check(t, "MulAdd", r.dirty().MulAdd(a, b, c), n, want)
		check(t, "MulAdd in place", a.MulAdd(a, b, c), n, want)
	}
}

func TestInverseAndGCD(t *testing.T) {
	r := newEdges(t)
	found := map[bool]int{}
	for range rounds(3000) {
		n := 1 + r.IntN(5)
		m, mBig := r.modulus(t, n, false)
		aBig := r.below(mBig)
		a := fromBig(aBig, len(aBig.Bits())+r.IntN(n-len(aBig.Bits())+1))
		x := r.dirty()
		before := toBig(x)
		got, ok := x.InverseVarTime(a, m)
		want := new(big.Int).ModInverse(aBig, mBig)
		found[ok]++
		if got != x || ok != (want != nil) {
			t.Fatalf("InverseVarTime(%x, %x) = %v, want %v", aBig, mBig, ok, want != nil)
		}
		if ok {
			check(t, "inverse", got, n, want)
		} else if toBig(x).Cmp(before) != 0 {
			t.Fatal("InverseVarTime changed its receiver although there is no inverse")
		}

		b := &Nat{r.limbs(1 + r.IntN(5))}
		gcd, err := r.dirty().GCDVarTime(a, b)
		if bad := aBig.Sign() == 0 || toBig(b).Sign() == 0 || a.IsOdd() == no && b.IsOdd() == no; bad != (err != nil) {
			t.Fatalf("GCDVarTime(%x, %x): %v", aBig, toBig(b), err)
		}
		if err == nil {
			check(t, "GCD", gcd, max(len(a.limbs), len(b.limbs)), new(big.Int).GCD(nil, nil, aBig, toBig(b)))
		}
	}
	if found[true] == 0 || found[false] == 0 {
		t.Errorf("inverses found and not found: %v", found)
	}
}

func TestBytes(t *testing.T) {
	r := newEdges(t)
	for range rounds(5000) {
		n := 1 + r.IntN(6)
		m, mBig := r.modulus(t, n, false)
		size := m.Size()
		xBig := r.below(mBig)
		b := xBig.FillBytes(make([]byte, size))
		padded := append(make([]byte, r.IntN(20)), b...)
		x, err := r.dirty().SetBytes(padded, m)
		if err != nil {
			t.Fatal(err)
		}
		check(t, "SetBytes", x, n, xBig)
		long := append(fromBig(xBig, n).limbs, make([]uint, r.IntN(3))...)
		if x, err = r.dirty().SetLimbs(long[:max(len(xBig.Bits()), len(long)-2)], m); err != nil {
			t.Fatal(err)
		}
		check(t, "SetLimbs", x, n, xBig)
		if got := x.Bytes(m); !bytes.Equal(got, b) {
			t.Fatalf("Bytes = %x, want %x", got, b)
		}
		if got := x.FillBytes(bytes.Repeat([]byte{0xff}, size+3)); !bytes.Equal(got, append(make([]byte, 3), b...)) {
			t.Fatalf("FillBytes = %x, want 000000%x", got, b)
		}

		// m itself and more overflow; up to the size of m in bits they are reduced.
		over := new(big.Int).Add(mBig, xBig)
		if _, err := r.dirty().SetBytes(over.Bytes(), m); err == nil {
			t.Fatalf("SetBytes(%x) modulo %x succeeded", over, mBig)
		}
		if _, err := r.dirty().SetLimbs(fromBig(over, n+2).limbs, m); err == nil {
			t.Fatalf("SetLimbs(%x) modulo %x succeeded", over, mBig)
		}
		x, err = r.dirty().SetOverflowingBytes(over.Bytes(), m)
		if fits := over.BitLen() <= mBig.BitLen(); fits != (err == nil) {
			t.Fatalf("SetOverflowingBytes(%x) modulo %x: %v", over, mBig, err)
		}
		if err == nil {
			check(t, "SetOverflowingBytes", x, n, xBig)
		}
		if _, err := r.dirty().SetOverflowingBytes(append([]byte{1}, make([]byte, n*_S)...), m); err == nil {
			t.Fatal("SetOverflowingBytes succeeded for a number of more limbs")
		}
	}
}

func TestShiftsAndShortDivision(t *testing.T) {
	r := newEdges(t)
	for range rounds(5000) {
		n := 1 + r.IntN(5)
		limbs := r.limbs(n)
		xBig := toBig(&Nat{limbs})
		x := func() *Nat { return new(Nat).SetBits(limbs) }
		s := uint(r.IntN(n*_W + 10))
		check(t, "ShiftRightVarTime", x().ShiftRightVarTime(s), n, new(big.Int).Rsh(xBig, s))
		check(t, "ShiftRightByOne", x().ShiftRightByOne(), n, new(big.Int).Rsh(xBig, 1))
		if got := x().BitLenVarTime(); got != xBig.BitLen() {
			t.Fatalf("BitLenVarTime = %d, want %d", got, xBig.BitLen())
		}
		want := uint(n * _W)
		if xBig.Sign() != 0 {
			want = xBig.TrailingZeroBits()
		}
		if got := x().TrailingZeroBitsVarTime(); got != want {
			t.Fatalf("TrailingZeroBitsVarTime(%x) = %d, want %d", xBig, got, want)
		}
		y := r.limb() | 1
		q, rem := new(big.Int).QuoRem(xBig, new(big.Int).SetUint64(uint64(y)), new(big.Int))
		z := x()
		if got := z.DivShortVarTime(y); rem.Cmp(new(big.Int).SetUint64(uint64(got))) != 0 {
			t.Fatalf("remainder of %x / %x = %x, want %x", xBig, y, got, rem)
		}
		check(t, "DivShortVarTime", z, n, q)
		if got, want := x().IsZero() == yes, xBig.Sign() == 0; got != want {
			t.Fatalf("IsZero(%x) = %v", xBig, got)
		}
		if got, want := x().IsOne() == yes, xBig.Cmp(big.NewInt(1)) == 0; got != want {
			t.Fatalf("IsOne(%x) = %v", xBig, got)
		}
		if got, want := x().IsOdd() == yes, xBig.Bit(0) == 1; got != want {
			t.Fatalf("IsOdd(%x) = %v", xBig, got)
		}
	}
	var zero Nat
	if zero.IsZero() != yes || zero.IsOne() != no || zero.IsOdd() != no || zero.BitLenVarTime() != 0 {
		t.Error("a Nat of length zero is not zero")
	}
}

func TestModulusConstructors(t *testing.T) {
	for _, bad := range [][]byte{nil, {}, {0}, {1}, make([]byte, 40), append(make([]byte, 40), 1)} {
		if _, err := NewModulus(bad); err == nil {
			t.Errorf("NewModulus(%x) succeeded", bad)
		}
	}
	for _, bad := range [][2][]byte{{nil, nil}, {{}, {2}}, {{1}, {1}}, {{0}, {7}}} {
		if _, err := NewModulusProduct(bad[0], bad[1]); err == nil {
			t.Errorf("NewModulusProduct(%x, %x) succeeded", bad[0], bad[1])
		}
	}
	r := newEdges(t)
	for range rounds(2000) {
		a, b := toBig(&Nat{r.limbs(1 + r.IntN(5))}), toBig(&Nat{r.limbs(1 + r.IntN(5))})
		want := new(big.Int).Mul(a, b)
		m, err := NewModulusProduct(append([]byte{0, 0}, a.Bytes()...), b.Bytes())
		if (err != nil) != (want.BitLen() < 2) {
			t.Fatalf("NewModulusProduct(%x, %x): %v", a, b, err)
		}
		if err == nil && (toBig(m.Nat()).Cmp(want) != 0 || m.BitLen() != want.BitLen()) {
			t.Fatalf("NewModulusProduct(%x, %x) = %x of %d bits", a, b, toBig(m.Nat()), m.BitLen())
		}
	}
}

// TestModulusIsACopy changes what a modulus was made from and what it returned.
func TestModulusIsACopy(t *testing.T) {
	b := []byte{0x11, 0x22, 0x33}
	m, err := NewModulus(b)
	if err != nil {
		t.Fatal(err)
	}
	b[1] = 0
	m.Nat().Bits()[0] = 5
	if got := m.Nat().Bytes(m); !bytes.Equal(got, []byte{0x11, 0x22, 0x33}) {
		t.Errorf("the modulus is %x", got)
	}
}

func TestPanics(t *testing.T) {
	even, _ := NewModulus([]byte{200})
	odd, _ := NewModulus([]byte{201})
	two := new(Nat).reset(2)
	for name, f := range map[string]func(){
		"Exp, even":             func() { new(Nat).Exp(new(Nat).SetUint(3), []byte{3}, even) },
		"ExpShortVarTime, even": func() { new(Nat).ExpShortVarTime(new(Nat).SetUint(3), 3, even) },
		"ExpVarTime, even":      func() { new(Nat).ExpVarTime(new(Nat).SetUint(3), []byte{3}, even) },
		"Exp, long base":        func() { new(Nat).Exp(two, []byte{3}, odd) },
		"Mul, long operand":     func() { new(Nat).SetUint(3).Mul(two, odd) },
		"Add, long operand":     func() { new(Nat).SetUint(3).Add(two, odd) },
		"Sub, long receiver":    func() { new(Nat).set(two).Sub(new(Nat).SetUint(3), odd) },
		"Equal, lengths":        func() { two.Equal(new(Nat).SetUint(3)) },
		"ExpandFor, long":       func() { new(Nat).set(two).ExpandFor(odd) },
		"DivShortVarTime, zero": func() { two.DivShortVarTime(0) },
		"FillBytes, too short":  func() { new(Nat).SetUint(256).FillBytes(make([]byte, 1)) },
		"TruncateFor, not zero": func() { (&Nat{[]uint{1, 1}}).TruncateFor(odd) },
		"MulAdd, long addend":   func() { new(Nat).MulAdd(new(Nat).SetUint(1), new(Nat).SetUint(1), two) },
		"IsMinusOne, long":      func() { two.IsMinusOne(odd) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// TestAllocations asserts that operations up to 4096 bits, or 2048 for the table of
// a secret exponent, use the stack.
func TestAllocations(t *testing.T) {
	for _, size := range []int{1024, 2048, 4096} {
		mBytes := bytes.Repeat([]byte{0xff}, size/8)
		m, err := NewModulus(mBytes)
		if err != nil {
			t.Fatal(err)
		}
		xBytes := append([]byte{0}, mBytes[1:]...)
		allocs := testing.AllocsPerRun(10, func() {
			x := NewNat()
			if _, err := x.SetBytes(xBytes, m); err != nil {
				t.Error(err)
			}
			y := NewNat().ExpShortVarTime(x, 65537, m)
			y.Mul(x, m).Add(x, m)
			if size <= 2048 {
				y.Exp(x, xBytes[:4], m)
			}
			x.Wipe()
		})
		if allocs != 0 {
			t.Errorf("%d bits: %v allocations, want 0", size, allocs)
		}
	}
}

func TestWipe(t *testing.T) {
	// Storage that is too small is wiped when it is dropped.
	for name, grow := range map[string]func(x *Nat){
		"expand": func(x *Nat) { x.expand(9) },
		"reset":  func(x *Nat) { x.reset(9) },
		"set":    func(x *Nat) { x.SetBits(make([]uint, 9)) },
	} {
		old := []uint{7, 8}
		grow(&Nat{old})
		if old[0]|old[1] != 0 {
			t.Errorf("%s leaves %v behind", name, old)
		}
	}
	limbs := []uint{1, 2, 3, 4}
	x := &Nat{limbs[:2]}
	x.Wipe()
	for i, v := range limbs {
		if v != 0 {
			t.Errorf("limb %d is %d", i, v)
		}
	}
	if len(x.limbs) != 0 {
		t.Error("the length is not zero")
	}
	limbs = []uint{5, 6, 7}
	m, err := MakeModulus(limbs)
	if err != nil {
		t.Fatal(err)
	}
	inner := m.mont
	m.Wipe()
	for _, v := range inner {
		if v != 0 {
			t.Errorf("%d is left in the modulus", v)
		}
	}
}

// FuzzArithmetic compares everything that takes a modulus with math/big.
func FuzzArithmetic(f *testing.F) {
	ones := bytes.Repeat([]byte{0xff}, 40)
	f.Add([]byte{3}, []byte{2}, []byte{1}, []byte{5})
	f.Add(ones, ones[1:], ones[2:], []byte{1, 0, 1})
	f.Add(append([]byte{1}, make([]byte, 32)...), ones[:32], ones[:32], ones[:20])
	f.Add(append(make([]byte, 16), ones[:17]...), append([]byte{1}, make([]byte, 15)...), ones[:5], []byte{})
	f.Fuzz(func(t *testing.T, mBytes, xBytes, yBytes, e []byte) {
		if len(mBytes) > 200 || len(e) > 40 || len(xBytes) > 500 {
			return
		}
		mBig := new(big.Int).SetBytes(mBytes)
		m, err := NewModulus(mBytes)
		if (err == nil) != (mBig.BitLen() > 1) {
			t.Fatalf("NewModulus(%x): %v", mBytes, err)
		}
		if err != nil {
			return
		}
		n := len(m.nat.limbs)
		long := new(big.Int).SetBytes(xBytes)
		x := new(Nat).Mod(fromBig(long, len(long.Bits())), m)
		xBig := new(big.Int).Mod(long, mBig)
		check(t, "Mod", x, n, xBig)
		yBig := new(big.Int).SetBytes(yBytes)
		y, err := new(Nat).SetBytes(yBytes, m)
		if (err == nil) != (yBig.Cmp(mBig) < 0) {
			t.Fatalf("SetBytes(%x) modulo %x: %v", yBytes, mBig, err)
		}
		if err != nil {
			yBig.Mod(yBig, mBig)
			y = fromBig(yBig, n)
		}
		want := new(big.Int).Mul(xBig, yBig)
		check(t, "Mul", new(Nat).set(x).Mul(y, m), n, want.Mod(want, mBig))
		want = new(big.Int).Sub(xBig, yBig)
		check(t, "Sub", new(Nat).set(x).Sub(y, m), n, want.Mod(want, mBig))
		inverse, ok := new(Nat).InverseVarTime(x, m)
		if want := new(big.Int).ModInverse(xBig, mBig); ok != (want != nil) {
			t.Fatalf("InverseVarTime(%x, %x) = %v", xBig, mBig, ok)
		} else if ok {
			check(t, "InverseVarTime", inverse, n, want)
		}
		if mBig.Bit(0) == 1 {
			want := new(big.Int).Exp(xBig, new(big.Int).SetBytes(e), mBig)
			check(t, "Exp", new(Nat).Exp(x, e, m), n, want)
			check(t, "ExpVarTime", new(Nat).ExpVarTime(x, e, m), n, want)
		}
	})
}
