//go:build (amd64 || arm64) && !purego

package subtle

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestAssemblyContracts checks that the contract of each assembly function is the
// same text at its declaration and at its definition.
func TestAssemblyContracts(t *testing.T) {
	assembly, err := os.ReadFile(assemblyFile)
	if err != nil {
		t.Fatal(err)
	}
	declarations, err := os.ReadFile(declarationFile)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`((?://.*\n)+)//\n//go:noescape\nfunc (\w+)`).FindAllStringSubmatch(string(declarations), -1)
	for _, c := range found {
		_, text, ok := strings.Cut("\n"+string(assembly), "\n// "+c[2]+" returns ")
		if !ok || !strings.HasPrefix("// "+c[2]+" returns "+text, c[1]) {
			t.Errorf("%s: the contract in %s differs", c[2], assemblyFile)
		}
	}
	if n := strings.Count(string(assembly), "\nTEXT "); n != len(found) || n == 0 {
		t.Errorf("%d functions, %d contracts", n, len(found))
	}
}
