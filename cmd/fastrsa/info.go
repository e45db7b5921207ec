package main

import (
	"crypto/fips140"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"golang.org/x/sys/cpu"

	"github.com/fastrsa/fastrsa/bigmod"
)

var infoCommand = &command{
	name:    "info",
	args:    "[-json] [KEYFILE]",
	summary: "say what is running here, or examine keys",
	help: `Without KEYFILE, info prints versions, and the processor features and settings
that decide which code runs.

With KEYFILE ("-": standard input), it describes the RSA keys in it and looks
for known weaknesses: public and private keys, certificates and requests, PEM or
DER; a JWK or a JWK set. It never prints private values.

Exit status: 0 no finding is an error; 1 the output cannot be written; 2
unreadable or bad input, or no RSA key found; 3 some finding is an error.
`,
	run: runInfo,
}

// info is what the command info prints. The names are part of its output.
type info struct {
	Module     string    `json:"module"`
	Version    string    `json:"version"`
	Revision   string    `json:"revision,omitempty"`
	Modified   bool      `json:"modified,omitempty"`
	Go         string    `json:"go"`
	GOOS       string    `json:"goos"`
	GOARCH     string    `json:"goarch"`
	CPU        string    `json:"cpu,omitempty"`
	GOMAXPROCS int       `json:"gomaxprocs"`
	Features   []feature `json:"features"`
	GODEBUG    string    `json:"godebug"`
	FIPS140    bool      `json:"fips140"`
	Kernel     string    `json:"kernel"`
}

// A feature is a processor feature. Has is nil where it can't be found out.
type feature struct {
	Name string `json:"name"`
	Has  *bool  `json:"has"`
}

func runInfo(inv *invocation) int {
	var fs flag.FlagSet
	asJSON := fs.Bool("json", false, "print one JSON object")
	if status, ok := inv.parse(&fs); !ok {
		return status
	}
	if fs.NArg() > 1 {
		return inv.usageError("unexpected argument %q", fs.Arg(1))
	}
	if fs.NArg() == 1 {
		return infoKey(inv, fs.Arg(0), *asJSON)
	}
	i := newInfo()
	var err error
	if *asJSON {
		err = writeJSON(inv.stdout, i)
	} else {
		_, err = inv.stdout.Write([]byte(i.text()))
	}
	if err != nil {
		inv.errorf("%v", err)
		return exitFailure
	}
	return exitOK
}

func newInfo() *info {
	i := &info{
		Module:     "github.com/fastrsa/fastrsa",
		Version:    "(unknown)",
		Go:         runtime.Version(),
		GOOS:       runtime.GOOS,
		GOARCH:     runtime.GOARCH,
		CPU:        cpuName(),
		GOMAXPROCS: runtime.GOMAXPROCS(0),
		Features:   features(),
		GODEBUG:    os.Getenv("GODEBUG"),
		FIPS140:    fips140.Enabled(),
		Kernel:     bigmod.KernelName(),
	}
	if b, ok := debug.ReadBuildInfo(); ok {
		if b.Main.Path == i.Module && b.Main.Version != "" {
			i.Version = b.Main.Version
		}
		for _, d := range b.Deps {
			if d.Path == i.Module {
				i.Version = d.Version
			}
		}
		for _, s := range b.Settings {
			switch s.Key {
			case "vcs.revision":
				i.Revision = s.Value
			case "vcs.modified":
				i.Modified = s.Value == "true"
			case "DefaultGODEBUG":
				// Settings of the environment come last, and win.
				i.GODEBUG = strings.Trim(s.Value+","+i.GODEBUG, ",")
			}
		}
	}
	return i
}

// features returns the features of the processor that matter for the kernels
// and hashes, as far as GODEBUG=cpu.* has not turned them off.
func features() []feature {
	is := func(name string, has bool) feature { return feature{name, &has} }
	switch runtime.GOARCH {
	case "amd64", "386":
		return []feature{
			is("BMI2", cpu.X86.HasBMI2),
			is("ADX", cpu.X86.HasADX),
			is("AVX2", cpu.X86.HasAVX2),
			is("AVX512F", cpu.X86.HasAVX512F),
			is("AVX512IFMA", cpu.X86.HasAVX512IFMA),
			{"SHA-NI", cpuFlag("sha_ni")}, // not in package cpu
		}
	case "arm64":
		return []feature{
			is("ASIMD", cpu.ARM64.HasASIMD),
			is("SHA1", cpu.ARM64.HasSHA1),
			is("SHA2", cpu.ARM64.HasSHA2),
			is("SHA512", cpu.ARM64.HasSHA512),
			is("SHA3", cpu.ARM64.HasSHA3),
			is("SVE2", cpu.ARM64.HasSVE2),
			is("DIT", cpu.ARM64.HasDIT),
		}
	}
	return []feature{}
}

func (i *info) text() string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s %s\n", name, printable(fmt.Sprintf(format, args...)))
	}
	line("module", "%s %s", i.Module, i.Version)
	if i.Revision != "" {
		note := ""
		if i.Modified {
			note = ", with local changes"
		}
		line("revision", "%s%s", i.Revision, note)
	}
	line("go", "%s %s/%s, GOMAXPROCS %d", i.Go, i.GOOS, i.GOARCH, i.GOMAXPROCS)
	if i.CPU != "" {
		line("cpu", "%s", i.CPU)
	}
	var has, hasNot, unknown []string
	for _, f := range i.Features {
		switch {
		case f.Has == nil:
			unknown = append(unknown, f.Name)
		case *f.Has:
			has = append(has, f.Name)
		default:
			hasNot = append(hasNot, f.Name)
		}
	}
	list := func(name string, features []string) {
		if len(features) > 0 {
			line(name, "%s", strings.Join(features, " "))
		}
	}
	list("features", has)
	list("  absent", hasNot)
	list("  unknown", unknown)
	line("kernel", "%s", i.Kernel)
	godebug := i.GODEBUG
	if godebug == "" {
		godebug = "(not set)"
	}
	line("GODEBUG", "%s", godebug)
	if i.FIPS140 {
		line("FIPS 140-3", "on: every operation is handed to crypto/rsa, the kernel is not used")
	} else {
		line("FIPS 140-3", "off")
	}
	return b.String()
}
