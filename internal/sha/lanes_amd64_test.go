//go:build !purego

package sha

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"
)

func init() {
	if !cpu.X86.HasAVX2 {
		return
	}
	sets1 = append(sets1, set1{"AVX2", 8, func(s []Stream1, n int) { loop1x8AVX2((*[8]Stream1)(s), n) }})
	sets256 = append(sets256, set256{"AVX2", 8, func(s []Stream256, trim *Trim256, n int) {
		if trim == nil {
			trim = trimNone256
		}
		loop256x8AVX2((*[8]Stream256)(s), trim, n)
	}})
	sets512 = append(sets512, set512{"AVX2", 4, func(s []Stream512, trim *Trim512, n int) {
		if trim == nil {
			trim = trimNone512
		}
		loop512x4AVX2((*[4]Stream512)(s), trim, n)
	}})
}

// TestLanesTested tells when the kernels in vectors are not.
func TestLanesTested(t *testing.T) {
	if !cpu.X86.HasAVX2 {
		t.Log("the AVX2 kernels are not tested: this processor lacks AVX2, or GODEBUG turns it off")
	}
}

// TestLanesContracts checks that the contract of each function in lanes_amd64.s is the same
// text as at its declaration.
func TestLanesContracts(t *testing.T) {
	assembly, err := os.ReadFile("lanes_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	declarations, err := os.ReadFile("lanes_amd64.go")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)((?:^//.*\n)+)//\n//go:noescape\n(func .*)$`).FindAllStringSubmatch(string(declarations), -1)
	for _, c := range found {
		if !strings.Contains(string(assembly), c[1]+"//\n// "+c[2]+"\n") {
			t.Errorf("the contract in lanes_amd64.s differs for %s", c[2])
		}
	}
	if n := strings.Count(string(assembly), "\nTEXT "); n != len(found) || n == 0 {
		t.Errorf("%d functions, %d contracts", n, len(found))
	}
}

// TestLanesText checks what makes the assembly constant time: only instructions whose
// time does not depend on their operands; general registers with nothing in them but
// arguments, addresses, constants and sums of those; and so no address and no jump that
// depends on a secret, for secrets are in memory and in vector registers alone. It checks
// too that the vectors of the frame lie in it, and that neither they nor the registers are
// left with a secret.
func TestLanesText(t *testing.T) {
	text, err := os.ReadFile("lanes_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	functions := strings.Split(string(text), "\nTEXT ")[1:]
	if len(functions) == 0 {
		t.Error("no functions")
	}
	for _, body := range functions {
		for _, problem := range lanesProblems(body) {
			t.Error(problem)
		}
	}

	// What it has to find.
	for _, bad := range []string{
		"VDIVPD Y0, Y1, Y2",
		"MOVQ (SI), AX",
		"VMOVQ X0, AX",
		"VPMOVMSKB Y0, AX",
		"VMOVDQU (SI)(AX*8), Y0",
		"JEQ done",
		"CMPQ (SI), R9\nJNE done",
		"VMOVDQU 128(BX), Y0",
		"VMOVDQU 8(BX), Y0",
		"VMOVDQU -32(BX), Y0",
		"VZEROUPPER\nRET",
		"VMOVDQU Y1, 32(BX)\nVPXOR Y0, Y0, Y0\nVMOVDQU Y0, 64(BX)\nVZEROALL\nRET",
	} {
		if lanesProblems("·bad(SB), $159-16\n"+bad+"\n") == nil {
			t.Errorf("no problem found in %s", bad)
		}
	}
}

// lanesProblems returns what is wrong with the body of an assembly function, from its
// name on.
func lanesProblems(body string) (problems []string) {
	const general = `(?:[A-D]X|[SD]I|R\d+)`
	var (
		vector = regexp.MustCompile(`^(VMOVDQU|VMOVQ|VMOVD|VPXOR|VPAND|VPOR|VPADD[DQ]|VPS[LR]L[DQ]|VPSHUFB|VPBROADCAST[DQ]|` +
			`VPUNPCK[LH](DQ|QDQ)|VPERM2I128|VINSERTI128) `)
		public = regexp.MustCompile(`^(MOVQ [a-z]+\+\d+\(FP\), ` + general + `|MOV[QL] \$0x[0-9a-f]+, ` + general +
			`|MOVQ ` + general + `, ` + general + `|LEAQ (\d*\((SP|BX)\)|·k\d+\+0\(SB\)), ` + general +
			`|ADDQ \$0x[0-9a-f]+, ` + general + `|ANDQ \$-32, BX|DECQ ` + general + `|CMPQ ` + general + `, ` + general + `)$`)
		plain = regexp.MustCompile(`^(\d*)\((BX|SI|DX|AX|DI)\)$`)
	)
	lines := strings.Split(body, "\n")
	m := regexp.MustCompile(`^·(\w+)\(SB\), \$(\d+)-\d+$`).FindStringSubmatch(lines[0])
	if m == nil {
		return []string{"no frame: " + lines[0]}
	}
	frame, _ := strconv.Atoi(m[2])
	used, wiped := map[string]bool{}, map[string]bool{}
	var before [2]string
	for _, line := range lines[1:] {
		line, _, _ := strings.Cut(line, "//")
		line = strings.Join(strings.Fields(line), " ")
		if line == "" || strings.HasSuffix(line, ":") {
			continue
		}
		report := func(what string) { problems = append(problems, fmt.Sprintf("%s: %s: %s", m[1], what, line)) }
		switch {
		case vector.MatchString(line):
			_, operands, _ := strings.Cut(line, " ")
			args := strings.Split(operands, ", ")
			if last := args[len(args)-1]; last[0] != 'X' && last[0] != 'Y' && !plain.MatchString(last) {
				report("vector to something that is not a vector register or memory")
			}
			if line == "VPXOR Y0, Y0, Y0" {
				clear(wiped)
			} else if len(args) == 2 && args[0] == "Y0" {
				wiped[args[1]] = true
			} else if args[len(args)-1] == "Y0" {
				clear(wiped)
			}
			for _, arg := range args {
				p := plain.FindStringSubmatch(arg)
				if p == nil && !strings.Contains(arg, "(") {
					continue
				}
				if p == nil {
					report("address that is not a pointer and a constant")
					continue
				}
				if p[2] == "BX" {
					used[arg] = true
				}
				// The frame starts up to 31 bytes below its first multiple of 32.
				if offset, _ := strconv.Atoi(p[1]); p[2] == "BX" && (offset%32 != 0 || offset+32+31 > frame) {
					report("not a vector of the frame")
				}
			}
		case public.MatchString(line), line == "VZEROALL":
		case line == "RET":
			if before[0] != "VZEROALL" {
				report("registers are not cleared")
			}
			for arg := range used {
				if !wiped[arg] {
					report(arg + " is not wiped")
				}
			}
		case strings.HasPrefix(line, "JNE "):
			// MOVQ leaves the flags of CMPQ alone.
			if !strings.HasPrefix(before[0], "DECQ ") && (!strings.HasPrefix(before[0], "MOVQ ") || !strings.HasPrefix(before[1], "CMPQ ")) {
				report("jump on flags that are not of a counter or pointer")
			}
		default:
			report("instruction is not on the list")
		}
		before = [2]string{line, before[0]}
	}
	return problems
}

// BenchmarkLanes measures one iteration in each of as many streams as there are lanes.
func BenchmarkLanes(b *testing.B) {
	if !cpu.X86.HasAVX2 {
		b.Skip("this processor lacks AVX2, or GODEBUG turns it off")
	}
	const n = 64
	perStream := func(b *testing.B, streams int) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n*streams), "ns/stream-iteration")
	}
	b.Run("hash=sha1/streams=8/kernel=avx2", func(b *testing.B) {
		var s [8]Stream1
		for b.Loop() {
			loop1x8AVX2(&s, n)
		}
		perStream(b, 8)
	})
	b.Run("hash=sha256/streams=8/kernel=avx2", func(b *testing.B) {
		var s [8]Stream256
		for b.Loop() {
			loop256x8AVX2(&s, trimNone256, n)
		}
		perStream(b, 8)
	})
	b.Run("hash=sha512/streams=4/kernel=avx2", func(b *testing.B) {
		var s [4]Stream512
		for b.Loop() {
			loop512x4AVX2(&s, trimNone512, n)
		}
		perStream(b, 4)
	})
}
