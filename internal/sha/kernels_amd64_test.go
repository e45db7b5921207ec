//go:build !purego

package sha

import (
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"
)

func init() {
	if hasSHANI {
		sets1 = append(sets1,
			set1{"SHA-NI", 1, func(s []Stream1, n int) { loop1x1SHANI(&s[0], n) }},
			set1{"SHA-NI", 2, func(s []Stream1, n int) { loop1x2SHANI((*[2]Stream1)(s), n) }})
		sets256 = append(sets256,
			set256{"SHA-NI", 1, func(s []Stream256, trim *Trim256, n int) {
				if trim == nil {
					loop256x1SHANI(&s[0], n)
				} else {
					loop256x1TrimSHANI(&s[0], trim, n)
				}
			}},
			set256{"SHA-NI", 2, func(s []Stream256, trim *Trim256, n int) {
				if trim == nil {
					loop256x2SHANI((*[2]Stream256)(s), n)
				} else {
					loop256x2TrimSHANI((*[2]Stream256)(s), trim, n)
				}
			}},
			// The trim that leaves out nothing.
			set256{"SHA-NI, trimmed by nothing", 1, func(s []Stream256, trim *Trim256, n int) {
				if trim == nil {
					trim = trimNone256
				}
				loop256x1TrimSHANI(&s[0], trim, n)
			}})
	}
	if hasSHA512 {
		sets512 = append(sets512,
			set512{"AVX", 1, func(s []Stream512, trim *Trim512, n int) {
				if trim == nil {
					loop512x1AVX(&s[0], n)
				} else {
					loop512x1TrimAVX(&s[0], trim, n)
				}
			}},
			set512{"AVX, trimmed by nothing", 1, func(s []Stream512, trim *Trim512, n int) {
				if trim == nil {
					trim = trimNone512
				}
				loop512x1TrimAVX(&s[0], trim, n)
			}})
	}
}

// TestKernelsTested tells when kernels are not.
func TestKernelsTested(t *testing.T) {
	if !hasSHANI {
		t.Log("the SHA-NI kernels are not tested: this processor lacks SHA or AVX, or GODEBUG turns one off")
	}
	if !hasSHA512 {
		t.Log("the SHA-512 kernels are not tested: this processor lacks AVX, BMI1 or BMI2, or GODEBUG turns one off")
	}
}

// TestDispatch checks what is chosen, here and in processes in which GODEBUG turns
// features off.
func TestDispatch(t *testing.T) {
	choice := func(shani, sha512, avx2 bool) string {
		fast, widths := [3]bool{shani || avx2, shani, sha512 || avx2}, [3][]int{}
		for m := 1; m <= MaxStreams; m++ {
			w1, w256, w512 := 1, 1, 1
			switch {
			case avx2 && (m >= 7 || !shani):
				w1 = 8
			case shani:
				w1 = min(m, 2)
			}
			switch {
			case shani:
				w256 = min(m, 2)
			case avx2 && m >= 2:
				w256 = 8
			}
			if avx2 && (m >= 3 || !sha512) {
				w512 = 4
			}
			widths[0], widths[1], widths[2] = append(widths[0], w1), append(widths[1], w256), append(widths[2], w512)
		}
		return fmt.Sprint("choice: ", fast, widths)
	}
	var widths [3][]int
	for m := 1; m <= MaxStreams; m++ {
		widths[0], widths[1], widths[2] = append(widths[0], width1(m)), append(widths[1], width256(m)), append(widths[2], width512(m))
	}
	got := fmt.Sprint("choice: ", [3]bool{fast1(), fast256(), fast512()}, widths)
	if os.Getenv("SHA_TEST_CHOICE") != "" {
		fmt.Println(got)
		return
	}
	if want := choice(hasSHANI, hasSHA512, hasAVX2); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if os.Getenv("GODEBUG") != "" {
		t.Log("GODEBUG is set: not tried with other settings")
		return
	}
	if hasSHANI != (cpuid7()>>29&1 == 1 && cpu.X86.HasAVX) || hasAVX2 != cpu.X86.HasAVX2 {
		t.Error("features of the processor are not used")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ off, want string }{
		{"sha", choice(false, hasSHA512, hasAVX2)},
		{"avx", choice(false, false, hasAVX2)},
		{"avx2", choice(hasSHANI, hasSHA512, false)},
		{"bmi1", choice(hasSHANI, false, hasAVX2)},
		{"bmi2", choice(hasSHANI, false, hasAVX2)},
		{"all", choice(false, false, false)},
	} {
		cmd := exec.Command(exe, "-test.run=^TestDispatch$")
		cmd.Env = append(os.Environ(), "GODEBUG=cpu."+c.off+"=off", "SHA_TEST_CHOICE=1")
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), c.want+"\n") {
			t.Errorf("without %s: %v\n%swant %s", c.off, err, out, c.want)
		}
	}
}

// TestBlocksKernels compares the functions for whole blocks with the generic ones.
func TestBlocksKernels(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewSource(5))
	buf := make([]byte, 1024)
	for range cases() / 4 {
		r.Read(buf)
		p := buf[:128*(1+r.Intn(4))]
		if hasSHANI {
			h1, h256 := random1(r).U, random256(r, nil).U
			w1, w256 := h1, h256
			blocks1SHANI(&h1, p[64:])
			blocks1Generic(&w1, p[64:])
			blocks256SHANI(&h256, p[64:])
			blocks256Generic(&w256, p[64:])
			if h1 != w1 || h256 != w256 {
				t.Fatalf("SHA-NI, %d bytes", len(p)-64)
			}
		}
		if hasSHA512 {
			h512 := random512(r, nil).U
			w512 := h512
			blocks512AVX(&h512, p)
			blocks512Generic(&w512, p)
			if h512 != w512 {
				t.Fatalf("SHA-512, %d bytes", len(p))
			}
		}
	}
}

