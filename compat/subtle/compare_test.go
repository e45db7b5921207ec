package subtle

import (
	"bytes"
	"crypto/subtle"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

type testRand struct{ *rand.Rand }

func newRand(seed uint64) testRand { return testRand{rand.New(rand.NewPCG(seed, 4))} }

func (r testRand) fill(b []byte) {
	for i := range b {
		b[i] = byte(r.Uint32())
	}
}

// equalForms compares x and y by every function that takes two operands, and panics
// unless they agree.
func equalForms(x, y []byte) bool {
	c := ConstantTimeCompare(x, y)
	if c != 0 && c != 1 || SecureCompare(x, y) != (c == 1) {
		panic(fmt.Sprintf("SecureCompare, %d bytes: not ConstantTimeCompare, which is %d", len(x), c))
	}
	return c == 1
}

const maxLen = 300

// TestCompareParity compares all functions with crypto/subtle, for every length and
// every difference of one bit. A comparison that looked at one bit of each byte was
// in OpenSSL's assembly for HP-UX (aws/s2n-tls#762).
func TestCompareParity(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		r := newRand(2)
		for n := 0; n <= maxLen; n++ {
			x, m, zero := make([]byte, n), make([]byte, n), make([]byte, n)
			r.fill(x)
			r.fill(m)
			y, z := bytes.Clone(x), make([]byte, n)
			if !equalForms(x, y) || !SecureCompareString(string(x), string(y)) || !equalForms(x, x) {
				t.Fatalf("%d bytes: not equal", n)
			}
			if XORBytes(z, x, m); !MaskedCompare(x, z, m) || !MaskedCompare(z, m, x) || !MaskedCompare(x, y, zero) {
				t.Fatalf("%d bytes: not equal under a mask", n)
			}
			step := 1
			if testing.Short() && n > 140 {
				step = 7
			}
			if raceEnabled {
				step = 61
			}
			for bit := n % step; bit < 8*n; bit += step {
				flip := func(b []byte) { b[bit/8] ^= 1 << (bit % 8) }
				flip(y)
				if equalForms(x, y) || equalForms(y, x) || subtle.ConstantTimeCompare(x, y) != 0 {
					t.Fatalf("%d bytes: bit %d is not compared", n, bit)
				}
				if MaskedCompare(x, y, zero) || MaskedCompare(y, x, zero) {
					t.Fatalf("%d bytes: bit %d is not compared under a mask", n, bit)
				}
				flip(y)
				flip(z)
				if MaskedCompare(x, z, m) {
					t.Fatalf("%d bytes: bit %d of the second operand is not compared", n, bit)
				}
				flip(m)
				if !MaskedCompare(x, z, m) {
					t.Fatalf("%d bytes: bit %d: not equal under a mask", n, bit)
				}
				flip(z)
				if MaskedCompare(x, z, m) {
					t.Fatalf("%d bytes: bit %d of the mask is not compared", n, bit)
				}
				flip(m)
			}
			// Strings take a copy for each bit.
			for bit := n % 5; bit < 8*n; bit += 5 * step {
				y[bit/8] ^= 1 << (bit % 8)
				if SecureCompareString(string(x), string(y)) {
					t.Fatalf("%d bytes: bit %d is not compared in strings", n, bit)
				}
				y[bit/8] ^= 1 << (bit % 8)
			}
		}
	})
}

// TestCompareBytePairs compares all pairs of bytes at a few positions of a few
// lengths.
func TestCompareBytePairs(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		r := newRand(3)
		lengths := []int{1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 96, 127, 128, 129, 130}
		if testing.Short() || raceEnabled {
			lengths = []int{1, 8, 33, 129}
		}
		for _, n := range lengths {
			x := make([]byte, n)
			r.fill(x)
			y := bytes.Clone(x)
			for _, i := range []int{0, r.IntN(n), n - 1} {
				old := x[i]
				for a := range 256 {
					for b := range 256 {
						x[i], y[i] = byte(a), byte(b)
						if got := ConstantTimeCompare(x, y); got != 1 == (a == b) || got < 0 {
							t.Fatalf("%d bytes, %#x and %#x at %d: %d", n, a, b, i, got)
						}
					}
				}
				x[i], y[i] = old, old
			}
		}
	})
}

