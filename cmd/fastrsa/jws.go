package main

import (
	"crypto"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/fastrsa/fastrsa/rsa"
)

// jwsAlgorithms are the RSA signatures of RFC 7518 section 3.1. The salt is as
// long as the hash (section 3.5).
var jwsAlgorithms = map[string]scheme{
	"RS256": {hash: crypto.SHA256},
	"RS384": {hash: crypto.SHA384},
	"RS512": {hash: crypto.SHA512},
	"PS256": {hash: crypto.SHA256, pss: true, salt: rsa.PSSSaltLengthEqualsHash},
	"PS384": {hash: crypto.SHA384, pss: true, salt: rsa.PSSSaltLengthEqualsHash},
	"PS512": {hash: crypto.SHA512, pss: true, salt: rsa.PSSSaltLengthEqualsHash},
}

// tokenAlphabet is what compact tokens consist of.
const tokenAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."

// splitTokens returns the tokens in data, which are separated by white space. ok
// is false if data does not look like tokens.
func splitTokens(data []byte) (tokens iter.Seq[string], ok bool) {
	if !isText(data) {
		return nil, false
	}
	tokens = strings.FieldsSeq(string(data))
	for first := range tokens {
		return tokens, strings.Contains(first, ".") && strings.Trim(first, tokenAlphabet) == ""
	}
	return nil, false
}

var (
	errNoKey     = errors.New("a token needs -key")
	errNoKeyRead = errors.New("not checked, for want of the key")
	errJWE       = errors.New("an encrypted token (JWE), which has no signature")
)

// errParts is the number of parts of what is no compact token. A file may hold
// millions of these; the text is made only for those that are reported.
type errParts int

func (n errParts) Error() string {
	return fmt.Sprintf("not a compact token: %s, not 3", count(int(n), "part"))
}

// parseToken parses a compact token and finds its key. The signature and the error
// are both nil if the token's algorithm is known and none of RSA's; kid and alg are
// set as far as they are known.
func parseToken(token string, keys *keySet) (s *signature, kid, alg string, err error) {
	// Counted before they are split, since a token of dots has millions.
	switch n := strings.Count(token, ".") + 1; n {
	case 3:
	case 5:
		return nil, "", "", errJWE
	default:
		return nil, "", "", errParts(n)
	}
	rawHeader, rest, _ := strings.Cut(token, ".")
	rawPayload, rawSig, _ := strings.Cut(rest, ".")
	headerJSON, err := decodeBase64URL(rawHeader)
	if err != nil {
		return nil, "", "", fmt.Errorf("token header: %w", err)
	}
	header, err := parseObject(headerJSON)
	if err != nil {
		return nil, "", "", fmt.Errorf("token header: %w", err)
	}
	rawKid, hasKid := header["kid"]
	if hasKid {
		var ok bool
		if kid, ok = jsonString(rawKid); !ok {
			return nil, "", "", errors.New(`token header: "kid" is not a string`)
		}
	}
	alg, ok := jsonString(header["alg"])
	if !ok {
		return nil, kid, "", errors.New(`token header: "alg" is missing or not a string`)
	}
	if _, ok := header["crit"]; ok {
		return nil, kid, alg, errors.New(`token header: "crit" demands extensions, and none is supported`)
	}
	if _, err := decodeBase64URL(rawPayload); err != nil {
		return nil, kid, alg, fmt.Errorf("token payload: %w", err)
	}
	sig, err := decodeBase64URL(rawSig)
	if err != nil {
		return nil, kid, alg, fmt.Errorf("token signature: %w", err)
	}
	scheme, ok := jwsAlgorithms[alg]
	switch {
	case ok:
	case alg == "ES256", alg == "ES384", alg == "ES512", alg == "ES256K",
		alg == "EdDSA", alg == "Ed25519", alg == "Ed448":
		return nil, kid, alg, nil
	case strings.EqualFold(alg, "none"):
		return nil, kid, alg, fmt.Errorf("algorithm %q: the token is not signed", alg)
	default:
		return nil, kid, alg, fmt.Errorf("algorithm %q is no RSA signature and can't be checked with a public key", alg)
	}
	if keys == nil {
		return nil, kid, alg, errNoKey
	}
	pub, err := keys.forToken(alg, kid, hasKid)
	if err != nil {
		return nil, kid, alg, err
	}
	return &signature{
		scheme: scheme,
		digest: digest(scheme.hash, []byte(token[:len(token)-len(".")-len(rawSig)])),
		sig:    sig,
		keys:   []*rsa.PublicKey{pub},
	}, kid, alg, nil
}