// TestContracts checks that the contract of each function in sha_amd64.s is the same text as
// at its declaration.
func TestContracts(t *testing.T) {
	assembly, err := os.ReadFile("sha_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	declarations, err := os.ReadFile("kernels_amd64.go")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)((?:^//.*\n)+?)(?://\n//go:noescape\n|//\n)?(func \w+\([^{\n]*)$`).FindAllStringSubmatch(string(declarations), -1)
	for _, c := range found {
		if !strings.Contains(string(assembly), c[1]+"//\n// "+c[2]+"\n") {
			t.Errorf("the contract in sha_amd64.s differs for %s", c[2])
		}
	}
	if n := strings.Count(string(assembly), "\nTEXT "); n != len(found) || n == 0 {
		t.Errorf("%d functions, %d contracts", n, len(found))
	}
}

// TestText checks what makes the assembly constant time: only instructions whose time does
// not depend on their operands; addresses that are an argument, a place in the frame or a
// constant, plus a constant; jumps on nothing but counters and pointers.
func TestText(t *testing.T) {
	text, err := os.ReadFile("sha_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	functions := strings.Split(string(text), "\nTEXT ")[1:]
	if len(functions) == 0 {
		t.Error("no functions")
	}
	for _, body := range functions {
		for _, problem := range textProblems(body) {
			t.Error(problem)
		}
	}

	// What it has to find.
	for _, bad := range []string{
		"DIVQ AX",
		"MOVQ (AX), BX",
		"MOVQ (DI)(R8*8), BX",
		"MOVQ R8, SI",
		"MOVQ (DI), BP",
		"VMOVQ X0, DI",
		"ADDQ R8, SI",
		"XORQ AX, SI",
		"CMPQ R8, R9\nJNE done",
		"MOVQ (DI), CX\nDECQ CX\nJNE done",
		"ADDQ R8, R9\nJNE done",
		"JCS done",
		"VPGATHERDD X0, (DI)(X1*4), X2",
	} {
		if textProblems("·bad(SB), $8-8\n"+bad+"\n") == nil {
			t.Errorf("no problem found in %s", bad)
		}
	}
}

// textProblems returns what is wrong with the body of an assembly function, from its name
// on.
func textProblems(body string) (problems []string) {
	var (
		listed = regexp.MustCompile(`^(ADDQ|ANDNQ|ANDQ|CMPQ|CPUID|DECQ|JMP|JNE|LEAQ|MOV[LQ]|ORQ|PCALIGN|RET|RORXQ|` +
			`SHA1(MSG[12]|NEXTE|RNDS4)|SHA256(MSG[12]|RNDS2)|SUBQ|VMOVD|VMOVDQ[AU]|VPADD[DQ]|VPALIGNR|VPAND|VPEXTRD|VPOR|` +
			`VPSHUF[BD]|VPS[LR]LQ|VPSLLDQ|VPUNPCK[LH]QDQ|VPXOR|XOR[LQ])( |$)`)
		address = regexp.MustCompile(`^(\d*\((DI|SI|BP|SP)\)|(·|\w+<>)\w*\+\d+\(SB\)|\w+\+\d+\(FP\)|\w+-\d+\(SP\))$`)
		// The registers with addresses and counters, and what they may be set by.
		pointer = regexp.MustCompile(`, (DI|SI|BP|CX)$`)
		public  = regexp.MustCompile(`^(MOVQ \w+\+\d+\(FP\), (DI|SI|BP|CX)|MOVQ DI, BP|LEAQ ·k512\+\d+\(SB\), SI|(ADDQ|SUBQ) \$0x[0-9a-f]+, (SI|BP|CX))$`)
		count   = regexp.MustCompile(`^(DECQ (CX|\d+\(SP\))|SUBQ \$0x[0-9a-f]+, (CX|\d+\(SP\))|CMPQ BP, DI|CMPQ SI, AX)$`)
	)
	name, body, _ := strings.Cut(body, "\n")
	cxSecret := false
	var last [2]string
	for _, line := range strings.Split(body, "\n") {
		line, _, _ = strings.Cut(line, "//")
		line = strings.Join(strings.Fields(line), " ")
		if line == "" || strings.HasSuffix(line, ":") || strings.HasPrefix(line, "DATA") || strings.HasPrefix(line, "GLOBL") {
			continue
		}
		report := func(what string) { problems = append(problems, fmt.Sprintf("%s: %s: %s", name, what, line)) }
		if !listed.MatchString(line) {
			report("instruction is not on the list")
			continue
		}
		_, operands, _ := strings.Cut(line, " ")
		for _, arg := range strings.Split(operands, ", ") {
			if strings.Contains(arg, "(") && !address.MatchString(arg) {
				report("address that is not a pointer and a constant")
			}
		}
		if pointer.MatchString(line) && !public.MatchString(line) && !strings.HasPrefix(line, "CMPQ ") {
			// In the functions for SHA-512, CX has a secret from the first round on.
			if strings.HasSuffix(line, ", CX") {
				cxSecret = true
			} else {
				report("pointer set by something that may be secret")
			}
		}
		if strings.HasPrefix(line, "J") && !strings.HasPrefix(line, "JMP") {
			switch {
			case !count.MatchString(last[0]):
				report("jump on flags that are not of a counter or pointer")
			case strings.HasSuffix(last[0], "CX") && cxSecret:
				report("jump on a register that had a secret")
			case last[0] == "CMPQ SI, AX" && !strings.HasPrefix(last[1], "LEAQ ·k512+"):
				report("jump on AX")
			}
		}
		last = [2]string{line, last[0]}
	}
	return problems
}
