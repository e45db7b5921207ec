package sha

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding"
	"encoding/binary"
	"hash"
	"math/rand"
	"slices"
	"testing"
)

// A set1 is one implementation of the loop over SHA-1, for width streams at a time.
type set1 struct {
	name  string
	width int
	run   func(s []Stream1, n int)
}

// A set256 is [set1] for SHA-256.
type set256 struct {
	name  string
	width int
	run   func(s []Stream256, trim *Trim256, n int)
}

// A set512 is [set1] for SHA-512.
type set512 struct {
	name  string
	width int
	run   func(s []Stream512, trim *Trim512, n int)
}

// The sets that this processor runs: the generic ones, what the dispatching functions
// choose, and what the files of the architecture add.
var (
	sets1 = []set1{
		{"generic", 1, func(s []Stream1, n int) { loop1x1Generic(&s[0], n) }},
		{"generic", 2, func(s []Stream1, n int) { loop1x2Generic((*[2]Stream1)(s), n) }},
		{"generic", 8, func(s []Stream1, n int) { loop1x8Generic((*[8]Stream1)(s), n) }},
		{"dispatched", 1, func(s []Stream1, n int) { loop1x1(&s[0], n) }},
		{"dispatched", 2, func(s []Stream1, n int) { loop1x2((*[2]Stream1)(s), n) }},
		{"dispatched", 8, func(s []Stream1, n int) { loop1x8((*[8]Stream1)(s), n) }},
	}
	sets256 = []set256{
		{"generic", 1, func(s []Stream256, t *Trim256, n int) { loop256x1Generic(&s[0], t, n) }},
		{"generic", 2, func(s []Stream256, t *Trim256, n int) { loop256x2Generic((*[2]Stream256)(s), t, n) }},
		{"generic", 8, func(s []Stream256, t *Trim256, n int) { loop256x8Generic((*[8]Stream256)(s), t, n) }},
		{"dispatched", 1, func(s []Stream256, t *Trim256, n int) { loop256x1(&s[0], t, n) }},
		{"dispatched", 2, func(s []Stream256, t *Trim256, n int) { loop256x2((*[2]Stream256)(s), t, n) }},
		{"dispatched", 8, func(s []Stream256, t *Trim256, n int) { loop256x8((*[8]Stream256)(s), t, n) }},
	}
	sets512 = []set512{
		{"generic", 1, func(s []Stream512, t *Trim512, n int) { loop512x1Generic(&s[0], t, n) }},
		{"generic", 2, func(s []Stream512, t *Trim512, n int) { loop512x2Generic((*[2]Stream512)(s), t, n) }},
		{"generic", 4, func(s []Stream512, t *Trim512, n int) { loop512x4Generic((*[4]Stream512)(s), t, n) }},
		{"dispatched", 1, func(s []Stream512, t *Trim512, n int) { loop512x1(&s[0], t, n) }},
		{"dispatched", 2, func(s []Stream512, t *Trim512, n int) { loop512x2((*[2]Stream512)(s), t, n) }},
		{"dispatched", 4, func(s []Stream512, t *Trim512, n int) { loop512x4((*[4]Stream512)(s), t, n) }},
	}
)

// A word is a word of a state.
type word interface{ uint32 | uint64 }

// fill makes w words where carries and sign bits are likely to matter: random ones, all
// zeros, all ones, few bits set, few bits clear.
func fill[W word](r *rand.Rand, w []W) {
	kind := r.Intn(6)
	for i := range w {
		k := kind
		if k == 5 {
			k = r.Intn(5)
		}
		switch k {
		case 0:
			w[i] = W(r.Uint64())
		case 1:
			w[i] = 0
		case 2:
			w[i] = ^W(0)
		case 3:
			w[i] = W(1) << r.Intn(64)
		case 4:
			w[i] = ^(W(1) << r.Intn(64))
		}
	}
}

func random1(r *rand.Rand) (s Stream1) {
	for _, w := range [][]uint32{s.Inner[:], s.Outer[:], s.U[:], s.Acc[:]} {
		fill(r, w)
	}
	return s
}

