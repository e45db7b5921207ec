package bigmod

import (
	"go/types"
	"strings"
	"testing"

	"github.com/fastrsa/fastrsa/internal/stdapi"
)

// TestAPIEqualsStandardLibrary finds every exported function, type and method of
// crypto/internal/fips140/bigmod in this package, with the same signature, for
// every supported Go release that is installed. The result type choice, which
// upstream does not export, is Choice here.
func TestAPIEqualsStandardLibrary(t *testing.T) {
	roots, err := stdapi.GOROOTs()
	if err != nil {
		t.Fatal(err)
	}
	for version, goroot := range roots {
		t.Run(version, func(t *testing.T) {
			im := stdapi.NewImporter(goroot)
			std, err := im.Import("crypto/internal/fips140/bigmod")
			if err != nil {
				t.Fatal(err)
			}
			ours, err := im.Load("github.com/fastrsa/fastrsa/bigmod", ".")
			if err != nil {
				t.Fatal(err)
			}
			want, got := api(std), api(ours)
			if want["(*Nat).Exp"] == "" || got["(*Nat).Exp"] == "" {
				t.Fatalf("the API read from %s has %d entries, ours %d, and Exp is not among them", goroot, len(want), len(got))
			}
			for name, signature := range want {
				signature = strings.ReplaceAll(signature, "choice", "Choice")
				if got[name] == "" {
					t.Errorf("%s is missing: %s", name, signature)
				} else if got[name] != signature {
					t.Errorf("%s is %s, want %s", name, got[name], signature)
				}
			}
		})
	}
}

// api returns the exported identifiers of pkg, with methods, and their types.
func api(pkg *types.Package) map[string]string {
	names := make(map[string]string)
	for _, name := range pkg.Scope().Names() {
		obj := pkg.Scope().Lookup(name)
		if !obj.Exported() {
			continue
		}
		typeName, ok := obj.(*types.TypeName)
		if !ok {
			names[name] = signature(obj)
			continue
		}
		names[name] = "type"
		methods := types.NewMethodSet(types.NewPointer(typeName.Type()))
		for method := range methods.Methods() {
			if method.Obj().Exported() {
				names["(*"+name+")."+method.Obj().Name()] = signature(method.Obj())
			}
		}
	}
	return names
}

// signature returns the type of obj without the names of parameters and results
// and without the name of its own package.
func signature(obj types.Object) string {
	typ := obj.Type()
	if sig, ok := typ.(*types.Signature); ok {
		unnamed := func(tuple *types.Tuple) *types.Tuple {
			var vars []*types.Var
			for v := range tuple.Variables() {
				vars = append(vars, types.NewParam(v.Pos(), v.Pkg(), "", v.Type()))
			}
			return types.NewTuple(vars...)
		}
		typ = types.NewSignatureType(nil, nil, nil, unnamed(sig.Params()), unnamed(sig.Results()), sig.Variadic())
	}
	return types.TypeString(typ, types.RelativeTo(obj.Pkg()))
}
