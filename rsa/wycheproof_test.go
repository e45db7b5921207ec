package rsa_test

import (
	"bytes"
	"crypto"
	"crypto/fips140"
	stdrsa "crypto/rsa"
	_ "crypto/sha1"
	_ "crypto/sha256"
	_ "crypto/sha3"
	_ "crypto/sha512"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"path"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/c2sp/wycheproof"

	"github.com/fastrsa/fastrsa/rsa"
)

// wycheproofRuns lists the vector files that are run, by name pattern. The
// first matching pattern wins.
var wycheproofRuns = []struct {
	pattern  string
	schema   string
	minFiles int
	run      func(t *testing.T, name string, data []byte) *wycheproofTally
}{
	{"rsa_signature_*_test.json", "rsassa_pkcs1_verify_schema_v1.json", 24, wycheproofVerifyPKCS1v15},
	{"rsa_pkcs1_*_sig_gen_test.json", "rsassa_pkcs1_generate_schema_v1.json", 5, wycheproofSignPKCS1v15},
	{"rsa_pkcs1_????_test.json", "rsaes_pkcs1_decrypt_schema_v1.json", 3, wycheproofDecryptPKCS1v15},
	{"rsa_pss_*_params_test.json", "rsassa_pss_with_parameters_verify_schema.json", 8, wycheproofVerifyPSS},
	{"rsa_pss_*_test.json", "rsassa_pss_verify_schema_v1.json", 13, wycheproofVerifyPSS},
	{"rsa_oaep_*_test.json", "rsaes_oaep_decrypt_schema_v1.json", 22, wycheproofDecryptOAEP},
	{"rsa_three_primes_oaep_*_test.json", "rsaes_oaep_decrypt_schema_v1.json", 3, wycheproofDecryptOAEP},
}

// wycheproofNotApplicable lists the files that mention RSA and are not run,
// with the reason. Every name must exist, so that no line outlives its file.
var wycheproofNotApplicable = map[string]string{
	"rsa_pss_2048_shake128_test.json": "SHAKE128 as hash and mask generation (RFC 8702) is not a crypto.Hash",
	"rsa_pss_2048_shake256_test.json": "SHAKE256 as hash and mask generation (RFC 8702) is not a crypto.Hash",
	"rsa_pss_3072_shake128_test.json": "SHAKE128 as hash and mask generation (RFC 8702) is not a crypto.Hash",
	"rsa_pss_3072_shake256_test.json": "SHAKE256 as hash and mask generation (RFC 8702) is not a crypto.Hash",
	"rsa_pss_4096_shake256_test.json": "SHAKE256 as hash and mask generation (RFC 8702) is not a crypto.Hash",
	"json_web_crypto_test.json":       "tests JOSE token parsing and key selection, a layer above RSA",
	"json_web_encryption_test.json":   "tests JOSE token parsing and key selection, a layer above RSA",
	"json_web_key_test.json":          "tests JOSE key set validation, a layer above RSA",
	"json_web_signature_test.json":    "tests JOSE token parsing and key selection, a layer above RSA",
	"x25519_jwk_test.json":            "names RSA only as a wrong key type for X25519",
	"x448_jwk_test.json":              "names RSA only as a wrong key type for X448",
}

type wycheproofPolicy int

const (
	// followResult: the flag says what is special about the vector; its
	// result, valid or invalid, decides.
	followResult wycheproofPolicy = iota
	// mustAccept, mustReject and stdDecides settle an "acceptable" vector.
	mustAccept
	mustReject
	stdDecides
)

