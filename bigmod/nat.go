package bigmod

import (
	"errors"
	"math/bits"
)

// preallocLimbs is the capacity that [NewNat] starts with: 4096 bits, so that
// Nats for RSA keys up to that size can live on the stack.
const preallocLimbs = 4096 / _W

// A Nat is a natural number with an announced length, its number of limbs.
// Operations may leak the announced length, and nothing about the value. The
// zero value is a Nat of length zero, ready for use as an output.
//
// Unless a method says otherwise, its output may be one of its inputs.
type Nat struct {
	// limbs is little-endian in base 2^_W. Limbs beyond the length, within the
	// capacity, hold garbage.
	limbs []uint
}

// NewNat returns a Nat of length zero, with the capacity for 4096 bits. It is
// inlined, so that a Nat which does not escape lives on the caller's stack.
func NewNat() *Nat {
	limbs := make([]uint, 0, preallocLimbs)
	return &Nat{limbs}
}

// MakeNat returns a Nat of length zero whose capacity is the memory of limbs.
func MakeNat(limbs []uint) Nat { return Nat{limbs[:0]} }

// reset sets x to zero with a length of n limbs, in its own storage if that
// suffices.
func (x *Nat) reset(n int) *Nat {
	clear(x.resized(n))
	return x
}

// resized returns the limbs of x with a length of n and unspecified contents,
// for an operation that overwrites every one of them. Storage that is too small is
// wiped, because nobody else can.
func (x *Nat) resized(n int) []uint {
	if cap(x.limbs) < n {
		x.replace(n)
	}
	x.limbs = x.limbs[:n]
	return x.limbs
}

// replace wipes the storage of x and gives it n limbs of its own.
func (x *Nat) replace(n int) {
	wipe(x.limbs)
	x.limbs = make([]uint, n)
}

// set assigns x = y, with the length of y. It is not inlined so that [Modulus.Nat]
// can be.
//
//go:noinline
func (x *Nat) set(y *Nat) *Nat {
	copy(x.resized(len(y.limbs)), y.limbs)
	return x
}

// expand extends x to n limbs with zeros. n must not be less than the length.
func (x *Nat) expand(n int) *Nat {
	size := len(x.limbs)
	if size > n {
		panic("bigmod: internal error: shrinking a Nat")
	}
	if cap(x.limbs) < n {
		limbs := make([]uint, n)
		copy(limbs, x.limbs)
		wipe(x.limbs)
		x.limbs = limbs
		return x
	}
	x.limbs = x.limbs[:n]
	clear(x.limbs[size:])
	return x
}

// trimVarTime drops the high zero limbs of x. It leaks the number of them.
func (x *Nat) trimVarTime() *Nat {
	n := len(x.limbs)
	for n > 0 && x.limbs[n-1] == 0 {
		n--
	}
	x.limbs = x.limbs[:n]
	return x
}

// SetUint assigns x = y, with a length of one limb.
func (x *Nat) SetUint(y uint) *Nat {
	x.resized(1)[0] = y
	return x
}

// SetBits assigns x = y, where y is little-endian, with the length of y.
// It copies y.
func (x *Nat) SetBits(y []uint) *Nat {
	copy(x.resized(len(y)), y)
	return x
}

// Bits returns the limbs of x, little-endian, as many as its announced length.
// The result shares its memory with x.
func (x *Nat) Bits() []uint { return x.limbs }

// Bytes returns x as a big-endian slice of m.Size() bytes.
//
// x must have the length of m, and must not be greater than m.
func (x *Nat) Bytes(m *Modulus) []byte {
	return x.FillBytes(make([]byte, m.Size()))
}

// FillBytes sets b to x, big-endian, extended with zeros to the length of b, and
// returns b. It panics if the announced length of x does not fit, unless the
// excess consists of zero bytes.
func (x *Nat) FillBytes(b []byte) []byte {
	i := len(b)
	var lost uint
	for _, limb := range x.limbs {
		if i >= _S {
			i -= _S
			putLimb(b[i:i+_S], limb)
			continue
		}
		for range _S {
			if i > 0 {
				i--
				b[i] = byte(limb)
			} else {
				lost |= limb & 0xff
			}
			limb >>= 8
		}
	}
	clear(b[:i])
	if lost != 0 {
		panic("bigmod: value does not fit in the byte slice")
	}
	return b
}

