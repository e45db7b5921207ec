//go:build !purego

package subtle

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"
)

const assemblyFile, declarationFile = "subtle_arm64.s", "kernel_arm64.go"

// hostKernels returns the kernels that this processor can run, the best one last.
func hostKernels() []kernel {
	kernels := []kernel{kernelStandard, kernelGeneric}
	if cpu.ARM64.HasASIMD {
		kernels = append(kernels, kernelNEON)
	}
	return kernels
}

// kernelWithout is the kernel for settings of GODEBUG.
var kernelWithout = map[string]kernel{"cpu.asimd=off": kernelGeneric}

func diffFuncs() []diffFunc {
	return []diffFunc{
		{"generic", 32, diffGeneric, diffMaskGeneric},
		pointers("NEON", 64, diffNEON, diffMaskNEON),
	}
}

func TestChooseKernel(t *testing.T) {
	for i, want := range []kernel{kernelGeneric, kernelNEON, kernelStandard, kernelStandard} {
		if got := chooseKernel(i&2 != 0, i&1 != 0); got != want {
			t.Errorf("fips %t, asimd %t: %v, want %v", i&2 != 0, i&1 != 0, got, want)
		}
	}
}

// asmLines is what the lines of the assembly are, but for labels. No instruction
// takes a time that depends on its operands; vectors leave for R4 and R5 alone, and
// those for the result; R0, R1 and R3 are pointers and R2 is the counter, made of
// arguments and constants.
var asmLines = regexp.MustCompile(`^(` + strings.Join([]string{
	`#.*`,
	`TEXT ·\w+\(SB\), NOSPLIT, \$0-\d+`,
	`RET`,
	`CLEAR|COLLECT|FINISH`,
	`XOR\(V\d+, V\d+, V\d+, V\d+\)`,
	`LOADP?\(R[013], V\d+, V\d+, V\d+, V\d+\)`,
	`(VEOR|VORR) \w+\.B16, \w+\.B16, \w+\.B16`,
	`VMOV V0\.D\[[01]\], R[45]`,
	`ORR R5, R4, R4`,
	`MOVD R4, ret\+\d+\(FP\)`,
	`MOVD (x|y|mask|n)\+\d+\(FP\), R[0123]`,
	`ADD R2, (R0, R0|R1, R1|R3, R3)`,
	`SUBS \$64, R2, R2`,
}, "|") + `)$`)

// TestAssemblyConstantTime checks that the assembly consists of instructions on a
// list, and that jumps depend on the counter alone.
func TestAssemblyConstantTime(t *testing.T) {
	text, err := os.ReadFile(assemblyFile)
	if err != nil {
		t.Fatal(err)
	}
	previous := ""
	for i, line := range strings.Split(string(text), "\n") {
		line, _, _ = strings.Cut(line, "//")
		line = strings.Join(strings.Fields(strings.TrimSuffix(strings.TrimSpace(line), `\`)), " ")
		switch {
		case line == "" || line == "loop:" || line == "last:":
			continue
		case line == "BLE last" || line == "BGT loop":
			if previous != "SUBS $64, R2, R2" {
				t.Errorf("%s:%d: jump on something that is not the counter", assemblyFile, i+1)
			}
		case !asmLines.MatchString(line):
			t.Errorf("%s:%d: not on the list: %s", assemblyFile, i+1, line)
		}
		previous = line
	}
}