// wycheproofFlags is the policy for each flag of the RSA vectors. A flag that is
// not listed fails the test.
var wycheproofFlags = map[string]struct {
	policy wycheproofPolicy
	reason string
}{
	"BerEncodedPadding":       {followResult, "DigestInfo is DER (RFC 8017 §9.2); another encoding is never rebuilt by the verifier"},
	"CVE-2020-14967":          {followResult, "ciphertext with zero bytes in front"},
	"CVE-2021-3580":           {followResult, "ciphertext with bytes behind it"},
	"Constructed":             {followResult, "seed and label chosen so that an intermediate value is an edge case"},
	"DistinctHash":            {followResult, "MGF1 with another hash; groups the API cannot express are handled by the runner"},
	"EdgeCaseSignature":       {followResult, "signature value close to N"},
	"EncryptionWithLabel":     {followResult, "OAEP label in use"},
	"InvalidAsnInPadding":     {followResult, "malformed DigestInfo"},
	"InvalidCiphertext":       {followResult, "ciphertext value out of range or of the wrong length"},
	"InvalidCiphertextFormat": {followResult, "ciphertext value out of range or of the wrong length"},
	"InvalidOaepPadding":      {followResult, "EM altered"},
	"InvalidPadding":          {followResult, "EM altered"},
	"InvalidPkcs1Padding":     {followResult, "EM altered"},
	"InvalidSignature":        {followResult, "signature value 0, 1, N-1, N or similar"},
	"Mgf1Sha1":                {followResult, "MGF1 with SHA-1"},
	"MissingNull":             {mustReject, "RFC 8017 §9.2 note 1: the AlgorithmIdentifier has NULL parameters; the verifier rebuilds EM"},
	"ModifiedPadding":         {followResult, "EM altered"},
	"ModifiedSignature":       {followResult, "EM or signature altered; some alterations leave it valid"},
	"NoHash":                  {followResult, "EM holds the message itself"},
	"Normal":                  {followResult, "random message"},
	"ParameterTest":           {followResult, "unusual but permitted parameters"},
	"ShortPadding":            {followResult, "padding string shortened, content moved"},
	"SignatureMalleability":   {followResult, "another encoding of the same value: s+N, longer, shorter"},
	"SmallIntegerCiphertext":  {stdDecides, "ciphertext 0 or 1: SP 800-56B forbids it, RFC 8017 §7.1.2 does not"},
	"SmallModulus":            {mustAccept, "1024 bits is the smallest size used, and is supported"},
	"SmallPublicKey":          {mustAccept, "e = 3 is supported"},
	"SmallSignature":          {followResult, "signature value with many leading zero bytes, full length"},
	"SpecialCase":             {followResult, "padding string or message with special bytes"},
	"SpecialCaseHash":         {followResult, "message whose hash has special bytes"},
	"SpecialCasePadding":      {followResult, "padding string that is not random"},
	"SpecifyPkcs1Algorithm":   {followResult, "key encoded as rsaEncryption or id-RSASSA-PSS; the key itself is the same"},
	"Sslv23Padding":           {followResult, "padding that SSL 3 uses to mark a rollback; still valid PKCS #1"},
	"WeakHash":                {mustAccept, "SHA-1 is supported, as in crypto/rsa"},
	"WrongHash":               {followResult, "DigestInfo of another hash"},
	"WrongPrimitive":          {followResult, "signature of the other scheme"},
}

// wycheproofShort reports whether -short leaves out vector v of a group: it runs
// every third one of large files and of private-key operations, and every ninth
// one with a key of 4096 bits or more. Where it starts counting differs from file
// to file, because similar files have the same kind of vector under one number.
func wycheproofShort(fileSize int, schema string, g *wycheproofGroup, v *wycheproofVector) bool {
	if !testing.Short() {
		return false
	}
	if g.KeySize >= 4096 {
		return (v.TcID+fileSize)%9 != 0
	}
	return (v.TcID+fileSize)%3 != 0 && (fileSize > 200_000 || !strings.Contains(schema, "verify"))
}

func TestWycheproof(t *testing.T) {
	t.Parallel()
	files := make([]int, len(wycheproofRuns))
	excluded := make(map[string]bool)
	err := fs.WalkDir(wycheproof.TestVectors, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(wycheproof.TestVectors, name)
		if err != nil {
			return err
		}
		if !strings.Contains(strings.ToLower(name), "rsa") && !bytes.Contains(data, []byte(`"RSA`)) {
			return nil
		}
		if _, ok := wycheproofNotApplicable[name]; ok {
			excluded[name] = true
			return nil
		}
		for i, r := range wycheproofRuns {
			if ok, _ := path.Match(r.pattern, name); !ok {
				continue
			}
			files[i]++
			t.Run(strings.TrimSuffix(name, "_test.json"), func(t *testing.T) {
				t.Parallel()
				tally := r.run(t, name, data)
				if tally.schema != r.schema {
					t.Errorf("schema is %q, want %q", tally.schema, r.schema)
				}
				// Runs after the parallel group subtests.
				t.Cleanup(func() {
					if n := int(tally.seen.Load()); n != tally.want || n == 0 {
						t.Errorf("%d vectors seen, the file announces %d", n, tally.want)
					}
					want := tally.want
					if testing.Short() {
						want /= 9
					}
					if n := int(tally.ran.Load()); n < want || !testing.Short() && n != want {
						t.Errorf("%d vectors run, want %d", n, want)
					}
				})
			})
			return nil
		}
		t.Errorf("%s mentions RSA, and is neither run nor listed as not applicable", name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range wycheproofRuns {
		if files[i] < r.minFiles {
			t.Errorf("%s: %d files, want at least %d", r.pattern, files[i], r.minFiles)
		}
	}
	for name := range wycheproofNotApplicable {
		if !excluded[name] {
			t.Errorf("%s is listed as not applicable and does not exist", name)
		}
	}
}

// wycheproofTally counts the vectors of one file.
type wycheproofTally struct {
	schema string
	want   int          // numberOfTests of the file
	seen   atomic.Int64 // vectors in its groups
	ran    atomic.Int64 // vectors run
}

// hexBytes is a byte string or an unsigned integer in hexadecimal.
type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text))
	return err
}

