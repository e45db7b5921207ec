package subtle

import (
	"crypto/fips140"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"unsafe"
)

// useKernel makes k the active kernel until the test ends.
func useKernel(t testing.TB, k kernel) {
	old := activeKernel
	set := func(k kernel) {
		activeKernel = k
		minCall, maxWords = k.wordLengths()
	}
	set(k)
	t.Cleanup(func() { set(old) })
}

// testChild is set in the processes that TestKernelName starts.
const testChild = "SUBTLE_TEST_CHILD"

// withKernels runs f once with each kernel that this processor can run, but in a
// child only with the one that was chosen at its start.
func withKernels(t *testing.T, f func(t *testing.T)) {
	if os.Getenv(testChild) != "" {
		f(t)
		return
	}
	for _, k := range hostKernels() {
		t.Run(k.String(), func(t *testing.T) {
			useKernel(t, k)
			f(t)
		})
	}
}

// A diffFunc is one implementation of a difference, and the least length it takes.
type diffFunc struct {
	name string
	min  int
	diff func(p, q unsafe.Pointer, n int) uint64
	mask func(p, q, m unsafe.Pointer, n int) uint64
}

func pointer(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }

// pointers adapts assembly.
func pointers(name string, least int, diff func(x, y *byte, n int) uint64, mask func(x, y, m *byte, n int) uint64) diffFunc {
	return diffFunc{name, least,
		func(p, q unsafe.Pointer, n int) uint64 { return diff((*byte)(p), (*byte)(q), n) },
		func(p, q, m unsafe.Pointer, n int) uint64 { return mask((*byte)(p), (*byte)(q), (*byte)(m), n) },
	}
}

// TestKernelTwins compares every implementation with the generic one, on the same
// inputs: random ones, and ones with one or two bits of difference.
func TestKernelTwins(t *testing.T) {
	r := newRand(1)
	cases := 24
	if testing.Short() {
		cases = 6
	}
	tried := 0
	for _, d := range diffFuncs() {
		for n := d.min; n <= 600; n++ {
			x, y, m := make([]byte, n), make([]byte, n), make([]byte, n)
			p, q, s := pointer(x), pointer(y), pointer(m)
			for c := range cases {
				r.fill(x)
				copy(y, x)
				clear(m)
				for range c % 3 {
					y[r.IntN(n)] ^= 1 << r.IntN(8)
				}
				if got, want := d.diff(p, q, n) == 0, diffGeneric(p, q, n) == 0; got != want || want != (string(x) == string(y)) {
					t.Fatalf("%s: %x and %x: %t, want %t", d.name, x, y, got, want)
				}
				r.fill(m)
				for i := range y {
					y[i] ^= m[i]
				}
				if got, want := d.mask(p, q, s, n) == 0, diffMaskGeneric(p, q, s, n) == 0; got != want {
					t.Fatalf("%s: %x, %x and mask %x: %t, want %t", d.name, x, y, m, got, want)
				}
				tried++
			}
		}
	}
	if tried < len(diffFuncs())*cases*400 { // all but a few lengths
		t.Errorf("only %d cases", tried)
	}
}

// TestKernelName checks which kernel runs, here and in processes in which GODEBUG
// turns a feature off or FIPS 140-3 mode on.
func TestKernelName(t *testing.T) {
	if os.Getenv(testChild) != "" {
		fmt.Println("kernel:", activeKernel)
		return
	}
	t.Parallel()
	want := hostKernels()[len(hostKernels())-1]
	if fips140.Enabled() {
		want = kernelStandard
	}
	if activeKernel != want {
		t.Errorf("the kernel is %v, want %v", activeKernel, want)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	run := func(godebug, tests string) string {
		t.Helper()
		cmd := exec.Command(exe, "-test.short", "-test.run="+tests)
		cmd.Env = append(os.Environ(), "GODEBUG="+godebug, testChild+"=1")
		out, err := cmd.CombinedOutput()
		if _, exited := err.(*exec.ExitError); err != nil && !exited {
			t.Skipf("GODEBUG=%s and others are not tested: a program cannot start itself here, under an emulator for example: %v", godebug, err)
		}
		return string(out)
	}
	for godebug, want := range kernelWithout {
		if out := run(godebug, "^TestKernelName$"); !strings.Contains(out, "kernel: "+want.String()+"\n") {
			t.Errorf("GODEBUG=%s: want %v:\n%s", godebug, want, out)
		}
	}
	out := run("fips140=on", "^(TestKernelName|TestCompareParity|TestMaskedCompare|TestCompareHidingLength|TestSecret|TestToken)")
	switch {
	case strings.Contains(out, "FIPS 140-3 mode is") && strings.Contains(out, "panic"):
		t.Logf("FIPS 140-3 mode does not exist here: %s", out)
	case !strings.Contains(out, "kernel: crypto/subtle\n") || !strings.Contains(out, "\nPASS"):
		t.Errorf("FIPS 140-3 mode:\n%s", out)
	}
}

// TestChooseFIPS checks that FIPS 140-3 mode leaves no length to this package.
func TestChooseFIPS(t *testing.T) {
	least, most := kernelStandard.wordLengths()
	if least != 0 || most >= 0 {
		t.Errorf("words are used from %d to %d", least, most)
	}
}
