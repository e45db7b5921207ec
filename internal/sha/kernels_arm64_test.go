//go:build !purego

package sha

import (
	"bytes"
	"math/rand"
	"os"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"
)

func init() {
	if cpu.ARM64.HasSHA1 {
		sets1 = append(sets1,
			set1{"FEAT_SHA1", 1, func(s []Stream1, n int) { loop1x1SHA1(&s[0], n) }},
			set1{"FEAT_SHA1", 2, func(s []Stream1, n int) { loop1x2SHA1((*[2]Stream1)(s), n) }})
	}
	orNone256 := func(trim *Trim256) *Trim256 {
		if trim == nil {
			return trimNone256
		}
		return trim
	}
	if cpu.ARM64.HasSHA2 {
		sets256 = append(sets256,
			set256{"FEAT_SHA256", 1, func(s []Stream256, t *Trim256, n int) { loop256x1SHA2(&s[0], orNone256(t), n) }},
			set256{"FEAT_SHA256", 2, func(s []Stream256, t *Trim256, n int) { loop256x2SHA2((*[2]Stream256)(s), orNone256(t), n) }})
	}
	orNone512 := func(trim *Trim512) *Trim512 {
		if trim == nil {
			return trimNone512
		}
		return trim
	}
	if cpu.ARM64.HasSHA512 {
		sets512 = append(sets512,
			set512{"FEAT_SHA512", 1, func(s []Stream512, t *Trim512, n int) { loop512x1SHA512(&s[0], orNone512(t), n) }},
			set512{"FEAT_SHA512", 2, func(s []Stream512, t *Trim512, n int) { loop512x2SHA512((*[2]Stream512)(s), orNone512(t), n) }})
	}
}

// TestFeatures checks that the kernels run where the processor has the instructions and
// GODEBUG does not turn them off, and nowhere else.
func TestFeatures(t *testing.T) {
	for _, f := range []struct {
		name     string
		has, got bool
		width    func(int) int
		fast     func() bool
	}{
		{"sha1", cpu.ARM64.HasSHA1, hasSHA1, width1, fast1},
		{"sha2", cpu.ARM64.HasSHA2, hasSHA2, width256, fast256},
		{"sha512", cpu.ARM64.HasSHA512, hasSHA512, width512, fast512},
	} {
		if !f.has {
			t.Logf("the kernels for %s are not tested: this processor lacks the instructions, or GODEBUG turns them off", f.name)
		}
		if strings.Contains(os.Getenv("GODEBUG"), "cpu."+f.name+"=off") && f.has {
			t.Errorf("%s: GODEBUG does not turn it off", f.name)
		}
		wide := 1
		if f.has {
			wide = 2
		}
		if f.got != f.has || f.fast() != f.has || f.width(1) != 1 || f.width(2) != wide || f.width(3) != wide {
			t.Errorf("%s: present %t, kernels %t, width of one %d, of two %d, of three %d", f.name, f.has, f.fast(), f.width(1), f.width(2), f.width(3))
		}
	}
}

// TestBlocksKernels compares the kernels for whole blocks with the generic functions.
func TestBlocksKernels(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	p := make([]byte, 128*4)
	for range 4 * cases() / 10 {
		r.Read(p)
		if r.Intn(4) == 0 {
			copy(p, bytes.Repeat([]byte{byte(-r.Intn(2))}, r.Intn(len(p))))
		}
		m := p[:128*(1+r.Intn(4))]
		a1, a256, a512 := random1(r).U, random256(r, nil).U, random512(r, nil).U
		b1, b256, b512 := a1, a256, a512
		if cpu.ARM64.HasSHA1 {
			blocks1SHA1(&a1, m[64:])
			if blocks1Generic(&b1, m[64:]); a1 != b1 {
				t.Fatalf("SHA-1, message %x: %x, want %x", m[64:], a1, b1)
			}
		}
		if cpu.ARM64.HasSHA2 {
			blocks256SHA2(&a256, m[64:])
			if blocks256Generic(&b256, m[64:]); a256 != b256 {
				t.Fatalf("SHA-256, message %x: %x, want %x", m[64:], a256, b256)
			}
		}
		if cpu.ARM64.HasSHA512 {
			blocks512SHA512(&a512, m)
			if blocks512Generic(&b512, m); a512 != b512 {
				t.Fatalf("SHA-512, message %x: %x, want %x", m, a512, b512)
			}
		}
	}
}

var assemblyFiles = []string{"sha1_arm64.s", "sha256_arm64.s", "sha512_arm64.s"}