func (h hexBytes) int() *big.Int { return new(big.Int).SetBytes(h) }

type wycheproofFile[G any] struct {
	Algorithm     string
	Schema        string
	NumberOfTests int
	Header        []string
	Notes         map[string]struct {
		BugType     string
		Description string
		Effect      string
		Links       []string
		CVEs        []string
	}
	TestGroups []G
}

type wycheproofGroup struct {
	Type   string
	Source struct{ Name, Version string }
	// KeySize is the length of the modulus in bits.
	KeySize int
	Tests   []wycheproofVector
}

type wycheproofVector struct {
	TcID    int
	Comment string
	Flags   []string
	Msg     hexBytes
	Sig     hexBytes // signatures
	Ct      hexBytes // encryption
	Label   hexBytes // OAEP
	Result  string
}

type wycheproofJWK struct {
	Kty, Alg, Kid         string
	N, E                  string
	D, P, Q, Dp, Dq, Qinv string `json:"-"`
}

// UnmarshalJSON checks the field names and keeps the public part.
func (k *wycheproofJWK) UnmarshalJSON(data []byte) error {
	var f struct{ Kty, Alg, Kid, N, E, D, P, Q, Dp, Dq, Qi string }
	if err := decodeStrict(data, &f); err != nil {
		return err
	}
	k.Kty, k.N, k.E = f.Kty, f.N, f.E
	return nil
}

type wycheproofPublicKey struct {
	PublicKey struct {
		Modulus        hexBytes
		PublicExponent hexBytes
	}
	PublicKeyAsn hexBytes
	PublicKeyDer hexBytes
	PublicKeyPem string
	KeyJwk       *wycheproofJWK
	PublicKeyJwk *wycheproofJWK
}

type wycheproofPrivateKey struct {
	PrivateKey struct {
		Modulus         hexBytes
		PublicExponent  hexBytes
		PrivateExponent hexBytes
		Prime1          hexBytes
		Prime2          hexBytes
		Exponent1       hexBytes
		Exponent2       hexBytes
		Coefficient     hexBytes
		OtherPrimeInfos [][3]hexBytes
	}
	PrivateKeyPem   string
	PrivateKeyPkcs8 hexBytes
	PrivateKeyJwk   *wycheproofJWK
}

func decodeStrict(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	return dec.Decode(v)
}

// wycheproofLoad decodes a file, fails on any field or flag that is not known,
// and calls run for each group with the vectors that are to be run.
func wycheproofLoad[G any](t *testing.T, data []byte, group func(*G) *wycheproofGroup,
	run func(t *testing.T, g *G, vectors []wycheproofVector)) *wycheproofTally {
	t.Helper()
	var f wycheproofFile[G]
	if err := decodeStrict(data, &f); err != nil {
		t.Fatal(err)
	}
	tally := &wycheproofTally{schema: f.Schema, want: f.NumberOfTests}
	for flag := range f.Notes {
		if _, ok := wycheproofFlags[flag]; !ok {
			t.Errorf("no policy for flag %q", flag)
		}
	}
	for i := range f.TestGroups {
		g := &f.TestGroups[i]
		base := group(g)
		var vectors []wycheproofVector
		for _, v := range base.Tests {
			for _, flag := range v.Flags {
				if _, ok := f.Notes[flag]; !ok {
					t.Errorf("tcId %d: flag %q has no note", v.TcID, flag)
				}
			}
			if !wycheproofShort(len(data), f.Schema, base, &v) {
				vectors = append(vectors, v)
			}
		}
		tally.seen.Add(int64(len(base.Tests)))
		t.Run(fmt.Sprintf("group=%d", i), func(t *testing.T) {
			t.Parallel()
			run(t, g, vectors)
			tally.ran.Add(int64(len(vectors)))
		})
	}
	return tally
}

