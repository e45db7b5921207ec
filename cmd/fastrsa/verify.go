package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/fastrsa/fastrsa/rsa"
)

var verifyCommand = &command{
	name:    "verify",
	args:    "[flags] FILE...",
	summary: "check real signatures with both implementations",
	help: `Each FILE ("-": standard input) holds certificates, certificate requests or
revocation lists, PEM or DER, or JWS compact tokens; or it is the message that
-sig signs. Every RSA signature is checked with crypto/rsa and with fastrsa. The
times are those of the fastest of the rounds, in which the two take turns.

Exit status: 0 all accepted; 1 the two disagree; 2 unreadable or bad input, or
no RSA signature found; 3 both agree, and some signature was not accepted.
`,
	run: runVerify,
}

// A verification is one run of the command verify.
type verification struct {
	*invocation
	rounds  int
	keyFile string
	keys    *keySet // nil if there is no key file, or it could not be read

	items     []item // in the order of the input
	results   []*result
	skipped   []skip
	noIssuer  []skip
	cancelled bool

	faults     []fault        // the first maxFaults of each file
	faultsOf   map[string]int // how many each file has
	faultCount int            // of all files
}

// An item is an object whose issuer is yet to be found, or a signature.
type item struct {
	object    *object
	signature *signature
}

// A skip is a signature that was not checked.
type skip struct {
	place
	issuer    string
	algorithm string
}

// maxFaults is the most faults of one file that are reported; the others are
// counted.
const maxFaults = 20

// A fault is an input that makes no sense.
type fault struct {
	file    string
	index   int
	message string
}

func runVerify(inv *invocation) int {
	v := &verification{invocation: inv}
	var fs flag.FlagSet
	fs.StringVar(&v.keyFile, "key", "", "key `file` for tokens and detached signatures: PEM, DER, JWK or JWK set")
	sigFile := fs.String("sig", "", "detached signature `file`: raw, hexadecimal or base64")
	hash := fs.String("hash", "sha256", "`name` of the hash of the detached signature")
	pss := fs.Bool("pss", false, "the detached signature is RSASSA-PSS")
	fs.IntVar(&v.rounds, "rounds", 9, "time each signature `N` times with either implementation")
	asJSON := fs.Bool("json", false, "print one JSON object")
	if status, ok := inv.parse(&fs); !ok {
		return status
	}
	files := fs.Args()
	set := make(map[string]bool)
	fs.Visit(func(f *flag.Flag) { set[f.Name] = true })
	h, hashOK := hashByName(*hash)
	switch {
	case len(files) == 0:
		return inv.usageError("no files")
	case v.rounds < 1:
		return inv.usageError("-rounds must be at least 1")
	case !hashOK:
		return inv.usageError("unknown hash %q", *hash)
	case *sigFile == "" && (set["hash"] || set["pss"]):
		return inv.usageError("-hash and -pss are for detached signatures, with -sig")
	case *sigFile != "" && v.keyFile == "":
		return inv.usageError("-sig needs -key")
	case *sigFile != "" && len(files) != 1:
		return inv.usageError("-sig is the signature of one file")
	}
	stdins := 0
	for _, name := range append([]string{v.keyFile, *sigFile}, files...) {
		if name == "-" {
			stdins++
		}
	}
	if stdins > 1 {
		return inv.usageError("standard input can be read only once")
	}

	if v.keyFile != "" {
		var err error
		if v.keys, err = readKeys(v.keyFile, inv.stdin); err != nil {
			v.fault(v.keyFile, 0, err)
		}
	}
	if *sigFile == "" {
		for _, name := range files {
			v.read(name)
		}
		v.findIssuers()
	} else if v.keys != nil {
		v.detached(files[0], *sigFile, scheme{hash: h, pss: *pss, salt: rsa.PSSSaltLengthAuto})
	}
	return v.finish(*asJSON)
}

