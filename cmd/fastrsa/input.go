package main

import (
	"bytes"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// maxFile is the size limit of a file that is read as a whole.
const maxFile = 64 << 20

// readFile reads the file name, or stdin for "-".
func readFile(name string, stdin io.Reader) ([]byte, error) {
	r := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, plainError(err)
		}
		defer f.Close()
		r = f
	}
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, plainError(err)
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("larger than %d MiB", maxFile>>20)
	}
	if len(data) == 0 {
		return nil, errors.New("empty file")
	}
	return data, nil
}

// plainError returns err without the file name, which the report has already.
func plainError(err error) error {
	if pe, ok := errors.AsType[*os.PathError](err); ok {
		return pe.Err
	}
	return err
}

// displayName returns the name under which a file is reported.
func displayName(name string) string {
	if name == "-" {
		return "stdin"
	}
	return printable(name)
}

// A signedObject is the outer form that certificates, requests and revocation
// lists have in common.
type signedObject struct {
	TBS       asn1.RawValue
	Algorithm pkix.AlgorithmIdentifier
	Signature asn1.BitString
}

// An object is a certificate, request or revocation list.
type object struct {
	place
	signed signedObject
	cert   *x509.Certificate
	csr    *x509.CertificateRequest
	crl    *x509.RevocationList
}

// pemKinds maps PEM labels to what is in the block. The empty string stands for
// blocks that hold no signature to check.
var pemKinds = map[string]string{
	"CERTIFICATE":             kindCertificate,
	"X509 CERTIFICATE":        kindCertificate,
	"TRUSTED CERTIFICATE":     kindCertificate,
	"CERTIFICATE REQUEST":     kindRequest,
	"NEW CERTIFICATE REQUEST": kindRequest,
	"X509 CRL":                kindCRL,
	"PUBLIC KEY":              "",
	"RSA PUBLIC KEY":          "",
	"PRIVATE KEY":             "",
	"RSA PRIVATE KEY":         "",
	"EC PRIVATE KEY":          "",
	"ENCRYPTED PRIVATE KEY":   "",
	"EC PARAMETERS":           "",
	"DH PARAMETERS":           "",
}

// parseObjects returns the objects in data, the content of file. It calls report
// with the index of each thing that is none, and goes on. ok is false if data is
// neither PEM nor DER.
func parseObjects(file string, data []byte, report func(index int, err error)) (objects []*object, ok bool) {
	if blocks := splitPEM(data); len(blocks) > 0 {
		for i, text := range blocks {
			o, err := parsePEM(text)
			if err != nil {
				report(i+1, err)
			} else if o != nil {
				o.file, o.index = file, i+1
				objects = append(objects, o)
			}
		}
		return objects, true
	}
	if data[0] != 0x30 { // not a SEQUENCE
		return nil, false
	}
	for i := 1; len(data) > 0; i++ {
		var v asn1.RawValue
		rest, err := asn1.Unmarshal(data, &v)
		if err != nil {
			if i == 1 && bytes.IndexByte(data, 0) < 0 && isText(data) {
				return nil, false // text that begins with a 0
			}
			report(i, errors.New("malformed or truncated DER"))
			break
		}
		o, err := parseDER(v.FullBytes)
		if err != nil {
			report(i, err)
		} else {
			o.file, o.index = file, i
			objects = append(objects, o)
		}
		data = rest
	}
	return objects, true
}

// splitPEM returns what lies between the beginning of one PEM block and that of
// the next, so that no malformed block goes unnoticed.
func splitPEM(data []byte) (blocks [][]byte) {
	begin := []byte("-----BEGIN ")
	start := -1
	for i := 0; i < len(data); {
		j := bytes.Index(data[i:], begin)
		if j < 0 {
			break
		}
		i += j
		if i == 0 || data[i-1] == '\n' || data[i-1] == '\r' || bytes.HasSuffix(data[:i], []byte("\ufeff")) {
			if start >= 0 {
				blocks = append(blocks, data[start:i])
			}
			start = i
		}
		i += len(begin)
	}
	if start >= 0 {
		blocks = append(blocks, data[start:])
	}
	return blocks
}

