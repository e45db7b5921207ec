// Command _asm writes the amd64 kernels of package subtle. Run it through
// go generate in that package.
//
// The contract of each kernel is the doc comment of its Go declaration, which the
// generator copies, so that the two cannot drift apart.
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

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
	. "github.com/mmcloughlin/avo/reg"
)

// b is the file in the making.
var b = build.NewContext()

// An isa is what a difference needs of an instruction set.
type isa struct {
	name  string
	width int           // bytes of a vector
	acc   []VecPhysical // what is or-ed together
	tmp   []VecPhysical

	// load sets t to what memory holds at p[0], xor-ed with all of the other p.
	load func(t, spare VecPhysical, p []Mem)
	// or sets acc to acc | t.
	or func(t, acc VecPhysical)
	// finish moves acc[0] to AX, with its quadwords or-ed together.
	finish func()
}

var sse2 = isa{
	name:  "SSE2",
	width: 16,
	acc:   []VecPhysical{X0, X1, X2, X3},
	tmp:   []VecPhysical{X4, X5, X6, X7},
	load: func(t, spare VecPhysical, p []Mem) {
		b.MOVOU(p[0], t)
		for _, m := range p[1:] {
			b.MOVOU(m, spare)
			b.PXOR(spare, t)
		}
	},
	or: func(t, acc VecPhysical) { b.POR(t, acc) },
	finish: func() {
		b.PSHUFD(Imm(0xee), X0, X1)
		b.POR(X1, X0)
		b.MOVQ(X0, RAX)
	},
}

var avx2 = isa{
	name:  "AVX2",
	width: 32,
	acc:   []VecPhysical{Y0, Y1, Y2, Y3},
	tmp:   []VecPhysical{Y4, Y5, Y6, Y7},
	load: func(t, _ VecPhysical, p []Mem) {
		b.VMOVDQU(p[0], t)
		for _, m := range p[1:] {
			b.VPXOR(m, t, t)
		}
	},
	or: func(t, acc VecPhysical) { b.VPOR(t, acc, acc) },
	finish: func() {
		b.VEXTRACTI128(Imm(1), Y0, X1)
		b.VPOR(X1, X0, X0)
		b.VPSHUFD(Imm(0xee), X0, X1)
		b.VPOR(X1, X0, X0)
		b.VMOVQ(X0, RAX)
		b.VZEROUPPER()
	},
}

// difference emits a kernel. It takes four vectors of each operand at a time. What
// is left at the end, at most that much, is taken as the last four vectors, some
// bytes of which may have been seen before.
func (s isa) difference(name, signature string, params []string) {
	b.Function(name)
	b.Attributes(attr.NOSPLIT)
	b.SignatureExpr(signature)
	regs := []GPPhysical{RSI, RDI, RBX}[:len(params)]
	for i, p := range params {
		b.Load(b.Param(p), regs[i])
	}
	b.Load(b.Param("n"), RCX)
	step := 4 * s.width

	vector := func(i int, at func(r GPPhysical) Mem) {
		p := make([]Mem, len(regs))
		for j, r := range regs {
			p[j] = at(r)
		}
		t := s.tmp[i]
		s.load(t, X8, p)
		s.or(t, s.acc[i])
	}

	for _, a := range s.acc {
		if s.width == 16 {
			b.PXOR(a, a)
		} else {
			b.VPXOR(a, a, a)
		}
	}
	b.SUBQ(U32(uint32(step)), RCX)
	b.JLE(LabelRef("last"))
	b.Label("loop")
	for i := range s.acc {
		vector(i, func(r GPPhysical) Mem { return Mem{Base: r, Disp: i * s.width} })
	}
	for _, r := range regs {
		b.ADDQ(U32(uint32(step)), r)
	}
	b.SUBQ(U32(uint32(step)), RCX)
	b.JGT(LabelRef("loop"))
	// CX is now what is left less a step: the distance from here to the last vectors.
	b.Label("last")
	for i := range s.acc {
		vector(i, func(r GPPhysical) Mem { return Mem{Base: r, Index: RCX, Scale: 1, Disp: i * s.width} })
	}
	s.or(s.acc[1], s.acc[0])
	s.or(s.acc[3], s.acc[2])
	s.or(s.acc[2], s.acc[0])
	s.finish()
	b.Store(RAX, b.ReturnIndex(0))
	b.RET()
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("compat/subtle/_asm: ")
	decl := flag.String("decl", "", "Go file with the declarations")
	out := flag.String("asm", "", "assembly file to write")
	flag.Parse()

	b.ConstraintExpr("!purego")
	for _, s := range []isa{sse2, avx2} {
		s.difference("diff"+s.name, "func(x, y *byte, n int) uint64", []string{"x", "y"})
		s.difference("diffMask"+s.name, "func(x, y, mask *byte, n int) uint64", []string{"x", "y", "mask"})
	}

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
	cfg := printer.Config{Name: "avo", Argv: []string{"go", "generate"}, Pkg: "subtle"}
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
			if c.Text != "//go:noescape" {
				fmt.Fprintln(&doc, c.Text)
			}
		}
		head := []byte("// func " + fn.Name.Name + "(")
		if bytes.Count(text, head) != 1 {
			return nil, fmt.Errorf("%s is declared but not generated", fn.Name.Name)
		}
		contract := append(bytes.TrimSuffix(doc.Bytes(), []byte("//\n")), "//\n"...)
		text = bytes.Replace(text, head, append(contract, head...), 1)
	}
	return text, nil
}