// fault reports that an input makes no sense.
func (v *verification) fault(name string, index int, err error) {
	file := displayName(name)
	if v.faultsOf == nil {
		v.faultsOf = make(map[string]int)
	}
	v.faultCount++
	if v.faultsOf[file]++; v.faultsOf[file] > maxFaults {
		return
	}
	f := fault{file, index, printable(err.Error())}
	v.faults = append(v.faults, f)
	v.errorf("%s", f)
}

// moreFaults reports how many faults were not reported.
func (v *verification) moreFaults() {
	reported := make(map[string]bool)
	for _, f := range v.faults {
		if n := v.faultsOf[f.file] - maxFaults; n > 0 && !reported[f.file] {
			reported[f.file] = true
			v.errorf("%s: … and %s", f.file, count(n, "more error"))
		}
	}
}

func (f fault) String() string {
	if f.index > 0 {
		return fmt.Sprintf("%s#%d: %s", f.file, f.index, f.message)
	}
	return fmt.Sprintf("%s: %s", f.file, f.message)
}

// read reads one file of objects or tokens.
func (v *verification) read(name string) {
	data, err := readFile(name, v.stdin)
	if err != nil {
		v.fault(name, 0, err)
		return
	}
	before := v.faultCount
	objects, ok := parseObjects(displayName(name), data, func(i int, err error) { v.fault(name, i, err) })
	for _, o := range objects {
		v.items = append(v.items, item{object: o})
	}
	if ok {
		if len(objects) == 0 && v.faultCount == before {
			v.fault(name, 0, errors.New("no certificate, request or revocation list in it"))
		}
		return
	}
	tokens, ok := splitTokens(data)
	switch {
	case ok:
	case bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")):
		v.fault(name, 0, errors.New("JSON; tokens are read in the compact form, and keys with -key"))
		return
	default:
		v.fault(name, 0, errors.New("not PEM, DER or JWS compact tokens"))
		return
	}
	file := displayName(name)
	i := 0
	for token := range tokens {
		i++
		s, kid, alg, err := parseToken(token, v.keys)
		p := place{file, i, kindToken, printable(kid)}
		switch {
		case err == errNoKey && v.keyFile != "":
			v.fault(name, i, errNoKeyRead)
		case err != nil:
			v.fault(name, i, err)
		case s == nil:
			v.skipped = append(v.skipped, skip{place: p, algorithm: alg})
		default:
			s.place = p
			v.items = append(v.items, item{signature: s})
		}
	}
}

// detached reads a message and its signature.
func (v *verification) detached(message, sigFile string, s scheme) {
	pub, err := v.keys.one()
	if err != nil {
		v.fault(v.keyFile, 0, err)
		return
	}
	sig, err := readFile(sigFile, v.stdin)
	if err != nil {
		v.fault(sigFile, 0, err)
		return
	}
	// The message may be of any size, and empty.
	r := v.stdin
	if message != "-" {
		f, err := os.Open(message)
		if err != nil {
			v.fault(message, 0, plainError(err))
			return
		}
		defer f.Close()
		r = f
	}
	hash := s.hash.New()
	if _, err := io.Copy(hash, r); err != nil {
		v.fault(message, 0, plainError(err))
		return
	}
	v.items = append(v.items, item{signature: &signature{
		place:  place{displayName(message), 1, kindDetached, ""},
		scheme: s,
		digest: hash.Sum(nil),
		sig:    decodeSignature(sig, pub.Size()),
		keys:   []*rsa.PublicKey{pub},
	}})
}

// decodeSignature returns the signature in the content of a file: data itself if
// it has the size of the modulus or is neither hexadecimal nor base64.
func decodeSignature(data []byte, size int) []byte {
	if len(data) == size {
		return data
	}
	text := strings.Join(strings.Fields(string(data)), "")
	if sig, err := hex.DecodeString(text); err == nil {
		return sig
	}
	text = strings.TrimRight(text, "=")
	for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if sig, err := encoding.DecodeString(text); err == nil {
			return sig
		}
	}
	return data
}

