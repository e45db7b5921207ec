//go:build !purego

package bigmod

import (
	"crypto/rsa"
	"fmt"
	"math/big"
	"math/rand"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"
)

// kernelSets returns the sets of functions under test: the generic one, the
// assembly, and the dispatching functions with each choice.
func kernelSets() []kernelSet {
	return []kernelSet{genericSet, {
		name: "arm64", mul: mulARM64, sqr: sqrARM64, montReduce: montReduceARM64,
		selectLimbs: selectARM64, reduceTop: reduceTopARM64,
		minLimbs: asmLimbs, multiple: asmLimbs, minTop: reduceTopMinLimbs,
	}, dispatched(kernelGeneric), dispatched(kernelARM64)}
}

// dispatched returns the functions that decide between those of k and the generic
// ones.
func dispatched(k kernel) kernelSet {
	return kernelSet{
		name: "dispatched " + k.String(), mul: k.mul, sqr: k.sqr, montReduce: k.montReduce,
		selectLimbs: k.selectLimbs, reduceTop: k.reduceTop,
		minLimbs: 1, multiple: 1, minTop: 1,
	}
}

// TestKernelName checks the name of the functions that run, here and in a process
// in which GODEBUG turns Advanced SIMD off.
func TestKernelName(t *testing.T) {
	if k := chooseKernel(true); k != kernelARM64 {
		t.Errorf("with Advanced SIMD: %v", k)
	}
	if k := chooseKernel(false); k != kernelGeneric {
		t.Errorf("without Advanced SIMD: %v", k)
	}
	if got, want := KernelName(), chooseKernel(cpu.ARM64.HasASIMD).String(); got != want {
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
	cmd := exec.Command(exe, "-test.run=^TestKernelName$")
	cmd.Env = append(os.Environ(), "GODEBUG=cpu.asimd=off", "BIGMOD_TEST_NAME=1")
	out, err := cmd.CombinedOutput()
	if err != nil && strings.Contains(err.Error(), "exec format error") {
		t.Log("GODEBUG=cpu.asimd=off is not tested: under this emulator a program cannot start itself")
		return
	}
	if !strings.Contains(string(out), "kernel: generic 9\n") || err != nil {
		t.Errorf("with GODEBUG=cpu.asimd=off: %v\n%s", err, out)
	}
}

// TestMontWidth checks that a modulus is extended to a length that the assembly
// takes, and no further.
func TestMontWidth(t *testing.T) {
	for n := 1; n < 2*maxAsmLimbs; n++ {
		if w := kernelGeneric.montWidth(n); w != n {
			t.Errorf("generic: montWidth(%d) = %d", n, w)
		}
		w := kernelARM64.montWidth(n)
		if w < n || w >= n+asmLimbs || kernelARM64.runs(w) != (n <= maxAsmLimbs) {
			t.Errorf("montWidth(%d) = %d", n, w)
		}
	}
}

// TestAddMulFlip compares the step of reduceTopARM64 with math/big on any values,
// not only on quotients that occur.
func TestAddMulFlip(t *testing.T) {
	r := edgeRand{rand.New(rand.NewSource(7))}
	carries := 0
	for i := range 10000 {
		n := 1 + i%40
		x, m, q, flip := r.number(n), r.number(n), r.number(1), -uint(i/40%2)
		flipped := slices.Clone(x)
		for k := range flipped {
			flipped[k] ^= flip
		}
		want := new(big.Int).Mul(big2(m), big2(q))
		want.Add(want, big2(flipped))
		carry := addMulFlipARM64(x, m, q[0], flip)
		if got := big2(append(x, carry)); got.Cmp(want) != 0 {
			t.Fatalf("%x·%x + %x: got %x, want %x", m, q, flipped, got, want)
		}
		if carry == maxLimb {
			carries++
		}
	}
	if carries == 0 {
		t.Error("no case with the largest carry")
	}
}

// TestAssemblyText checks what the text of the assembly promises: only instructions
// whose time does not depend on their operands; conditional jumps on counters
// alone; addresses made of pointers and offsets alone; and pointers and counters
// made of arguments, each other and constants, never of limbs. The names of the
// registers tell one from the other.
func TestAssemblyText(t *testing.T) {
	text, err := os.ReadFile("bigmod_arm64.s")
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[string]bool{}
	for _, m := range strings.Fields(`
		ADC ADCS ADD ADDS AND CMP CSEL EOR EXTR LSL LSR MUL SBCS SUB SUBS UMULH
		LDP LDP.P MOVD MOVD.P STP STP.P B CALL RET CBZ CBNZ TBZ BLO BHS
		VADD VBIT VCMEQ VDUP VEOR VLD1 VST1 VST1.P TEXT
		LOAD4 LOAD8 CLEAR4 CLEAR8 ROW4 ROW8 QROW4 QROW8`) {
		allowed[m] = true
	}
	const (
		counter = `(CNT|LEFT|REST|LEN|N|STRIDE)`
		pointer = `(PY|PZ|PW|ENTRY|COLUMN|OUT|ptr)`
		// Arguments that are lengths or addresses, and slots that hold such.
		public = `([a-z]+_(len|base)\+\d+\(FP\)|(px|pt|blocks|quads)-\d+\(SP\))`
	)
	var (
		instruction = regexp.MustCompile(`^([A-Z][A-Z0-9.]*)(?:\((.*)\)|\s+(.*))?$`)
		jump        = regexp.MustCompile(`^(CBN?Z\s+` + counter + `|TBZ\s+\$2, ` + counter + `), [a-z0-9]+$`)
		memory      = regexp.MustCompile(`^-?([a-z0-9_]+[+-])?(\d+|offset)?\((FP|SP|SB|` + pointer + `)\)$`)
		arguments   = regexp.MustCompile(`(-?\d+|offset|LOAD[48])?\(` + pointer + `\)`)
		parens      = regexp.MustCompile(`\S*\([^,()]*\)(\([^()]*\))?`)
		setsPublic  = regexp.MustCompile(`(, |\()(` + counter + `|` + pointer + `)(, \w+\)|\))?$|, (px|pt|blocks|quads)-`)
		fromPublic  = regexp.MustCompile(`^(MOVD|ADD|SUB|SUBS|AND|LSL|LSR)\s+(` + public + `|\$\d+|((` + counter + `|` + pointer + `)(<<\d+)?))(, (` + counter + `|` + pointer + `|` + public + `)){1,2}$`)
		lengthFlags = regexp.MustCompile(`^SUBS\s+(\$\d+|N), (REST, REST|CNT)$`)
		loads       = regexp.MustCompile(`^LOAD[48]\(` + pointer + `\)$`)
	)
	previous := ""
	for i, line := range strings.Split(string(text), "\n") {
		line, _, _ = strings.Cut(line, "//")
		line = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(line), "\\"))
		if line == "" || line[0] == '#' || strings.HasSuffix(line, ":") {
			continue
		}
		fail := func(what string) { t.Errorf("bigmod_arm64.s:%d: %s: %s", i+1, what, line) }
		part := instruction.FindStringSubmatch(line)
		if part == nil || !allowed[part[1]] {
			fail("instruction is not on the list")
			continue
		}
		switch part[1] {
		case "CBZ", "CBNZ", "TBZ":
			if !jump.MatchString(line) {
				fail("jump on something that is not a counter")
			}
		case "BLO", "BHS":
			if !lengthFlags.MatchString(previous) {
				fail("jump on flags that are not of a counter")
			}
		case "LOAD4", "LOAD8":
			if !loads.MatchString(line) {
				fail("load from something that is not a pointer")
			}
		case "LDP", "LDP.P", "MOVD", "MOVD.P", "STP", "STP.P", "VLD1", "VST1", "VST1.P":
			for _, m := range parens.FindAllString(part[3], -1) {
				if !memory.MatchString(m) {
					fail("address that is not of a pointer")
				}
			}
		}
		bare := arguments.ReplaceAllString(line, "memory")
		if setsPublic.MatchString(bare) && !fromPublic.MatchString(line) {
			fail("pointer or counter made of something that is not public")
		}
		previous = line
	}
}

