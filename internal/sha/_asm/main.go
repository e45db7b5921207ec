// Command _asm writes the amd64 kernels of package sha for one stream and for two, and
// the compression functions. Run it through go generate in that package.
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
	"go/types"
	"log"
	"os"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/gotypes"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
	"github.com/mmcloughlin/avo/reg"
)

// b is the file in the making.
var b = build.NewContext()

func main() {
	log.SetFlags(0)
	log.SetPrefix("sha/_asm: ")
	decl := flag.String("decl", "", "Go file with the declarations")
	out := flag.String("asm", "", "assembly file to write")
	flag.Parse()

	b.ConstraintExpr("!purego")
	loop1("loop1x1SHANI", 1)
	loop1("loop1x2SHANI", 2)
	blocks1SHANI()
	loop256("loop256x1SHANI", 1, false)
	loop256("loop256x2SHANI", 2, false)
	loop256("loop256x1TrimSHANI", 1, true)
	loop256("loop256x2TrimSHANI", 2, true)
	blocks256SHANI()
	loop512("loop512x1AVX", false)
	loop512("loop512x1TrimAVX", true)
	blocks512AVX()
	cpuid()

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

// function starts an assembly function.
func function(name, signature string) {
	b.Function(name)
	b.Attributes(attr.NOSPLIT)
	sig, err := gotypes.ParseSignatureInPackage(pkg, signature)
	if err != nil {
		log.Fatal(err)
	}
	b.Signature(sig)
}

// pkg stands for package sha. Only pointers to its types occur in signatures.
var pkg = func() *types.Package {
	p := types.NewPackage("sha", "sha")
	for _, name := range []string{"Stream1", "Stream256", "Stream512", "Trim256", "Trim512"} {
		t := types.NewTypeName(token.NoPos, p, name, nil)
		types.NewNamed(t, types.NewStruct(nil, nil), nil)
		p.Scope().Insert(t)
	}
	p.MarkComplete()
	return p
}()

// param loads the parameter, a pointer or a number, into a register.
func param(name string, r reg.Register) {
	b.Load(b.Param(name), r)
}

// mem is the operand at disp(base).
func mem(base reg.Register, disp int) operand.Mem {
	return operand.Mem{Base: base, Disp: disp}
}

// goSymbol is the Go variable of the package, at an offset in bytes.
func goSymbol(name string, disp int) operand.Mem {
	return operand.NewDataAddr(operand.Symbol{Name: "·" + name}, disp)
}

// align starts the code that follows at a multiple of 32 bytes.
func align() {
	b.Instruction(&ir.Instruction{Opcode: "PCALIGN", Operands: []operand.Op{operand.U64(32)}})
}

// cpuid writes the function that asks for a leaf of CPUID.
func cpuid() {
	function("cpuid7", "func() (ebx uint32)")
	b.MOVL(operand.U32(7), reg.EAX)
	b.XORL(reg.ECX, reg.ECX)
	b.CPUID()
	b.Store(reg.EBX, b.Return("ebx"))
	b.RET()
}