// findIssuers turns the objects into signatures.
func (v *verification) findIssuers() {
	known := newIssuers()
	for _, it := range v.items {
		if it.object != nil && it.object.cert != nil {
			known.add(it.object)
		}
	}
	items := v.items[:0]
	for _, it := range v.items {
		s := it.signature
		if it.object != nil {
			s = v.signature(it.object, known)
		}
		if s != nil {
			items = append(items, item{signature: s})
		}
	}
	clear(v.items[len(items):])
	v.items = items
}

// signature returns the signature of o with the keys that may have made it, nil
// if it can't be checked.
func (v *verification) signature(o *object, known *issuers) *signature {
	var issuer string
	switch {
	case o.cert != nil:
		issuer = shortName(o.cert.Issuer)
	case o.crl != nil:
		issuer = shortName(o.crl.Issuer)
	}
	s, err := parseAlgorithm(o.signed.Algorithm)
	if notRSA, ok := errors.AsType[*errNotRSA](err); ok {
		v.skipped = append(v.skipped, skip{o.place, issuer, notRSA.algorithm})
		return nil
	} else if err != nil {
		v.fault(o.file, o.index, err)
		return nil
	}
	keys, more, err := known.find(o)
	switch {
	case len(keys) == 0 && err != nil:
		v.fault(o.file, o.index, err)
		return nil
	case len(keys) == 0:
		v.noIssuer = append(v.noIssuer, skip{o.place, issuer, s.String()})
		return nil
	case more:
		v.fault(o.file, o.index, errMoreKeys)
	}
	return &signature{
		place:  o.place,
		issuer: issuer,
		scheme: s,
		digest: digest(s.hash, o.signed.TBS.FullBytes),
		sig:    o.signed.Signature.Bytes,
		keys:   keys,
	}
}

// finish checks the signatures, prints what was found and returns the exit
// status.
func (v *verification) finish(asJSON bool) int {
	v.moreFaults()
	v.check()
	write := v.writeText
	if asJSON {
		write = v.writeJSON
	}
	if err := write(); err != nil {
		v.errorf("%v", err)
		return exitFailure
	}
	return v.status()
}

// check checks the signatures.
func (v *verification) check() {
	for _, it := range v.items {
		for _, pub := range it.signature.keys {
			if v.ctx.Err() != nil {
				v.cancelled = true
				return
			}
			v.results = append(v.results, check(it.signature, pub, v.rounds))
		}
	}
}

// counts are the numbers of signatures by what was found about them.
type counts struct {
	OK       int `json:"ok"`
	Bad      int `json:"bad"`
	Refused  int `json:"refused"`
	Disagree int `json:"disagree"`
	otherKey int
}

func (v *verification) counts() (c counts) {
	for _, r := range v.results {
		switch {
		case !r.agree():
			c.Disagree++
		case r.otherKey():
			c.otherKey++
		case r.std.verdict == verdictOK:
			c.OK++
		case r.std.verdict == verdictBad:
			c.Bad++
		default:
			c.Refused++
		}
	}
	return c
}

func (v *verification) status() int {
	c := v.counts()
	switch {
	case c.Disagree > 0:
		return exitDisagree
	case v.cancelled:
		return exitInterrupted
	case v.faultCount > 0 || len(v.results) == 0:
		return exitInput
	case c.Bad > 0 || c.Refused > 0:
		return exitBad
	}
	return exitOK
}

