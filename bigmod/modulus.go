package bigmod

import (
	"errors"
	"math/bits"
)

// A Modulus is a number greater than one and what is precomputed to reduce by
// it. Its length in bits and whether it is even are public; its value is secret.
//
// A Modulus is not modified by its use, so several goroutines can share one.
type Modulus struct {
	nat Nat

	// shift is the number of leading zero bits in the top limb.
	shift uint

	// d1, d0 are the top two limbs of the modulus shifted left by shift, and v
	// is their reciprocal, see [reciprocal3by2].
	d1, d0, v uint

	// For an odd modulus, mont is the modulus extended with zeros to a width that
	// suits the kernels, and m0inv is -m⁻¹ mod 2^_W. For an even one, which has
	// no Montgomery form, mont is nil.
	mont  []uint
	m0inv uint
}

// NewModulus returns the modulus with the big-endian value b, which must be
// greater than one. Leading zero bytes are allowed.
//
// It leaks the number of significant bits and whether b is even.
func NewModulus(b []byte) (*Modulus, error) {
	n := (len(b) + _S - 1) / _S
	x := &Nat{make([]uint, n, montWidth(n))}
	if err := x.setBytes(b); err != nil {
		return nil, err
	}
	return newModulus(x)
}

// NewModulusProduct returns the modulus a·b of two big-endian numbers. The
// product must be greater than one.
//
// It leaks the number of significant bits of the product, whether it is even,
// and the lengths of a and b.
func NewModulusProduct(a, b []byte) (*Modulus, error) {
	n := max((len(a)+_S-1)/_S, (len(b)+_S-1)/_S, 1)
	x, y := new(Nat).reset(n), new(Nat).reset(n)
	if err := x.setBytes(a); err != nil {
		return nil, err
	}
	if err := y.setBytes(b); err != nil {
		return nil, err
	}
	z := &Nat{make([]uint, 2*n, montWidth(2*n))}
	mulLimbs(z.limbs, x.limbs, y.limbs)
	return newModulus(z)
}

func newModulus(x *Nat) (*Modulus, error) {
	m, err := MakeModulus(x.limbs)
	if err != nil {
		return nil, err
	}
	return &m, nil
}

// MakeModulus is [NewModulus] for a value given as limbs, little-endian, whose
// memory it takes over. If limbs has the capacity for the next multiple of eight
// limbs then MakeModulus allocates nothing, and the modulus can live on the
// caller's stack. Copies of it share that memory.
func MakeModulus(limbs []uint) (Modulus, error) { return makeModulus(limbs, reciprocal2by1) }

// MakeModulusVarTime is [MakeModulus] for a public modulus: it leaks the value
// through the processor's division, and is a little faster.
func MakeModulusVarTime(limbs []uint) (Modulus, error) {
	return makeModulus(limbs, func(d uint) uint {
		v, _ := bits.Div(^d, ^uint(0), d)
		return v
	})
}

// makeModulus makes a modulus with a function that computes what
// [reciprocal2by1] does.
func makeModulus(limbs []uint, reciprocal func(d uint) uint) (m Modulus, err error) {
	m.nat.limbs = limbs
	m.nat.trimVarTime()
	n := len(m.nat.limbs)
	if n == 0 || n == 1 && m.nat.limbs[0] == 1 {
		return Modulus{}, errors.New("modulus must be > 1")
	}
	m.shift = uint(bits.LeadingZeros(m.nat.limbs[n-1]))
	var top [3]uint
	for i := range min(n, len(top)) {
		top[i] = m.nat.limbs[n-1-i]
	}
	m.d1, m.d0, _ = shiftTop(top[0], top[1], top[2], 0, m.shift)
	m.v = reciprocal3by2(m.d1, m.d0, reciprocal(m.d1))

	if !m.isOdd() {
		return m, nil
	}
	m.m0inv = negInverse(m.nat.limbs[0])
	w := montWidth(n)
	if cap(limbs) >= w {
		m.mont = limbs[:w]
		clear(m.mont[n:])
		return m, nil
	}
	m.mont = make([]uint, w)
	copy(m.mont, m.nat.limbs)
	m.nat.limbs = m.mont[:n]
	return m, nil
}

// negInverse returns -x⁻¹ mod 2^_W, for odd x.
func negInverse(x uint) uint {
	// Newton: if x·y = 1 + e then x·y(2 - x·y) = 1 - e². y = x is right modulo 8,
	// and each step doubles the number of right bits: 3, 6, 12, 24, 48, 96.
	y := x
	for range 5 {
		y *= 2 - x*y
	}
	return -y
}

// Size returns the size of m in bytes.
func (m *Modulus) Size() int { return (m.BitLen() + 7) / 8 }

func (m *Modulus) isOdd() bool { return m.nat.limbs[0]&1 == 1 }

// BitLen returns the number of significant bits of m.
func (m *Modulus) BitLen() int { return len(m.nat.limbs)*_W - int(m.shift) }

// Nat returns m as a [Nat], a copy. It is inlined, like [NewNat].
func (m *Modulus) Nat() *Nat {
	limbs := make([]uint, 0, preallocLimbs)
	n := &Nat{limbs}
	return n.set(&m.nat)
}

// maybeSubtractModulus sets x = x - m if x >= m or overflow is yes. x must have
// the length of m. Its result is reduced if x, with the carry that overflow
// stands for above its top limb, is below 2m.
func (x *Nat) maybeSubtractModulus(overflow Choice, m *Modulus) {
	reduceOnce(x.limbs, m.nat.limbs, uint(overflow))
}

