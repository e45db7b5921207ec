package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

func TestBench(t *testing.T) {
	file := filepath.Join(t.TempDir(), "bench.txt")
	status, stdout, stderr := runCommand("", "bench", "-time", "200ms", "-bits", "1024,2048", "-json", "-o", file)
	if status != 0 || stderr != "" {
		t.Fatalf("exit %d, stderr %q", status, stderr)
	}
	var out jsonBench
	decodeJSON(t, stdout, &out)
	if len(out.Rows) != 8 || out.Interrupted {
		t.Fatalf("%d rows, interrupted %v", len(out.Rows), out.Interrupted)
	}
	seen := make(map[string]bool)
	for _, r := range out.Rows {
		seen[fmt.Sprint(r.Op, r.Bits)] = true
		if r.Rounds < minRounds || r.CryptoRSA.NS <= 0 || r.FastRSA.NS <= 0 ||
			r.Low <= 0 || r.Ratio < r.Low || r.High < r.Ratio || r.Verdict == "" {
			t.Errorf("%+v", r)
		}
	}
	if len(seen) != 8 {
		t.Errorf("rows %v", seen)
	}

	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, header := range []string{
		"goos: " + runtime.GOOS, "goarch: " + runtime.GOARCH, "pkg: github.com/fastrsa/fastrsa/cmd/fastrsa",
	} {
		if !strings.Contains(string(data), header+"\n") {
			t.Errorf("no line %q", header)
		}
	}
	line := regexp.MustCompile(`^Benchmark(SignPKCS1v15|DecryptOAEP|VerifyPKCS1v15|EncryptOAEP)/bits=(1024|2048)/e=65537/key=(fresh|precomputed)/impl=(std|fastrsa)(-\d+)?\t\d+\t[0-9.]+ ns/op\t\d+ B/op\t\d+ allocs/op$`)
	lines := make(map[string]int)
	for l := range strings.Lines(string(data)) {
		if strings.HasPrefix(l, "Benchmark") {
			if !line.MatchString(strings.TrimSuffix(l, "\n")) {
				t.Errorf("unexpected line %q", l)
			}
			lines[strings.Fields(l)[0]]++
		}
	}
	if len(lines) != 16 {
		t.Errorf("%d benchmarks, want 16: %v", len(lines), lines)
	}
	for name, n := range lines {
		if n < minRounds || n > outputLines {
			t.Errorf("%s: %d lines", name, n)
		}
	}
}

// TestBenchText checks the table, and that it fits.
func TestBenchText(t *testing.T) {
	status, stdout, stderr := runCommand("", "bench", "-time", "50ms", "-bits", "1024", "-ops", "verify,encrypt")
	if status != 0 || stderr != "" {
		t.Fatalf("exit %d, stderr %q", status, stderr)
	}
	for _, op := range []string{"verify", "encrypt"} {
		re := `(?m)^` + op + ` +1024 +[0-9.]+[nµm]?s +[0-9.]+[nµm]?s +[0-9.]+x +[0-9.]+-[0-9.]+ +\d+ +\d+:\d+ \S`
		if !regexp.MustCompile(re).MatchString(stdout) {
			t.Errorf("no row for %s in\n%s", op, stdout)
		}
	}
	for line := range strings.Lines(stdout) {
		if n := len([]rune(line)) - 1; n > 80 {
			t.Errorf("line of %d characters: %s", n, line)
		}
	}
}

// TestBenchInterrupted interrupts after the first row.
func TestBenchInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	b := &bench{
		inv:  &invocation{cmd: benchCommand, ctx: ctx, stdout: new(bytes.Buffer), stderr: new(bytes.Buffer)},
		rows: []*benchRow{{op: 1, bits: 1024}, {op: 1, bits: 2048}},
	}
	if err := b.measureRow(b.rows[0], 0, 1); err != nil {
		t.Fatal(err)
	}
	cancel()
	if b.measure(1) || !b.interrupted {
		t.Errorf("failed or not interrupted")
	}
	var out bytes.Buffer
	if err := b.writeText(&out); err != nil {
		t.Fatal(err)
	}
	if s := out.String(); !strings.Contains(s, "\nverify 1024 ") || strings.Contains(s, "2048") || !strings.Contains(s, "\ninterrupted\n") {
		t.Errorf("got\n%s", s)
	}

	// And from the command line, with the status.
	out.Reset()
	if status := run(ctx, []string{"bench"}, nil, &out, &out); status != 130 {
		t.Errorf("exit %d, want 130", status)
	}
}

// TestBenchKeys checks that each embedded key is of the size that its name says,
// valid, and not in a form that scanners for leaked keys look for.
func TestBenchKeys(t *testing.T) {
	for _, bits := range benchSizes {
		priv, err := benchKey(bits)
		if err != nil {
			t.Fatal(err)
		}
		if err := priv.Validate(); err != nil || priv.N.BitLen() != bits || priv.E != benchE {
			t.Errorf("%d bits: N of %d bits, e = %d, %v", bits, priv.N.BitLen(), priv.E, err)
		}
		data, _ := benchKeys.ReadFile(fmt.Sprintf("keys/rsa%d.pem", bits))
		if bytes.Contains(data, []byte("PRIVATE"+" KEY")) {
			t.Errorf("%d bits: not marked as a testing key", bits)
		}
	}
}