// TestCompareTwoDifferences has the same difference at two places. They would cancel
// if differences were added or xor-ed instead of collected.
func TestCompareTwoDifferences(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		r := newRand(4)
		for n := 2; n <= maxLen; n++ {
			x, zero := make([]byte, n), make([]byte, n)
			cases := 60
			if raceEnabled {
				cases = 5
			}
			for range cases {
				r.fill(x)
				y := bytes.Clone(x)
				i := r.IntN(n)
				// Vectors and groups of them are powers of two apart.
				j := (i + 1<<r.IntN(9)) % n
				if i == j {
					continue
				}
				b := byte(1) << r.IntN(8)
				y[i] ^= b
				y[j] ^= b
				if equalForms(x, y) || MaskedCompare(x, y, zero) {
					t.Fatalf("%d bytes: differences at %d and %d cancel", n, i, j)
				}
				// The same as numbers: x + b at i, x - b at j.
				copy(y, x)
				y[i] += b
				y[j] -= b
				if equalForms(x, y) || MaskedCompare(x, y, zero) {
					t.Fatalf("%d bytes: sums at %d and %d cancel", n, i, j)
				}
			}
		}
	})
}

// TestCompareZeroBytes compares data full of zeros that differs after the first: a
// compiler once ended a comparison there (bitcoin-core/secp256k1#823).
func TestCompareZeroBytes(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		for n := 1; n <= maxLen; n++ {
			x, y := make([]byte, n), make([]byte, n)
			if raceEnabled && n%16 > 1 {
				continue
			}
			for i := range n {
				y[i] = 1
				if equalForms(x, y) || equalForms(y, x) || MaskedCompare(x, x, y) {
					t.Fatalf("%d bytes: a difference at %d after zeros", n, i)
				}
				y[i] = 0
			}
		}
	})
}

// TestCompareAlignment tries all alignments, with what is around the operands equal
// or not.
func TestCompareAlignment(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		r := newRand(5)
		buf := [3][]byte{make([]byte, 512), make([]byte, 512), make([]byte, 512)}
		for _, n := range []int{1, 5, 8, 13, 31, 64, 65, 100, 127, 128, 200, 257} {
			for i := range 32 {
				for j := range 32 {
					k := (i*5 + j) % 32
					for _, b := range buf {
						r.fill(b[:n+70])
					}
					x, y, m := buf[0][i:i+n], buf[1][j:j+n], buf[2][k:k+n]
					copy(y, x)
					if !equalForms(x, y) {
						t.Fatalf("%d bytes at %d and %d: not equal", n, i, j)
					}
					XORBytes(y, x, m)
					if !MaskedCompare(x, y, m) {
						t.Fatalf("%d bytes at %d, %d and %d: not equal under a mask", n, i, j, k)
					}
					y[r.IntN(n)] ^= 0x80
					if MaskedCompare(x, y, m) {
						t.Fatalf("%d bytes at %d, %d and %d: equal under a mask", n, i, j, k)
					}
				}
			}
		}
	})
}

// TestCompareLong tries lengths around those at which a call of assembly is split,
// with differences around the seams.
func TestCompareLong(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		if activeKernel == kernelStandard {
			return // It is not split.
		}
		r := newRand(6)
		x := make([]byte, 3*maxChunk+200)
		r.fill(x)
		y, zero := bytes.Clone(x), make([]byte, len(x))
		for _, chunks := range []int{1, 2, 3} {
			for _, extra := range []int{-1, 0, 1, 31, 63, 64, 65, 66, 127, 128, 129, 200} {
				n := chunks*maxChunk + extra
				if (testing.Short() || raceEnabled) && chunks != 2 {
					continue
				}
				if !equalForms(x[:n], y[:n]) || !MaskedCompare(x[:n], y[:n], zero[:n]) {
					t.Fatalf("%d bytes: not equal", n)
				}
				for _, i := range []int{0, maxChunk - 1, maxChunk, maxChunk + 63, 2*maxChunk - 1, 2 * maxChunk, n - 129, n - 65, n - 64, n - 1, n} {
					if i >= len(y) {
						continue
					}
					y[i] ^= 4
					want := i >= n
					if equalForms(x[:n], y[:n]) != want || MaskedCompare(x[:n], y[:n], zero[:n]) != want {
						t.Fatalf("%d bytes: difference at %d: equal is not %t", n, i, want)
					}
					y[i] ^= 4
				}
			}
		}
	})
}

