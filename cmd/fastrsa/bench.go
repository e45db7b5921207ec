package main

import (
	"bytes"
	"crypto"
	"crypto/rand"
	stdrsa "crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"embed"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fastrsa/fastrsa/rsa"
)

var benchCommand = &command{
	name:    "bench",
	args:    "[flags]",
	summary: "compare the speed of both implementations",
	help: `Bench signs, verifies, encrypts and decrypts with crypto/rsa and with fastrsa,
which take turns, for about a minute. It prints the medians over the rounds of
the time of one operation, and the median of the ratios of crypto/rsa to fastrsa
(more is better) with a 95 % confidence interval from their order statistics. N
is the number of rounds.

Exit status: 0; 1 different results, or output that can't be written; 2 wrong
command line; 130 interrupted, after printing what was measured until then.
`,
	run: runBench,
}

// benchKeys are keys made once for this purpose and known to everybody.
//
//go:embed keys/*.pem
var benchKeys embed.FS

// benchSizes are the sizes of benchKeys.
var benchSizes = []int{1024, 2048, 3072, 4096, 8192}

// benchOps are the operations, with their names in the Go benchmark format.
var benchOps = []struct{ name, benchmark, key string }{
	{"sign", "SignPKCS1v15", "precomputed"},
	{"verify", "VerifyPKCS1v15", "fresh"},
	{"encrypt", "EncryptOAEP", "fresh"},
	{"decrypt", "DecryptOAEP", "precomputed"},
}

const (
	benchTime   = 60 * time.Second
	quickTime   = 6 * time.Second
	batchTime   = 5 * time.Millisecond // of the slower implementation
	maxBatch    = 2048
	minRounds   = 6  // fewer give no 95 % interval
	outputLines = 20 // per benchmark in the Go benchmark format
	allocsBatch = 5  // operations whose allocations are counted at a time
	benchE      = 65537
)

func runBench(inv *invocation) int {
	var fs flag.FlagSet
	ops := fs.String("ops", "sign,verify,encrypt,decrypt", "`list` of operations")
	bits := fs.String("bits", "2048,3072,4096", "`list` of 1024, 2048, 3072, 4096, 8192")
	budget := fs.Duration("time", benchTime, "measure for about this long in all")
	quick := fs.Bool("quick", false, "the same as -time "+quickTime.String())
	asJSON := fs.Bool("json", false, "print one JSON object")
	outFile := fs.String("o", "", "also write `file` in the Go benchmark format")
	if status, ok := inv.parse(&fs); !ok {
		return status
	}
	if fs.NArg() > 0 {
		return inv.usageError("unexpected argument %q", fs.Arg(0))
	}
	if *budget <= 0 {
		return inv.usageError("-time must be positive")
	}
	if *quick {
		*budget = quickTime
	}
	var sizes []int
	for _, s := range strings.Split(*bits, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || !slices.Contains(benchSizes, n) {
			return inv.usageError("-bits: %q is none of 1024, 2048, 3072, 4096, 8192", s)
		}
		sizes = append(sizes, n)
	}
	var rows []*benchRow
	for _, name := range strings.Split(*ops, ",") {
		op := -1
		for i := range benchOps {
			if benchOps[i].name == name {
				op = i
			}
		}
		if op < 0 {
			return inv.usageError("-ops: %q is none of sign, verify, encrypt, decrypt", name)
		}
		for _, n := range sizes {
			rows = append(rows, &benchRow{op: op, bits: n})
		}
	}
	// Made now, so that a wrong name is noticed before a minute has passed.
	var out *os.File
	if *outFile != "" {
		f, err := os.Create(*outFile)
		if err != nil {
			inv.errorf("%v", err)
			return exitFailure
		}
		defer f.Close()
		out = f
	}

	b := &bench{inv: inv, rows: rows, progress: isTerminal(inv.stderr)}
	failed := b.measure(*budget)
	write := b.writeText
	if *asJSON {
		write = b.writeJSON
	}
	err := write(inv.stdout)
	if err == nil && out != nil {
		if _, err = out.Write(b.benchmarkFormat()); err == nil {
			err = out.Close()
		}
	}
	switch {
	case err != nil:
		inv.errorf("%v", err)
		return exitFailure
	case failed:
		return exitFailure
	case b.interrupted:
		return exitInterrupted
	}
	return exitOK
}

// A bench is one run of the command bench.
type bench struct {
	inv         *invocation
	rows        []*benchRow
	progress    bool // a live line on the terminal
	interrupted bool
}

// The two implementations, as indices.
const (
	implStd = iota
	implFast
)

// A benchRow is one operation with keys of one size.
type benchRow struct {
	op, bits int
	batch    int
	times    [2][]time.Duration // of each round's batch
	allocs   [2]float64         // per operation
	bytes    [2]float64
}

