package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
	"unicode/utf8"

	"github.com/fastrsa/fastrsa/rsa"
)

// A fileKey is an RSA key as a file has it, before anything is known about its numbers.
type fileKey struct {
	index   int
	format  string
	subject string // of a certificate
	kid     string // of a JWK
	n, e    *big.Int
	private *rsa.PrivateKey // nil for a public key
	spki    []byte          // nil if the file has none
}

// A keyFile is what a file of keys has in it.
type keyFile struct {
	keys    []fileKey
	skipped []keyProblem // keys that are not RSA, and other things
	errors  []keyProblem
}

// A keyProblem is something in a file that is not reported as a key.
type keyProblem struct {
	Index   int    `json:"index"` // 0: the file as a whole
	Message string `json:"message"`
}

// errNoRSA marks keys of other algorithms.
var errNoRSA = errors.New("not an RSA key")

// readKeyFile reads all keys of a file: PEM, DER, a JWK or a JWK set.
func readKeyFile(name string, stdin io.Reader) (*keyFile, error) {
	data, err := readFile(name, stdin)
	if err != nil {
		return nil, err
	}
	f := new(keyFile)
	if blocks := splitPEM(data); len(blocks) > 0 {
		for i, text := range blocks {
			k, err := parsePEMKey(text)
			f.add(i+1, k, err)
		}
		return f, nil
	}
	if trimmed := bytes.TrimSpace(data); len(trimmed) > 0 && trimmed[0] == '{' {
		return f, f.addJSON(trimmed)
	}
	if data[0] == 0x30 {
		k, err := parseDERKey(data)
		f.add(1, k, err)
		return f, nil
	}
	return nil, errors.New("not a key in PEM, DER, JWK or JWK set form")
}

func (f *keyFile) add(index int, k fileKey, err error) {
	k.index = index
	switch {
	case errors.Is(err, errNoRSA):
		f.skipped = append(f.skipped, keyProblem{index, err.Error()})
	case err != nil:
		f.errors = append(f.errors, keyProblem{index, err.Error()})
	default:
		f.keys = append(f.keys, k)
	}
}