// putLimb stores x in the first _S bytes of b, big-endian.
func putLimb(b []byte, x uint) {
	if _W == 64 {
		_ = b[7]
		v := uint64(x)
		b[0], b[1], b[2], b[3] = byte(v>>56), byte(v>>48), byte(v>>40), byte(v>>32)
		b[4], b[5], b[6], b[7] = byte(v>>24), byte(v>>16), byte(v>>8), byte(v)
		return
	}
	_ = b[3]
	b[0], b[1], b[2], b[3] = byte(x>>24), byte(x>>16), byte(x>>8), byte(x)
}

// getLimb returns the first _S bytes of b, big-endian.
func getLimb(b []byte) uint {
	if _W == 64 {
		_ = b[7]
		return uint(uint64(b[7]) | uint64(b[6])<<8 | uint64(b[5])<<16 | uint64(b[4])<<24 |
			uint64(b[3])<<32 | uint64(b[2])<<40 | uint64(b[1])<<48 | uint64(b[0])<<56)
	}
	_ = b[3]
	return uint(b[3]) | uint(b[2])<<8 | uint(b[1])<<16 | uint(b[0])<<24
}

// setBytes assigns x = b, big-endian, without changing the length of x. It
// returns an error if b has non-zero bytes beyond that length.
func (x *Nat) setBytes(b []byte) error {
	n := len(b)
	for i := range x.limbs {
		if n >= _S {
			x.limbs[i] = getLimb(b[n-_S : n])
			n -= _S
			continue
		}
		var limb uint
		for _, c := range b[:n] {
			limb = limb<<8 | uint(c)
		}
		x.limbs[i] = limb
		n = 0
	}
	var excess byte
	for _, c := range b[:n] {
		excess |= c
	}
	if excess != 0 {
		return errors.New("input overflows the modulus size")
	}
	return nil
}

// SetBytes assigns x = b, where b is big-endian, with the length of m. It
// returns an error if b >= m, and then the value of x is unspecified. Leading
// zero bytes in b are allowed.
//
// Whether b >= m leaks.
func (x *Nat) SetBytes(b []byte, m *Modulus) (*Nat, error) {
	x.resized(len(m.nat.limbs))
	if err := x.setBytes(b); err != nil {
		return nil, err
	}
	return x.checkReduced(m)
}

// SetLimbs is [Nat.SetBytes] for limbs, little-endian. It copies them.
func (x *Nat) SetLimbs(limbs []uint, m *Modulus) (*Nat, error) {
	z := x.resized(len(m.nat.limbs))
	n := copy(z, limbs)
	clear(z[n:])
	var excess uint
	for _, v := range limbs[n:] {
		excess |= v
	}
	if excess != 0 {
		return nil, errors.New("input overflows the modulus size")
	}
	return x.checkReduced(m)
}

// checkReduced returns an error if x >= m. Whether it is leaks.
func (x *Nat) checkReduced(m *Modulus) (*Nat, error) {
	if x.cmpGeq(&m.nat) == yes {
		return nil, errors.New("input overflows the modulus")
	}
	return x, nil
}

// SetOverflowingBytes assigns x = b mod m, where b is big-endian and has at most
// as many significant bits as m, with the length of m. It returns an error if b
// has more, and then the value of x is unspecified.
func (x *Nat) SetOverflowingBytes(b []byte, m *Modulus) (*Nat, error) {
	x.resized(len(m.nat.limbs))
	if err := x.setBytes(b); err != nil {
		return nil, err
	}
	// The bits of the top limb above those of m.
	if top := len(x.limbs) - 1; x.limbs[top]>>(m.BitLen()-top*_W) != 0 {
		return nil, errors.New("input overflows the modulus size")
	}
	// b < 2^BitLen(m) <= 2m, so one subtraction is enough.
	x.maybeSubtractModulus(no, m)
	return x, nil
}

// Equal returns 1 if x == y, and 0 otherwise. Both must have the same length.
func (x *Nat) Equal(y *Nat) Choice {
	checkLen(len(x.limbs), len(y.limbs))
	var diff uint
	for i, v := range x.limbs {
		diff |= v ^ y.limbs[i]
	}
	return ctIsZero(diff)
}

// IsZero returns 1 if x == 0, and 0 otherwise.
func (x *Nat) IsZero() Choice {
	var all uint
	for _, v := range x.limbs {
		all |= v
	}
	return ctIsZero(all)
}