// A benchOp runs operations of one row. prepare makes the keys for n operations,
// which is not part of the measurement; run runs them with one implementation.
type benchOp struct {
	prepare func(n int)
	run     func(impl, n int) error
}

// measure fills the rows. It reports whether an implementation failed.
func (b *bench) measure(budget time.Duration) (failed bool) {
	for i, row := range b.rows {
		if b.inv.ctx.Err() != nil {
			break
		}
		if err := b.measureRow(row, i, budget/time.Duration(len(b.rows))); err != nil {
			row.times = [2][]time.Duration{}
			b.inv.errorf("%s with %d bits: %v", benchOps[row.op].name, row.bits, err)
			failed = true
		}
	}
	b.interrupted = b.inv.ctx.Err() != nil
	b.status("")
	return failed
}

// status shows a line on the terminal in place of the last one.
func (b *bench) status(format string, args ...any) {
	if b.progress {
		fmt.Fprintf(b.inv.stderr, "\r\x1b[K"+format, args...)
	}
}

func (b *bench) measureRow(row *benchRow, i int, budget time.Duration) error {
	priv, err := benchKey(row.bits)
	if err != nil {
		return err
	}
	op, err := newBenchOp(benchOps[row.op].name, priv)
	if err != nil {
		return err
	}
	runtime.GC()
	start := time.Now()

	// One batch of either warms up, finds the size of a batch, and counts.
	slower := time.Duration(1)
	for impl := range 2 {
		op.prepare(allocsBatch)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		t := time.Now()
		err := op.run(impl, allocsBatch)
		slower = max(slower, time.Since(t)/allocsBatch)
		runtime.ReadMemStats(&after)
		if err != nil {
			return err
		}
		row.allocs[impl] = float64((after.Mallocs - before.Mallocs) / allocsBatch)
		row.bytes[impl] = float64((after.TotalAlloc - before.TotalAlloc) / allocsBatch)
	}
	row.batch = int(min(maxBatch, max(1, batchTime/slower)))

	shown := time.Time{}
	for round := 0; round < minRounds || time.Since(start) < budget; round++ {
		if b.inv.ctx.Err() != nil {
			break
		}
		if time.Since(shown) > 200*time.Millisecond {
			shown = time.Now()
			b.status("%d/%d %s %d: round %d", i+1, len(b.rows), benchOps[row.op].name, row.bits, round+1)
		}
		var times [2]time.Duration
		for turn := range 2 {
			impl := (round + turn) % 2
			op.prepare(row.batch)
			t := time.Now()
			err := op.run(impl, row.batch)
			times[impl] = time.Since(t)
			if err != nil {
				return err
			}
		}
		for impl := range 2 {
			// A clock that stands still must not divide by zero.
			row.times[impl] = append(row.times[impl], max(1, times[impl]))
		}
	}
	return nil
}

// benchKey returns the embedded key of the given size.
func benchKey(bits int) (*rsa.PrivateKey, error) {
	data, err := benchKeys.ReadFile(fmt.Sprintf("keys/rsa%d.pem", bits))
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, errors.New("malformed key")
	}
	return x509.ParsePKCS1PrivateKey(block.Bytes)
}