// TestAssemblyContracts checks that the contract of each assembly function is the
// same text at its declaration and at its definition.
func TestAssemblyContracts(t *testing.T) {
	assembly, err := os.ReadFile("bigmod_arm64.s")
	if err != nil {
		t.Fatal(err)
	}
	declarations, err := os.ReadFile("kernel_arm64.go")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)((?:^//.*\n)+)//\n//go:noescape\n(func .*)$`).FindAllStringSubmatch(string(declarations), -1)
	if len(found) != strings.Count(string(declarations), "//go:noescape\n") || len(found) == 0 {
		t.Fatal("assembly declarations without a contract")
	}
	for _, f := range found {
		if !strings.Contains(string(assembly), "// "+f[2]+"\n//\n"+f[1]) {
			t.Errorf("bigmod_arm64.s has another contract for %s", f[2])
		}
	}
}

// TestLinkBesideStandardLibrary calls crypto/rsa, whose bigmod has arm64 assembly
// of its own, and this package's in one program: the symbols do not collide.
func TestLinkBesideStandardLibrary(t *testing.T) {
	// M521 · M607, of 1128 bits.
	n := new(big.Int).Lsh(big.NewInt(1), 521)
	n.Sub(n, big.NewInt(1))
	p := new(big.Int).Lsh(big.NewInt(1), 607)
	n.Mul(n, p.Sub(p, big.NewInt(1)))
	sig := make([]byte, 141)
	sig[140] = 2
	if err := rsa.VerifyPKCS1v15(&rsa.PublicKey{N: n, E: 65537}, 0, []byte("x"), sig); err != rsa.ErrVerification {
		t.Fatalf("crypto/rsa: %v", err)
	}
	m, err := NewModulus(n.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	x := NewNat().SetUint(2).ExpandFor(m)
	got := big2(new(Nat).ExpShortVarTime(x, 65537, m).limbs)
	if want := new(big.Int).Exp(big.NewInt(2), big.NewInt(65537), n); got.Cmp(want) != 0 {
		t.Errorf("2^65537 mod N: got %#x, want %#x", got, want)
	}
}