func random256(r *rand.Rand, trim *Trim256) (s Stream256) {
	for _, w := range [][]uint32{s.Inner[:], s.Outer[:], s.U[:], s.Acc[:]} {
		fill(r, w)
	}
	if trim != nil {
		for i, k := range trim.Keep {
			s.U[i] &= k
			s.Acc[i] &= k
		}
	}
	return s
}

func random512(r *rand.Rand, trim *Trim512) (s Stream512) {
	for _, w := range [][]uint64{s.Inner[:], s.Outer[:], s.U[:], s.Acc[:]} {
		fill(r, w)
	}
	if trim != nil {
		for i, k := range trim.Keep {
			s.U[i] &= k
			s.Acc[i] &= k
		}
	}
	return s
}

// trims256 returns the trims that kernels are tried with: none, that of SHA-224, and one
// with neither form.
func trims256(r *rand.Rand) []*Trim256 {
	odd := new(Trim256)
	fill(r, odd.Keep[:])
	fill(r, odd.Pad[:])
	for i, k := range odd.Keep {
		odd.Pad[i] &^= k
	}
	clear(odd.Pad[9:15])
	return []*Trim256{nil, Trim224, odd}
}

func trims512(r *rand.Rand) []*Trim512 {
	odd := new(Trim512)
	fill(r, odd.Keep[:])
	fill(r, odd.Pad[:])
	for i, k := range odd.Keep {
		odd.Pad[i] &^= k
	}
	clear(odd.Pad[9:15])
	return []*Trim512{nil, Trim384, Trim512x256, Trim512x224, odd}
}

// cases is how many streams each set is tried with.
func cases() int {
	if testing.Short() {
		return 2_000
	}
	return 10_000
}

// TestLoop1 compares every set with the generic function.
func TestLoop1(t *testing.T) {
	t.Parallel()
	for _, set := range sets1 {
		r := rand.New(rand.NewSource(1))
		for i := 0; i < cases(); i += set.width {
			n := 1 + r.Intn(3)
			got := make([]Stream1, set.width)
			for i := range got {
				got[i] = random1(r)
			}
			want := slices.Clone(got)
			in := slices.Clone(got)
			set.run(got, n)
			for i := range want {
				loop1x1Generic(&want[i], n)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s, %d streams, %d iterations of %x\n= %x\nwant %x", set.name, set.width, n, in, got, want)
			}
		}
	}
}

// TestLoop256 compares every set with the generic function.
func TestLoop256(t *testing.T) {
	t.Parallel()
	for _, set := range sets256 {
		r := rand.New(rand.NewSource(1))
		for i := 0; i < cases(); {
			for _, trim := range trims256(r) {
				i += set.width
				n := 1 + r.Intn(3)
				got := make([]Stream256, set.width)
				for i := range got {
					got[i] = random256(r, trim)
				}
				want := slices.Clone(got)
				in := slices.Clone(got)
				set.run(got, trim, n)
				for i := range want {
					loop256x1Generic(&want[i], trim, n)
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%s, %d streams, trim %x, %d iterations of %x\n= %x\nwant %x", set.name, set.width, trim, n, in, got, want)
				}
			}
		}
	}
}

// TestLoop512 compares every set with the generic function.
func TestLoop512(t *testing.T) {
	t.Parallel()
	for _, set := range sets512 {
		r := rand.New(rand.NewSource(1))
		for i := 0; i < cases(); {
			for _, trim := range trims512(r) {
				i += set.width
				n := 1 + r.Intn(3)
				got := make([]Stream512, set.width)
				for i := range got {
					got[i] = random512(r, trim)
				}
				want := slices.Clone(got)
				in := slices.Clone(got)
				set.run(got, trim, n)
				for i := range want {
					loop512x1Generic(&want[i], trim, n)
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%s, %d streams, trim %x, %d iterations of %x\n= %x\nwant %x", set.name, set.width, trim, n, in, got, want)
				}
			}
		}
	}
}

// keyedState returns the state of a hash of the standard library after the key's block
// exclusive-ored with pad, as its words in bytes.
func keyedState(t *testing.T, h hash.Hash, key []byte, pad byte) []byte {
	block := make([]byte, h.BlockSize())
	copy(block, key)
	for i := range block {
		block[i] ^= pad
	}
	h.Write(block)
	state, err := h.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return state[len("sha\x01"):]
}

