//go:build !purego

package bigmod

import (
	"fmt"
	"maps"
	"math/rand"
	"os"
	"os/exec"
	"regexp"
	"slices"
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
		minLimbs: 1, multiple: 1, minTop: 1,
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

// A fusedSet is one implementation of the products with their reduction.
type fusedSet struct {
	name     string
	multiple int
	montMul  func(z, x, y, t, m []uint, m0inv uint)
	montSqrs func(z, x, t, m []uint, m0inv uint, k int)
}

func fusedSets() []fusedSet {
	sets := []fusedSet{{kernelBase.String(), 1, kernelBase.montMul, kernelBase.montSqrs}}
	if hostKernel() == kernelADX {
		sets = append(sets,
			fusedSet{"adx", 8, montMulADX, montSqrsADX},
			fusedSet{"adx16", 16, montMulADX16, montSqrsADX16},
			fusedSet{kernelADX.String(), 1, kernelADX.montMul, kernelADX.montSqrs})
	}
	return sets
}

// takes reports whether the set takes n limbs.
func (f *fusedSet) takes(n int) bool {
	return n%f.multiple == 0 && (f.name != "adx16" || n == 16)
}

// TestKernelFused compares products with their reduction in one call with the
// generic functions, for all ways in which the output may be an operand.
func TestKernelFused(t *testing.T) {
	t.Parallel()
	sets := fusedSets()
	tried := make([]int, len(sets))
	r := edgeRand{rand.New(rand.NewSource(10))}
	for n := 1; n <= 80; n++ {
		count := caseCount(n)
		if n == 16 {
			count *= 10
		}
		p, product, square, fourth := make([]uint, 2*n), make([]uint, n), make([]uint, n), make([]uint, n)
		for range count {
			m := r.modulus(n, true)
			x, y := r.below(m), r.number(n)
			m0inv := negInverse(m[0])
			sqr := func(z, x []uint) {
				sqrGeneric(p, x)
				montReduceGeneric(z, p, m, m0inv)
			}
			mulGeneric(p, x, y)
			montReduceGeneric(product, p, m, m0inv)
			sqr(square, x)
			sqr(fourth, square)
			x0, y0, m1 := slices.Clone(x), slices.Clone(y), slices.Clone(m)
			for i, set := range sets {
				if !set.takes(n) {
					continue
				}
				tried[i]++
				check := func(what string, z, want []uint) {
					if !slices.Equal(z, want) || !slices.Equal(x, x0) || !slices.Equal(y, y0) || !slices.Equal(m, m1) {
						t.Fatalf("%s: %s of %d limbs\nx %x\ny %x\nm %x\n= %x, want %x", set.name, what, n, x, y, m, z, want)
					}
				}
				z := junk(n)
				set.montMul(z, x, y, p, m, m0inv)
				check("montMul", z, product)
				copy(z, x)
				set.montMul(z, z, y, p, m, m0inv)
				check("montMul, z = x", z, product)
				copy(z, y)
				set.montMul(z, x, z, p, m, m0inv)
				check("montMul, z = y", z, product)
				copy(z, x)
				set.montMul(z, z, z, p, m, m0inv)
				check("montMul, z = x = y", z, square)
				z = junk(n)
				set.montSqrs(z, x, p, m, m0inv, 1)
				check("montSqrs, once", z, square)
				set.montSqrs(z, x, p, m, m0inv, 2)
				check("montSqrs, twice", z, fourth)
				copy(z, x)
				set.montSqrs(z, z, p, m, m0inv, 2)
				check("montSqrs, z = x", z, fourth)
			}
		}
	}
	for i, set := range sets {
		if tried[i] < minCases() {
			t.Errorf("%s: only %d cases tried", set.name, tried[i])
		}
	}
}

// TestKernelFusedCount tries numbers of squarings around those at which a call is
// split, and lengths at which it is.
func TestKernelFusedCount(t *testing.T) {
	r := edgeRand{rand.New(rand.NewSource(11))}
	for _, set := range fusedSets() {
		for _, n := range []int{7, 8, 16, 24, 64, 72, 256, 257} {
			if !set.takes(n) || n > maxAsmLimbs && set.multiple > 1 {
				continue
			}
			m := r.modulus(n, false)
			x, p, want := r.below(m), make([]uint, 2*n), make([]uint, n)
			m0inv := negInverse(m[0])
			copy(want, x)
			for count := 1; count <= 35; count++ {
				sqrGeneric(p, want)
				montReduceGeneric(want, p, m, m0inv)
				if n > 64 && count > 3 || count != 5 && count != 15 && count != 16 && count != 17 && count != 33 && count > 2 {
					continue
				}
				z := junk(n)
				if set.montSqrs(z, x, p, m, m0inv, count); !slices.Equal(z, want) {
					t.Fatalf("%s: %d squarings of %d limbs", set.name, count, n)
				}
			}
		}
	}
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
	if got, want := KernelName(), nameKernels(hostKernel(), activeLanes); got != want {
		t.Errorf("KernelName() = %q, want %q", got, want)
	}
	t.Logf("kernel: %s", KernelName())
	if os.Getenv("BIGMOD_TEST_NAME") != "" {
		fmt.Println("kernel:", KernelName(), montWidth(12))
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, feature := range []string{"adx", "bmi2", "avx2"} {
		cmd := exec.Command(exe, "-test.run=^TestKernelName$")
		cmd.Env = append(os.Environ(), "GODEBUG="+os.Getenv("GODEBUG")+",cpu."+feature+"=off", "BIGMOD_TEST_NAME=1")
		out, err := cmd.CombinedOutput()
		lanes := activeLanes
		if feature == "avx2" {
			lanes = laneNone
		}
		if want := "kernel: " + nameKernels(kernelBase, lanes) + " 12\n"; err != nil || !strings.Contains(string(out), want) {
			t.Errorf("without %s: %v\n%s", feature, err, out)
		}
	}
}

// TestMontWidth checks that a modulus is extended to a length that the fast
// functions take, and no further, or not at all.
func TestMontWidth(t *testing.T) {
	for n := 1; n < 2*maxAsmLimbs; n++ {
		if w := kernelBase.montWidth(n); w != n {
			t.Errorf("base: montWidth(%d) = %d", n, w)
		}
		w := kernelADX.montWidth(n)
		if w != n && (w%8 != 0 || w < n || w >= n+8 || w > maxAsmLimbs) {
			t.Errorf("ADX: montWidth(%d) = %d", n, w)
		}
		if n > 18 && n <= maxAsmLimbs && w%8 != 0 {
			t.Errorf("ADX: montWidth(%d) = %d, not a multiple of eight", n, w)
		}
	}
}

// TestAssemblyContracts checks that the contract of each assembly function is the
// same text at its declaration and at its definition.
func TestAssemblyContracts(t *testing.T) {
	assembly, err := os.ReadFile("bigmod_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	var declarations []byte
	for _, name := range []string{"kernel_amd64.go", "lanes_amd64.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		declarations = append(declarations, text...)
	}
	contract := regexp.MustCompile(`((?://.*\n)+)//\n//go:noescape\nfunc (\w+)`)
	found := contract.FindAllStringSubmatch(string(declarations), -1)
	for _, c := range found {
		if !strings.Contains(string(assembly), c[1]+"//\n// func "+c[2]+"(") {
			t.Errorf("%s: the contract in bigmod_amd64.s differs", c[2])
		}
	}
	if n := strings.Count(string(assembly), "\nTEXT "); n != len(found) {
		t.Errorf("%d functions, %d contracts", n, len(found))
	}
}

// The instructions of the assembly, by what they do to the registers and flags. All
// of them take a time that does not depend on their operands.
var (
	asmMoves   = fields("MOVQ MOVL LEAQ")
	asmUpdates = fields("ADDQ ANDQ ORQ SUBQ XORL XORQ IMULQ SHRQ SHLQ SARQ") // of the last operand
	asmCarries = fields("ADCQ SBBQ ADCXQ ADOXQ")                             // same, and use the flags
	asmUnary   = fields("DECQ INCQ NEGQ")                                    // with flags
	asmSelects = fields("CMOVQNE CMOVQCS")
	asmTests   = fields("CMPQ TESTQ")
	asmShifts  = fields("SHLXQ SHRXQ")
	asmJumps   = fields("JNE JEQ JLT JCS")
	asmVector  = fields(`MOVO MOVOU PADDL PAND PCMPEQL POR PSHUFD PSRLL PXOR VEXTRACTI128 VINSERTI128
		VMOVDQU VMOVQ VPADDQ VPAND VPBLENDD VPBROADCASTQ VPCMPEQQ VPERMQ VPMULUDQ VPOR VPSHUFD
		VPSLLDQ VPSRLDQ VPSRLQ VPSRLVQ VPUNPCKHQDQ VPUNPCKLQDQ VPXOR VZEROUPPER`)
)

func fields(s string) map[string]bool {
	m := map[string]bool{}
	for _, f := range strings.Fields(s) {
		m[f] = true
	}
	return m
}

// TestAssemblyConstantTime follows secrets through the text of the assembly: limbs
// in memory, the arguments that are values, and what comes of them in registers,
// flags and stack slots. It fails if a jump or an address depends on one, or an
// instruction is not on the list.
func TestAssemblyConstantTime(t *testing.T) {
	text, err := os.ReadFile("bigmod_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	functions := 0
	for _, body := range strings.Split(string(text), "\nTEXT ")[1:] {
		if strings.HasPrefix(body, "·hasVAES(") {
			continue // asks the processor what it is, and sees no secret
		}
		functions++
		for _, problem := range secretLeaks(body) {
			t.Error(problem)
		}
	}
	if functions == 0 {
		t.Error("no functions")
	}

	// What it has to find.
	for _, bad := range []string{
		"MOVQ x_base+0(FP), SI\nMOVQ (SI), AX\nMOVQ (SI)(AX*8), BX\nRET\n",
		"MOVQ x_base+0(FP), SI\nCMPQ (SI), SI\nJNE done\ndone:\nRET\n",
		"MOVQ q+8(FP), AX\nMOVQ AX, 8(SP)\nMOVQ 8(SP), CX\nJCXZQ done\ndone:\nRET\n",
		"MOVQ q+8(FP), AX\nADDQ AX, AX\nSBBQ BX, BX\nMOVQ (BX), AX\nRET\n",
		"loop:\nMOVQ (SI), DX\nMULXQ AX, BX, SI\nDECQ CX\nJNE loop\nRET\n",
		"DIVQ AX\nRET\n",
	} {
		if secretLeaks("·bad(SB), NOSPLIT, $0-0\n"+bad) == nil {
			t.Errorf("no problem found in\n%s", bad)
		}
	}
}

var (
	memoryOperand = regexp.MustCompile(`^(-?\d+)?\((\w+)\)(?:\((\w+)\*\d\))?$`)
	publicArg     = regexp.MustCompile(`^(\w+_(base|len)|shift|k|n|count)\+\d+\(FP\)$`)
)

// secretLeaks returns what is wrong with the body of an assembly function, from its
// name on.
func secretLeaks(body string) (problems []string) {
	lines := strings.Split(body, "\n")
	name, _, _ := strings.Cut(lines[0], "(")
	type instruction struct {
		op   string
		args []string
	}
	var code []instruction
	labels := map[string]int{}
	for _, line := range lines[1:] {
		line, _, _ = strings.Cut(line, "//")
		line = strings.TrimSpace(line)
		if label, ok := strings.CutSuffix(line, ":"); ok {
			labels[label] = len(code)
		} else if line != "" {
			op, args, _ := strings.Cut(line, " ")
			code = append(code, instruction{op, strings.Split(strings.ReplaceAll(args, " ", ""), ",")})
		}
	}
	report := func(i int, what string) {
		problems = append(problems, fmt.Sprintf("%s: %s: %s %s", name, what, code[i].op, strings.Join(code[i].args, ", ")))
	}

	// secrets[i] is what is secret before instruction i, if that can be reached.
	type set map[string]bool
	secrets := make([]set, len(code)+1)
	secrets[0] = set{}
	work := []int{0}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if i == len(code) {
			continue
		}
		op, args := code[i].op, code[i].args
		state := maps.Clone(secrets[i])
		isSecret := func(arg string) bool {
			if strings.HasSuffix(arg, "(FP)") {
				return !publicArg.MatchString(arg)
			}
			if m := memoryOperand.FindStringSubmatch(arg); m != nil && m[2] != "SP" {
				return true
			}
			return state[arg]
		}
		for _, arg := range args {
			if m := memoryOperand.FindStringSubmatch(arg); m != nil && (state[m[2]] || state[m[3]]) {
				report(i, "address depends on a secret")
			}
		}
		secret := false
		if op != "LEAQ" {
			for _, arg := range args {
				secret = secret || isSecret(arg)
			}
		}
		last := args[len(args)-1]
		next := []int{i + 1}
		switch {
		case asmMoves[op]:
			if op == "MOVQ" && len(args) == 2 {
				secret = isSecret(args[0])
			} else if op == "MOVL" {
				secret = isSecret(args[0])
			}
			state[last] = secret
		case (op == "XORL" || op == "XORQ") && args[0] == args[1]:
			state[last], state["flags"] = false, false
		case op == "SBBQ" && args[0] == args[1]:
			state[last] = state["flags"]
		case asmUpdates[op]:
			state[last], state["flags"] = secret, secret
		case asmCarries[op]:
			secret = secret || state["flags"]
			state[last], state["flags"] = secret, secret
		case asmUnary[op]:
			state["flags"] = secret
		case op == "NOTQ":
		case asmSelects[op]:
			state[last] = secret || state["flags"]
		case asmTests[op]:
			state["flags"] = secret
		case asmShifts[op]:
			state[last] = isSecret(args[0]) || isSecret(args[1])
		case op == "MULXQ":
			secret = isSecret(args[0]) || state["DX"]
			state[args[1]], state[args[2]] = secret, secret
		case op == "MULQ":
			secret = secret || state["AX"]
			state["AX"], state["DX"], state["flags"] = secret, secret, secret
		case asmVector[op]:
			if op != "VZEROUPPER" && last[0] != 'X' && last[0] != 'Y' && !memoryOperand.MatchString(last) {
				report(i, "vector to a general register")
			}
		case op == "PCALIGN", op == "BYTE" && last == "$0x90":
		case op == "RET":
			next = nil
		case op == "JMP", asmJumps[op], op == "JCXZQ":
			if asmJumps[op] && state["flags"] || op == "JCXZQ" && state["CX"] {
				report(i, "jump depends on a secret")
			}
			if op == "JMP" {
				next = nil
			}
			to, ok := labels[last]
			if !ok {
				report(i, "no such label")
				continue
			}
			next = append(next, to)
		default:
			report(i, "instruction is not on the list")
		}
		for _, j := range next {
			changed := secrets[j] == nil
			if changed {
				secrets[j] = set{}
			}
			for k, v := range state {
				if v && !secrets[j][k] {
					secrets[j][k], changed = true, true
				}
			}
			if changed {
				work = append(work, j)
			}
		}
	}
	return problems
}
