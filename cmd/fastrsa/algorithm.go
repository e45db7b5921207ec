package main

import (
	"crypto"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"math/big"

	"github.com/fastrsa/fastrsa/rsa"
)

// errNotRSA says that a signature is none that the two implementations can
// check. Its text is the algorithm's name.
type errNotRSA struct{ algorithm string }

func (e *errNotRSA) Error() string { return e.algorithm }

// pkcs1Algorithms are the signature algorithms with PKCS #1 v1.5 padding, of
// RFC 8017 appendix A.2.4 and RFC 9688 (SHA-3).
var pkcs1Algorithms = map[string]crypto.Hash{
	"1.2.840.113549.1.1.4":    crypto.MD5,
	"1.2.840.113549.1.1.5":    crypto.SHA1,
	"1.3.14.3.2.29":           crypto.SHA1, // OIW sha1WithRSASignature
	"1.2.840.113549.1.1.14":   crypto.SHA224,
	"1.2.840.113549.1.1.11":   crypto.SHA256,
	"1.2.840.113549.1.1.12":   crypto.SHA384,
	"1.2.840.113549.1.1.13":   crypto.SHA512,
	"1.2.840.113549.1.1.15":   crypto.SHA512_224,
	"1.2.840.113549.1.1.16":   crypto.SHA512_256,
	"2.16.840.1.101.3.4.3.13": crypto.SHA3_224,
	"2.16.840.1.101.3.4.3.14": crypto.SHA3_256,
	"2.16.840.1.101.3.4.3.15": crypto.SHA3_384,
	"2.16.840.1.101.3.4.3.16": crypto.SHA3_512,
}

// hashAlgorithms are the hash functions that PSS parameters name.
var hashAlgorithms = map[string]crypto.Hash{
	"1.2.840.113549.2.5":      crypto.MD5,
	"1.3.14.3.2.26":           crypto.SHA1,
	"2.16.840.1.101.3.4.2.4":  crypto.SHA224,
	"2.16.840.1.101.3.4.2.1":  crypto.SHA256,
	"2.16.840.1.101.3.4.2.2":  crypto.SHA384,
	"2.16.840.1.101.3.4.2.3":  crypto.SHA512,
	"2.16.840.1.101.3.4.2.5":  crypto.SHA512_224,
	"2.16.840.1.101.3.4.2.6":  crypto.SHA512_256,
	"2.16.840.1.101.3.4.2.7":  crypto.SHA3_224,
	"2.16.840.1.101.3.4.2.8":  crypto.SHA3_256,
	"2.16.840.1.101.3.4.2.9":  crypto.SHA3_384,
	"2.16.840.1.101.3.4.2.10": crypto.SHA3_512,
}

// otherAlgorithms are names of signature algorithms that are skipped.
var otherAlgorithms = map[string]string{
	"1.2.840.113549.1.1.2":    "RSA-MD2",
	"1.2.840.113549.1.1.3":    "RSA-MD4",
	"1.2.840.10045.4.1":       "ECDSA-SHA1",
	"1.2.840.10045.4.3.1":     "ECDSA-SHA224",
	"1.2.840.10045.4.3.2":     "ECDSA-SHA256",
	"1.2.840.10045.4.3.3":     "ECDSA-SHA384",
	"1.2.840.10045.4.3.4":     "ECDSA-SHA512",
	"1.2.840.10040.4.3":       "DSA-SHA1",
	"2.16.840.1.101.3.4.3.1":  "DSA-SHA224",
	"2.16.840.1.101.3.4.3.2":  "DSA-SHA256",
	"2.16.840.1.101.3.4.3.9":  "ECDSA-SHA3-224",
	"2.16.840.1.101.3.4.3.10": "ECDSA-SHA3-256",
	"2.16.840.1.101.3.4.3.11": "ECDSA-SHA3-384",
	"2.16.840.1.101.3.4.3.12": "ECDSA-SHA3-512",
	"2.16.840.1.101.3.4.3.17": "ML-DSA-44",
	"2.16.840.1.101.3.4.3.18": "ML-DSA-65",
	"2.16.840.1.101.3.4.3.19": "ML-DSA-87",
	"1.3.101.112":             "Ed25519",
	"1.3.101.113":             "Ed448",
	"1.2.156.10197.1.501":     "SM2-SM3",
	"1.2.643.7.1.1.3.2":       "GOST-2012-256",
	"1.2.643.7.1.1.3.3":       "GOST-2012-512",
}

const (
	oidRSA  = "1.2.840.113549.1.1.1"
	oidMGF1 = "1.2.840.113549.1.1.8"
	oidPSS  = "1.2.840.113549.1.1.10"
)

// parseAlgorithm returns the scheme that id names. The error is an *errNotRSA if
// it is no RSA signature, or one that package rsa can't express.
func parseAlgorithm(id pkix.AlgorithmIdentifier) (scheme, error) {
	oid := id.Algorithm.String()
	if h, ok := pkcs1Algorithms[oid]; ok {
		return scheme{hash: h}, nil
	}
	if oid == oidPSS {
		return parsePSSParameters(id.Parameters.FullBytes)
	}
	if name, ok := otherAlgorithms[oid]; ok {
		return scheme{}, &errNotRSA{name}
	}
	return scheme{}, &errNotRSA{"algorithm " + oid}
}

