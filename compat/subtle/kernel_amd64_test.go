//go:build !purego

package subtle

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"
)

const assemblyFile, declarationFile = "subtle_amd64.s", "kernel_amd64.go"

// hostKernels returns the kernels that this processor can run, the best one last.
func hostKernels() []kernel {
	kernels := []kernel{kernelStandard, kernelGeneric, kernelSSE2}
	if cpu.X86.HasAVX2 {
		kernels = append(kernels, kernelAVX2)
	}
	return kernels
}

// kernelWithout is the kernel for settings of GODEBUG.
var kernelWithout = map[string]kernel{"cpu.avx2=off": kernelSSE2}

func diffFuncs() []diffFunc {
	funcs := []diffFunc{
		{"generic", 32, diffGeneric, diffMaskGeneric},
		pointers("SSE2", 64, diffSSE2, diffMaskSSE2),
	}
	if cpu.X86.HasAVX2 {
		funcs = append(funcs, pointers("AVX2", minAVX2, diffAVX2, diffMaskAVX2))
	}
	return funcs
}

func TestChooseKernel(t *testing.T) {
	if !cpu.X86.HasAVX2 {
		t.Log("the AVX2 functions are not tested: this processor lacks AVX2, or GODEBUG turns it off")
	}
	for i, want := range []kernel{kernelSSE2, kernelAVX2, kernelStandard, kernelStandard} {
		if got := chooseKernel(i&2 != 0, i&1 != 0); got != want {
			t.Errorf("fips %t, avx2 %t: %v, want %v", i&2 != 0, i&1 != 0, got, want)
		}
	}
}

// The instructions of the assembly. The time that each takes does not depend on its
// operands.
var (
	asmData = regexp.MustCompile(`^(MOVOU|VMOVDQU|POR|PXOR|VPOR|VPXOR|PSHUFD|VPSHUFD|VEXTRACTI128) ([^, ]+, )*[XY][0-9]$|^VZEROUPPER$`)

	// What is secret leaves the vectors only to be the result.
	asmResult = regexp.MustCompile(`^V?MOVQ X0, AX$|^MOVQ AX, ret\+\d+\(FP\)$`)

	// Pointers and the counter are made of the arguments and constants alone.
	asmPublic = regexp.MustCompile(`^MOVQ (x|y|mask|n)\+\d+\(FP\), (SI|DI|BX|CX)$|^ADDQ \$0x[0-9a-f]+, (SI|DI|BX)$`)
	asmCount  = regexp.MustCompile(`^SUBQ \$0x[0-9a-f]+, CX$`)
	asmJump   = regexp.MustCompile(`^(JLE|JGT) (loop|last)$`)
	asmMemory = regexp.MustCompile(`\d*\([^)]*\)(\(.*?\))?`)
	asmPlace  = regexp.MustCompile(`^\d*\((SI|DI|BX)\)(\(CX\*1\))?$|^\d*\(FP\)$`)
)

// secretLeaks returns the lines of an assembly function that are not on the list.
func secretLeaks(body string) (problems []string) {
	previous := ""
	for _, line := range strings.Split(body, "\n")[1:] {
		line, _, _ = strings.Cut(line, "//")
		line = strings.Join(strings.Fields(line), " ")
		switch {
		case line == "" || line == "loop:" || line == "last:" || line == "RET":
			continue
		case asmData.MatchString(line), asmResult.MatchString(line), asmPublic.MatchString(line), asmCount.MatchString(line):
		// A jump is on the flags of the counter. ADDQ to pointers is the only thing
		// that may stand between, and SUBQ follows it.
		case asmJump.MatchString(line) && asmCount.MatchString(previous):
		default:
			problems = append(problems, line)
		}
		for _, m := range asmMemory.FindAllString(line, -1) {
			if !asmPlace.MatchString(m) {
				problems = append(problems, line)
			}
		}
		previous = line
	}
	return problems
}

// TestAssemblyConstantTime checks that the assembly consists of instructions on a
// list, and that jumps and addresses depend on pointers and lengths alone.
func TestAssemblyConstantTime(t *testing.T) {
	text, err := os.ReadFile(assemblyFile)
	if err != nil {
		t.Fatal(err)
	}
	functions := strings.Split(string(text), "\nTEXT ")[1:]
	if len(functions) != 4 {
		t.Errorf("%d functions", len(functions))
	}
	for _, body := range functions {
		// What follows the last RET is the contract of the next function.
		body, _, _ = strings.Cut(body, "\n//")
		for _, problem := range secretLeaks(body) {
			t.Errorf("%s: %s", body[:strings.IndexByte(body, '(')], problem)
		}
	}

	// What it has to find.
	for _, bad := range []string{
		"MOVQ X0, CX", "MOVQ (SI), AX", "PXOR (AX), X0", "MOVOU (SI)(AX*1), X0", "DIVQ AX",
		"SUBQ AX, CX", "PXOR X1, X0\nJLE last", "VPTEST Y0, Y0", "ADDQ AX, SI", "MOVQ AX, (SI)", "MOVOU X0, (SI)",
	} {
		if secretLeaks("·bad(SB)\n"+bad) == nil {
			t.Errorf("not found: %s", bad)
		}
	}
}