// parsePEM parses one block. It returns nil for a block with nothing to check.
func parsePEM(text []byte) (*object, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("malformed or truncated PEM block")
	}
	kind, known := pemKinds[block.Type]
	switch {
	case !known:
		return nil, fmt.Errorf("PEM block %q is not supported", block.Type)
	case kind == "":
		return nil, nil
	}
	der := block.Bytes
	if block.Type == "TRUSTED CERTIFICATE" {
		// OpenSSL appends its trust settings to the certificate.
		var v asn1.RawValue
		if _, err := asn1.Unmarshal(der, &v); err == nil {
			der = v.FullBytes
		}
	}
	return parseKind(kind, der)
}

// parseKind parses DER of a known kind.
func parseKind(kind string, der []byte) (*object, error) {
	o := &object{place: place{kind: kind}}
	var err error
	switch kind {
	case kindCertificate:
		if o.cert, err = x509.ParseCertificate(der); err == nil {
			o.name = shortName(o.cert.Subject)
		}
	case kindRequest:
		if o.csr, err = x509.ParseCertificateRequest(der); err == nil {
			o.name = shortName(o.csr.Subject)
		}
	case kindCRL:
		if o.crl, err = x509.ParseRevocationList(der); err == nil {
			o.name = shortName(o.crl.Issuer)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s", kind, strings.TrimPrefix(err.Error(), "x509: "))
	}
	if rest, err := asn1.Unmarshal(der, &o.signed); err != nil || len(rest) > 0 {
		return nil, fmt.Errorf("%s: malformed", kind)
	}
	if o.signed.Signature.BitLength%8 != 0 {
		return nil, fmt.Errorf("%s: signature is not a whole number of bytes", kind)
	}
	return o, nil
}

// minObject is less than the size of any signed object, of which the signature
// alone has about as many bytes. It is there for files of millions of tiny objects,
// each of which would otherwise be tried as everything.
const minObject = 64

var errNoObject = errors.New("DER, but no certificate, request or revocation list")

// parseDER parses DER of a kind that is not known.
func parseDER(der []byte) (*object, error) {
	if len(der) < minObject {
		return nil, errNoObject
	}
	// PKCS #7 and PKCS #12 begin with an object identifier and a version.
	var outer struct {
		First asn1.RawValue
	}
	if _, err := asn1.Unmarshal(der, &outer); err == nil && outer.First.Class == asn1.ClassUniversal {
		switch outer.First.Tag {
		case asn1.TagOID:
			return nil, errors.New("looks like PKCS #7; convert it to PEM certificates first")
		case asn1.TagInteger:
			return nil, errors.New("looks like a key or PKCS #12 file, which has no signature to check")
		}
	}
	cert, certErr := parseKind(kindCertificate, der)
	if certErr == nil {
		return cert, nil
	}
	for _, kind := range []string{kindCRL, kindRequest} {
		if o, err := parseKind(kind, der); err == nil {
			return o, nil
		}
	}
	if _, ok, err := parsePublicKey(der); ok && err == nil {
		return nil, errors.New("a public key, which has no signature to check (for tokens, use -key)")
	}
	var signed signedObject
	if _, err := asn1.Unmarshal(der, &signed); err != nil {
		return nil, errNoObject
	}
	return nil, certErr
}

// shortName returns the part of a distinguished name that people know it by.
func shortName(n pkix.Name) string {
	switch {
	case n.CommonName != "":
		return printable(n.CommonName)
	case len(n.OrganizationalUnit) > 0:
		return printable(n.OrganizationalUnit[0])
	case len(n.Organization) > 0:
		return printable(n.Organization[0])
	}
	if s := n.String(); s != "" {
		return printable(s)
	}
	return "(no name)"
}

// isText reports whether data is printable ASCII and white space.
func isText(data []byte) bool {
	for _, c := range data {
		if c > '~' || c < ' ' && c != '\t' && c != '\n' && c != '\r' {
			return false
		}
	}
	return true
}
