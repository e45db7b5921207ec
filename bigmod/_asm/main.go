// Command _asm writes the amd64 kernels of package bigmod. Run it through
// go generate in that package.
//
// The contract of each kernel is the doc comment of its Go declaration. The
// generator copies it from there, so that the two cannot drift apart.
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
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

// b is the file in the making.
var b = build.NewContext()

// function starts an assembly function.
func function(name, signature string) {
	b.Function(name)
	b.Attributes(attr.NOSPLIT)
	b.SignatureExpr(signature)
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("bigmod/_asm: ")
	decl := flag.String("decl", "", "Go files with the declarations, separated by commas")
	out := flag.String("asm", "", "assembly file to write")
	flag.Parse()

	b.ConstraintExpr("!purego")
	mulADX()
	sqrADX()
	montReduceADX()
	sqrADX16()
	montReduceADX16()
	montMulADX()
	montSqrsADX()
	montMulADX16()
	montSqrsADX16()
	reduceTopADX()
	selectADX()
	mulBase()
	sqrBase()
	montReduceBase()
	reduceStepBase()
	selectBase()
	pair.montMul()
	pair.montSqrs(pair.squarePair)
	quad.montMul()
	quad.montSqrs(quad.squareQuad)
	quad3.montMul()
	quad3.montSqrs(quad3.squareQuad)
	selectPair()
	vaes()

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
	cfg := printer.Config{Name: "avo", Argv: []string{"go", "generate"}, Pkg: "bigmod"}
	text, err := printer.NewGoAsm(cfg).Print(file)
	if err != nil {
		log.Fatal(err)
	}
	for name := range strings.SplitSeq(*decl, ",") {
		text, err = addContracts(text, name)
		if err != nil {
			log.Fatal(err)
		}
	}
	if err := os.WriteFile(*out, text, 0o666); err != nil {
		log.Fatal(err)
	}
}

// addContracts puts the doc comments of the declarations in the Go file decl in
// front of the functions in text.
func addContracts(text []byte, decl string) ([]byte, error) {
	f, err := parser.ParseFile(token.NewFileSet(), decl, nil, parser.ParseComments|parser.SkipObjectResolution)
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
		head := []byte("// func " + fn.Name.Name + "(")
		if bytes.Count(text, head) != 1 {
			return nil, fmt.Errorf("%s is declared but not generated", fn.Name.Name)
		}
		text = bytes.Replace(text, head, append(append(bytes.TrimSuffix(doc.Bytes(), []byte("//\n")), "//\n"...), head...), 1)
	}
	return text, nil
}
