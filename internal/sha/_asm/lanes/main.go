// Command lanes writes the amd64 kernels of package sha that run one stream in each lane
// of a vector. Run it through go generate in that package.
//
// The contract of each kernel is the doc comment of its Go declaration. The generator
// copies it from there, so that the two cannot drift apart.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"regexp"
	"strings"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

// b is the file in the making.
var b = build.NewContext()

func main() {
	log.SetFlags(0)
	log.SetPrefix("sha/_asm/lanes: ")
	decl := flag.String("decl", "", "Go file with the declarations")
	out := flag.String("asm", "", "assembly file to write")
	flag.Parse()

	b.ConstraintExpr("!purego")
	lanes1()
	lanes256()
	lanes512()

	file, err := b.Result()
	if errs, ok := err.(build.ErrorList); ok {
		for _, e := range errs {
			log.Print(e)
		}
	}
	if err != nil {
		log.Fatal(err)
	}
	if err := pass.Compile.Execute(file); err != nil {
		log.Fatal(err)
	}
	cfg := printer.Config{Name: "avo", Argv: []string{"go", "generate"}, Pkg: "sha"}
	text, err := printer.NewGoAsm(cfg).Print(file)
	if err != nil {
		log.Fatal(err)
	}
	text, err = addContracts(text, *decl)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*out, text, 0o666); err != nil {
		log.Fatal(err)
	}
}

// addContracts puts the doc comments of the declarations in the Go file decl in front of
// the functions in text, and their signatures in place of those that the generator knows,
// which have no types of the package.
func addContracts(text []byte, decl string) ([]byte, error) {
	src, err := os.ReadFile(decl)
	if err != nil {
		return nil, err
	}
	f, err := parser.ParseFile(token.NewFileSet(), decl, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body != nil || fn.Doc == nil {
			continue
		}
		var doc bytes.Buffer
		for _, c := range fn.Doc.List {
			if !strings.HasPrefix(c.Text, "//go:") {
				fmt.Fprintln(&doc, c.Text)
			}
		}
		head := regexp.MustCompile(`(?m)^// func ` + fn.Name.Name + `\(.*$`)
		if len(head.FindAll(text, -1)) != 1 {
			return nil, fmt.Errorf("%s is declared but not generated", fn.Name.Name)
		}
		signature := src[fn.Type.Pos()-f.FileStart : fn.Type.End()-f.FileStart]
		text = head.ReplaceAllLiteral(text, fmt.Appendf(nil, "%s// %s", doc.Bytes(), signature))
	}
	return text, nil
}
