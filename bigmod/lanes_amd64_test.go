//go:build !purego

package bigmod

import (
	"math/rand"
	"os"
	"os/exec"
	"slices"
	"testing"

	"golang.org/x/sys/cpu"
)

func TestChooseLanes(t *testing.T) {
	for i := range 4 {
		avx2, vaes := i&1 != 0, i&2 != 0
		want := laneNone
		if avx2 && vaes {
			want = laneAVX2
		}
		if got := chooseLanes(avx2, vaes); got != want {
			t.Errorf("avx2 %t, vaes %t: %v", avx2, vaes, got)
		}
	}
	if cpu.X86.HasAVX2 && hasVAES() != (activeLanes == laneAVX2) {
		t.Error("the functions in use are not those that the processor is good at")
	}
	t.Logf("lanes: %d", activeLanes)
}

// TestLanesOff runs the exponentiations in a process without AVX2.
func TestLanesOff(t *testing.T) {
	if activeLanes == laneNone {
		if os.Getenv("BIGMOD_TEST_LANES") == "" {
			t.Log("the processor lacks AVX2 or VAES, or GODEBUG turns it off: there is nothing to turn off")
		}
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^(TestLanesOff|TestExpPairSizes|TestChooseLanes)$", "-test.short")
	cmd.Env = append(os.Environ(), "GODEBUG=cpu.avx2=off", "BIGMOD_TEST_LANES=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if os.Getenv("BIGMOD_TEST_LANES") == "off" {
		t.Error("GODEBUG=cpu.avx2=off does not turn the lanes off")
	}
}

// TestLanesAVX2 compares the kernels with their twin, digit for digit.
func TestLanesAVX2(t *testing.T) {
	if !cpu.X86.HasAVX2 {
		t.Skip("the kernels are not tested: this processor lacks AVX2, or GODEBUG turns it off")
	}
	t.Parallel()
	r := edgeRand{rand.New(rand.NewSource(31))}
	cases := map[int]int{}
	laneForms(r, func(f laneForm, size int) {
		count := 4 + 600_000/(f.digits*f.digits) // a twin takes digits² steps
		if testing.Short() {
			count = 1 + count/8
		}
		scratch := make([]uint64, f.scratch())
		for range count * *kernelCases {
			c := r.laneCase(t, f, size)
			for range 4 {
				x, y := r.dirty(c, r.lanes(c)), r.dirty(c, r.lanes(c))
				z, want := make([]uint64, f.vector()), make([]uint64, f.vector())
				squares := 1 + r.Intn(3)
				compare := func(what string) {
					t.Helper()
					if !slices.Equal(z, want) {
						t.Fatalf("%s, %+v, %d bits: differs from the twin", what, f, size)
					}
					cases[f.each]++
				}
				montMulLanesGeneric(&f, want, x, y, c.mod)
				laneAVX2.montMul(&f, z, x, y, scratch, c.mod)
				compare("product")
				copy(z, x)
				laneAVX2.montMul(&f, z, z, y, scratch, c.mod)
				compare("product in the first factor")
				copy(z, y)
				laneAVX2.montMul(&f, z, x, z, scratch, c.mod)
				compare("product in the second factor")
				montMulLanesGeneric(&f, want, x, x, c.mod)
				laneAVX2.montMul(&f, z, x, x, scratch, c.mod)
				compare("product of a number with itself")
				laneAVX2.montSqrs(&f, z, x, scratch, c.mod, 1)
				compare("square")
				montSqrsLanesGeneric(&f, want, x, c.mod, squares)
				laneAVX2.montSqrs(&f, z, x, scratch, c.mod, squares)
				compare("squares")
				copy(z, x)
				laneAVX2.montSqrs(&f, z, z, scratch, c.mod, squares)
				compare("squares in place")
			}
		}
	})
	for _, each := range []int{2, 4} {
		if cases[each] < minCases() {
			t.Errorf("%d lanes: %d cases", each, cases[each])
		}
	}
}

func TestSelectPair(t *testing.T) {
	if !cpu.X86.HasAVX2 {
		t.Skip("the kernel is not tested: this processor lacks AVX2, or GODEBUG turns it off")
	}
	r := rand.New(rand.NewSource(32))
	for h := 4; h <= 84; h += 4 {
		table := make([]uint64, 2*h<<expWindow)
		for i := range table {
			table[i] = r.Uint64()
		}
		z, want := make([]uint64, 4*h), make([]uint64, 4*h)
		for i := range uint(1 << expWindow) {
			j := uint(r.Intn(1 << expWindow))
			selectPairGeneric(want, table, i, j)
			for k, v := range want {
				half := k % (2 * h)
				from := i
				if half/2%2 == 1 {
					from = j
				}
				w := table[int(from)*2*h+half]
				if k >= 2*h {
					w >>= 32
				}
				if v != w {
					t.Fatalf("twin: entries %d and %d of width %d: wrong at %d", i, j, h, k)
				}
			}
			laneAVX2.selectPair(z, table, i, j)
			if !slices.Equal(z, want) {
				t.Fatalf("entries %d and %d of width %d differ from the twin", i, j, h)
			}
		}
	}
}
