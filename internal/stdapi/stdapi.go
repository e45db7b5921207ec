// Package stdapi reads the declarations of packages from the source of the Go
// releases that are installed, so that their exported API can be compared with
// this module's.
package stdapi

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// An Importer type-checks declarations, not function bodies, of packages in one
// GOROOT. Packages outside the standard library are left empty, so a declaration
// that needs one has an invalid type, which no comparison accepts.
type Importer struct {
	goroot   string
	fset     *token.FileSet
	packages map[string]*types.Package
}

// NewImporter returns an Importer for the release in goroot.
func NewImporter(goroot string) *Importer {
	return &Importer{goroot, token.NewFileSet(), map[string]*types.Package{"unsafe": types.Unsafe}}
}

// Import implements [types.Importer]. It finds internal packages too.
func (im *Importer) Import(path string) (*types.Package, error) {
	if pkg := im.packages[path]; pkg != nil {
		return pkg, nil
	}
	for _, src := range []string{"src", "src/vendor"} {
		dir := filepath.Join(im.goroot, filepath.FromSlash(src), filepath.FromSlash(path))
		if _, err := os.Stat(dir); err == nil {
			return im.Load(path, dir)
		}
	}
	pkg := types.NewPackage(path, path[strings.LastIndexByte(path, '/')+1:])
	pkg.MarkComplete()
	im.packages[path] = pkg
	return pkg, nil
}

// Load type-checks the package in dir as the one with the given import path.
// Errors inside it are not fatal: a newer release's library may use syntax that
// this release's checker does not know.
func (im *Importer) Load(path, dir string) (*types.Package, error) {
	ctxt := build.Default
	ctxt.GOROOT = im.goroot
	ctxt.CgoEnabled = false
	bp, err := ctxt.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range bp.GoFiles {
		f, err := parser.ParseFile(im.fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if f == nil {
			return nil, err
		}
		files = append(files, f)
	}
	conf := types.Config{
		Importer:         im,
		Sizes:            types.SizesFor("gc", runtime.GOARCH),
		IgnoreFuncBodies: true,
		FakeImportC:      true,
		Error:            func(error) {},
	}
	pkg, _ := conf.Check(path, im.fset, files, nil)
	if pkg == nil {
		return nil, fmt.Errorf("%s: cannot be type-checked", path)
	}
	im.packages[path] = pkg
	return pkg, nil
}

var supported = regexp.MustCompile(`^(v[0-9.]+-)?go1\.2[67](\.|$)`)

// GOROOTs returns the GOROOT of the running release, and of each other supported
// one that the go command has downloaded, by version.
func GOROOTs() (map[string]string, error) {
	out, err := exec.Command("go", "env", "-json", "GOROOT", "GOMODCACHE").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	var env struct{ GOROOT, GOMODCACHE string }
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, err
	}
	roots := map[string]string{runtime.Version(): env.GOROOT}
	suffix := "." + runtime.GOOS + "-" + runtime.GOARCH
	found, err := filepath.Glob(filepath.Join(env.GOMODCACHE, "golang.org", "toolchain@*"+suffix))
	if err != nil {
		return nil, err
	}
	for _, dir := range found {
		version := strings.TrimPrefix(strings.TrimSuffix(filepath.Base(dir), suffix), "toolchain@")
		if !supported.MatchString(version) {
			continue
		}
		if _, version, ok := strings.Cut(version, "-"); ok && version != runtime.Version() {
			roots[version] = dir
		}
	}
	return roots, nil
}