// writeText prints the table and a summary.
func (v *verification) writeText() error {
	b := bufio.NewWriter(v.stdout)
	perFile := make(map[string]int)
	for _, r := range v.results {
		perFile[r.file] = max(perFile[r.file], r.index)
	}
	columns := []column{
		{title: "FILE", min: 10, keepEnd: true},
		{title: "SUBJECT/KID", min: 10},
		{title: "BITS", right: true},
		{title: "E", right: true},
		{title: "SCHEME"},
		{title: "CRYPTO/RSA", right: true},
		{title: "FASTRSA", right: true},
		{title: "SPEED", right: true},
	}
	answer := func(r *result, o outcome) string {
		word := string(o.verdict)
		if r.otherKey() {
			word = "other" // the key of another holder of the name
		}
		return fmt.Sprintf("%s %6s", word, formatDuration(o.time))
	}
	row := func(r *result) []string {
		file := r.file
		if perFile[r.file] > 1 {
			file = fmt.Sprintf("%s#%d", r.file, r.index)
		}
		name := r.name
		switch r.kind {
		case kindCRL:
			name = "CRL: " + name
		case kindRequest:
			name = "CSR: " + name
		}
		if name == "" {
			name = "-"
		}
		return []string{
			file, name, fmt.Sprint(r.pub.N.BitLen()), fmt.Sprint(r.pub.E), r.scheme.String(),
			answer(r, r.std), answer(r, r.fast), formatRatio(r.speedup()),
		}
	}
	if len(v.results) > 0 {
		rows := func(yield func([]string) bool) {
			for _, r := range v.results {
				if !yield(row(r)) {
					return
				}
			}
		}
		if err := writeTable(b, outputWidth(v.stdout), columns, rows); err != nil {
			return err
		}
		fmt.Fprintln(b)
	}

	// What is behind the words of the table.
	reasons := make(map[string]bool)
	for _, r := range v.results {
		at := fmt.Sprintf("%s#%d", r.file, r.index)
		if !r.agree() {
			fmt.Fprintf(b, "DISAGREE %s: crypto/rsa says %s, fastrsa says %s\n", at, r.std, r.fast)
		} else if r.std.verdict != verdictOK && r.std.verdict != verdictBad && !reasons[r.std.err] {
			reasons[r.std.err] = true
			fmt.Fprintf(b, "%s: %s\n", r.std.verdict, printable(r.std.err))
		}
	}
	c := v.counts()
	if len(v.results) > 0 {
		fmt.Fprintf(b, "%s: %d ok, %d bad, %d refused, %d disagree",
			count(len(v.results)-c.otherKey, "RSA signature"), c.OK, c.Bad, c.Refused, c.Disagree)
		if c.otherKey > 0 {
			fmt.Fprintf(b, "; %d made with another key of the same name", c.otherKey)
		}
		fmt.Fprintln(b)
	} else {
		fmt.Fprintln(b, "no RSA signature was checked")
	}
	if len(v.results) > 0 && c.Disagree == 0 {
		var std, fast time.Duration
		for _, r := range v.results {
			std += r.std.time
			fast += r.fast.time
		}
		fmt.Fprintf(b, "crypto/rsa and fastrsa agree; together %s and %s, %s\n",
			formatDuration(std), formatDuration(fast), formatRatio(float64(std)/float64(max(1, fast))))
	}
	v.writeSkips(b)
	if n := v.faultCount; n > 0 {
		fmt.Fprintf(b, "%s in the input\n", count(n, "error"))
	}
	if v.cancelled {
		n := 0
		for _, it := range v.items {
			n += len(it.signature.keys)
		}
		fmt.Fprintf(b, "interrupted: %d of %d checked\n", len(v.results), n)
	}
	return b.Flush()
}

// writeSkips prints the counts of what was not checked.
func (v *verification) writeSkips(w io.Writer) {
	if len(v.skipped) > 0 {
		byAlgorithm := make(map[string]int)
		for _, s := range v.skipped {
			byAlgorithm[s.algorithm]++
		}
		var names []string
		for _, name := range slices.Sorted(maps.Keys(byAlgorithm)) {
			names = append(names, fmt.Sprintf("%d %s", byAlgorithm[name], name))
		}
		fmt.Fprintf(w, "skipped: %s\n", printable(strings.Join(names, ", ")))
	}
	if len(v.noIssuer) > 0 {
		fmt.Fprintf(w, "issuer not given: %d\n", len(v.noIssuer))
	}
}

func (o outcome) String() string {
	if o.err == "" || o.verdict == verdictBad {
		return string(o.verdict)
	}
	return fmt.Sprintf("%s (%s)", o.verdict, printable(o.err))
}

