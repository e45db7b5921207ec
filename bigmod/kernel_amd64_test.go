//go:build !purego

package bigmod

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"
)

// kernelSets returns the sets of functions that this processor can run: the
// generic one, each assembly set, and the dispatching functions with each choice.
func kernelSets() []kernelSet {
	sets := []kernelSet{genericSet}
	sets = append(sets, kernelSet{
		name: "base", mul: mulBase, sqr: sqrBase, montReduce: montReduceBase,
		selectLimbs: selectBase, reduceTop: reduceTopBase,
		minLimbs: 1, multiple: 1, minTop: reduceTopMinLimbs,
	}, dispatched(kernelBase))
	if hostKernel() != kernelADX {
		return sets
	}
	return append(sets, kernelSet{
		name: "adx", mul: mulADX, sqr: sqrADX, montReduce: montReduceADX,
		selectLimbs: selectADX, reduceTop: reduceTopSplit,
		minLimbs: 8, multiple: 8, minTop: reduceTopMinLimbs,
	}, dispatched(kernelADX))
}

// hostKernel returns the best set for this processor.
func hostKernel() kernel {
	return chooseKernel(cpu.X86.HasADX, cpu.X86.HasBMI2, cpu.X86.HasAVX2)
}

// dispatched returns the functions that decide between those of k, those for any
// processor and the generic ones.
func dispatched(k kernel) kernelSet {
	return kernelSet{
		name: k.String(), mul: k.mul, sqr: k.sqr, montReduce: k.montReduce,
		selectLimbs: k.selectLimbs, reduceTop: k.reduceTop,
		minLimbs: 1, multiple: 1, minTop: 1,
	}
}

// TestChooseKernel tries all combinations of features, as in golang/go#18512,
// golang/go#17464, golang/go#18113 and aws/aws-lc#1858: a test for one feature and
// code that needs another is a crash, the opposite a fast path that never runs.
func TestChooseKernel(t *testing.T) {
	for i := range 8 {
		adx, bmi2, avx2 := i&1 != 0, i&2 != 0, i&4 != 0
		want := kernelBase
		if i == 7 {
			want = kernelADX
		}
		if got := chooseKernel(adx, bmi2, avx2); got != want {
			t.Errorf("adx %t, bmi2 %t, avx2 %t: %v", adx, bmi2, avx2, got)
		}
	}
}

// TestKernelName checks the name of the functions that run, here and in a process
// in which GODEBUG turns one of the features off.
func TestKernelName(t *testing.T) {
	if hostKernel() != kernelADX {
		t.Log("the ADX functions are not tested: this processor lacks ADX, BMI2 or AVX2, or GODEBUG turns one off")
	}
	if got, want := KernelName(), hostKernel().String(); got != want {
		t.Errorf("KernelName() = %q, want %q", got, want)
	}
	t.Logf("kernel: %s", KernelName())
	if os.Getenv("BIGMOD_TEST_NAME") != "" {
		fmt.Println("kernel:", KernelName(), montWidth(9))
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, feature := range []string{"adx", "bmi2", "avx2"} {
		cmd := exec.Command(exe, "-test.run=^TestKernelName$")
		cmd.Env = append(os.Environ(), "GODEBUG=cpu."+feature+"=off", "BIGMOD_TEST_NAME=1")
		out, err := cmd.CombinedOutput()
		if want := "kernel: " + kernelBase.String() + " 9\n"; err != nil || !strings.Contains(string(out), want) {
			t.Errorf("without %s: %v\n%s", feature, err, out)
		}
	}
}