// hmacLoop iterates n times and returns what U and Acc have to be in the end.
func hmacLoop(h func() hash.Hash, key, u, acc []byte, n int) (newU, newAcc []byte) {
	acc = slices.Clone(acc)
	for range n {
		m := hmac.New(h, key)
		m.Write(u)
		u = m.Sum(nil)
		for i := range acc {
			acc[i] ^= u[i]
		}
	}
	return u, acc
}

func words32(w []uint32, b []byte) {
	for i := range w {
		w[i] = binary.BigEndian.Uint32(b[4*i:])
	}
}

func words64(w []uint64, b []byte) {
	for i := range w {
		w[i] = binary.BigEndian.Uint64(b[8*i:])
	}
}

// TestLoopHMAC compares all sets with crypto/hmac.
func TestLoopHMAC(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewSource(2))
	random := func(n int) []byte {
		b := make([]byte, n)
		r.Read(b)
		return b
	}
	for range 5 {
		n := r.Intn(5) + 1
		run := func(h func() hash.Hash) (inner, outer, u, acc, wantU, wantAcc []byte) {
			key := random(r.Intn(h().BlockSize() + 1))
			u, acc = random(h().Size()), random(h().Size())
			wantU, wantAcc = hmacLoop(h, key, u, acc, n)
			// 8 words, of which some are left out in the digest.
			pad := func(b []byte) []byte { return append(b, make([]byte, 64-len(b))...) }
			return keyedState(t, h(), key, 0x36), keyedState(t, h(), key, 0x5c), pad(u), pad(acc), pad(wantU), pad(wantAcc)
		}

		for _, set := range sets1 {
			s, want := make([]Stream1, set.width), make([]Stream1, set.width)
			for i := range s {
				inner, outer, u, acc, wantU, wantAcc := run(sha1.New)
				words32(s[i].Inner[:], inner)
				words32(s[i].Outer[:], outer)
				want[i] = s[i]
				words32(s[i].U[:], u)
				words32(s[i].Acc[:], acc)
				words32(want[i].U[:], wantU)
				words32(want[i].Acc[:], wantAcc)
			}
			if set.run(s, n); !slices.Equal(s, want) {
				t.Errorf("SHA-1, %s, %d streams", set.name, set.width)
			}
		}
		for _, set := range sets256 {
			for _, h := range []struct {
				name string
				new  func() hash.Hash
				trim *Trim256
			}{{"SHA-256", sha256.New, nil}, {"SHA-224", sha256.New224, Trim224}} {
				s, want := make([]Stream256, set.width), make([]Stream256, set.width)
				for i := range s {
					inner, outer, u, acc, wantU, wantAcc := run(h.new)
					words32(s[i].Inner[:], inner)
					words32(s[i].Outer[:], outer)
					want[i] = s[i]
					words32(s[i].U[:], u)
					words32(s[i].Acc[:], acc)
					words32(want[i].U[:], wantU)
					words32(want[i].Acc[:], wantAcc)
				}
				if set.run(s, h.trim, n); !slices.Equal(s, want) {
					t.Errorf("%s, %s, %d streams", h.name, set.name, set.width)
				}
			}
		}
		for _, set := range sets512 {
			for _, h := range []struct {
				name string
				new  func() hash.Hash
				trim *Trim512
			}{
				{"SHA-512", sha512.New, nil}, {"SHA-384", sha512.New384, Trim384},
				{"SHA-512/256", sha512.New512_256, Trim512x256}, {"SHA-512/224", sha512.New512_224, Trim512x224},
			} {
				s, want := make([]Stream512, set.width), make([]Stream512, set.width)
				for i := range s {
					inner, outer, u, acc, wantU, wantAcc := run(h.new)
					words64(s[i].Inner[:], inner)
					words64(s[i].Outer[:], outer)
					want[i] = s[i]
					words64(s[i].U[:], u)
					words64(s[i].Acc[:], acc)
					words64(want[i].U[:], wantU)
					words64(want[i].Acc[:], wantAcc)
				}
				if set.run(s, h.trim, n); !slices.Equal(s, want) {
					t.Errorf("%s, %s, %d streams", h.name, set.name, set.width)
				}
			}
		}
	}
}
