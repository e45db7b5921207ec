package bigmod

import "math/bits"

const (
	// _W is the size of a limb in bits, _S in bytes.
	_W = bits.UintSize
	_S = _W / 8
)

// Choice is a secret boolean: 1 for true, 0 for false. No other value is valid.
//
// Comparing a Choice with 1 and branching on the outcome publishes it; the code
// that does so decides that the outcome is not secret.
type Choice uint

const (
	no  Choice = 0
	yes Choice = 1
)

// mask returns all ones if c is yes and zero if it is no.
func (c Choice) mask() uint { return -uint(c) }

// ctIsZero returns yes if x == 0.
func ctIsZero(x uint) Choice {
	// The top bit of x | -x is set for every x but zero.
	return Choice((x|-x)>>(_W-1)) ^ 1
}

// ctEq returns yes if x == y.
func ctEq(x, y uint) Choice { return ctIsZero(x ^ y) }

// ctGeq returns yes if x >= y.
func ctGeq(x, y uint) Choice {
	_, borrow := bits.Sub(x, y, 0)
	return Choice(borrow) ^ 1
}

// ctSelect returns x if on is yes, and y if it is no.
func ctSelect(on Choice, x, y uint) uint {
	return y ^ (on.mask() & (x ^ y))
}