// TestAssemblyContracts checks that the contract of each assembly function is the same
// text at its declaration and at its definition.
func TestAssemblyContracts(t *testing.T) {
	var assembly []byte
	for _, name := range assemblyFiles {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		assembly = append(assembly, text...)
	}
	declarations, err := os.ReadFile("kernels_arm64.go")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)((?:^//.*\n)+)//\n//go:noescape\n(func (\w+).*)$`).FindAllStringSubmatch(string(declarations), -1)
	for _, f := range found {
		if !strings.Contains(string(assembly), "// "+f[2]+"\n//\n"+f[1]+"TEXT ·"+f[3]+"(SB)") {
			t.Errorf("the assembly has another contract for %s", f[2])
		}
	}
	if n := strings.Count(string(assembly), "\nTEXT "); n != len(found) || n == 0 {
		t.Errorf("%d functions, %d contracts", n, len(found))
	}
}

// TestAssemblyText checks what makes the assembly constant time: only instructions whose
// time does not depend on their operands; general registers with nothing in them but
// arguments, addresses, constants and sums of those; and so no address and no jump that
// depends on a secret, for secrets are in memory and in vector registers alone.
func TestAssemblyText(t *testing.T) {
	for _, name := range assemblyFiles {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if problem := lineProblem(line); problem != "" {
				t.Errorf("%s:%d: %s: %s", name, i+1, problem, line)
			}
		}
	}

	// What it has to find.
	for _, bad := range []string{
		"UDIV R1, R2",
		"FDIVS F0, F1",
		"MOVD (BASE), N",
		"FMOVS F1, LEFT",
		"VMOV A0.S[0], T",
		"VMOV\tA0.D[0], R7",
		"CBNZ R9, block",
		"BEQ block",
		"VLD1 (T), [A0.S4]",
		"#define KP V3",
		"#define A0 R3",
		"ADD F0, U",
	} {
		if lineProblem(bad) == "" {
			t.Errorf("no problem found in %s", bad)
		}
	}
}

// The general registers by name, and what of them is an address. The names of all other
// registers are of vectors.
const (
	counters = `(N|LEN|LEFT)`
	pointers = `(BASE|TRIM|KEEP|PAD|PAD8|ST|ST1|OUTER|U|U1|ACC|ACC1|KTAB|KP|MSG|p)`
)

var (
	vectorLine = regexp.MustCompile(`^(VADD|VEXT|VMOV|VBIF|VEOR|VAND|VORR|VREV32|VREV64|SHA1SU[01]|SHA256H2?|SHA256SU[01]|SHA512H2?|SHA512SU[01]) ` +
		`(\$8, )?(\w+(\.\w+)?, )+\w+(\.\w+)?$`)
	otherLine = regexp.MustCompile(`^(` + strings.Join([]string{
		`(SHA1H|op) .*`, // SHA1C, SHA1M or SHA1P
		`VDUP T, K\d\.S4`, `VMOV T, PAD\d\.S\[\d\]`,
		`VLD1(\.P)? (\d\d)?\(` + pointers + `\), \[\w+\.\w+(, \w+\.\w+)*\]`,
		`VST1 \[\w+\.\w+(, \w+\.\w+)*\], \(` + pointers + `\)`,
		`FMOVS (16\(p\), fe|fe, 16\(p\))`,
		`MOVD [a-z_]+\+\d+\(FP\), ` + `(` + pointers + `|` + counters + `)`,
		`MOVD \$(\w+|·k\d+\(SB\)), (T|KTAB)`,
		`MOVD ` + pointers + `, ` + pointers,
		`ADD \$\d+, ` + pointers + `, ` + pointers,
		`SUB ST, OUTER, LEFT`, `SUB \$\d+, ` + counters,
		`CBNZ ` + counters + `, (block|iteration)`,
		`(block|iteration):`, `RET`, `TEXT ·\w+\(SB\), NOSPLIT, \$0-\d\d`,
		`BLOCKS?|CONSTANTS|PADDING`,
		`(ROUNDS|STEP|STEP1|LAST|LAST1|SCHEDULE|LOAD|STORE|DIGEST|MESSAGE|SUM)\([\w, ]+\)`,
		`#include "textflag.h"`,
		`#define [A-Z]+\d?(\([\w, ]+\))?`,
	}, "|") + `)$`)
	registerLine = regexp.MustCompile(`^#define ([A-Z]+\d?) ([VR])\d+$`)
	general      = regexp.MustCompile(`^(T|R\d+|` + counters + `|` + pointers + `)$`)
)

// lineProblem returns what is wrong with a line of assembly, if anything.
func lineProblem(line string) string {
	line, _, _ = strings.Cut(line, "//")
	line = strings.TrimSuffix(strings.Join(strings.Fields(line), " "), ` \`)
	if line == "" {
		return ""
	}
	if m := registerLine.FindStringSubmatch(line); m != nil {
		if general.MatchString(m[1]) != (m[2] == "R") {
			return "name of the wrong kind of register"
		}
		return ""
	}
	if vectorLine.MatchString(line) {
		if general.MatchString(line[strings.LastIndex(line, " ")+1:]) {
			return "vector to a general register"
		}
		return ""
	}
	if !otherLine.MatchString(line) {
		return "not on the list"
	}
	return ""
}