// TestCompareUnequalLengths has lengths that differ, of one array too. Old Go
// panicked, other code read beyond the end (golang/go#31355, golang/go#47075,
// gorilla/securecookie#32, trezor/trezor-firmware#6785).
func TestCompareUnequalLengths(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		zero := make([]byte, maxLen)
		for n := range 150 {
			for _, m := range []int{0, 1, n - 1, n + 1, n + 8, 2 * n, n + 128} {
				if m == n || m < 0 {
					continue
				}
				x, y := zero[:n], zero[1:1+m]
				if ConstantTimeCompare(x, y) != 0 || SecureCompare(x, y) || SecureCompareString(string(x), string(y)) ||
					CompareHidingLength(x, y) || MaskedCompare(x, y, x) || MaskedCompare(x, x, y) || MaskedCompare(y, x, x) {
					t.Fatalf("%d and %d bytes are equal", n, m)
				}
			}
		}
		var none []byte
		if !equalForms(none, none) || !equalForms(none, []byte{}) || !SecureCompareString("", "") || !MaskedCompare(none, []byte{}, none) ||
			equalForms(none, []byte{0}) || MaskedCompare(none, none, []byte{0}) || !CompareHidingLength(none, []byte{}) {
			t.Error("empty inputs")
		}
	})
}

// TestPlugTruthTable checks secure_compare, masked_compare and mask of Plug.Crypto
// against their definitions, for all strings of up to two bytes 0, 1 and 255: equal
// size and equal contents; equal sizes and left xor right equal to mask; equal
// sizes or an error.
func TestPlugTruthTable(t *testing.T) {
	values := [][]byte{{}}
	for _, a := range []byte{0, 1, 255} {
		values = append(values, []byte{a})
		for _, b := range []byte{0, 1, 255} {
			values = append(values, []byte{a, b})
		}
	}
	withKernels(t, func(t *testing.T) {
		for _, l := range values {
			for _, r := range values {
				want := string(l) == string(r)
				if equalForms(l, r) != want || SecureCompareString(string(l), string(r)) != want {
					t.Errorf("%x and %x: want %t", l, r, want)
				}
				for _, m := range values {
					want := len(l) == len(r) && len(r) == len(m)
					for i := range l {
						want = want && l[i]^r[i] == m[i]
					}
					if MaskedCompare(l, r, m) != want {
						t.Errorf("%x, %x and mask %x: want %t", l, r, m, want)
					}
				}
				dst := make([]byte, len(l))
				err := Mask(dst, l, r)
				if (err == nil) != (len(l) == len(r)) || err != nil && err != ErrLength {
					t.Errorf("mask of %x and %x: %v", l, r, err)
				}
				for i := range dst {
					if err == nil && dst[i] != l[i]^r[i] || err != nil && dst[i] != 0 {
						t.Errorf("mask of %x and %x: %x", l, r, dst)
					}
				}
			}
		}
	})
}