// accepts reports whether the vector must be accepted, given crypto/rsa's
// verdict.
func (v *wycheproofVector) accepts(t *testing.T, std error) bool {
	t.Helper()
	switch v.Result {
	case "valid":
		return true
	case "invalid":
		return false
	case "acceptable":
	default:
		t.Fatalf("tcId %d: unknown result %q", v.TcID, v.Result)
	}
	policy := followResult
	for _, flag := range v.Flags {
		// A reason to reject outweighs one to follow crypto/rsa, and that one
		// outweighs a reason to accept.
		switch p := wycheproofFlags[flag].policy; {
		case p == mustReject || policy == mustReject:
			policy = mustReject
		case p == stdDecides || policy == stdDecides:
			policy = stdDecides
		case p == mustAccept:
			policy = mustAccept
		}
	}
	switch policy {
	case mustAccept:
		return true
	case mustReject:
		return false
	case stdDecides:
		return std == nil
	}
	t.Fatalf("tcId %d: acceptable, and no flag of %q decides", v.TcID, v.Flags)
	return false
}

// check compares the verdict on v with the vector's result and with crypto/rsa.
func (v *wycheproofVector) check(t *testing.T, what string, got, std error) {
	t.Helper()
	if accept := v.accepts(t, std); (got == nil) != accept {
		t.Errorf("%s: tcId %d (%s, %s, %s): error %v, accept is %v",
			what, v.TcID, v.Result, v.Flags, v.Comment, got, accept)
	}
	if err := sameError(got, std); err != nil {
		t.Errorf("%s: tcId %d (%s): %v", what, v.TcID, v.Comment, err)
	}
}

// sameError returns nil if got and want are both nil, or agree in text and in
// each error value that the two packages share.
func sameError(got, want error) error {
	if (got == nil) != (want == nil) {
		return fmt.Errorf("error is %v, crypto/rsa's is %v", got, want)
	}
	if got == nil {
		return nil
	}
	for _, e := range []error{stdrsa.ErrVerification, stdrsa.ErrDecryption, stdrsa.ErrMessageTooLong} {
		if errors.Is(got, e) != errors.Is(want, e) {
			return fmt.Errorf("errors.Is(%v, %v) is %v, for crypto/rsa's %v it is %v",
				got, e, errors.Is(got, e), want, errors.Is(want, e))
		}
	}
	if got.Error() != want.Error() {
		return fmt.Errorf("error text is %q, crypto/rsa's is %q", got, want)
	}
	return nil
}

var wycheproofHashes = map[string]crypto.Hash{
	"SHA-1":       crypto.SHA1,
	"SHA-224":     crypto.SHA224,
	"SHA-256":     crypto.SHA256,
	"SHA-384":     crypto.SHA384,
	"SHA-512":     crypto.SHA512,
	"SHA-512/224": crypto.SHA512_224,
	"SHA-512/256": crypto.SHA512_256,
	"SHA3-224":    crypto.SHA3_224,
	"SHA3-256":    crypto.SHA3_256,
	"SHA3-384":    crypto.SHA3_384,
	"SHA3-512":    crypto.SHA3_512,
}

func wycheproofHash(t *testing.T, name string) crypto.Hash {
	t.Helper()
	h, ok := wycheproofHashes[name]
	if !ok {
		t.Fatalf("unknown hash %q", name)
	}
	return h
}

func hashOf(h crypto.Hash, msg []byte) []byte {
	d := h.New()
	d.Write(msg)
	return d.Sum(nil)
}

// key returns the group's public key after comparing all of its encodings.
func (k *wycheproofPublicKey) key(t *testing.T, bits int, pssOID bool) *rsa.PublicKey {
	t.Helper()
	pub := publicKeyOf(t, k.PublicKey.Modulus, k.PublicKey.PublicExponent)
	asn, err := x509.ParsePKCS1PublicKey(k.PublicKeyAsn)
	if err != nil {
		t.Fatal(err)
	}
	if !pub.Equal(asn) {
		t.Fatal("publicKeyAsn is another key")
	}
	block, rest := pem.Decode([]byte(k.PublicKeyPem))
	if block == nil || len(bytes.TrimSpace(rest)) != 0 || !bytes.Equal(block.Bytes, k.PublicKeyDer) {
		t.Fatal("publicKeyPem differs from publicKeyDer")
	}
	// crypto/x509 does not parse the algorithm id-RSASSA-PSS for keys.
	if der, err := x509.ParsePKIXPublicKey(k.PublicKeyDer); err == nil {
		if !pub.Equal(der) {
			t.Fatal("publicKeyDer is another key")
		}
	} else if !pssOID {
		t.Fatal(err)
	}
	for _, jwk := range []*wycheproofJWK{k.KeyJwk, k.PublicKeyJwk} {
		jwk.match(t, pub)
	}
	if pub.N.BitLen() != bits {
		t.Fatalf("modulus has %d bits, want %d", pub.N.BitLen(), bits)
	}
	return pub
}

