package subtle

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"runtime"
	"testing"

	"github.com/fastrsa/fastrsa/internal/stdapi"
)

// TestAPIEqualsStandardLibrary finds every exported identifier of crypto/subtle in
// this package, with the identical type, for every supported Go release that is
// installed, or with -short for the one that runs.
func TestAPIEqualsStandardLibrary(t *testing.T) {
	t.Parallel()
	roots, err := stdapi.GOROOTs()
	if err != nil {
		t.Fatal(err)
	}
	for version, goroot := range roots {
		if testing.Short() && version != runtime.Version() {
			continue
		}
		t.Run(version, func(t *testing.T) {
			im := stdapi.NewImporter(goroot)
			std, err := im.Import("crypto/subtle")
			if err != nil {
				t.Fatal(err)
			}
			ours, err := im.Load("github.com/fastrsa/fastrsa/compat/subtle", ".")
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"ConstantTimeCompare", "XORBytes", "WithDataIndependentTiming"} {
				if std.Scope().Lookup(name) == nil {
					t.Errorf("%s is not in what was read from %s", name, goroot)
				}
			}
			for _, problem := range compareAPI(std, ours) {
				t.Error(problem)
			}
		})
	}
}

// compareAPI returns what ours lacks of std's exported API, which consists of
// functions on basic types alone.
func compareAPI(std, ours *types.Package) (problems []string) {
	for _, name := range std.Scope().Names() {
		want, got := std.Scope().Lookup(name), ours.Scope().Lookup(name)
		if !want.Exported() {
			continue
		}
		_, wantFunc := want.(*types.Func)
		_, gotFunc := got.(*types.Func)
		switch {
		case !wantFunc:
			problems = append(problems, fmt.Sprintf("%s is not a function, which this test does not compare", name))
		case !gotFunc:
			problems = append(problems, fmt.Sprintf("func %s is missing", name))
		case !types.Identical(got.Type(), want.Type()):
			problems = append(problems, fmt.Sprintf("%s is %v, want %v", name, got.Type(), want.Type()))
		}
	}
	return problems
}

// TestAPIComparisonNoticesDifferences gives compareAPI packages that differ.
func TestAPIComparisonNoticesDifferences(t *testing.T) {
	t.Parallel()
	check := func(src string) *types.Package {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "p.go", "package p; "+src, 0)
		if err != nil {
			t.Fatal(err)
		}
		pkg, err := new(types.Config).Check("p", fset, []*ast.File{f}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return pkg
	}
	std := check("func F(x, y []byte) int { return 0 }; func g() {}")
	for src, problems := range map[string]int{
		"func F(a, b []byte) int { return 0 }; func More() {}": 0,
		"func F(x, y []byte) bool { return true }":             1,
		"func F(x, y string) int { return 0 }":                 1,
		"var F = func(x, y []byte) int { return 0 }":           1,
		"func G(x, y []byte) int { return 0 }":                 1,
	} {
		if got := compareAPI(std, check(src)); len(got) != problems {
			t.Errorf("%s: %q, want %d problems", src, got, problems)
		}
	}
}
