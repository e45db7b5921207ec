package rsa_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	stdrsa "crypto/rsa"

	"github.com/fastrsa/fastrsa/internal/stdapi"
	"github.com/fastrsa/fastrsa/rsa"
)

// TestAPIEqualsStandardLibrary finds every exported identifier of crypto/rsa in
// this package, with the identical type, for every supported Go release that
// is installed.
func TestAPIEqualsStandardLibrary(t *testing.T) {
	t.Parallel()
	roots, err := stdapi.GOROOTs()
	if err != nil {
		t.Fatal(err)
	}
	for version, goroot := range roots {
		t.Run(version, func(t *testing.T) {
			im := stdapi.NewImporter(goroot)
			std, err := im.Import("crypto/rsa")
			if err != nil {
				t.Fatal(err)
			}
			ours, err := im.Load("github.com/fastrsa/fastrsa/rsa", ".")
			if err != nil {
				t.Fatal(err)
			}
			if std.Scope().Lookup("PublicKey") == nil {
				t.Fatalf("nothing read from %s", goroot)
			}
			for _, problem := range compareAPI(std, ours) {
				t.Error(problem)
			}
		})
	}
}

// compareAPI returns what ours lacks of std's exported API.
func compareAPI(std, ours *types.Package) (problems []string) {
	report := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	for _, name := range std.Scope().Names() {
		want, got := std.Scope().Lookup(name), ours.Scope().Lookup(name)
		switch {
		case !want.Exported():
			continue
		case got == nil:
			report("%s is missing", name)
			continue
		case hasInvalid(want.Type()) || hasInvalid(got.Type()):
			report("%s could not be type-checked: %v, %v", name, want.Type(), got.Type())
			continue
		case !types.Identical(types.Unalias(got.Type()), types.Unalias(want.Type())):
			report("%s has type %v, want %v", name, got.Type(), want.Type())
			continue
		}
		switch want := want.(type) {
		case *types.TypeName:
			if got, ok := got.(*types.TypeName); !ok || !got.IsAlias() {
				report("type %s is not an alias", name)
			}
		case *types.Const:
			if got, ok := got.(*types.Const); !ok || !constant.Compare(got.Val(), token.EQL, want.Val()) {
				report("const %s is %v, want %v", name, got, want.Val())
			}
		case *types.Func:
			if _, ok := got.(*types.Func); !ok {
				report("%s is not a function", name)
			}
		case *types.Var:
			if _, ok := got.(*types.Var); !ok {
				report("%s is not a variable", name)
			}
		}
	}
	return problems
}

// hasInvalid reports whether the type, or a parameter or result of a function
// type, is invalid.
func hasInvalid(typ types.Type) bool {
	switch t := types.Unalias(typ).(type) {
	case *types.Basic:
		return t.Kind() == types.Invalid
	case *types.Pointer:
		return hasInvalid(t.Elem())
	case *types.Slice:
		return hasInvalid(t.Elem())
	case *types.Tuple:
		for v := range t.Variables() {
			if hasInvalid(v.Type()) {
				return true
			}
		}
	case *types.Signature:
		return hasInvalid(t.Params()) || hasInvalid(t.Results())
	}
	return false
}

// TestAPIComparisonNoticesDifferences gives compareAPI packages that differ.
func TestAPIComparisonNoticesDifferences(t *testing.T) {
	t.Parallel()
	check := func(path, src string, imports ...*types.Package) *types.Package {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "p.go", src, 0)
		if err != nil {
			t.Fatal(err)
		}
		conf := types.Config{Error: func(error) {}, Importer: importerFunc(func(string) (*types.Package, error) {
			if len(imports) == 0 {
				return nil, errors.New("no such package")
			}
			return imports[0], nil
		})}
		pkg, _ := conf.Check(path, fset, []*ast.File{f}, nil)
		return pkg
	}
	std := check("std", "package std; type T struct{}; const C = 1; var V error; func F(T) int { return 0 }")
	for src, problems := range map[string]int{
		"type T = std.T; const C = 1; var V error; func F(std.T) int { return 0 }":                      0,
		"type T = std.T; const C = 1; var V error; func F(std.T) int { return 0 }; func Other()":        0,
		"type T = std.T; const C = 1; var V error":                                                      1,
		"type T std.T; const C = 1; var V error; func F(std.T) int { return 0 }":                        1,
		"type T = std.T; const C = 2; var V error; func F(std.T) int { return 0 }":                      1,
		"type T = std.T; const C int = 1; var V error; func F(std.T) int { return 0 }":                  1,
		"type T = std.T; var C = 1; var V error; func F(std.T) int { return 0 }":                        1,
		"type T = std.T; const C = 1; var V interface{ Error() int }; func F(std.T) int { return 0 }":   1,
		"type T = std.T; const C = 1; var V error; func F(*std.T) int { return 0 }":                     1,
		"type T = std.T; const C = 1; var V error; func F(std.T) missing { return 0 }":                  1,
		"type T = std.T; const C = 1; var V error; var F = func(std.T) int { return 0 }":                1,
		"type T = std.T; const C = 1; func V() error { return nil }; func F(std.T) int { return 0 }":    1,
		"type T struct{}; const C = 1; var V error; func F(T) int { return 0 }; var _ = std.C":          2,
		"type T = struct{}; const C = 1; var V error; func F(std.T, ...int) int { return 0 }":           2,
		"const C = 1; var V error; func F(t std.T) (n int) { return 0 }; type T = std.T; var _ = std.V": 0,
	} {
		ours := check("ours", `package ours; import "std"; `+src, std)
		if got := compareAPI(std, ours); len(got) != problems {
			t.Errorf("%s: %q, want %d problems", src, got, problems)
		}
	}
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// The error values are those of crypto/rsa, not copies with the same text.
func TestErrorValuesAreShared(t *testing.T) {
	t.Parallel()
	for _, e := range [][2]error{
		{rsa.ErrDecryption, stdrsa.ErrDecryption},
		{rsa.ErrMessageTooLong, stdrsa.ErrMessageTooLong},
		{rsa.ErrVerification, stdrsa.ErrVerification},
	} {
		if e[0] != e[1] {
			t.Errorf("%q is not crypto/rsa's %q", e[0], e[1])
		}
	}
}