// addJSON adds the keys of a JWK or JWK set (RFC 7517).
func (f *keyFile) addJSON(data []byte) error {
	object, err := parseObject(data)
	if err != nil {
		return err
	}
	list, ok := object["keys"]
	if !ok {
		k, err := parsePrivateJWK(object)
		f.add(1, k, err)
		return nil
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(list, &raw); err != nil {
		return errors.New(`JWK set: "keys" is not a list`)
	}
	for i, r := range raw {
		object, err := parseObject(r)
		var k fileKey
		if err == nil {
			k, err = parsePrivateJWK(object)
		}
		f.add(i+1, k, err)
	}
	return nil
}

// parsePEMKey parses the key, certificate or request in a PEM block.
func parsePEMKey(text []byte) (fileKey, error) {
	block, _ := pem.Decode(text)
	switch {
	case block == nil:
		return fileKey{}, errors.New("malformed or truncated PEM block")
	case block.Type == "EC PARAMETERS", block.Type == "DH PARAMETERS", block.Type == "EC PRIVATE KEY":
		return fileKey{}, fmt.Errorf("PEM block %q: %w", block.Type, errNoRSA)
	case block.Type == "ENCRYPTED PRIVATE KEY", block.Headers["DEK-Info"] != "":
		return fileKey{}, errors.New("the private key is encrypted; decrypt it first")
	}
	k, err := parseDERKey(block.Bytes)
	if err != nil {
		err = fmt.Errorf("PEM block %q: %w", block.Type, err)
	}
	return k, err
}

// parseDERKey parses DER of any of the forms that keys come in.
func parseDERKey(der []byte) (fileKey, error) {
	var elements []asn1.RawValue
	if !unmarshalAll(der, &elements) || len(elements) < 2 {
		return fileKey{}, errors.New("not an RSA key or certificate")
	}
	switch {
	case len(elements) == 2 && elements[1].Tag == asn1.TagBitString:
		return parseSPKI(der)
	case len(elements) == 2:
		return parsePKCS1(der)
	case elements[0].Tag == asn1.TagSequence:
		if csr, err := x509.ParseCertificateRequest(der); err == nil {
			k, err := parseSPKI(csr.RawSubjectPublicKeyInfo)
			k.format, k.subject = "certificate request", shortName(csr.Subject)
			return k, err
		}
		cert, err := x509.ParseCertificate(der)
		if err != nil {
			return fileKey{}, errors.New(strings.TrimPrefix(err.Error(), "x509: "))
		}
		k, err := parseSPKI(cert.RawSubjectPublicKeyInfo)
		k.format, k.subject = "certificate", shortName(cert.Subject)
		return k, err
	case elements[1].Tag == asn1.TagSequence:
		return parsePKCS8(der)
	}
	return parsePKCS1Private(der)
}

// unmarshalAll reports whether der is v and nothing else.
func unmarshalAll(der []byte, v any) bool {
	rest, err := asn1.Unmarshal(der, v)
	return err == nil && len(rest) == 0
}

func isRSA(algorithm pkix.AlgorithmIdentifier) bool {
	oid := algorithm.Algorithm.String()
	return oid == oidRSA || oid == oidPSS
}

// parseSPKI parses a DER SubjectPublicKeyInfo.
func parseSPKI(der []byte) (fileKey, error) {
	var info struct {
		Algorithm pkix.AlgorithmIdentifier
		Key       asn1.BitString
	}
	switch {
	case !unmarshalAll(der, &info):
		return fileKey{}, errors.New("malformed public key")
	case !isRSA(info.Algorithm):
		return fileKey{}, errNoRSA
	}
	k, err := parsePKCS1(info.Key.RightAlign())
	k.format, k.spki = "SubjectPublicKeyInfo", der
	return k, err
}

// parsePKCS1 parses a DER RSAPublicKey of RFC 8017 appendix A.1.1.
func parsePKCS1(der []byte) (fileKey, error) {
	var key struct{ N, E *big.Int }
	if !unmarshalAll(der, &key) {
		return fileKey{}, errors.New("malformed RSA public key")
	}
	return fileKey{format: "PKCS #1", n: key.N, e: key.E}, nil
}

// parsePKCS8 parses a DER PrivateKeyInfo of RFC 5208.
func parsePKCS8(der []byte) (fileKey, error) {
	var info struct {
		Version   int
		Algorithm pkix.AlgorithmIdentifier
		Key       []byte
	}
	switch {
	case !unmarshalAll(der, &info):
		return fileKey{}, errors.New("malformed private key")
	case !isRSA(info.Algorithm):
		return fileKey{}, errNoRSA
	}
	k, err := parsePKCS1Private(info.Key)
	k.format = "PKCS #8"
	return k, err
}

// parsePKCS1Private parses a DER RSAPrivateKey of RFC 8017 appendix A.1.2.
func parsePKCS1Private(der []byte) (fileKey, error) {
	var key struct {
		Version, N, E, D, P, Q, Dp, Dq, Qinv *big.Int
		Others                               []struct{ Prime, Exp, Coeff *big.Int } `asn1:"optional"`
	}
	if !unmarshalAll(der, &key) {
		return fileKey{}, errors.New("malformed RSA private key")
	}
	primes := []*big.Int{key.P, key.Q}
	for _, other := range key.Others {
		primes = append(primes, other.Prime)
	}
	k := fileKey{format: "PKCS #1", n: key.N, e: key.E}
	k.setPrivate(key.D, primes, key.Dp, key.Dq, key.Qinv)
	return k, nil
}

// setPrivate sets the private half. CRT values of zero are none.
func (k *fileKey) setPrivate(d *big.Int, primes []*big.Int, dP, dQ, qInv *big.Int) {
	k.private = &rsa.PrivateKey{D: d, Primes: primes}
	if dP != nil && dQ != nil && qInv != nil && (dP.Sign() != 0 || dQ.Sign() != 0 || qInv.Sign() != 0) {
		k.private.Precomputed = rsa.PrecomputedValues{Dp: dP, Dq: dQ, Qinv: qInv}
	}
	k.private.N = k.n
	if k.e.IsInt64() {
		k.private.E = int(k.e.Int64())
	}
}

// parsePrivateJWK parses a JWK with or without the members of a private key.
func parsePrivateJWK(object map[string]json.RawMessage) (k fileKey, err error) {
	str := func(name string) (s string) {
		if raw, ok := object[name]; ok && err == nil {
			if s, ok = jsonString(raw); !ok {
				err = fmt.Errorf("JWK: %q is not a string", name)
			}
		}
		return s
	}
	number := func(name string) *big.Int {
		s := str(name)
		if err != nil {
			return nil
		}
		x, e := decodeUint(s)
		if e != nil {
			err = fmt.Errorf("JWK: %q %w", name, e)
		}
		return x
	}
	switch kty := str("kty"); {
	case err != nil:
		return k, err
	case kty == "":
		return k, errors.New(`JWK: "kty" is missing`)
	case kty != "RSA":
		return k, fmt.Errorf("JWK: %w", errNoRSA)
	}
	k.format, k.kid = "JWK", str("kid")
	k.n, k.e = number("n"), number("e")
	if _, ok := object["d"]; !ok || err != nil {
		return k, err
	}
	d := number("d")
	var primes []*big.Int
	var dP, dQ, qInv *big.Int
	if _, ok := object["oth"]; ok {
		return k, errors.New(`JWK: keys of more than two primes ("oth") are not supported`)
	}
	if _, ok := object["p"]; ok {
		primes = []*big.Int{number("p"), number("q")}
	}
	if _, ok := object["dp"]; ok {
		dP, dQ, qInv = number("dp"), number("dq"), number("qi")
	}
	if err != nil {
		return k, err
	}
	k.setPrivate(d, primes, dP, dQ, qInv)
	return k, nil
}

// A keyReport is what info says about a key. The names are part of its output. It has no
// private values.
type keyReport struct {
	Index    int           `json:"index"`
	Kind     string        `json:"kind"`
	Format   string        `json:"format"`
	Subject  string        `json:"subject,omitempty"`
	Kid      string        `json:"kid,omitempty"`
	Bits     int           `json:"bits"`
	E        *big.Int      `json:"e"`
	SPKI     string        `json:"spki_sha256"`
	JWK      string        `json:"jwk_thumbprint,omitempty"`
	SSH      string        `json:"ssh_sha256"`
	Findings []rsa.Finding `json:"findings"`
}

// report examines the key.
func (k *fileKey) report(ctx context.Context) (*keyReport, error) {
	r := &keyReport{
		Index: k.index, Kind: "public", Format: k.format, Subject: k.subject, Kid: k.kid,
		Bits: k.n.BitLen(), E: k.e,
		SPKI: k.spkiFingerprint(), SSH: sshFingerprint(k.n, k.e), JWK: jwkThumbprint(k.n, k.e),
	}
	var err error
	switch {
	case k.private == nil:
		r.Findings, err = rsa.AuditPublicNumbers(ctx, k.n, k.e)
	case !k.e.IsInt64() || int64(k.private.E) != k.e.Int64():
		r.Kind = "private"
		r.Findings, err = rsa.AuditPublicNumbers(ctx, k.n, k.e)
		r.Findings = append(r.Findings, rsa.Finding{
			Check: "consistency", Severity: rsa.SeverityNote,
			Message: "the private half is not examined: the public exponent is too large for crypto/rsa",
		})
	default:
		r.Kind = "private"
		r.Findings, err = rsa.AuditPrivateKey(ctx, k.private)
	}
	if r.Findings == nil {
		r.Findings = []rsa.Finding{}
	}
	return r, err
}

// spkiFingerprint returns the SHA-256 of the SubjectPublicKeyInfo, in hexadecimal: that
// in the file, or else that of a key for all uses.
func (k *fileKey) spkiFingerprint() string {
	der := k.spki
	if der == nil {
		public, _ := asn1.Marshal(struct{ N, E *big.Int }{k.n, k.e})
		der, _ = asn1.Marshal(struct {
			Algorithm pkix.AlgorithmIdentifier
			Key       asn1.BitString
		}{
			pkix.AlgorithmIdentifier{Algorithm: asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}, Parameters: asn1.NullRawValue},
			asn1.BitString{Bytes: public, BitLength: 8 * len(public)},
		})
	}
	sum := sha256.Sum256(der)
	return hex.EncodeToString(sum[:])
}