// newBenchOp returns the named operation, after trying that both implementations
// give the same result.
func newBenchOp(name string, priv *rsa.PrivateKey) (*benchOp, error) {
	message := []byte("the message that bench signs and encrypts")
	sum := sha256.Sum256(message)
	var keys []rsa.PublicKey
	fresh := func(n int) {
		keys = make([]rsa.PublicKey, n)
		for i := range keys {
			keys[i] = rsa.PublicKey{N: new(big.Int).Set(priv.N), E: priv.E}
		}
	}
	none := func(int) {}
	// Which implementation runs is decided outside the loop; f is called with the
	// key of the i-th operation.
	loop := func(std, fast func(pub *rsa.PublicKey) error) func(impl, n int) error {
		return func(impl, n int) error {
			f := std
			if impl == implFast {
				f = fast
			}
			for i := range n {
				var pub *rsa.PublicKey
				if len(keys) > 0 {
					pub = &keys[i]
				}
				if err := f(pub); err != nil {
					return err
				}
			}
			return nil
		}
	}

	sig, err := stdrsa.SignPKCS1v15(nil, priv, crypto.SHA256, sum[:])
	if err != nil {
		return nil, fmt.Errorf("crypto/rsa: %w", err)
	}
	ciphertext, err := stdrsa.EncryptOAEP(sha256.New(), rand.Reader, &priv.PublicKey, message, nil)
	if err != nil {
		return nil, fmt.Errorf("crypto/rsa: %w", err)
	}
	different := errors.New("the results of crypto/rsa and fastrsa differ")
	switch name {
	case "sign":
		got, err := rsa.SignPKCS1v15(nil, priv, crypto.SHA256, sum[:])
		if err != nil {
			return nil, fmt.Errorf("fastrsa: %w", err)
		}
		if !bytes.Equal(got, sig) {
			return nil, different
		}
		return &benchOp{none, loop(
			func(*rsa.PublicKey) error {
				_, err := stdrsa.SignPKCS1v15(nil, priv, crypto.SHA256, sum[:])
				return err
			},
			func(*rsa.PublicKey) error {
				_, err := rsa.SignPKCS1v15(nil, priv, crypto.SHA256, sum[:])
				return err
			})}, nil
	case "verify":
		altered := bytes.Clone(sig)
		altered[len(sig)/2] ^= 1
		if rsa.VerifyPKCS1v15(&priv.PublicKey, crypto.SHA256, sum[:], sig) != nil ||
			rsa.VerifyPKCS1v15(&priv.PublicKey, crypto.SHA256, sum[:], altered) == nil {
			return nil, different
		}
		return &benchOp{fresh, loop(
			func(pub *rsa.PublicKey) error { return stdrsa.VerifyPKCS1v15(pub, crypto.SHA256, sum[:], sig) },
			func(pub *rsa.PublicKey) error { return rsa.VerifyPKCS1v15(pub, crypto.SHA256, sum[:], sig) },
		)}, nil
	case "encrypt":
		c, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, &priv.PublicKey, message, nil)
		if err != nil {
			return nil, fmt.Errorf("fastrsa: %w", err)
		}
		if got, err := stdrsa.DecryptOAEP(sha256.New(), nil, priv, c, nil); err != nil || !bytes.Equal(got, message) {
			return nil, different
		}
		return &benchOp{fresh, loop(
			func(pub *rsa.PublicKey) error {
				_, err := stdrsa.EncryptOAEP(sha256.New(), rand.Reader, pub, message, nil)
				return err
			},
			func(pub *rsa.PublicKey) error {
				_, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, pub, message, nil)
				return err
			})}, nil
	default: // decrypt
		if got, err := rsa.DecryptOAEP(sha256.New(), nil, priv, ciphertext, nil); err != nil || !bytes.Equal(got, message) {
			return nil, different
		}
		return &benchOp{none, loop(
			func(*rsa.PublicKey) error {
				_, err := stdrsa.DecryptOAEP(sha256.New(), nil, priv, ciphertext, nil)
				return err
			},
			func(*rsa.PublicKey) error {
				_, err := rsa.DecryptOAEP(sha256.New(), nil, priv, ciphertext, nil)
				return err
			})}, nil
	}
}

// A benchSummary is what the rounds of a row come to.
type benchSummary struct {
	rounds           int
	ns               [2]float64
	ratio, low, high float64
	verdict          string
}

// summary condenses the rounds of the row. ok is false if there are none.
func (row *benchRow) summary() (s benchSummary, ok bool) {
	s.rounds = len(row.times[implStd])
	if s.rounds == 0 {
		return s, false
	}
	for impl := range 2 {
		var ns []float64
		for _, t := range row.times[impl] {
			ns = append(ns, float64(t)/float64(row.batch))
		}
		slices.Sort(ns)
		s.ns[impl] = median(ns)
	}
	var ratios []float64
	for i, t := range row.times[implStd] {
		ratios = append(ratios, float64(t)/float64(row.times[implFast][i]))
	}
	slices.Sort(ratios)
	s.ratio = median(ratios)
	var covered bool
	s.low, s.high, covered = medianInterval(ratios)
	s.verdict = ratioVerdict(s.ratio, s.low, s.high)
	if !covered {
		s.verdict = "too few rounds"
	}
	return s, true
}

// writeText prints the table.
func (b *bench) writeText(w io.Writer) error {
	columns := []column{
		{title: "OP"},
		{title: "BITS", right: true},
		{title: "CRYPTO/RSA", right: true},
		{title: "FASTRSA", right: true},
		{title: "RATIO", right: true},
		{title: "95% CI"},
		{title: "N", right: true},
		{title: "ALLOCS", right: true},
		{title: "VERDICT"},
	}
	var rows [][]string
	for _, row := range b.rows {
		s, ok := row.summary()
		if !ok {
			continue
		}
		rows = append(rows, []string{
			benchOps[row.op].name, fmt.Sprint(row.bits),
			formatTime(s.ns[implStd]), formatTime(s.ns[implFast]), formatRatio(s.ratio),
			threeDigits(s.low) + "-" + threeDigits(s.high), fmt.Sprint(s.rounds),
			fmt.Sprintf("%.0f:%.0f", row.allocs[implStd], row.allocs[implFast]), s.verdict,
		})
	}
	var text bytes.Buffer
	i := newInfo()
	name := i.CPU
	if name == "" {
		name = "unknown processor"
	}
	fmt.Fprintf(&text, "%s %s/%s, %s, kernel %s\n", i.Go, i.GOOS, i.GOARCH, printable(name), i.Kernel)
	fmt.Fprintf(&text, "e = %d; SHA-256; PKCS #1 v1.5 signatures, OAEP encryption\n", benchE)
	if i.FIPS140 {
		fmt.Fprintln(&text, "FIPS 140-3 mode: fastrsa hands every operation to crypto/rsa")
	}
	if err := writeTable(&text, outputWidth(w), columns, slices.Values(rows)); err != nil {
		return err
	}
	if b.interrupted {
		fmt.Fprintln(&text, "interrupted")
	}
	_, err := w.Write(text.Bytes())
	return err
}

