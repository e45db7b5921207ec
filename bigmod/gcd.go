package bigmod

import "errors"

// GCDVarTime computes x = GCD(a, b), with the length of the longer of the two. It
// returns an error and leaves x as it was if a or b is zero, or both are even.
// It leaks a and b.
func (x *Nat) GCDVarTime(a, b *Nat) (*Nat, error) {
	size := max(len(a.limbs), len(b.limbs))
	if a.IsZero() == yes || b.IsZero() == yes {
		return nil, errors.New("GCD of zero")
	}
	if a.IsOdd() == no && b.IsOdd() == no {
		return nil, errors.New("GCD of two even numbers")
	}
	u := new(Nat).set(a).expand(size)
	v := new(Nat).set(b).expand(size)
	// Halving does not change the odd greatest common divisor, nor does the
	// subtraction of one number from the other.
	u.ShiftRightVarTime(u.TrailingZeroBitsVarTime())
	for {
		v.ShiftRightVarTime(v.TrailingZeroBitsVarTime())
		if v.cmpGeq(u) == no {
			u, v = v, u
		}
		v.sub(u)
		if v.IsZero() == yes {
			x.set(u)
			u.Wipe()
			return x, nil
		}
	}
}

// InverseVarTime computes x = a⁻¹ mod m, with the length of m, and returns x and
// true. If a is not invertible it returns x as it was, and false. a must be
// reduced modulo m and may be shorter. At least one of a and m must be odd to be
// coprime, so m may be even. It leaks a and m.
//
// This is the binary extended Euclidean algorithm with both cofactors, as in the
// Handbook of Applied Cryptography, algorithm 14.61, in a form that needs no
// negative numbers.
func (x *Nat) InverseVarTime(a *Nat, m *Modulus) (*Nat, bool) {
	if a.IsOdd() == no && !m.isOdd() {
		return x, false
	}
	size := len(m.nat.limbs)
	base := new(Nat).set(a).expand(size)

	// The invariants, all numbers non-negative:
	//
	//	u = A·a - B·m    A < m    B <= a
	//	v = D·m - C·a    C < m    D <= a
	u, v := new(Nat).set(base), new(Nat).set(&m.nat)
	A, B := new(Nat).reset(size), new(Nat).reset(size)
	C, D := new(Nat).reset(size), new(Nat).reset(size)
	A.limbs[0], D.limbs[0] = 1, 1

	// halve divides r, an even number, by two, and its cofactors s and t. If one
	// of them is odd, then adding m to s and a to t, which leaves r as it is,
	// makes both even: s·a - t·m = ±r is even, and a and m are not both even.
	halve := func(r, s, t *Nat) {
		r.ShiftRightByOne()
		var sTop, tTop uint
		if s.IsOdd() == yes || t.IsOdd() == yes {
			sTop, tTop = s.add(&m.nat), t.add(base)
		}
		s.shiftRightByOne(sTop)
		t.shiftRightByOne(tTop)
	}
	// accumulate adds the cofactors s, t to s0, t0 and keeps s0 below m.
	accumulate := func(s0, t0, s, t *Nat) {
		overflow := s0.add(s) == 1
		t0.add(t)
		if overflow || s0.cmpGeq(&m.nat) == yes {
			s0.sub(&m.nat)
			t0.sub(base)
		}
	}

	for u.IsZero() == no {
		for u.IsOdd() == no {
			halve(u, A, B)
		}
		for v.IsOdd() == no {
			halve(v, C, D)
		}
		if u.cmpGeq(v) == yes {
			u.sub(v)
			accumulate(A, B, C, D)
		} else {
			v.sub(u)
			accumulate(C, D, A, B)
		}
	}
	if v.IsOne() == no {
		return x, false
	}
	// -C·a = 1 mod m, and C is not zero because m > 1.
	x.set(&m.nat).sub(C)
	return x, true
}
