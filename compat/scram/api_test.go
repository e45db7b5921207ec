package scram_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	xdg "github.com/xdg-go/scram"

	"github.com/fastrsa/fastrsa/compat/scram"
)

// exported are the identifiers of xdg-go/scram v1.4.0, there and here. Both packages
// have the same name, so the names of types can be compared as they are.
var exported = map[string][2]any{
	"ChannelBinding":                     {xdg.ChannelBinding{}, scram.ChannelBinding{}},
	"ChannelBindingNone":                 {xdg.ChannelBindingNone, scram.ChannelBindingNone},
	"ChannelBindingTLSExporter":          {xdg.ChannelBindingTLSExporter, scram.ChannelBindingTLSExporter},
	"ChannelBindingTLSServerEndpoint":    {xdg.ChannelBindingTLSServerEndpoint, scram.ChannelBindingTLSServerEndpoint},
	"ChannelBindingTLSUnique":            {xdg.ChannelBindingTLSUnique, scram.ChannelBindingTLSUnique},
	"ChannelBindingType":                 {xdg.ChannelBindingType(""), scram.ChannelBindingType("")},
	"Client":                             {(*xdg.Client)(nil), (*scram.Client)(nil)},
	"ClientConversation":                 {(*xdg.ClientConversation)(nil), (*scram.ClientConversation)(nil)},
	"CredentialLookup":                   {xdg.CredentialLookup(nil), scram.CredentialLookup(nil)},
	"ErrChannelBindingNotSupported":      {xdg.ErrChannelBindingNotSupported, scram.ErrChannelBindingNotSupported},
	"ErrChannelBindingsDontMatch":        {xdg.ErrChannelBindingsDontMatch, scram.ErrChannelBindingsDontMatch},
	"ErrExtensionsNotSupported":          {xdg.ErrExtensionsNotSupported, scram.ErrExtensionsNotSupported},
	"ErrInvalidEncoding":                 {xdg.ErrInvalidEncoding, scram.ErrInvalidEncoding},
	"ErrInvalidProof":                    {xdg.ErrInvalidProof, scram.ErrInvalidProof},
	"ErrInvalidUsernameEncoding":         {xdg.ErrInvalidUsernameEncoding, scram.ErrInvalidUsernameEncoding},
	"ErrNoResources":                     {xdg.ErrNoResources, scram.ErrNoResources},
	"ErrOtherError":                      {xdg.ErrOtherError, scram.ErrOtherError},
	"ErrServerDoesSupportChannelBinding": {xdg.ErrServerDoesSupportChannelBinding, scram.ErrServerDoesSupportChannelBinding},
	"ErrUnknownUser":                     {xdg.ErrUnknownUser, scram.ErrUnknownUser},
	"ErrUnsupportedChannelBindingType":   {xdg.ErrUnsupportedChannelBindingType, scram.ErrUnsupportedChannelBindingType},
	"HashGeneratorFcn":                   {xdg.HashGeneratorFcn(nil), scram.HashGeneratorFcn(nil)},
	"KeyFactors":                         {xdg.KeyFactors{}, scram.KeyFactors{}},
	"NewTLSExporterBinding":              {xdg.NewTLSExporterBinding, scram.NewTLSExporterBinding},
	"NewTLSServerEndpointBinding":        {xdg.NewTLSServerEndpointBinding, scram.NewTLSServerEndpointBinding},
	"NewTLSUniqueBinding":                {xdg.NewTLSUniqueBinding, scram.NewTLSUniqueBinding},
	"NonceGeneratorFcn":                  {xdg.NonceGeneratorFcn(nil), scram.NonceGeneratorFcn(nil)},
	"SHA1":                               {&xdg.SHA1, &scram.SHA1},
	"SHA256":                             {&xdg.SHA256, &scram.SHA256},
	"SHA512":                             {&xdg.SHA512, &scram.SHA512},
	"Server":                             {(*xdg.Server)(nil), (*scram.Server)(nil)},
	"ServerConversation":                 {(*xdg.ServerConversation)(nil), (*scram.ServerConversation)(nil)},
	"StoredCredentials":                  {xdg.StoredCredentials{}, scram.StoredCredentials{}},
}

// Constants without a type have to stay so.
const _ = scram.ErrInvalidProof + "x"

// TestSameAPI compares the types of all identifiers, methods and fields.
func TestSameAPI(t *testing.T) {
	for name, v := range exported {
		a, b := reflect.TypeOf(v[0]), reflect.TypeOf(v[1])
		if a.String() != b.String() || a.Kind() != b.Kind() {
			t.Errorf("%s: %v, %v there", name, b, a)
			continue
		}
		if k := a.Kind(); k == reflect.String && reflect.ValueOf(v[0]).String() != reflect.ValueOf(v[1]).String() {
			t.Errorf("%s: %q, %q there", name, v[1], v[0])
		}
		for i := range a.NumMethod() {
			m := a.Method(i)
			own, ok := b.MethodByName(m.Name)
			if !ok || own.Type.String() != m.Type.String() {
				t.Errorf("%s.%s: %v, %v there", name, m.Name, own.Type, m.Type)
			}
		}
		switch a.Kind() {
		case reflect.Func:
			// Named function types print as their name only.
			if x, y := signature(a), signature(b); x != y {
				t.Errorf("%s: %s, %s there", name, y, x)
			}
		case reflect.Struct:
			if a.Comparable() && !b.Comparable() {
				t.Errorf("%s cannot be compared", name)
			}
			if a.NumField() != b.NumField() {
				t.Errorf("%s: %d fields, %d there: literals without names break", name, b.NumField(), a.NumField())
				continue
			}
			for i := range a.NumField() {
				f, own := a.Field(i), b.Field(i)
				if f.Name != own.Name || f.Anonymous != own.Anonymous || f.Type.String() != own.Type.String() {
					t.Errorf("%s.%s: %v %v, %v there", name, f.Name, own.Name, own.Type, f.Type)
				}
			}
		}
	}
}

func signature(t reflect.Type) string {
	var s []string
	for in := range t.Ins() {
		s = append(s, in.String())
	}
	s = append(s, "→")
	for out := range t.Outs() {
		s = append(s, out.String())
	}
	return strings.Join(s, " ")
}

// TestSameAPIIsComplete reads the declarations of xdg-go/scram and wants all of them
// in the table above.
func TestSameAPIIsComplete(t *testing.T) {
	file, _ := runtime.FuncForPC(reflect.ValueOf(xdg.NewTLSUniqueBinding).Pointer()).FileLine(0)
	dir := filepath.Dir(file)
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		t.Skip("the source of github.com/xdg-go/scram is not where the compiler found it (built with -trimpath?)")
	}
	found := map[string]bool{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					found[d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						found[s.Name.Name] = true
					case *ast.ValueSpec:
						for _, n := range s.Names {
							found[n.Name] = true
						}
					}
				}
			}
		}
	}
	maps.DeleteFunc(found, func(name string, _ bool) bool { return !ast.IsExported(name) })
	a, b := slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(exported))
	if !slices.Equal(a, b) {
		t.Errorf("xdg-go/scram exports %v, the table has %v", a, b)
	}
}