// count returns for example "1 error" and "2 errors".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// The parts of the JSON output. The package comment describes it.
type (
	jsonTotals struct {
		ErrorCount int `json:"error_count"`
		counts
		Exit int `json:"exit"`
	}
	jsonSignature struct {
		File      string      `json:"file"`
		Index     int         `json:"index"`
		Kind      string      `json:"kind"`
		Subject   string      `json:"subject,omitempty"`
		Kid       string      `json:"kid,omitempty"`
		Issuer    string      `json:"issuer,omitempty"`
		Bits      int         `json:"bits"`
		E         int         `json:"e"`
		Scheme    string      `json:"scheme"`
		Hash      string      `json:"hash"`
		Salt      any         `json:"salt,omitempty"`
		CryptoRSA jsonOutcome `json:"crypto_rsa"`
		FastRSA   jsonOutcome `json:"fastrsa"`
		Speedup   float64     `json:"speedup"`
		Agree     bool        `json:"agree"`
		OtherKey  bool        `json:"other_key,omitempty"`
	}
	jsonOutcome struct {
		Verdict verdict `json:"verdict"`
		Error   string  `json:"error,omitempty"`
		NS      int64   `json:"ns"`
	}
	jsonSkip struct {
		File      string `json:"file"`
		Index     int    `json:"index"`
		Kind      string `json:"kind"`
		Subject   string `json:"subject,omitempty"`
		Issuer    string `json:"issuer,omitempty"`
		Algorithm string `json:"algorithm"`
	}
	jsonFault struct {
		File    string `json:"file"`
		Index   int    `json:"index"`
		Message string `json:"message"`
	}
)

// writeJSON prints one object as writeJSON would, but not all of it is in memory
// at a time: it is many times the size of the input.
func (v *verification) writeJSON() error {
	w := bufio.NewWriter(v.stdout)
	fmt.Fprintln(w, "{")
	lists := []struct {
		name string
		n    int
		at   func(i int) any
	}{
		{"signatures", len(v.results), func(i int) any { return v.results[i].json() }},
		{"skipped", len(v.skipped), func(i int) any { return v.skipped[i].json() }},
		{"issuer_not_given", len(v.noIssuer), func(i int) any { return v.noIssuer[i].json() }},
		{"errors", len(v.faults), func(i int) any {
			f := v.faults[i]
			return jsonFault{f.file, f.index, f.message}
		}},
	}
	for _, l := range lists {
		if err := writeJSONList(w, l.name, l.n, l.at); err != nil {
			return err
		}
	}
	var totals bytes.Buffer
	if err := writeJSON(&totals, jsonTotals{v.faultCount, v.counts(), v.status()}); err != nil {
		return err
	}
	w.Write(bytes.TrimPrefix(totals.Bytes(), []byte("{\n")))
	return w.Flush()
}

// writeJSONList writes a member that is a list of n elements, and a comma.
func writeJSONList(w *bufio.Writer, name string, n int, at func(i int) any) error {
	fmt.Fprintf(w, "  %q: [", name)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("    ", "  ")
	for i := range n {
		b.Reset()
		if err := e.Encode(at(i)); err != nil {
			return err
		}
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteString("\n    ")
		w.Write(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
	}
	if n > 0 {
		w.WriteString("\n  ")
	}
	_, err := w.WriteString("],\n")
	return err
}

func (r *result) json() jsonSignature {
	s := jsonSignature{
		File: r.file, Index: r.index, Kind: r.kind, Issuer: r.issuer,
		Bits: r.pub.N.BitLen(), E: r.pub.E,
		Scheme: r.scheme.name(), Hash: hashName(r.scheme.hash), Salt: r.scheme.saltName(),
		CryptoRSA: jsonOutcome{r.std.verdict, r.std.err, r.std.time.Nanoseconds()},
		FastRSA:   jsonOutcome{r.fast.verdict, r.fast.err, r.fast.time.Nanoseconds()},
		Speedup:   r.speedup(), Agree: r.agree(), OtherKey: r.otherKey(),
	}
	if r.kind == kindToken {
		s.Kid = r.name
	} else {
		s.Subject = r.name
	}
	return s
}

func (s skip) json() jsonSkip {
	return jsonSkip{s.file, s.index, s.kind, s.name, s.issuer, s.algorithm}
}

// writeJSON writes v, indented.
func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