// TestMask checks in-place use, and that nothing is written on failure.
func TestMask(t *testing.T) {
	r := newRand(7)
	for n := range 100 {
		a, m := make([]byte, n), make([]byte, n)
		r.fill(a)
		r.fill(m)
		want := make([]byte, n)
		subtle.XORBytes(want, a, m)
		for _, dst := range [][]byte{make([]byte, n), bytes.Clone(a), bytes.Clone(m)} {
			a, m := a, m
			if bytes.Equal(dst, a) {
				a = dst
			} else if bytes.Equal(dst, m) {
				m = dst
			}
			if err := Mask(dst, a, m); err != nil || !bytes.Equal(dst, want) {
				t.Fatalf("%d bytes: %x, %v, want %x", n, dst, err, want)
			}
		}
		for _, d := range []int{n - 1, n + 1} {
			if d < 0 {
				continue
			}
			dst := bytes.Repeat([]byte{7}, d)
			if err := Mask(dst, a, m); err != ErrLength || bytes.Count(dst, []byte{7}) != d {
				t.Fatalf("%d bytes to %d: %v, %x", n, d, err, dst)
			}
		}
	}
	b := make([]byte, 20)
	for name, f := range map[string]func(){
		"Mask":     func() { Mask(b[1:11], b[:10], b[10:]) },
		"XORBytes": func() { XORBytes(b[1:11], b[:10], b[10:]) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic for operands that overlap in part", name)
				}
			}()
			f()
		}()
	}
}

// TestNumbers compares the functions on numbers with their definitions, at the ends
// of their domains too: LessOrEq was once right below 2^31 only where int has
// 32 bits (golang/go#42685).
func TestNumbers(t *testing.T) {
	is := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	numbers := []int32{0, 1, 2, 255, 256, 1<<15 - 1, 1 << 15, math.MaxInt32 - 1, math.MaxInt32, -1, -2, math.MinInt32, math.MinInt32 + 1}
	for _, x := range numbers {
		for _, y := range numbers {
			if got := ConstantTimeEq(x, y); got != is(x == y) {
				t.Errorf("ConstantTimeEq(%d, %d) = %d", x, y, got)
			}
			if x >= 0 && y >= 0 {
				if got := ConstantTimeLessOrEq(int(x), int(y)); got != is(x <= y) {
					t.Errorf("ConstantTimeLessOrEq(%d, %d) = %d", x, y, got)
				}
			}
			if ConstantTimeSelect(1, int(x), int(y)) != int(x) || ConstantTimeSelect(0, int(x), int(y)) != int(y) {
				t.Errorf("ConstantTimeSelect(…, %d, %d)", x, y)
			}
			a, b := uint8(x), uint8(y)
			if got := ConstantTimeByteEq(a, b); got != is(a == b) {
				t.Errorf("ConstantTimeByteEq(%d, %d) = %d", a, b, got)
			}
		}
	}
	for _, v := range []int{0, 1} {
		x, y := []byte("abc"), []byte("xyz")
		if ConstantTimeCopy(v, x, y); string(x) != []string{"abc", "xyz"}[v] || string(y) != "xyz" {
			t.Errorf("ConstantTimeCopy(%d): %s", v, x)
		}
	}
	ran := false
	if WithDataIndependentTiming(func() { ran = equalForms([]byte("abc"), []byte("abc")) }); !ran {
		t.Error("WithDataIndependentTiming did not call the function")
	}
}

// TestAllocations checks that comparisons take no memory, with each kernel.
func TestAllocations(t *testing.T) {
	withKernels(t, func(t *testing.T) {
		for _, n := range []int{0, 5, 16, 64, 65, 1024} {
			x, y, m := make([]byte, n), make([]byte, n), make([]byte, n)
			s, u := string(x), string(y)
			token, err := "", error(nil)
			if n > 0 && n <= 128 { // see CompareMaskedToken
				if token, err = MaskToken(x); err != nil {
					t.Fatal(err)
				}
			}
			hidden := NewSecret(x)
			ok := true
			allocs := testing.AllocsPerRun(20, func() {
				ok = ok && ConstantTimeCompare(x, y) == 1 && SecureCompare(x, y) && SecureCompareString(s, u)
				ok = ok && MaskedCompare(x, y, m) && Mask(m, x, y) == nil
				ok = ok && (token == "" || CompareMaskedToken(token, x))
				ok = ok && hidden.Equal(y) && hidden.EqualString(u) && CompareHidingLength(x, y)
			})
			if allocs != 0 || !ok {
				t.Errorf("%d bytes: %v allocations, %t", n, allocs, ok)
			}
		}
	})
}