// jwkThumbprint returns the JWK SHA-256 thumbprint (RFC 7638), and nothing for numbers
// that a JWK cannot have.
func jwkThumbprint(n, e *big.Int) string {
	if n.Sign() <= 0 || e.Sign() <= 0 {
		return ""
	}
	enc := base64.RawURLEncoding
	sum := sha256.Sum256(fmt.Appendf(nil, `{"e":%q,"kty":"RSA","n":%q}`, enc.EncodeToString(e.Bytes()), enc.EncodeToString(n.Bytes())))
	return enc.EncodeToString(sum[:])
}

// sshFingerprint returns the fingerprint that ssh-keygen -l prints for the key, without
// the name of the hash: that of the ssh-rsa blob of RFC 4253 section 6.6.
func sshFingerprint(n, e *big.Int) string {
	var blob []byte
	str := func(b []byte) {
		blob = binary.BigEndian.AppendUint32(blob, uint32(len(b)))
		blob = append(blob, b...)
	}
	str([]byte("ssh-rsa"))
	for _, x := range []*big.Int{e, n} {
		b := x.Bytes()
		if len(b) > 0 && b[0] >= 0x80 {
			b = append([]byte{0}, b...)
		}
		str(b)
	}
	sum := sha256.Sum256(blob)
	return base64.RawStdEncoding.EncodeToString(sum[:])
}