func (k *wycheproofJWK) match(t *testing.T, pub *rsa.PublicKey) {
	t.Helper()
	if k == nil {
		return
	}
	n, err1 := base64.RawURLEncoding.DecodeString(k.N)
	e, err2 := base64.RawURLEncoding.DecodeString(k.E)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if k.Kty != "RSA" || !pub.Equal(publicKeyOf(t, n, e)) {
		t.Fatal("the JWK is another key")
	}
}

func publicKeyOf(t *testing.T, n, e []byte) *rsa.PublicKey {
	t.Helper()
	exp := new(big.Int).SetBytes(e)
	if exp.BitLen() > 31 {
		t.Fatalf("public exponent %v does not fit", exp)
	}
	return &rsa.PublicKey{N: new(big.Int).SetBytes(n), E: int(exp.Int64())}
}

// keys returns the group's private key as parsed, and stripped to (n, e, d).
func (k *wycheproofPrivateKey) keys(t *testing.T, bits int) (full, bare *rsa.PrivateKey) {
	t.Helper()
	parsed, err := x509.ParsePKCS8PrivateKey(k.PrivateKeyPkcs8)
	if err != nil {
		t.Fatal(err)
	}
	full = parsed.(*rsa.PrivateKey)
	f := &k.PrivateKey
	bare = &rsa.PrivateKey{
		PublicKey: *publicKeyOf(t, f.Modulus, f.PublicExponent),
		D:         f.PrivateExponent.int(),
	}
	if !full.PublicKey.Equal(&bare.PublicKey) || full.D.Cmp(bare.D) != 0 {
		t.Fatal("privateKeyPkcs8 is another key")
	}
	primes := []*big.Int{f.Prime1.int(), f.Prime2.int()}
	for _, info := range f.OtherPrimeInfos {
		primes = append(primes, info[0].int())
	}
	// Some groups give only (n, e, d) beside the encoded key.
	if len(f.Prime1) != 0 {
		if len(full.Primes) != len(primes) {
			t.Fatalf("%d primes parsed, want %d", len(full.Primes), len(primes))
		}
		for i, p := range primes {
			if full.Primes[i].Cmp(p) != 0 {
				t.Fatalf("prime %d differs", i)
			}
		}
		p := &full.Precomputed
		if p.Dp.Cmp(f.Exponent1.int()) != 0 || p.Dq.Cmp(f.Exponent2.int()) != 0 || p.Qinv.Cmp(f.Coefficient.int()) != 0 {
			t.Fatal("CRT values differ")
		}
	}
	block, _ := pem.Decode([]byte(k.PrivateKeyPem))
	if block == nil {
		t.Fatal("privateKeyPem is not PEM")
	}
	if block.Type == "RSA PRIVATE KEY" {
		fromPEM, err := x509.ParsePKCS1PrivateKey(block.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		if !full.Equal(fromPEM) {
			t.Fatal("privateKeyPem is another key")
		}
	} else if !bytes.Equal(block.Bytes, k.PrivateKeyPkcs8) {
		t.Fatal("privateKeyPem differs from privateKeyPkcs8")
	}
	k.PrivateKeyJwk.match(t, &full.PublicKey)
	if full.N.BitLen() != bits {
		t.Fatalf("modulus has %d bits, want %d", full.N.BitLen(), bits)
	}
	return full, bare
}

func wycheproofVerifyPKCS1v15(t *testing.T, name string, data []byte) *wycheproofTally {
	type group struct {
		wycheproofGroup
		wycheproofPublicKey
		Sha string
	}
	return wycheproofLoad(t, data, func(g *group) *wycheproofGroup { return &g.wycheproofGroup },
		func(t *testing.T, g *group, vectors []wycheproofVector) {
			pub := g.key(t, g.KeySize, false)
			h := wycheproofHash(t, g.Sha)
			verifier := newVerifier(t, pub)
			for _, v := range vectors {
				digest := hashOf(h, v.Msg)
				std := stdrsa.VerifyPKCS1v15(pub, h, digest, v.Sig)
				v.check(t, "VerifyPKCS1v15", rsa.VerifyPKCS1v15(pub, h, digest, v.Sig), std)
				v.check(t, "Verifier.VerifyPKCS1v15", verifier.VerifyPKCS1v15(h, digest, v.Sig), std)
			}
		})
}

func wycheproofSignPKCS1v15(t *testing.T, name string, data []byte) *wycheproofTally {
	type group struct {
		wycheproofGroup
		wycheproofPrivateKey
		KeyAsn hexBytes
		KeyDer hexBytes
		KeyPem string
		KeyJwk *wycheproofJWK
		Sha    string
	}
	return wycheproofLoad(t, data, func(g *group) *wycheproofGroup { return &g.wycheproofGroup },
		func(t *testing.T, g *group, vectors []wycheproofVector) {
			full, bare := g.keys(t, g.KeySize)
			public := wycheproofPublicKey{PublicKeyAsn: g.KeyAsn, PublicKeyDer: g.KeyDer, PublicKeyPem: g.KeyPem, KeyJwk: g.KeyJwk}
			public.PublicKey.Modulus = g.PrivateKey.Modulus
			public.PublicKey.PublicExponent = g.PrivateKey.PublicExponent
			pub := public.key(t, g.KeySize, false)
			h := wycheproofHash(t, g.Sha)
			signer, recovered := newSigner(t, full), newSigner(t, bare)
			for _, v := range vectors {
				digest := hashOf(h, v.Msg)
				s := signer
				if v.TcID%2 == 0 {
					s = recovered
				}
				if v.TcID%4 < 2 {
					if sig, err := s.SignPKCS1v15(h, digest); v.Result != "invalid" && (err != nil || !bytes.Equal(sig, v.Sig)) {
						t.Errorf("tcId %d: Signer: signature %x, error %v, want %x", v.TcID, sig, err, v.Sig)
					}
				}
				std, stdErr := stdrsa.SignPKCS1v15(nil, full, h, digest)
				sig, err := rsa.SignPKCS1v15(nil, full, h, digest)
				v.check(t, "SignPKCS1v15", err, stdErr)
				if err == nil && (!bytes.Equal(sig, v.Sig) || !bytes.Equal(std, v.Sig)) {
					t.Errorf("tcId %d: signature %x, want %x", v.TcID, sig, v.Sig)
				}
				// Without its primes the key is slow; a quarter of the vectors is enough.
				if v.TcID%4 == 0 {
					if sig, err := rsa.SignPKCS1v15(nil, bare, h, digest); err != nil || !bytes.Equal(sig, v.Sig) {
						t.Errorf("tcId %d: key without primes: signature %x, error %v, want %x", v.TcID, sig, err, v.Sig)
					}
				}
				v.check(t, "VerifyPKCS1v15",
					rsa.VerifyPKCS1v15(pub, h, digest, v.Sig),
					stdrsa.VerifyPKCS1v15(pub, h, digest, v.Sig))
			}
		})
}

func wycheproofVerifyPSS(t *testing.T, name string, data []byte) *wycheproofTally {
	type group struct {
		wycheproofGroup
		wycheproofPublicKey
		Sha    string
		Mgf    string
		MgfSha string
		SLen   int
	}
	return wycheproofLoad(t, data, func(g *group) *wycheproofGroup { return &g.wycheproofGroup },
		func(t *testing.T, g *group, vectors []wycheproofVector) {
			if g.Mgf != "MGF1" {
				t.Fatalf("unknown mask generation function %q", g.Mgf)
			}
			pub := g.key(t, g.KeySize, g.Type == "RsassaPssWithParametersVerify")
			h := wycheproofHash(t, g.Sha)
			verifier := newVerifier(t, pub)
			pss := &rsa.PSS{Hash: h, MGFHash: wycheproofHash(t, g.MgfSha), Salt: rsa.PSSSaltExactly(g.SLen)}
			for _, v := range vectors {
				digest := hashOf(h, v.Msg)
				// These options can say everything that a group demands, so the result
				// alone decides.
				if !fips140.Enabled() {
					if err := verifier.VerifyPSS(digest, v.Sig, pss); (err == nil) != v.accepts(t, nil) {
						t.Errorf("Verifier.VerifyPSS: tcId %d (%s, %s, %s): error %v", v.TcID, v.Result, v.Flags, v.Comment, err)
					}
				}
				opts := &rsa.PSSOptions{SaltLength: g.SLen}
				if g.SLen == 0 {
					// SaltLength 0 means auto, so the API cannot demand an empty salt.
					opts.SaltLength = rsa.PSSSaltLengthAuto
				}
				got := rsa.VerifyPSS(pub, h, digest, v.Sig, opts)
				std := stdrsa.VerifyPSS(pub, h, digest, v.Sig, opts)
				if wycheproofHash(t, g.MgfSha) != h {
					// PSSOptions has one hash for message and MGF1, so these
					// signatures are not valid under any options.
					if v.Result == "valid" {
						v.Result, v.Comment = "invalid", v.Comment+" (MGF1 with another hash)"
					}
				}
				if g.SLen == 0 && strings.HasPrefix(v.Comment, "s_len changed to ") {
					// Valid signatures with a salt, refused only where the
					// verifier can demand an empty one.
					v.Result = "valid"
				}
				v.check(t, "VerifyPSS", got, std)
				if g.SLen == h.Size() {
					opts.SaltLength = rsa.PSSSaltLengthEqualsHash
					v.check(t, "VerifyPSS, salt as long as the hash",
						rsa.VerifyPSS(pub, h, digest, v.Sig, opts), std)
				}
			}
		})
}

func wycheproofDecryptPKCS1v15(t *testing.T, name string, data []byte) *wycheproofTally {
	type group struct {
		wycheproofGroup
		wycheproofPrivateKey
	}
	return wycheproofLoad(t, data, func(g *group) *wycheproofGroup { return &g.wycheproofGroup },
		func(t *testing.T, g *group, vectors []wycheproofVector) {
			full, bare := g.keys(t, g.KeySize)
			signer := newSigner(t, full)
			for _, v := range vectors {
				_, std := stdrsa.DecryptPKCS1v15(nil, full, v.Ct)
				if v.TcID%2 == 0 {
					msg, err := signer.DecryptPKCS1v15(v.Ct)
					v.check(t, "Signer.DecryptPKCS1v15", err, std)
					if err == nil && !bytes.Equal(msg, v.Msg) {
						t.Errorf("tcId %d: Signer: message %x, want %x", v.TcID, msg, v.Msg)
					}
				}
				msg, err := rsa.DecryptPKCS1v15(nil, full, v.Ct)
				v.check(t, "DecryptPKCS1v15", err, std)
				if err == nil && !bytes.Equal(msg, v.Msg) {
					t.Errorf("tcId %d: message %x, want %x", v.TcID, msg, v.Msg)
				}
				if v.TcID%8 == 0 {
					msg, err := rsa.DecryptPKCS1v15(nil, bare, v.Ct)
					v.check(t, "DecryptPKCS1v15, key without primes", err, std)
					if err == nil && !bytes.Equal(msg, v.Msg) {
						t.Errorf("tcId %d: key without primes: message %x, want %x", v.TcID, msg, v.Msg)
					}
				}
				v.checkSessionKey(t, full, len(v.Msg))
				if v.TcID%4 == 0 {
					v.checkSessionKey(t, full, len(v.Msg)+1)
				}
			}
		})
}

// checkSessionKey decrypts v into a session key of n bytes, which must change
// only if v is valid and its message has n bytes.
func (v *wycheproofVector) checkSessionKey(t *testing.T, priv *rsa.PrivateKey, n int) {
	t.Helper()
	initial := bytes.Repeat([]byte{0xa5}, n)
	got, std := bytes.Clone(initial), bytes.Clone(initial)
	gotErr := rsa.DecryptPKCS1v15SessionKey(nil, priv, v.Ct, got)
	stdErr := stdrsa.DecryptPKCS1v15SessionKey(nil, priv, v.Ct, std)
	if err := sameError(gotErr, stdErr); err != nil {
		t.Errorf("DecryptPKCS1v15SessionKey: tcId %d (%s): %v", v.TcID, v.Comment, err)
	}
	want := initial
	if v.Result == "valid" && gotErr == nil && n == len(v.Msg) {
		want = v.Msg
	}
	if !bytes.Equal(got, want) || !bytes.Equal(std, want) {
		t.Errorf("DecryptPKCS1v15SessionKey: tcId %d (%s): key of %d bytes is %x, want %x", v.TcID, v.Comment, n, got, want)
	}
}

func wycheproofDecryptOAEP(t *testing.T, name string, data []byte) *wycheproofTally {
	type group struct {
		wycheproofGroup
		wycheproofPrivateKey
		Sha    string
		Mgf    string
		MgfSha string
	}
	return wycheproofLoad(t, data, func(g *group) *wycheproofGroup { return &g.wycheproofGroup },
		func(t *testing.T, g *group, vectors []wycheproofVector) {
			if len(vectors) == 0 {
				return // key parsing costs more than the operations
			}
			if g.Mgf != "MGF1" {
				t.Fatalf("unknown mask generation function %q", g.Mgf)
			}
			full, bare := g.keys(t, g.KeySize)
			h, mgf := wycheproofHash(t, g.Sha), wycheproofHash(t, g.MgfSha)
			signer := newSigner(t, full)
			for _, v := range vectors {
				// Unlike DecryptOAEP, the method takes any hash for MGF1. Some of the vectors,
				// which are very much alike from file to file, are enough where both can, and
				// of those with the largest keys.
				if v.TcID%8 == 0 || h != mgf && (g.KeySize <= 2048 || v.TcID%4 == 0) {
					opts := &rsa.OAEPOptions{Hash: h, MGFHash: mgf, Label: v.Label}
					_, std := full.Decrypt(nil, v.Ct, opts)
					msg, err := signer.DecryptOAEP(v.Ct, opts)
					v.check(t, "Signer.DecryptOAEP", err, std)
					if err == nil && !bytes.Equal(msg, v.Msg) {
						t.Errorf("tcId %d: Signer: message %x, want %x", v.TcID, msg, v.Msg)
					}
				}
				if h != mgf {
					// DecryptOAEP has one hash for label and MGF1; only
					// encryption takes a second one. The largest keys cost a
					// tenth of a second each time.
					if g.KeySize <= 4096 || v.TcID%3 == 0 {
						_, err := rsa.DecryptOAEP(h.New(), nil, full, v.Ct, v.Label)
						_, std := stdrsa.DecryptOAEP(h.New(), nil, full, v.Ct, v.Label)
						if err := sameError(err, std); err != nil || !errors.Is(std, rsa.ErrDecryption) {
							t.Errorf("DecryptOAEP, MGF1 with another hash: tcId %d: %v, crypto/rsa's error %v", v.TcID, err, std)
						}
					}
				} else {
					_, std := stdrsa.DecryptOAEP(h.New(), nil, full, v.Ct, v.Label)
					msg, err := rsa.DecryptOAEP(h.New(), nil, full, v.Ct, v.Label)
					v.check(t, "DecryptOAEP", err, std)
					if err == nil && !bytes.Equal(msg, v.Msg) {
						t.Errorf("tcId %d: message %x, want %x", v.TcID, msg, v.Msg)
					}
					if v.TcID%16 == 0 && g.KeySize <= 4096 {
						msg, err := rsa.DecryptOAEP(h.New(), nil, bare, v.Ct, v.Label)
						v.check(t, "DecryptOAEP, key without primes", err, std)
						if err == nil && !bytes.Equal(msg, v.Msg) {
							t.Errorf("tcId %d: key without primes: message %x, want %x", v.TcID, msg, v.Msg)
						}
					}
				}
				if v.Result != "valid" {
					continue
				}
				// With the seed recovered from the vector, encryption is
				// deterministic and must reproduce the ciphertext.
				seed := oaepSeed(t, full, h, mgf, v.Ct)
				ct, err := rsa.EncryptOAEPWithOptions(bytes.NewReader(seed), &full.PublicKey, v.Msg,
					&rsa.OAEPOptions{Hash: h, MGFHash: mgf, Label: v.Label})
				if err != nil || !bytes.Equal(ct, v.Ct) {
					t.Errorf("EncryptOAEPWithOptions: tcId %d: ciphertext %x, error %v, want %x", v.TcID, ct, err, v.Ct)
				}
			}
		})
}

// oaepSeed decrypts ct with math/big and returns its OAEP seed (RFC 8017 §7.1.2
// step 3).
func oaepSeed(t *testing.T, priv *rsa.PrivateKey, h, mgf crypto.Hash, ct []byte) []byte {
	t.Helper()
	em := bigDecrypt(priv, new(big.Int).SetBytes(ct)).FillBytes(make([]byte, priv.Size()))
	seed, db := em[1:1+h.Size()], em[1+h.Size():]
	for i, b := range mgf1(mgf, db, len(seed)) {
		seed[i] ^= b
	}
	return seed
}

// mgf1 is MGF1 of RFC 8017 §B.2.1.
func mgf1(h crypto.Hash, seed []byte, n int) []byte {
	var out []byte
	for c := byte(0); len(out) < n; c++ {
		out = append(out, hashOf(h, append(bytes.Clone(seed), 0, 0, 0, c))...)
	}
	return out[:n]
}

// bigDecrypt returns c^d mod N by math/big, with the Chinese remainder theorem
// (RFC 8017 §5.1.2 step 2.b) over all primes of the key.
func bigDecrypt(priv *rsa.PrivateKey, c *big.Int) *big.Int {
	if len(priv.Primes) == 0 {
		return new(big.Int).Exp(c, priv.D, priv.N)
	}
	m, r := new(big.Int), big.NewInt(1)
	for _, p := range priv.Primes {
		exp := new(big.Int).Sub(p, big.NewInt(1))
		exp.Mod(priv.D, exp)
		h := new(big.Int).Exp(c, exp, p)
		h.Sub(h, m).Mul(h, new(big.Int).ModInverse(r, p)).Mod(h, p)
		m.Add(m, h.Mul(h, r))
		r = new(big.Int).Mul(r, p)
	}
	return m
}