// The JSON output. The package comment describes it.
type (
	jsonBench struct {
		Go          string         `json:"go"`
		GOOS        string         `json:"goos"`
		GOARCH      string         `json:"goarch"`
		CPU         string         `json:"cpu"`
		GOMAXPROCS  int            `json:"gomaxprocs"`
		Kernel      string         `json:"kernel"`
		Interrupted bool           `json:"interrupted"`
		Rows        []jsonBenchRow `json:"rows"`
	}
	jsonBenchRow struct {
		Op        string        `json:"op"`
		Bits      int           `json:"bits"`
		E         int           `json:"e"`
		Key       string        `json:"key"`
		Rounds    int           `json:"rounds"`
		CryptoRSA jsonBenchImpl `json:"crypto_rsa"`
		FastRSA   jsonBenchImpl `json:"fastrsa"`
		Ratio     float64       `json:"ratio"`
		Low       float64       `json:"ratio_low"`
		High      float64       `json:"ratio_high"`
		Verdict   string        `json:"verdict"`
	}
	jsonBenchImpl struct {
		NS     float64 `json:"ns_per_op"`
		Bytes  float64 `json:"bytes_per_op"`
		Allocs float64 `json:"allocs_per_op"`
	}
)

func (b *bench) writeJSON(w io.Writer) error {
	i := newInfo()
	out := jsonBench{
		Go: i.Go, GOOS: i.GOOS, GOARCH: i.GOARCH, CPU: i.CPU, GOMAXPROCS: i.GOMAXPROCS,
		Kernel: i.Kernel, Interrupted: b.interrupted, Rows: []jsonBenchRow{},
	}
	for _, row := range b.rows {
		s, ok := row.summary()
		if !ok {
			continue
		}
		out.Rows = append(out.Rows, jsonBenchRow{
			Op: benchOps[row.op].name, Bits: row.bits, E: benchE, Key: benchOps[row.op].key, Rounds: s.rounds,
			CryptoRSA: jsonBenchImpl{s.ns[implStd], row.bytes[implStd], row.allocs[implStd]},
			FastRSA:   jsonBenchImpl{s.ns[implFast], row.bytes[implFast], row.allocs[implFast]},
			Ratio:     s.ratio, Low: s.low, High: s.high, Verdict: s.verdict,
		})
	}
	return writeJSON(w, out)
}

// benchmarkFormat returns the measurements in the Go benchmark format. The rounds
// of a row are put together, in order, to no more than outputLines lines, enough
// for the statistics of benchstat.
func (b *bench) benchmarkFormat() []byte {
	var out bytes.Buffer
	i := newInfo()
	fmt.Fprintf(&out, "goos: %s\ngoarch: %s\npkg: %s/cmd/fastrsa\n", i.GOOS, i.GOARCH, i.Module)
	if i.CPU != "" {
		fmt.Fprintf(&out, "cpu: %s\n", printable(i.CPU))
	}
	fmt.Fprintf(&out, "toolchain: %s\nkernel: %s\n", i.Go, printable(i.Kernel))
	procs := ""
	if i.GOMAXPROCS != 1 {
		procs = fmt.Sprintf("-%d", i.GOMAXPROCS)
	}
	impls := [2]string{implStd: "std", implFast: "fastrsa"}
	for _, row := range b.rows {
		rounds := len(row.times[implStd])
		lines := min(rounds, outputLines)
		for line := range lines {
			from, to := line*rounds/lines, (line+1)*rounds/lines
			for impl := range 2 {
				var sum time.Duration
				for _, t := range row.times[impl][from:to] {
					sum += t
				}
				n := (to - from) * row.batch
				fmt.Fprintf(&out, "Benchmark%s/bits=%d/e=%d/key=%s/impl=%s%s\t%d\t%.1f ns/op\t%.0f B/op\t%.0f allocs/op\n",
					benchOps[row.op].benchmark, row.bits, benchE, benchOps[row.op].key, impls[impl], procs,
					n, float64(sum)/float64(n), row.bytes[impl], row.allocs[impl])
			}
		}
	}
	return out.Bytes()
}