// worst returns the highest severity of the findings, and 0 if there are none.
func (r *keyReport) worst() (s rsa.Severity) {
	for _, f := range r.Findings {
		s = max(s, f.Severity)
	}
	return s
}

// text returns the report in lines of at most 80 characters. of is the number of keys.
func (r *keyReport) text() string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		for _, text := range wrap(printable(fmt.Sprintf(format, args...)), 67) {
			b.WriteString(strings.TrimRight(fmt.Sprintf("%-12s %s", name, text), " ") + "\n")
			name = ""
		}
	}
	line("type", "RSA %s key, %s", r.Kind, r.Format)
	if r.Subject != "" {
		line("subject", "%s", r.Subject)
	}
	if r.Kid != "" {
		line("kid", "%s", r.Kid)
	}
	line("modulus", "%d bits", r.Bits)
	if r.E.BitLen() <= 64 {
		line("exponent", "%v", r.E)
	} else {
		line("exponent", "%d bits", r.E.BitLen())
	}
	line("SPKI SHA-256", "%s", r.SPKI)
	line("SSH", "SHA256:%s", r.SSH)
	if r.JWK != "" {
		line("JWK SHA-256", "%s", r.JWK)
	}
	if len(r.Findings) == 0 {
		line("findings", "none")
	}
	for _, f := range r.Findings {
		line(f.Severity.String(), "%s: %s", f.Check, f.Message)
	}
	return b.String()
}

// wrap breaks text at spaces into lines of at most width characters where that is
// possible.
func wrap(text string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}

// infoKey is the command info with a file.
func infoKey(inv *invocation, name string, asJSON bool) int {
	f, err := readKeyFile(name, inv.stdin)
	if err != nil {
		f = &keyFile{errors: []keyProblem{{0, err.Error()}}}
	}
	var reports []*keyReport
	for i := range f.keys {
		r, err := f.keys[i].report(inv.ctx)
		if err != nil {
			inv.errorf("interrupted after %d of %d keys", i, len(f.keys))
			break
		}
		reports = append(reports, r)
	}
	if len(f.keys) == 0 && len(f.errors) == 0 {
		f.errors = append(f.errors, keyProblem{0, "no RSA key"})
	}

	status := exitOK
	for _, r := range reports {
		if r.worst() == rsa.SeverityError {
			status = exitBad
		}
	}
	switch {
	case len(reports) < len(f.keys):
		status = exitInterrupted
	case len(f.errors) > 0:
		status = exitInput
	}
	if asJSON {
		err = writeJSON(inv.stdout, struct {
			File    string       `json:"file"`
			Keys    []*keyReport `json:"keys"`
			Skipped []keyProblem `json:"skipped"`
			Errors  []keyProblem `json:"errors"`
			Exit    int          `json:"exit"`
		}{displayName(name), notNil(reports), notNil(f.skipped), notNil(f.errors), status})
	} else {
		err = writeKeys(inv, displayName(name), f, reports)
	}
	if err != nil {
		inv.errorf("%v", err)
		return exitFailure
	}
	return status
}

// notNil returns s, and an empty list instead of nil, which JSON calls null.
func notNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// writeKeys prints the reports, and on standard error what could not be read.
func writeKeys(inv *invocation, file string, f *keyFile, reports []*keyReport) error {
	for i, p := range f.errors {
		if i == maxFaults {
			inv.errorf("%s: … and %d more errors", file, len(f.errors)-maxFaults)
			break
		}
		inv.errorf("%s: %s", keyPlace(file, p.Index), p.Message)
	}
	var b strings.Builder
	several := len(f.keys)+len(f.skipped)+len(f.errors) > 1
	for i, r := range reports {
		if i > 0 {
			b.WriteByte('\n')
		}
		if several {
			fmt.Fprintf(&b, "%-12s %s\n", "key", keyPlace(file, r.Index))
		}
		b.WriteString(r.text())
	}
	if n := len(f.skipped); n > 0 && len(reports) > 0 {
		fmt.Fprintf(&b, "\n%d not RSA\n", n)
	}
	_, err := io.WriteString(inv.stdout, b.String())
	return err
}

// keyPlace returns the name of a key in a file, or of the file.
func keyPlace(file string, index int) string {
	if index == 0 {
		return file
	}
	return fmt.Sprintf("%s#%d", file, index)
}