// ExpandFor extends x with zeros to the length of m, which must not be less than
// that of x.
func (x *Nat) ExpandFor(m *Modulus) *Nat { return x.expand(len(m.nat.limbs)) }

// TruncateFor drops the limbs of x beyond the length of m, which must be zero. It
// panics if they are not.
func (x *Nat) TruncateFor(m *Modulus) *Nat {
	n := len(m.nat.limbs)
	if len(x.limbs) <= n {
		return x.expand(n)
	}
	if (&Nat{x.limbs[n:]}).IsZero() == no {
		panic("bigmod: value is longer than the modulus")
	}
	x.limbs = x.limbs[:n]
	return x
}

// Add computes x = x + y mod m.
//
// Both operands must have the length of m and be reduced modulo m.
func (x *Nat) Add(y *Nat, m *Modulus) *Nat {
	checkLen(len(x.limbs), len(m.nat.limbs))
	overflow := Choice(x.add(y))
	x.maybeSubtractModulus(overflow, m)
	return x
}

// Sub computes x = x - y mod m.
//
// Both operands must have the length of m and be reduced modulo m.
func (x *Nat) Sub(y *Nat, m *Modulus) *Nat {
	checkLen(len(x.limbs), len(m.nat.limbs))
	underflow := x.sub(y)
	addMasked(x.limbs, m.nat.limbs, -underflow)
	return x
}

// SubOne computes x = x - 1 mod m.
//
// x must have the length of m and be reduced modulo m.
func (x *Nat) SubOne(m *Modulus) *Nat {
	checkLen(len(x.limbs), len(m.nat.limbs))
	underflow := uint(1)
	for i, v := range x.limbs {
		x.limbs[i], underflow = bits.Sub(v, 0, underflow)
	}
	addMasked(x.limbs, m.nat.limbs, -underflow)
	return x
}

// Mul computes x = x · y mod m.
//
// Both operands must have the length of m and be reduced modulo m. m may be
// even.
func (x *Nat) Mul(y *Nat, m *Modulus) *Nat {
	n := len(m.nat.limbs)
	checkLen(len(x.limbs), n)
	checkLen(len(y.limbs), n)
	var stack [2 * preallocLimbs]uint
	t := scratch(stack[:], 2*n)
	if x == y {
		sqrLimbs(t, x.limbs)
	} else {
		mulLimbs(t, x.limbs, y.limbs)
	}
	// x·y < m·2^(n·W), so the upper half is below m.
	reduceTop(t, m)
	copy(x.limbs, t)
	wipe(t)
	return x
}

// MulUint computes x = x · y mod m.
//
// x must have the length of m and be reduced modulo m, y is a limb of any value.
// m may be even.
func (x *Nat) MulUint(y uint, m *Modulus) *Nat {
	n := len(m.nat.limbs)
	checkLen(len(x.limbs), n)
	var stack [preallocLimbs + 1]uint
	t := scratch(stack[:], n+1)
	clear(t)
	t[n] = addMulVVW(t[:n], x.limbs, y)
	// x·y < m·2^W, so the top n limbs are below m.
	reduceTop(t, m)
	copy(x.limbs, t)
	wipe(t)
	return x
}

// MulAdd computes x = a · b + c, not reduced by anything, with the lengths of a
// and b added. c must not be longer than the longer of them, and the lengths of
// a and b must not be zero.
func (x *Nat) MulAdd(a, b, c *Nat) *Nat {
	if len(a.limbs) < len(b.limbs) {
		a, b = b, a
	}
	n := len(a.limbs)
	if len(c.limbs) > n {
		panic("bigmod: addend is longer than the factors")
	}
	// The kernels multiply numbers of one length.
	var stack [4 * preallocLimbs]uint
	buf := scratch(stack[:], 3*n)
	t, b1 := buf[:2*n], buf[2*n:]
	clear(b1[copy(b1, b.limbs):])
	mulLimbs(t, a.limbs, b1)
	// The sum is at most (2^(W·n)-1)² + 2^(W·n)-1, which does not overflow; the
	// limbs above those of a and b together are zero.
	var carry uint
	for i := range t {
		var v uint
		if i < len(c.limbs) {
			v = c.limbs[i]
		}
		t[i], carry = bits.Add(t[i], v, carry)
	}
	copy(x.resized(n+len(b.limbs)), t)
	wipe(buf)
	return x
}

// Wipe overwrites the limbs of x with zeros and sets its length to zero.
func (x *Nat) Wipe() {
	wipe(x.limbs[:cap(x.limbs)])
	x.limbs = x.limbs[:0]
}

// Wipe overwrites the value of m and what was derived from it with zeros. m must
// not be used afterwards.
func (m *Modulus) Wipe() {
	wipe(m.nat.limbs)
	wipe(m.mont)
	*m = Modulus{}
}

// Mod computes x = y mod m, for a y of any length, with the length of m. m may
// be even.
func (x *Nat) Mod(y *Nat, m *Modulus) *Nat {
	n := len(m.nat.limbs)
	if len(y.limbs) < n {
		// The top limb of m is not zero, so y is below m.
		return x.set(y).expand(n)
	}
	// A zero on top makes the top n limbs of t less than m.
	var stack [2*preallocLimbs + 1]uint
	t := scratch(stack[:], len(y.limbs)+1)
	t[copy(t, y.limbs)] = 0
	reduceTop(t, m)
	copy(x.resized(n), t)
	wipe(t)
	return x
}

// scratch returns n limbs, from stack if they fit. Their contents are
// unspecified.
func scratch(stack []uint, n int) []uint {
	if n <= len(stack) {
		return stack[:n]
	}
	return make([]uint, n)
}