// IsOne returns 1 if x == 1, and 0 otherwise.
func (x *Nat) IsOne() Choice {
	if len(x.limbs) == 0 {
		return no
	}
	diff := x.limbs[0] ^ 1
	for _, v := range x.limbs[1:] {
		diff |= v
	}
	return ctIsZero(diff)
}

// IsMinusOne returns 1 if x == m - 1, and 0 otherwise. x must have the length of
// m and be reduced modulo m.
func (x *Nat) IsMinusOne(m *Modulus) Choice {
	checkLen(len(x.limbs), len(m.nat.limbs))
	var diff uint
	borrow := uint(1)
	for i, v := range m.nat.limbs {
		v, borrow = bits.Sub(v, 0, borrow)
		diff |= v ^ x.limbs[i]
	}
	return ctIsZero(diff)
}

// IsOdd returns 1 if x is odd, and 0 otherwise.
func (x *Nat) IsOdd() Choice {
	if len(x.limbs) == 0 {
		return no
	}
	return Choice(x.limbs[0] & 1)
}

// TrailingZeroBitsVarTime returns the number of zero bits below the lowest set
// bit of x, and the announced length of x in bits if x is zero. It leaks the
// result.
func (x *Nat) TrailingZeroBitsVarTime() uint {
	var n uint
	for _, v := range x.limbs {
		if v != 0 {
			return n + uint(bits.TrailingZeros(v))
		}
		n += _W
	}
	return n
}

// BitLenVarTime returns the number of significant bits of x. It leaks the
// result.
func (x *Nat) BitLenVarTime() int {
	for i := len(x.limbs) - 1; i >= 0; i-- {
		if x.limbs[i] != 0 {
			return i*_W + bits.Len(x.limbs[i])
		}
	}
	return 0
}

// ShiftRightVarTime sets x = x >> n and leaves its length as it is. It leaks n.
func (x *Nat) ShiftRightVarTime(n uint) *Nat {
	skip, shift := n/_W, n%_W
	if skip >= uint(len(x.limbs)) {
		clear(x.limbs)
		return x
	}
	copy(x.limbs, x.limbs[skip:])
	clear(x.limbs[uint(len(x.limbs))-skip:])
	if shift == 0 {
		return x
	}
	var above uint
	for i := len(x.limbs) - 1; i >= 0; i-- {
		v := x.limbs[i]
		x.limbs[i] = v>>shift | above<<(_W-shift)
		above = v
	}
	return x
}

// ShiftRightByOne sets x = x >> 1 and leaves its length as it is.
func (x *Nat) ShiftRightByOne() *Nat {
	x.shiftRightByOne(0)
	return x
}

// shiftRightByOne sets x = (x + top·2^(length in bits)) >> 1, for top 0 or 1.
func (x *Nat) shiftRightByOne(top uint) {
	above := top
	for i := len(x.limbs) - 1; i >= 0; i-- {
		v := x.limbs[i]
		x.limbs[i] = v>>1 | above<<(_W-1)
		above = v
	}
}

// DivShortVarTime sets x = x / y, leaving its length as it is, and returns the
// remainder. It leaks both x and y, as the processor's division does, and panics
// if y is zero.
func (x *Nat) DivShortVarTime(y uint) uint {
	if y == 0 {
		panic("bigmod: division by zero")
	}
	var r uint
	for i := len(x.limbs) - 1; i >= 0; i-- {
		x.limbs[i], r = bits.Div(r, x.limbs[i], y)
	}
	return r
}

// cmpGeq returns yes if x >= y. Both must have the same length.
func (x *Nat) cmpGeq(y *Nat) Choice {
	checkLen(len(x.limbs), len(y.limbs))
	var borrow uint
	for i, v := range x.limbs {
		_, borrow = bits.Sub(v, y.limbs[i], borrow)
	}
	return Choice(borrow) ^ 1
}

// add sets x = x + y and returns the carry. Both must have the same length.
func (x *Nat) add(y *Nat) (carry uint) { return addLimbs(x.limbs, x.limbs, y.limbs) }

// sub sets x = x - y and returns the borrow. Both must have the same length.
func (x *Nat) sub(y *Nat) (borrow uint) { return subLimbs(x.limbs, x.limbs, y.limbs) }

// checkLen panics if two lengths that must be equal are not.
func checkLen(n, m int) {
	if n != m {
		panic("bigmod: mismatched limb counts")
	}
}
