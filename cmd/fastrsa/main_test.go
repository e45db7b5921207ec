package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// runCommand runs the command in this process.
func runCommand(stdin string, args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = run(context.Background(), args, strings.NewReader(stdin), &out, &errs)
	return status, out.String(), errs.String()
}

// masks replace what differs from run to run.
var masks = []struct {
	re   *regexp.Regexp
	repl string
}{
	{regexp.MustCompile(`(ok|bad|refused|other) +[0-9.]+(ns|µs|ms|s)\b`), "$1 TIME"},
	{regexp.MustCompile(`(?m) +[0-9.>]+x$`), " RATIO"},
	{regexp.MustCompile(`together [0-9.]+(ns|µs|ms|s) and [0-9.]+(ns|µs|ms|s),`), "together TIME and TIME,"},
	{regexp.MustCompile(`"ns": [0-9]+`), `"ns": TIME`},
	{regexp.MustCompile(`"speedup": [0-9.e+-]+`), `"speedup": RATIO`},
}

func mask(s string) string {
	for _, m := range masks {
		s = m.re.ReplaceAllString(s, m.repl)
	}
	return s
}

// TestGolden compares what the command prints for the files in testdata with
// what it is known to print. The times are masked.
func TestGolden(t *testing.T) {
	t.Chdir("testdata")
	for _, tt := range []struct{ name, args string }{
		{"usage", "help"},
		{"help-verify", "help verify"},
		{"help-bench", "bench -h"},
		{"help-info", "info -h"},
		{"matrix-pkcs1", "verify -rounds 1 matrix-pkcs1.pem"},
		{"matrix-pss", "verify -rounds 1 matrix-pss.pem"},
		{"hashes", "verify -rounds 1 hashes.pem"},
		{"pss-odd", "verify -rounds 1 pss-odd.pem"},
		{"chain", "verify -rounds 1 leaf.pem root.der chain.pem"},
		{"leaf", "verify -rounds 1 leaf.pem"},
		{"leaf-json", "verify -rounds 1 -json leaf.pem"},
		{"other", "verify -rounds 1 other.pem"},
		{"other-json", "verify -rounds 1 -json other.pem"},
		{"negative", "verify -rounds 1 negative.pem"},
		{"bad", "verify -rounds 1 bad.pem"},
		{"csr-crl", "verify -rounds 1 csr.pem crl.pem crl.der chain.pem"},
		{"crl-alone", "verify -rounds 1 crl.pem crl.der"},
		{"keys", "verify -rounds 1 key.pem key.der key-pkcs1.pem"},
		{"rfc7515", "verify -rounds 1 -key rfc7515-a2.jwk rfc7515-a2.jws"},
		{"rfc7520", "verify -rounds 1 -key rfc7520-3.3.jwks rfc7520-4.1.jws rfc7520-4.2.jws"},
		{"rfc7520-json", "verify -rounds 1 -json -key rfc7520-3.3.jwks rfc7520-4.1.jws rfc7520-4.2.jws"},
		{"no-kid", "verify -rounds 1 -key rfc7520-3.3.jwks rfc7515-a2.jws"},
		{"no-key", "verify -rounds 1 rfc7515-a2.jws"},
		{"wrong-key", "verify -rounds 1 -key key.pem rfc7515-a2.jws"},
		{"detached-raw", "verify -rounds 1 -key key.pem -sig v15-sha256.sig message.txt"},
		{"detached-hex", "verify -rounds 1 -key key.der -hash sha3-384 -sig v15-sha3-384.hex message.txt"},
		{"detached-base64", "verify -rounds 1 -key key-pkcs1.pem -hash sha512 -pss -sig pss-sha512.b64 message.txt"},
		{"detached-wrong-hash", "verify -rounds 1 -key key.pem -hash sha384 -sig v15-sha256.sig message.txt"},
		{"info-public", "info key.pem"},
		{"info-pkcs1", "info key-pkcs1.pem"},
		{"info-json", "info -json key.der"},
		{"info-private", "info ../keys/rsa1024.pem"},
		{"info-certificates", "info chain.pem"},
		{"info-jwks", "info rfc7520-3.3.jwks"},
		{"info-jwks-json", "info -json rfc7520-3.3.jwks"},
		{"info-roca", "info roca.jwk"},
		{"info-roca-json", "info -json roca.jwk"},
		{"info-no-key", "info message.txt"},
		{"info-no-rsa", "info other.pem"},
		{"info-no-rsa-json", "info -json other.pem"},
		{"info-requests", "info csr.pem"},
		{"info-no-file", "info missing.pem"},
		{"everything-json", "verify -rounds 1 -json chain.pem bad.pem csr.pem crl.pem other.pem negative.pem"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, stdout, stderr := runCommand("", strings.Fields(tt.args)...)
			for line := range strings.Lines(stdout) {
				if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 80 && !strings.Contains(tt.args, "-json") {
					t.Errorf("line of %d characters: %s", n, line)
				}
			}
			got := "$ fastrsa " + tt.args + "\n" + mask(stderr) + mask(stdout) +
				"exit " + strconv.Itoa(status) + "\n"
			file := filepath.Join("golden", tt.name+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func TestUsageErrors(t *testing.T) {
	for _, tt := range []struct{ args, want string }{
		{"", "Usage:"},
		{"nonsense", `unknown command "nonsense"`},
		{"help nonsense", `unknown command "nonsense"`},
		{"verify", "no files"},
		{"verify -nonsense", "flag provided but not defined: -nonsense"},
		{"verify -rounds 0 x", "-rounds must be at least 1"},
		{"verify -hash sha257 -sig x -key y z", `unknown hash "sha257"`},
		{"verify -pss x", "-hash and -pss are for detached signatures"},
		{"verify -hash sha256 x", "-hash and -pss are for detached signatures"},
		{"verify -sig x y", "-sig needs -key"},
		{"verify -sig x -key y z z", "-sig is the signature of one file"},
		{"verify - -", "standard input can be read only once"},
		{"verify -key - -", "standard input can be read only once"},
		{"bench x", `unexpected argument "x"`},
		{"bench -bits 2047", `"2047" is none of`},
		{"bench -ops sing", `"sing" is none of`},
		{"bench -time 0s", "-time must be positive"},
		{"info x y", `unexpected argument "y"`},
	} {
		status, stdout, stderr := runCommand("", strings.Fields(tt.args)...)
		if status != 2 || stdout != "" || !strings.Contains(stderr, tt.want) {
			t.Errorf("fastrsa %s: exit %d, stdout %q, stderr %q; want exit 2 and %q on stderr",
				tt.args, status, stdout, stderr, tt.want)
		}
	}
}

// TestManual checks that the package comment and the help name the same flags.
func TestManual(t *testing.T) {
	manual, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split(string(manual), "\n// # ")
	for _, cmd := range commands() {
		var section string
		for _, s := range sections[1:] {
			if strings.EqualFold(strings.Fields(s)[0], cmd.name) {
				section = s
			}
		}
		if section == "" {
			t.Errorf("no section about %s in the package comment", cmd.name)
			continue
		}
		_, help, _ := runCommand("", cmd.name, "-h")
		flags := regexp.MustCompile(`(?m)^  (-[a-z]+)`).FindAllStringSubmatch(help, -1)
		if len(flags) == 0 {
			t.Errorf("%s: no flags in the help", cmd.name)
		}
		for _, f := range flags {
			if !regexp.MustCompile(regexp.QuoteMeta(f[1]) + `\b`).MatchString(section) {
				t.Errorf("%s: the package comment does not mention %s", cmd.name, f[1])
			}
		}
	}
}

func TestInfo(t *testing.T) {
	status, stdout, stderr := runCommand("", "info")
	if status != 0 || stderr != "" {
		t.Fatalf("exit %d, stderr %q", status, stderr)
	}
	for _, name := range []string{"module", "go", "kernel", "GODEBUG", "FIPS 140-3"} {
		if !regexp.MustCompile(`(?m)^` + name + ` +\S`).MatchString(stdout) {
			t.Errorf("no line %q in\n%s", name, stdout)
		}
	}
	var i info
	status, stdout, _ = runCommand("", "info", "-json")
	decodeJSON(t, stdout, &i)
	if status != 0 || i.Module != "github.com/fastrsa/fastrsa" || i.Go == "" || i.Kernel == "" || i.GOMAXPROCS < 1 {
		t.Errorf("exit %d, %+v", status, i)
	}
}

func TestTable(t *testing.T) {
	var b strings.Builder
	columns := []column{
		{title: "A", min: 3, keepEnd: true},
		{title: "BB", min: 3},
		{title: "C", right: true},
	}
	rows := [][]string{{"a/long/path", "a long subject", "1"}, {"é", "short", "1234"}}
	if err := writeTable(&b, 20, columns, slices.Values(rows)); err != nil {
		t.Fatal(err)
	}
	want := "A       BB         C\n" +
		"…g/path a long…    1\n" +
		"é       short   1234\n"
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestFormat(t *testing.T) {
	for ns, want := range map[float64]string{
		0: "0.00ns", 1: "1.00ns", 999.4: "999ns", 999.5: "1.00µs", 9994: "9.99µs", 9995: "10.0µs",
		99.94e3: "99.9µs", 99.95e3: "100µs", 999.4e3: "999µs", 999.6e3: "1.00ms", 1.5e9: "1.50s",
	} {
		if got := formatTime(ns); got != want {
			t.Errorf("formatTime(%v) = %q, want %q", ns, got, want)
		}
	}
	for r, want := range map[float64]string{0.001: "0.00x", 2.414: "2.41x", 999.4: "999x", 1e6: ">999x"} {
		if got := formatRatio(r); got != want {
			t.Errorf("formatRatio(%v) = %q, want %q", r, got, want)
		}
	}
	if got := printable("a\x1b[31m\u202eb\x00\xff\né"); got != "a?[31m?b???é" {
		t.Errorf("printable = %q", got)
	}
}