// pssParameters is RSASSA-PSS-params of RFC 8017 appendix A.2.3.
type pssParameters struct {
	Hash    pkix.AlgorithmIdentifier `asn1:"explicit,optional,tag:0"`
	MGF     pkix.AlgorithmIdentifier `asn1:"explicit,optional,tag:1"`
	Salt    int                      `asn1:"explicit,optional,tag:2,default:20"`
	Trailer int                      `asn1:"explicit,optional,tag:3,default:1"`
}

// parsePSSParameters parses the DER encoding of RSASSA-PSS-params; nothing at all
// stands for the defaults, SHA-1 and 20 bytes of salt.
func parsePSSParameters(der []byte) (scheme, error) {
	p := pssParameters{Salt: 20, Trailer: 1}
	if len(der) > 0 {
		if rest, err := asn1.Unmarshal(der, &p); err != nil || len(rest) > 0 {
			return scheme{}, errors.New("malformed RSASSA-PSS parameters")
		}
	}
	hash, err := parseHash(p.Hash)
	if err != nil {
		return scheme{}, err
	}
	mgfHash := crypto.SHA1
	if len(p.MGF.Algorithm) > 0 {
		if oid := p.MGF.Algorithm.String(); oid != oidMGF1 {
			return scheme{}, &errNotRSA{"RSASSA-PSS with mask generation function " + oid}
		}
		var id pkix.AlgorithmIdentifier
		if rest, err := asn1.Unmarshal(p.MGF.Parameters.FullBytes, &id); err != nil || len(rest) > 0 {
			return scheme{}, errors.New("malformed RSASSA-PSS parameters")
		}
		if mgfHash, err = parseHash(id); err != nil {
			return scheme{}, err
		}
	}
	// The API of crypto/rsa has one hash for both uses, no salt of zero bytes
	// (0 means any length), and no other trailer.
	switch {
	case mgfHash != hash:
		return scheme{}, &errNotRSA{fmt.Sprintf("RSASSA-PSS-%s with MGF1-%s", hashName(hash), hashName(mgfHash))}
	case p.Trailer != 1:
		return scheme{}, &errNotRSA{fmt.Sprintf("RSASSA-PSS with trailer field %d", p.Trailer)}
	case p.Salt < 0:
		return scheme{}, errors.New("RSASSA-PSS salt length is negative")
	case p.Salt == 0:
		return scheme{hash: hash, pss: true, salt: rsa.PSSSaltLengthAuto}, nil
	case p.Salt == hash.Size():
		return scheme{hash: hash, pss: true, salt: rsa.PSSSaltLengthEqualsHash}, nil
	}
	return scheme{hash: hash, pss: true, salt: p.Salt}, nil
}

// parseHash returns the hash function that id names, SHA-1 if it is absent.
func parseHash(id pkix.AlgorithmIdentifier) (crypto.Hash, error) {
	if len(id.Algorithm) == 0 {
		return crypto.SHA1, nil
	}
	oid := id.Algorithm.String()
	if h, ok := hashAlgorithms[oid]; ok {
		return h, nil
	}
	return 0, &errNotRSA{"RSASSA-PSS with hash " + oid}
}

// parsePublicKey returns the RSA key of a DER SubjectPublicKeyInfo, whether it is
// marked as an RSA key for all uses or for PSS alone. ok is false if it is the key
// of another algorithm.
func parsePublicKey(spki []byte) (pub *rsa.PublicKey, ok bool, err error) {
	var info struct {
		Algorithm pkix.AlgorithmIdentifier
		Key       asn1.BitString
	}
	if rest, err := asn1.Unmarshal(spki, &info); err != nil || len(rest) > 0 {
		return nil, false, errors.New("malformed public key")
	}
	switch info.Algorithm.Algorithm.String() {
	case oidRSA, oidPSS:
	default:
		return nil, false, nil
	}
	pub, err = parsePKCS1PublicKey(info.Key.RightAlign())
	return pub, true, err
}

// parsePKCS1PublicKey parses a DER RSAPublicKey of RFC 8017 appendix A.1.1.
func parsePKCS1PublicKey(der []byte) (*rsa.PublicKey, error) {
	var key struct{ N, E *big.Int }
	if rest, err := asn1.Unmarshal(der, &key); err != nil || len(rest) > 0 {
		return nil, errors.New("malformed RSA public key")
	}
	return newPublicKey(key.N, key.E)
}

// newPublicKey returns the key of modulus n and exponent e, if the type
// rsa.PublicKey can hold them.
func newPublicKey(n, e *big.Int) (*rsa.PublicKey, error) {
	switch {
	case e.Sign() <= 0:
		return nil, errors.New("RSA public exponent is not positive")
	case !e.IsInt64() || int64(int(e.Int64())) != e.Int64():
		return nil, fmt.Errorf("RSA public exponent of %d bits is too large", e.BitLen())
	}
	pub := &rsa.PublicKey{N: n, E: int(e.Int64())}
	return pub, checkKey(pub)
}
