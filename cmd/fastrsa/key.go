package main

import (
	"bytes"
	"crypto/x509"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/fastrsa/fastrsa/rsa"
)

// A key is one entry of a key file.
type key struct {
	pub    *rsa.PublicKey // nil if it is no RSA key
	kid    string
	hasKid bool
	alg    string // JWK: the only algorithm it is for, if not empty
	use    string // JWK: what it is for, if not empty
	ops    []string
	err    error // why an RSA key can't be used
}

// A keySet is the content of a key file.
type keySet struct {
	all   choice
	byKid map[string]*choice
	set   bool // a JWK set, in which the kid selects
}

// newKeySet returns the set of one key.
func newKeySet(k key) *keySet {
	s := new(keySet)
	s.add(k)
	return s
}

func (s *keySet) add(k key) {
	s.all.add(k)
	if !k.hasKid {
		return
	}
	if s.byKid == nil {
		s.byKid = make(map[string]*choice)
	}
	c := s.byKid[k.kid]
	if c == nil {
		c = new(choice)
		s.byKid[k.kid] = c
	}
	c.add(k)
}

// A choice is what there is to choose from where one RSA key is needed. It takes
// no more room for many keys than for one.
type choice struct {
	first   *key // the first RSA key
	several bool // there are other RSA keys
}

// add adds a key. An RSA key that is there several times is one.
func (c *choice) add(k key) {
	switch {
	case k.pub == nil && k.err == nil:
	case c.first == nil:
		c.first = &k
	case c.first.pub == nil || k.pub == nil || !c.first.pub.Equal(k.pub):
		c.several = true
	}
}

// only returns the only RSA key.
func (c *choice) only() (*key, error) {
	switch {
	case c.several:
		return nil, errors.New("more than one RSA key")
	case c.first == nil:
		return nil, errors.New("no RSA key")
	}
	return c.first, nil
}

// readKeys reads a key file: PEM, DER, a JWK or a JWK set.
func readKeys(name string, stdin io.Reader) (*keySet, error) {
	data, err := readFile(name, stdin)
	if err != nil {
		return nil, err
	}
	if blocks := splitPEM(data); len(blocks) > 0 {
		return pemKeys(blocks)
	}
	if trimmed := bytes.TrimSpace(data); len(trimmed) > 0 && trimmed[0] == '{' {
		return jsonKeys(trimmed)
	}
	if data[0] == 0x30 {
		pub, err := parseKey(data)
		if err != nil {
			return nil, err
		}
		return newKeySet(key{pub: pub}), nil
	}
	return nil, errors.New("not a key in PEM, DER, JWK or JWK set form")
}

// pemKeys returns the first key or certificate of a PEM file.
func pemKeys(blocks [][]byte) (*keySet, error) {
	for _, text := range blocks {
		block, _ := pem.Decode(text)
		if block == nil {
			return nil, errors.New("malformed or truncated PEM block")
		}
		switch block.Type {
		case "EC PARAMETERS", "DH PARAMETERS":
			continue
		case "ENCRYPTED PRIVATE KEY":
			return nil, errors.New("the private key is encrypted; only the public key is needed")
		}
		if block.Headers["DEK-Info"] != "" {
			return nil, errors.New("the private key is encrypted; only the public key is needed")
		}
		pub, err := parseKey(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("PEM block %q: %w", block.Type, err)
		}
		return newKeySet(key{pub: pub}), nil
	}
	return nil, errors.New("no key in the PEM file")
}

// parseKey returns the public key in DER of any of the forms that keys come in.
func parseKey(der []byte) (*rsa.PublicKey, error) {
	if pub, ok, err := parsePublicKey(der); ok {
		return pub, err
	} else if err == nil {
		return nil, errors.New("not an RSA key")
	}
	if pub, err := parsePKCS1PublicKey(der); err == nil {
		return pub, nil
	}
	if cert, err := x509.ParseCertificate(der); err == nil {
		pub, ok, err := parsePublicKey(cert.RawSubjectPublicKeyInfo)
		if !ok && err == nil {
			err = errors.New("not a certificate of an RSA key")
		}
		return pub, err
	}
	// Only N and E are taken from private keys, so that keys with primes that
	// crypto/x509 does not like can be used as well.
	var private struct {
		Version int
		N, E    *big.Int
	}
	var pkcs8 struct {
		Version   int
		Algorithm struct{ OID asn1.ObjectIdentifier }
		Key       []byte
	}
	if _, err := asn1.Unmarshal(der, &pkcs8); err == nil {
		switch pkcs8.Algorithm.OID.String() {
		case oidRSA, oidPSS:
			der = pkcs8.Key
		default:
			return nil, errors.New("not an RSA key")
		}
	}
	if _, err := asn1.Unmarshal(der, &private); err == nil {
		return newPublicKey(private.N, private.E)
	}
	return nil, errors.New("not an RSA key or certificate")
}

// jsonKeys parses a JWK or a JWK set (RFC 7517).
func jsonKeys(data []byte) (*keySet, error) {
	object, err := parseObject(data)
	if err != nil {
		return nil, err
	}
	list, ok := object["keys"]
	if !ok {
		k, err := parseJWK(object)
		if err == nil {
			err = k.err
		}
		if err != nil {
			return nil, fmt.Errorf("JWK: %w", err)
		}
		if k.pub == nil {
			return nil, errors.New("JWK: not an RSA key")
		}
		return newKeySet(k), nil
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(list, &raw); err != nil {
		return nil, errors.New(`JWK set: "keys" is not a list`)
	}
	set := &keySet{set: true}
	for i, r := range raw {
		object, err := parseObject(r)
		var k key
		if err == nil {
			k, err = parseJWK(object)
		}
		if err != nil {
			return nil, fmt.Errorf("JWK set: key %d: %w", i+1, err)
		}
		set.add(k)
	}
	return set, nil
}

// parseJWK parses one JWK. A fault in the numbers of an RSA key is left in the
// key's err, so that it does not matter for tokens of other keys.
func parseJWK(object map[string]json.RawMessage) (k key, err error) {
	str := func(name string) (s string) {
		if raw, ok := object[name]; ok && err == nil {
			if s, ok = jsonString(raw); !ok {
				err = fmt.Errorf("%q is not a string", name)
			}
		}
		return s
	}
	kty := str("kty")
	k.kid = str("kid")
	_, k.hasKid = object["kid"]
	k.alg = str("alg")
	k.use = str("use")
	if raw, ok := object["key_ops"]; ok {
		if json.Unmarshal(raw, &k.ops) != nil {
			return k, errors.New(`"key_ops" is not a list of strings`)
		}
		if k.ops == nil {
			k.ops = []string{}
		}
	}
	n, e := str("n"), str("e")
	switch {
	case err != nil:
		return k, err
	case kty == "":
		return k, errors.New(`"kty" is missing`)
	case kty != "RSA":
		return k, nil
	}
	N, err := decodeUint(n)
	if err != nil {
		k.err = fmt.Errorf(`"n" %w`, err)
		return k, nil
	}
	E, err := decodeUint(e)
	if err != nil {
		k.err = fmt.Errorf(`"e" %w`, err)
		return k, nil
	}
	k.pub, k.err = newPublicKey(N, E)
	return k, nil
}

// decodeUint decodes a Base64urlUInt of RFC 7518 section 2. Leading zero bytes
// are accepted, though the RFC forbids them, since some issuers write them.
func decodeUint(s string) (*big.Int, error) {
	if s == "" {
		return nil, errors.New("is missing or empty")
	}
	b, err := decodeBase64URL(s)
	if err != nil {
		return nil, fmt.Errorf("is %w", err)
	}
	return new(big.Int).SetBytes(b), nil
}

// decodeBase64URL decodes base64url without padding, white space or non-zero
// trailing bits.
func decodeBase64URL(s string) ([]byte, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || strings.ContainsAny(s, "\r\n") {
		return nil, errors.New("not strict base64url")
	}
	return b, nil
}

// jsonString returns the string that raw is.
func jsonString(raw json.RawMessage) (string, bool) {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return "", false
	}
	s, ok := v.(string)
	return s, ok
}

// parseObject parses a JSON object. Unlike package json it keeps upper and lower
// case apart and refuses repeated members, about which parsers differ.
func parseObject(data []byte) (map[string]json.RawMessage, error) {
	if !json.Valid(data) {
		return nil, errors.New("malformed JSON")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if t, _ := d.Token(); t != json.Delim('{') {
		return nil, errors.New("not a JSON object")
	}
	object := make(map[string]json.RawMessage)
	for d.More() {
		t, _ := d.Token()
		name, ok := t.(string)
		if !ok {
			return nil, errors.New("malformed JSON")
		}
		if _, ok := object[name]; ok {
			return nil, fmt.Errorf("JSON object with two members %q", name)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, errors.New("malformed JSON")
		}
		object[name] = value
	}
	return object, nil
}

// one returns the only RSA key of the set.
func (s *keySet) one() (*rsa.PublicKey, error) {
	k, err := s.all.only()
	if err != nil {
		return nil, err
	}
	return k.pub, k.err
}

// forToken returns the key for a token with the given header. The kid selects
// when both sides have one.
func (s *keySet) forToken(alg, kid string, hasKid bool) (*rsa.PublicKey, error) {
	c := &s.all
	if hasKid && (s.set || len(s.byKid) > 0) {
		if c = s.byKid[kid]; c == nil {
			return nil, fmt.Errorf("no key with kid %q", kid)
		}
	}
	k, err := c.only()
	switch {
	case err != nil && hasKid:
		return nil, fmt.Errorf("kid %q: %w", kid, err)
	case err != nil:
		return nil, fmt.Errorf("no kid in the token, and %w in the key file", err)
	case k.err != nil:
		return nil, fmt.Errorf("JWK: %w", k.err)
	case k.alg != "" && k.alg != alg:
		return nil, fmt.Errorf("the token's algorithm is %q and the key is for %q", alg, k.alg)
	case k.use != "" && k.use != "sig":
		return nil, fmt.Errorf("the use of the key is %q, not sig", k.use)
	case k.ops != nil && !slices.Contains(k.ops, "verify") && !slices.Contains(k.ops, "sign"):
		return nil, errors.New("the key operations do not include verify")
	}
	return k.pub, nil
}
