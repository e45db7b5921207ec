package rsa_test

import (
	"bytes"
	"crypto"
	"crypto/fips140"
	"crypto/rand"
	stdrsa "crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"testing"

	"github.com/fastrsa/fastrsa/rsa"
)

// This file turns public reports of faults in RSA implementations into tests.
// Each test names the threads it comes from.
//
//	RustCrypto/RSA#272, kazu-yamamoto/crypton#86        TestVerifyRejectsSignaturePlusModulus
//	kjur/jsrsasign#438 (CVE-2020-14968)                 TestVerifyRejectsZeroPrefixedSignature
//	golang/go#21896, RustCrypto/RSA#322,
//	paramiko/paramiko#1933, OpenSC/OpenSC#1283          TestVerifyRejectsShortSignature
//	digitalbazaar/forge#967 (CVE-2022-24771 to 24773),
//	jfromaniello/selfsigned#59                          TestVerifyRejectsTrailingGarbage, TestVerifyRejectsCubeRootForgery
//	digitalbazaar/forge#1149 (CVE-2026-85393)           TestVerifyRejectsGarbageInAlgorithmIdentifier
//	mastra-ai/mastra#14754                              TestVerifyRejectsShortPadding, TestSignRefusesShortPadding
//	relic-toolkit/relic#154, kjur/jsrsasign#478
//	(CVE-2021-30246)                                    TestVerifyRejectsAnyChangedByte
//	PufferFinance/rave#21, rarimo/passport-zk-circuits#69  TestVerifyRejectsAnyFlippedBit
//	golang/go#16683, golang/go#45322, openssl/openssl#17130,
//	openssl/openssl#14539, randombit/botan#5533         TestVerifyRejectsDigestInfoWithoutNull
//	golang/go#42741, RustCrypto/RSA#263,
//	haskell-tls/hs-tls#333                              TestPSSEncodingShorterThanModulus
//	C2SP/wycheproof#270                                 TestPSSRejectsBitsAboveTheEncoding
//	randombit/botan#4465                                TestEveryKeySize
//	rzcoder/node-rsa#56                                 TestPSSLongestSalt
//	golang/go#54803, golang/go#58171                    TestPSSNegativeSaltLength, TestParitySmallKeys
//	golang/go#23736, golang/go#63443                    TestPSSSaltTooLong
//	golang/go#15725, microsoft/go#325                   TestUnhashedMessages
//	openssl/openssl#9457                                TestPrivateOperationsNeedPrivateKey
//	LadybirdBrowser/ladybird#11910, pyca/cryptography#15015,
//	worldfnd/provekit#367                               TestExponentOne
//	RustCrypto/RSA#307, pyca/cryptography#5523          TestEvenModulusAndBadExponents
//	golang/go#60411, wolfSSL/wolfssl#5247               TestModulusNilZeroOne
//	amazon-archives/certlint#15, zmap/zcertificate#28   TestNegativeModulus
//	tink-crypto/tink-go#57, lestrrat-go/jwx#1834,
//	lestrrat-go/helium#484, rakutentech/jwkgen#2        TestEvenModulusAndBadExponents, TestLargestExponent
//	google/jwt_verify_lib#96, google/end-to-end#163     TestPublicExponents
//	runZeroInc/excrypto#81, golang/vulndb#1987          TestHugeModulus
//	briansmith/ring#220, briansmith/ring#635,
//	RustCrypto/RSA#30                                   TestBothPrimeOrders
//	golang/go#61077, golang/go#74115                    TestKeyChangedAfterPrecompute, TestParityStaleKeys
//	golang/go#71216 (CVE-2025-22865)                    TestCRTValuesMissingOrWrong
//	golang/go#11233, RustCrypto/RSA#624,
//	pyca/cryptography#7056                              TestPrimesOneAndTwo, TestParitySmallKeys
//	Mbed-TLS/mbedtls#1380, letsencrypt/boulder#5853,
//	kjur/jsrsasign#546                                  TestClosePrimes
//	mirage/mirage-crypto#62, mirage/mirage-crypto#63,
//	aws/aws-lc#756                                      TestUnusualPrivateExponents
//	golang/go#14512, square/go-jose#283, kjur/jsrsasign#97  TestKeyWithoutPrimes
//	golang/go#56921, microsoft/go#1355                  TestMultiPrimeKeys, TestThreePrimesIgnoreCRTValues
//	web-auth/cose-lib#173, openssl/openssl#32369        TestEveryFlippedKeyBit
//	asmcrypto/asmcrypto.js#175, RustCrypto/RSA#626,
//	bcgit/bc-java#1528, golang-fips/openssl#142,
//	dotnet/runtime#95157, golang/go#80808               TestDecryptionErrorsAreOneValue
//	google/end-to-end#108                               TestManyRoundTrips
//	wolfSSL/wolfssl#10012, microsoft/TSS.MSR#154        TestEmptyMessages
//	golang-fips/openssl#119, openssl/openssl#18102,
//	latchset/kryoptic#59                                TestOAEPLabels
//	cryptopp-modern/cryptopp-modern#72                  TestOAEPHashTooLarge
//	sybrenstuvel/python-rsa#146, kjur/jsrsasign#439 (CVE-2020-14967),
//	LadybirdBrowser/ladybird#11979, pyca/cryptography#11411  TestCiphertextLength
//	awcullen/opcua#57                                   TestShortKeyComponents
//	OpenSC/OpenSC#3546                                  TestSessionKeyUnchangedOnBadPadding
//	mpdavis/python-jose#408, Infisical/infisical#6411   TestSessionKeyLengths
//	sybrenstuvel/python-rsa#165, Legrandin/pycryptodome#481,
//	openssl/openssl#13421                               TestPaddingScan
//	golang/go#16596, openssl/openssl#12502,
//	keybase/kbpgp#94                                    TestGenerateKeyRefusesTinySizes
//	kjur/jsrsasign#442, sybrenstuvel/python-rsa#98,
//	aws/aws-lc#1823                                     TestGenerateKeySizes
//	openssl/openssl#22216,
//	apache/incubator-milagro-crypto-c#90                TestGenerateKeyMany
//	golang/go#21104, jedisct1/libsodium#848,
//	mirage/mirage-crypto#79, yann-shi/dht#52            TestUnalignedInputs
//	cloudflare/gokeyless#192, golang/go#59695           TestConcurrentUse
//	go-fed/activity#114                                 TestDirtyHash

// forger makes signatures of chosen encoded messages for one key.
type forger struct {
	*rsa.PrivateKey
	digest []byte
}

func newForger(tb testing.TB, bits, e int) *forger {
	key := testKeyOf(tb, "exponent", bits, e).private()
	setCRT(key)
	digest := sha256.Sum256([]byte(tb.Name()))
	return &forger{key, digest[:]}
}

// sign returns em^d mod N, by CRT with math/big.
func (f *forger) sign(em []byte) []byte {
	p, q, pre := f.Primes[0], f.Primes[1], f.Precomputed
	c := new(big.Int).SetBytes(em)
	if c.Cmp(f.N) >= 0 {
		panic("encoded message not below the modulus")
	}
	m1 := new(big.Int).Exp(c, pre.Dp, p)
	m2 := new(big.Int).Exp(c, pre.Dq, q)
	m1.Sub(m1, m2).Mul(m1, pre.Qinv).Mod(m1, p)
	return m1.Mul(m1, q).Add(m1, m2).FillBytes(make([]byte, f.Size()))
}

func (f *forger) fits(em []byte) bool { return new(big.Int).SetBytes(em).Cmp(f.N) < 0 }

// good returns the right encoded message for the digest.
func (f *forger) good() []byte { return emPKCS1v15(f.Size(), digestInfoSHA256(f.digest)) }

func (f *forger) verify(sig []byte) error {
	return rsa.VerifyPKCS1v15(&f.PublicKey, crypto.SHA256, f.digest, sig)
}

// reject fails the test unless em, signed, is refused as PKCS #1 v1.5 signature.
func (f *forger) reject(t *testing.T, what string, em []byte) {
	t.Helper()
	if err := f.verify(f.sign(em)); err != rsa.ErrVerification {
		t.Errorf("%s: VerifyPKCS1v15 = %v, EM %x", what, err, em)
	}
}

// accept makes sure that a test would notice: the clean EM must verify.
func (f *forger) accept(t *testing.T) {
	t.Helper()
	if err := f.verify(f.sign(f.good())); err != nil {
		t.Fatalf("the signature that the test starts from: %v", err)
	}
}

// pssEncode is EMSA-PSS-ENCODE of RFC 8017 with SHA-256, except that edit may
// change DB before it is masked, and that the result has the size of the modulus.
func pssEncode(pub *rsa.PublicKey, digest, salt []byte, edit func(db []byte)) []byte {
	emBits := pub.N.BitLen() - 1
	emLen := (emBits + 7) / 8
	h := sha256.New()
	h.Write(make([]byte, 8))
	h.Write(digest)
	h.Write(salt)
	hm := h.Sum(nil)
	db := make([]byte, emLen-len(hm)-1)
	db[len(db)-len(salt)-1] = 1
	copy(db[len(db)-len(salt):], salt)
	if edit != nil {
		edit(db)
	}
	for i, counter := 0, uint32(0); i < len(db); counter++ {
		mask := sha256.Sum256(binary.BigEndian.AppendUint32(slices.Clone(hm), counter))
		for j := 0; j < len(mask) && i < len(db); i, j = i+1, j+1 {
			db[i] ^= mask[j]
		}
	}
	db[0] &= 0xff >> (8*emLen - emBits)
	em := slices.Concat(db, hm, []byte{0xbc})
	return append(make([]byte, pub.Size()-len(em)), em...)
}

// bothSchemes returns a good signature in each scheme and its verification.
func bothSchemes(t *testing.T, key *rsa.PrivateKey) map[string]struct {
	sig    []byte
	verify func(sig []byte) error
} {
	t.Helper()
	digest := sha256.Sum256([]byte(t.Name()))
	pkcs, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest[:])
	if err != nil {
		t.Fatal(err)
	}
	pss, err := rsa.SignPSS(rand.Reader, key, crypto.SHA256, digest[:], nil)
	if err != nil {
		t.Fatal(err)
	}
	pub := &key.PublicKey
	return map[string]struct {
		sig    []byte
		verify func(sig []byte) error
	}{
		"PKCS1v15": {pkcs, func(sig []byte) error { return rsa.VerifyPKCS1v15(pub, crypto.SHA256, digest[:], sig) }},
		"PSS":      {pss, func(sig []byte) error { return rsa.VerifyPSS(pub, crypto.SHA256, digest[:], sig, nil) }},
	}
}

// RustCrypto/RSA#272, kazu-yamamoto/crypton#86: s + k*N passed as s.
func TestVerifyRejectsSignaturePlusModulus(t *testing.T) {
	t.Parallel()
	for _, bits := range []int{1024, 1025, 1031, 2041, 2047, 2048} {
		key := testKeyOf(t, "size", bits, 0).private()
		for scheme, s := range bothSchemes(t, key) {
			if err := s.verify(s.sig); err != nil {
				t.Fatalf("%d bits, %s: %v", bits, scheme, err)
			}
			for m := int64(1); m <= 260; m++ {
				x := new(big.Int).Mul(key.N, big.NewInt(m))
				x.Add(x, new(big.Int).SetBytes(s.sig))
				fits := (x.BitLen()+7)/8 <= key.Size()
				if !fits && m > 2 {
					break
				}
				sig := x.FillBytes(make([]byte, max(key.Size(), (x.BitLen()+7)/8)))
				if err := s.verify(sig); err != rsa.ErrVerification {
					t.Errorf("%d bits, %s: s+%dN: %v", bits, scheme, m, err)
				}
			}
			for name, sig := range signatureVariants(s.sig, key.N) {
				if name == "as is" || new(big.Int).SetBytes(sig).Cmp(new(big.Int).SetBytes(s.sig)) == 0 && len(sig) == len(s.sig) {
					continue
				}
				if err := s.verify(sig); err != rsa.ErrVerification {
					t.Errorf("%d bits, %s: %s: %v", bits, scheme, name, err)
				}
			}
		}
	}
}

// kjur/jsrsasign#438 (CVE-2020-14968): zero bytes in front of a PSS signature.
func TestVerifyRejectsZeroPrefixedSignature(t *testing.T) {
	t.Parallel()
	for _, bits := range []int{1024, 1025, 1049, 2048} {
		key := testKeyOf(t, "size", bits, 0).private()
		for scheme, s := range bothSchemes(t, key) {
			for n := 1; n <= 16; n++ {
				if err := s.verify(append(make([]byte, n), s.sig...)); err != rsa.ErrVerification {
					t.Errorf("%d bits, %s: %d zero bytes in front: %v", bits, scheme, n, err)
				}
				if err := s.verify(append(slices.Clone(s.sig), make([]byte, n)...)); err != rsa.ErrVerification {
					t.Errorf("%d bits, %s: %d zero bytes behind: %v", bits, scheme, n, err)
				}
			}
		}
	}
}

// golang/go#21896, RustCrypto/RSA#322, paramiko/paramiko#1933,
// OpenSC/OpenSC#1283: the leading zero of a signature was stripped, one time in
// 256.
func TestVerifyRejectsShortSignature(t *testing.T) {
	t.Parallel()
	key := testKeyOf(t, "exponent", 1024, 3).private()
	key.Precompute()
	found := map[string]bool{}
	for i := 0; len(found) < 2; i++ {
		if i == 20000 {
			t.Fatalf("no signature began with a zero byte: %v", found)
		}
		digest := sha256.Sum256([]byte(strconv.Itoa(i)))
		check := func(scheme string, sig []byte, err error, verify func(sig []byte) error) {
			if err != nil || len(sig) != key.Size() {
				t.Fatalf("%s: signature of %d bytes, %v", scheme, len(sig), err)
			}
			if sig[0] != 0 {
				return
			}
			found[scheme] = true
			if err := verify(sig); err != nil {
				t.Errorf("%s: signature with a leading zero: %v", scheme, err)
			}
			if err := verify(sig[1:]); err != rsa.ErrVerification {
				t.Errorf("%s: signature without its leading zero: %v", scheme, err)
			}
		}
		if !found["PKCS1v15"] {
			sig, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest[:])
			check("PKCS1v15", sig, err, func(sig []byte) error { return rsa.VerifyPKCS1v15(&key.PublicKey, crypto.SHA256, digest[:], sig) })
		}
		if !found["PSS"] {
			sig, err := rsa.SignPSS(zeroes{}, key, crypto.SHA256, digest[:], nil)
			check("PSS", sig, err, func(sig []byte) error { return rsa.VerifyPSS(&key.PublicKey, crypto.SHA256, digest[:], sig, nil) })
		}
	}
}

// digitalbazaar/forge#967 (CVE-2022-24771 to 24773), jfromaniello/selfsigned#59:
// bytes behind the DigestInfo were ignored.
func TestVerifyRejectsTrailingGarbage(t *testing.T) {
	t.Parallel()
	f := newForger(t, 2048, 3)
	f.accept(t)
	info := digestInfoSHA256(f.digest)
	for _, n := range []int{1, 2, 8, 100, f.Size() - len(info) - 11} {
		for _, fill := range []byte{0, 0xff, 0x5a} {
			garbage := bytes.Repeat([]byte{fill}, n)
			f.reject(t, fmt.Sprintf("%d bytes %#x behind DigestInfo", n, fill), emPKCS1v15(f.Size(), slices.Concat(info, garbage)))
			// The garbage as part of the outer SEQUENCE, or of the digest.
			if n < 70 {
				in := slices.Concat(info, garbage)
				in[1] += byte(n)
				f.reject(t, fmt.Sprintf("%d bytes %#x inside DigestInfo", n, fill), emPKCS1v15(f.Size(), in))
				in[len(sha256Prefix)-1] += byte(n)
				f.reject(t, fmt.Sprintf("%d bytes %#x inside the digest", n, fill), emPKCS1v15(f.Size(), in))
			}
		}
	}
}

// The forgery that ignored garbage makes possible for E = 3, without the
// private key: the cube root of 00 01 FF… 00 DigestInfo garbage.
func TestVerifyRejectsCubeRootForgery(t *testing.T) {
	t.Parallel()
	for _, bits := range []int{2048, 3072} {
		n := new(big.Int).Lsh(bigOne, uint(bits))
		pub := &rsa.PublicKey{N: n.Sub(n, big.NewInt(105)), E: 3}
		k := pub.Size()
		digest := sha256.Sum256([]byte(t.Name()))
		for ps := 8; ps < 12; ps++ {
			head := slices.Concat([]byte{0, 1}, bytes.Repeat([]byte{0xff}, ps), []byte{0}, digestInfoSHA256(digest[:]))
			target := append(slices.Clone(head), bytes.Repeat([]byte{0xff}, k-len(head))...)
			s := cubeRoot(new(big.Int).SetBytes(target)).FillBytes(make([]byte, k))
			if em := rawVerify(pub, s); !bytes.HasPrefix(em, head) {
				t.Fatalf("%d bits: the forgery failed: %x", bits, em)
			}
			if err := rsa.VerifyPKCS1v15(pub, crypto.SHA256, digest[:], s); err != rsa.ErrVerification {
				t.Errorf("%d bits, %d bytes of padding: %v", bits, ps, err)
			}
		}
	}
}

// cubeRoot returns the largest integer whose cube is at most x.
func cubeRoot(x *big.Int) *big.Int {
	lo, hi := new(big.Int), new(big.Int).Lsh(bigOne, uint(x.BitLen()/3+1))
	for {
		mid := new(big.Int).Add(lo, hi)
		mid.Add(mid, bigOne).Rsh(mid, 1)
		if mid.Cmp(lo) == 0 || lo.Cmp(hi) >= 0 {
			return lo
		}
		if new(big.Int).Exp(mid, big.NewInt(3), nil).Cmp(x) <= 0 {
			lo = mid
		} else {
			hi = mid.Sub(mid, bigOne)
		}
	}
}

// digitalbazaar/forge#1149 (CVE-2026-85393): a further element in
// AlgorithmIdentifier.
func TestVerifyRejectsGarbageInAlgorithmIdentifier(t *testing.T) {
	t.Parallel()
	f := newForger(t, 2048, 3)
	f.accept(t)
	oid := sha256Prefix[4:15]
	null := []byte{5, 0}
	digest := slices.Concat([]byte{4, 32}, f.digest)
	seq := func(parts ...[]byte) []byte {
		body := slices.Concat(parts...)
		switch {
		case len(body) < 128:
			return append([]byte{0x30, byte(len(body))}, body...)
		case len(body) < 256:
			return append([]byte{0x30, 0x81, byte(len(body))}, body...)
		}
		return append([]byte{0x30, 0x82, byte(len(body) >> 8), byte(len(body))}, body...)
	}
	if !bytes.Equal(seq(seq(oid, null), digest), digestInfoSHA256(f.digest)) {
		t.Fatal("the test builds a wrong DigestInfo")
	}
	for _, n := range []int{0, 1, 40, 150} {
		extra := append([]byte{4, byte(n)}, make([]byte, n)...)
		if n > 127 {
			extra = append([]byte{4, 0x81, byte(n)}, make([]byte, n)...)
		}
		f.reject(t, "behind NULL", emPKCS1v15(f.Size(), seq(seq(oid, null, extra), digest)))
		f.reject(t, "in place of NULL", emPKCS1v15(f.Size(), seq(seq(oid, extra), digest)))
		f.reject(t, "behind AlgorithmIdentifier", emPKCS1v15(f.Size(), seq(seq(oid, null), extra, digest)))
		f.reject(t, "behind the digest", emPKCS1v15(f.Size(), seq(seq(oid, null), digest, extra)))
	}
	f.reject(t, "long form of the length", emPKCS1v15(f.Size(), slices.Concat([]byte{0x30, 0x81, 0x31}, seq(oid, null), digest)))
	f.reject(t, "indefinite length", emPKCS1v15(f.Size(), slices.Concat([]byte{0x30, 0x80}, seq(oid, null), digest, null[1:], null[1:])))
	f.reject(t, "another hash", emPKCS1v15(f.Size(), slices.Concat([]byte{0x30, 0x31, 0x30, 0x0d, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 8, 5, 0}, digest)))
	f.reject(t, "digest only", emPKCS1v15(f.Size(), f.digest))
}

// mastra-ai/mastra#14754 (the text of a fix in node-forge): less than 8 bytes
// of padding.
func TestVerifyRejectsShortPadding(t *testing.T) {
	t.Parallel()
	f := newForger(t, 1024, 3)
	f.accept(t)
	k := f.Size()
	info := digestInfoSHA256(f.digest)
	for ps := 0; ps <= 7; ps++ {
		head := append([]byte{0, 1}, bytes.Repeat([]byte{0xff}, ps)...)
		head = append(head, 0)
		filler := make([]byte, k-len(head)-len(info))
		for i := range filler {
			filler[i] = byte(i) | 1
		}
		f.reject(t, fmt.Sprintf("%d bytes of padding, filler behind", ps), slices.Concat(head, info, filler))
		f.reject(t, fmt.Sprintf("%d bytes of padding, filler in front", ps), slices.Concat(head, filler, info))
		clear(filler)
		f.reject(t, fmt.Sprintf("%d bytes of padding, zeros in front", ps), slices.Concat(head, filler, info))
		// An unhashed message that leaves no room for more padding.
		msg := bytes.Repeat([]byte{7}, k-3-ps)
		if err := rsa.VerifyPKCS1v15(&f.PublicKey, 0, msg, f.sign(emPKCS1v15(k, msg))); err != rsa.ErrVerification {
			t.Errorf("unhashed message, %d bytes of padding: %v", ps, err)
		}
	}
	msg := bytes.Repeat([]byte{7}, k-11)
	if err := rsa.VerifyPKCS1v15(&f.PublicKey, 0, msg, f.sign(emPKCS1v15(k, msg))); err != nil {
		t.Errorf("unhashed message, 8 bytes of padding: %v", err)
	}
}

func TestSignRefusesShortPadding(t *testing.T) {
	t.Parallel()
	key := testKeyOf(t, "size", 1024, 0).private()
	k := key.Size()
	for n, want := range map[int]error{k - 11: nil, k - 10: rsa.ErrMessageTooLong, k - 3: rsa.ErrMessageTooLong, k: rsa.ErrMessageTooLong, 2 * k: rsa.ErrMessageTooLong} {
		if sig, err := rsa.SignPKCS1v15(nil, key, 0, make([]byte, n)); err != want || (sig == nil) != (want != nil) {
			t.Errorf("SignPKCS1v15 of %d unhashed bytes = %x, %v; want error %v", n, sig, err, want)
		}
	}
}

// relic-toolkit/relic#154, kjur/jsrsasign#478 (CVE-2021-30246): the first bytes
// and the padding were not looked at.
func TestVerifyRejectsAnyChangedByte(t *testing.T) {
	t.Parallel()
	f := newForger(t, 1024, 3)
	f.accept(t)
	for i := range f.good() {
		for _, b := range []byte{0, 1, 0x7f, 0xfe, 0xff} {
			em := f.good()
			if em[i] == b {
				continue
			}
			if em[i] = b; f.fits(em) {
				f.reject(t, fmt.Sprintf("byte %d set to %#x", i, b), em)
			}
		}
	}
	for i := range f.digest {
		d := slices.Clone(f.digest)
		d[i] ^= 0x10
		if err := rsa.VerifyPKCS1v15(&f.PublicKey, crypto.SHA256, d, f.sign(f.good())); err != rsa.ErrVerification {
			t.Errorf("another digest: %v", err)
		}
	}
}

// PufferFinance/rave#21, rarimo/passport-zk-circuits#69: only the end of the
// encoded message was compared.
func TestVerifyRejectsAnyFlippedBit(t *testing.T) {
	t.Parallel()
	f := newForger(t, 1024, 3)
	f.accept(t)
	step := 1
	if testing.Short() {
		step = 7
	}
	for bit := 0; bit < 8*f.Size(); bit += step {
		em := f.good()
		if em[bit/8] ^= 0x80 >> (bit % 8); f.fits(em) {
			f.reject(t, fmt.Sprintf("bit %d flipped", bit), em)
		}
	}
	// The same for PSS: no bit of EM is free.
	good := pssEncode(&f.PublicKey, f.digest, []byte("salt"), nil)
	verify := func(em []byte) error {
		return rsa.VerifyPSS(&f.PublicKey, crypto.SHA256, f.digest, f.sign(em), nil)
	}
	if err := verify(good); err != nil {
		t.Fatalf("the PSS signature that the test starts from: %v", err)
	}
	for bit := 0; bit < 8*f.Size(); bit += step {
		em := slices.Clone(good)
		if em[bit/8] ^= 0x80 >> (bit % 8); f.fits(em) {
			if err := verify(em); err != rsa.ErrVerification {
				t.Errorf("PSS: bit %d flipped: %v", bit, err)
			}
		}
	}
	// Junk in the zero padding, or another separator.
	for name, edit := range map[string]func(db []byte){
		"first padding byte": func(db []byte) { db[0] = 2 },
		"last padding byte":  func(db []byte) { db[len(db)-6] = 2 },
		"separator 0":        func(db []byte) { db[len(db)-5] = 0 },
		"separator 2":        func(db []byte) { db[len(db)-5] = 2 },
		"separator early":    func(db []byte) { db[10] = 1 },
		"no salt, no 1":      func(db []byte) { clear(db) },
	} {
		sig := f.sign(pssEncode(&f.PublicKey, f.digest, []byte("salt"), edit))
		for _, salt := range []int{rsa.PSSSaltLengthAuto, 4} {
			if err := rsa.VerifyPSS(&f.PublicKey, crypto.SHA256, f.digest, sig, &rsa.PSSOptions{SaltLength: salt}); err != rsa.ErrVerification {
				t.Errorf("PSS: %s, salt length %d: %v", name, salt, err)
			}
		}
	}
}

// golang/go#16683, golang/go#45322, openssl/openssl#17130, openssl/openssl#14539,
// randombit/botan#5533: RFC 8017 has only the DigestInfo with NULL.
func TestVerifyRejectsDigestInfoWithoutNull(t *testing.T) {
	t.Parallel()
	f := newForger(t, 1024, 3)
	f.accept(t)
	info := slices.Concat([]byte{0x30, 0x2f, 0x30, 0x0b}, sha256Prefix[4:15], []byte{4, 32}, f.digest)
	f.reject(t, "no NULL", emPKCS1v15(f.Size(), info))
}

// golang/go#42741, RustCrypto/RSA#263, haskell-tls/hs-tls#333: with 8n+1 bits
// the PSS encoding is one byte shorter than the modulus.
func TestPSSEncodingShorterThanModulus(t *testing.T) {
	t.Parallel()
	digest := sha256.Sum256([]byte(t.Name()))
	for _, bits := range []int{1025, 1033, 2041, 2049, 3049} {
		key := testKeyOf(t, "size", bits, 0).private()
		for _, salt := range []int{rsa.PSSSaltLengthAuto, rsa.PSSSaltLengthEqualsHash, 1} {
			opts := &rsa.PSSOptions{SaltLength: salt}
			sig, err := rsa.SignPSS(rand.Reader, key, crypto.SHA256, digest[:], opts)
			if err != nil {
				t.Errorf("%d bits, salt length %d: %v", bits, salt, err)
				continue
			}
			em := rawVerify(&key.PublicKey, sig)
			if em[0] != 0 || em[len(em)-1] != 0xbc {
				t.Errorf("%d bits, salt length %d: EM %x", bits, salt, em)
			}
			if salt == rsa.PSSSaltLengthAuto && !fips140.Enabled() { // FIPS 140-3 mode caps it
				opts.SaltLength = len(em) - 1 - 2 - sha256.Size
			}
			for _, s := range suites {
				if err := s.VerifyPSS(&key.PublicKey, crypto.SHA256, digest[:], sig, opts); err != nil {
					t.Errorf("%d bits, salt length %d: %s: %v", bits, opts.SaltLength, s.name, err)
				}
			}
		}
	}
}

// C2SP/wycheproof#270: the bits above the encoding must be zero.
func TestPSSRejectsBitsAboveTheEncoding(t *testing.T) {
	t.Parallel()
	digest := sha256.Sum256([]byte(t.Name()))
	for _, bits := range []int{1025, 1031, 1032, 1026, 2041, 2047, 2048} {
		key := testKeyOf(t, "size", bits, 0).private()
		f := &forger{setCRT(key), digest[:]}
		tested := false
		for i := 0; i < 200 && !tested; i++ {
			salt := sha256.Sum256([]byte(strconv.Itoa(i)))
			em := pssEncode(&key.PublicKey, digest[:], salt[:], nil)
			verify := func(em []byte) error {
				return rsa.VerifyPSS(&key.PublicKey, crypto.SHA256, digest[:], f.sign(em), &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash})
			}
			x := new(big.Int).SetBytes(em)
			x.SetBit(x, bits-1, 1)
			if x.Cmp(key.N) >= 0 {
				continue
			}
			tested = true
			if err := verify(em); err != nil {
				t.Errorf("%d bits, clean: %v", bits, err)
			}
			if err := verify(x.FillBytes(make([]byte, key.Size()))); err != rsa.ErrVerification {
				t.Errorf("%d bits, bit %d set: %v", bits, bits-1, err)
			}
		}
		if !tested {
			t.Errorf("%d bits: no encoding stays below the modulus", bits)
		}
	}
}

// rzcoder/node-rsa#56: the longest possible salt leaves no padding.
func TestPSSLongestSalt(t *testing.T) {
	t.Parallel()
	key := testKeyOf(t, "exponent", 2048, 3).private()
	digest := sha256.Sum256([]byte(t.Name()))
	for _, salt := range []int{222, 221, 220} {
		sig, err := rsa.SignPSS(rand.Reader, key, crypto.SHA256, digest[:], &rsa.PSSOptions{SaltLength: salt})
		if err != nil {
			t.Errorf("salt length %d: %v", salt, err)
			continue
		}
		for _, verifySalt := range []int{salt, rsa.PSSSaltLengthAuto} {
			if err := rsa.VerifyPSS(&key.PublicKey, crypto.SHA256, digest[:], sig, &rsa.PSSOptions{SaltLength: verifySalt}); err != nil {
				t.Errorf("salt length %d, verified with %d: %v", salt, verifySalt, err)
			}
		}
		for _, verifySalt := range []int{salt - 1, salt + 1, rsa.PSSSaltLengthEqualsHash} {
			if err := rsa.VerifyPSS(&key.PublicKey, crypto.SHA256, digest[:], sig, &rsa.PSSOptions{SaltLength: verifySalt}); err != rsa.ErrVerification {
				t.Errorf("salt length %d, verified with %d: %v", salt, verifySalt, err)
			}
		}
	}
}

// golang/go#54803, golang/go#58171: makeslice panicked on a negative length.
func TestPSSNegativeSaltLength(t *testing.T) {
	t.Parallel()
	key := testKeyOf(t, "size", 1024, 0).private()
	digest := sha256.Sum256([]byte(t.Name()))
	sig, err := rsa.SignPSS(rand.Reader, key, crypto.SHA256, digest[:], nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, salt := range []int{-2, -3, -100, math.MinInt + 1, math.MinInt} {
		opts := &rsa.PSSOptions{SaltLength: salt}
		if sig, err := rsa.SignPSS(rand.Reader, key, crypto.SHA256, digest[:], opts); err == nil || sig != nil {
			t.Errorf("SignPSS, salt length %d: %x, %v", salt, sig, err)
		}
		if err := rsa.VerifyPSS(&key.PublicKey, crypto.SHA256, digest[:], sig, opts); err == nil {
			t.Errorf("VerifyPSS, salt length %d: no error", salt)
		}
	}
}

// golang/go#23736, golang/go#63443.
func TestPSSSaltTooLong(t *testing.T) {
	t.Parallel()
	digest := sha256.Sum256([]byte(t.Name()))
	for bits, longest := range map[int]int{2048: 222, 2049: 222, 2050: 223, 1024: 94} {
		key := testKeyOf(t, "size", bits, 0).private()
		for salt, want := range map[int]error{longest: nil, longest + 1: rsa.ErrMessageTooLong, longest + 2: rsa.ErrMessageTooLong, 100000: rsa.ErrMessageTooLong} {
			_, err := rsa.SignPSS(rand.Reader, key, crypto.SHA256, digest[:], &rsa.PSSOptions{SaltLength: salt})
			if !errors.Is(err, want) {
				t.Errorf("%d bits, salt length %d: %v, want %v", bits, salt, err, want)
			}
		}
	}
}

// golang/go#15725, microsoft/go#325: crypto.Hash(0) signs the bytes as they are.
func TestUnhashedMessages(t *testing.T) {
	t.Parallel()
	key := testKeyOf(t, "size", 1024, 0).private()
	k := key.Size()
	for _, n := range []int{0, 32, k - 11} {
		msg := bytes.Repeat([]byte{3}, n)
		sig, err := rsa.SignPKCS1v15(nil, key, 0, msg)
		if err != nil {
			t.Errorf("%d bytes: %v", n, err)
			continue
		}
		if em := rawVerify(&key.PublicKey, sig); !bytes.Equal(em, emPKCS1v15(k, msg)) {
			t.Errorf("%d bytes: EM %x", n, em)
		}
		if err := rsa.VerifyPKCS1v15(&key.PublicKey, 0, msg, sig); err != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
		if err := rsa.VerifyPKCS1v15(&key.PublicKey, crypto.SHA256, make([]byte, 32), sig); err != rsa.ErrVerification {
			t.Errorf("%d bytes, verified as SHA-256: %v", n, err)
		}
	}
	if sig, err := rsa.SignPKCS1v15(nil, key, 0, make([]byte, k-10)); err != rsa.ErrMessageTooLong || sig != nil {
		t.Errorf("%d bytes: %x, %v", k-10, sig, err)
	}
	const want = "crypto/rsa: input must be hashed message"
	for _, n := range []int{0, 31, 33} {
		if _, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, make([]byte, n)); err == nil || err.Error() != want {
			t.Errorf("SignPKCS1v15 of a %d-byte SHA-256 digest: %v", n, err)
		}
		if err := rsa.VerifyPKCS1v15(&key.PublicKey, crypto.SHA256, make([]byte, n), make([]byte, k)); err == nil || err.Error() != want {
			t.Errorf("VerifyPKCS1v15 of a %d-byte SHA-256 digest: %v", n, err)
		}
	}
}

// privateOperations runs every private operation on key and returns the errors. A
// result together with an error is one too, marked BUG.
func privateOperations(key *rsa.PrivateKey, c []byte) map[string]error {
	digest := make([]byte, 32)
	errs := map[string]error{}
	result := func(name string, out []byte, err error) {
		if err == nil && out == nil || err != nil && out != nil {
			err = fmt.Errorf("BUG: result %x with error %v", out, err)
		}
		errs[name] = err
	}
	out, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest)
	result("SignPKCS1v15", out, err)
	out, err = rsa.SignPSS(rand.Reader, key, crypto.SHA256, digest, nil)
	result("SignPSS", out, err)
	out, err = rsa.DecryptPKCS1v15(nil, key, c)
	result("DecryptPKCS1v15", out, err)
	out, err = rsa.DecryptOAEP(sha256.New(), nil, key, c, nil)
	result("DecryptOAEP", out, err)
	errs["DecryptPKCS1v15SessionKey"] = rsa.DecryptPKCS1v15SessionKey(nil, key, c, make([]byte, 16))
	return errs
}

// wantAllFail fails the test if any private operation gives a result.
func wantAllFail(t *testing.T, what string, key *rsa.PrivateKey, c []byte) {
	t.Helper()
	for op, err := range privateOperations(key, c) {
		if err == nil {
			t.Errorf("%s: %s: no error", what, op)
		} else if len(err.Error()) > 3 && err.Error()[:3] == "BUG" {
			t.Errorf("%s: %s: %v", what, op, err)
		}
	}
}

// openssl/openssl#9457: the private operation with a public key crashed.
func TestPrivateOperationsNeedPrivateKey(t *testing.T) {
	t.Parallel()
	tk := testKeyOf(t, "size", 1024, 0)
	c := make([]byte, 128)
	c[127] = 2
	wantAllFail(t, "only the public part", &rsa.PrivateKey{PublicKey: tk.private().PublicKey}, c)
	wantAllFail(t, "zero value", &rsa.PrivateKey{}, c)
	key := tk.private()
	key.D = new(big.Int)
	wantAllFail(t, "D = 0", key, c)
	key = tk.private()
	key.D = nil
	wantAllFail(t, "D nil", key, c)
}

// LadybirdBrowser/ladybird#11910, pyca/cryptography#15015, worldfnd/provekit#367:
// with E = 1 each encoded message is its own signature.
func TestExponentOne(t *testing.T) {
	t.Parallel()
	pub := testKeyOf(t, "exponent", 2048, 3).private().PublicKey
	pub.E = 1
	digest := sha256.Sum256([]byte(t.Name()))
	if err := rsa.VerifyPKCS1v15(&pub, crypto.SHA256, digest[:], emPKCS1v15(pub.Size(), digestInfoSHA256(digest[:]))); err == nil {
		t.Error("VerifyPKCS1v15 accepts EM as its own signature")
	}
	if err := rsa.VerifyPSS(&pub, crypto.SHA256, digest[:], pssEncode(&pub, digest[:], nil, nil), nil); err == nil {
		t.Error("VerifyPSS accepts EM as its own signature")
	}
	if c, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, &pub, []byte("m"), nil); err == nil || c != nil {
		t.Errorf("EncryptOAEP = %x, %v", c, err)
	}
	if c, err := rsa.EncryptPKCS1v15(rand.Reader, &pub, []byte("m")); err == nil || c != nil {
		t.Errorf("EncryptPKCS1v15 = %x, %v", c, err)
	}
}

// publicErrors runs every public operation on pub.
func publicErrors(pub *rsa.PublicKey) map[string]error {
	errs := map[string]error{}
	sig := make([]byte, 128)
	if pub.N != nil {
		sig = make([]byte, pub.Size())
	}
	digest := make([]byte, 32)
	errs["VerifyPKCS1v15"] = rsa.VerifyPKCS1v15(pub, crypto.SHA256, digest, sig)
	errs["VerifyPSS"] = rsa.VerifyPSS(pub, crypto.SHA256, digest, sig, nil)
	_, errs["EncryptPKCS1v15"] = rsa.EncryptPKCS1v15(rand.Reader, pub, []byte("m"))
	_, errs["EncryptOAEP"] = rsa.EncryptOAEP(sha1.New(), rand.Reader, pub, []byte("m"), nil)
	return errs
}

// RustCrypto/RSA#307, pyca/cryptography#5523: even numbers reached Montgomery
// arithmetic. tink-crypto/tink-go#57 and others: exponents were truncated.
func TestEvenModulusAndBadExponents(t *testing.T) {
	t.Parallel()
	n := testKeyOf(t, "size", 2048, 0).private().N
	even := new(big.Int).Add(n, bigOne)
	for want, pubs := range map[string][]rsa.PublicKey{
		"crypto/rsa: public modulus is even":                {{N: even, E: 3}, {N: even, E: 65537}, {N: even, E: 2}},
		"crypto/rsa: public exponent is even":               {{N: n, E: 2}, {N: n, E: 4}, {N: n, E: 65536}},
		"crypto/rsa: public exponent too small or negative": {{N: n, E: 1}, {N: n, E: 0}, {N: n, E: -1}, {N: n, E: -3}, {N: n, E: -65537}, {N: n, E: math.MinInt}},
	} {
		for _, pub := range pubs {
			for op, err := range publicErrors(&pub) {
				if err == nil || err.Error() != want {
					t.Errorf("%s with E=%d and even N=%v: %v, want %s", op, pub.E, pub.N.Bit(0) == 0, err, want)
				}
			}
		}
	}
	for op, err := range publicErrors(&rsa.PublicKey{N: big.NewInt(10), E: 3}) {
		if err == nil {
			t.Errorf("%s with N=10: no error", op)
		}
	}
}

func TestLargestExponent(t *testing.T) {
	t.Parallel()
	key := testKeyOf(t, "exponent", 1024, 1<<31-1).private()
	digest := make([]byte, 32)
	sig, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest)
	if err != nil {
		t.Fatal(err)
	}
	if err := rsa.VerifyPKCS1v15(&key.PublicKey, crypto.SHA256, digest, sig); err != nil {
		t.Error(err)
	}
	for _, e := range exponents() {
		if e <= 1<<31-1 || e&1 == 0 {
			continue
		}
		pub := rsa.PublicKey{N: key.N, E: e}
		for op, err := range publicErrors(&pub) {
			if err == nil || err.Error() != "crypto/rsa: public exponent too large" {
				t.Errorf("%s with E=%d: %v", op, e, err)
			}
		}
	}
}

// golang/go#60411, wolfSSL/wolfssl#5247: modulus 0.
func TestModulusNilZeroOne(t *testing.T) {
	t.Parallel()
	for _, n := range []*big.Int{nil, new(big.Int), big.NewInt(1), big.NewInt(-1)} {
		for op, err := range publicErrors(&rsa.PublicKey{N: n, E: 65537}) {
			if err == nil || err == rsa.ErrVerification {
				t.Errorf("%s with N=%v: %v", op, n, err)
			}
		}
	}
}

// amazon-archives/certlint#15, zmap/zcertificate#28: certificates with a
// negative modulus exist.
func TestNegativeModulus(t *testing.T) {
	t.Parallel()
	if fips140.Enabled() {
		t.Skip("in FIPS 140-3 mode crypto/rsa does the work, and takes the absolute value")
	}
	key := testKeyOf(t, "size", 1024, 0).private()
	for scheme, s := range bothSchemes(t, key) {
		n := new(big.Int).Set(key.N)
		key.N.Neg(key.N)
		if err := s.verify(s.sig); err == nil {
			t.Errorf("%s: a signature verifies under -N", scheme)
		}
		key.N.Set(n)
		if err := s.verify(s.sig); err != nil {
			t.Errorf("%s: %v", scheme, err)
		}
	}
	for op, err := range publicErrors(&rsa.PublicKey{N: new(big.Int).Neg(key.N), E: 65537}) {
		if err == nil {
			t.Errorf("%s with a negative modulus: no error", op)
		}
	}
}

// runZeroInc/excrypto#81, golang/vulndb#1987 (CVE-2023-29409): a modulus of
// 2,000,000 bits kept a verifier busy for a minute.
func TestHugeModulus(t *testing.T) {
	t.Parallel()
	if fips140.Enabled() {
		t.Skip("in FIPS 140-3 mode crypto/rsa does the work, and sets no limit")
	}
	for _, bits := range []uint{16385, 20001, 2000000} {
		n := new(big.Int).Lsh(bigOne, bits-1)
		pub := &rsa.PublicKey{N: n.Add(n, bigOne), E: 65537}
		within(t, func() {
			for op, err := range publicErrors(pub) {
				if err == nil {
					t.Errorf("%s with a %d-bit modulus: no error", op, bits)
				}
			}
		})
	}
	n := new(big.Int).Lsh(bigOne, 16383)
	pub := &rsa.PublicKey{N: n.Add(n, bigOne), E: 3}
	c, err := rsa.EncryptOAEP(sha256.New(), zeroes{}, pub, []byte("m"), nil)
	want, wantErr := stdrsa.EncryptOAEP(sha256.New(), zeroes{}, pub, []byte("m"), nil)
	if err != nil || wantErr != nil || !bytes.Equal(c, want) {
		t.Errorf("16384-bit modulus: EncryptOAEP = %x, %v, want %x, %v", c, err, want, wantErr)
	}
}

// briansmith/ring#220, briansmith/ring#635, RustCrypto/RSA#30: p < q was refused.
func TestBothPrimeOrders(t *testing.T) {
	t.Parallel()
	digest := sha256.Sum256([]byte(t.Name()))
	for _, tk := range append(testKeys(t, "uneven"), testKeyOf(t, "size", 1024, 0), testKeyOf(t, "size", 1025, 0), testKeyOf(t, "size", 2048, 0)) {
		var sigs [][]byte
		for _, key := range []*rsa.PrivateKey{tk.private(), tk.swapped()} {
			for _, prepare := range []func(*rsa.PrivateKey){
				func(*rsa.PrivateKey) {}, func(k *rsa.PrivateKey) { setCRT(k) }, func(k *rsa.PrivateKey) { k.Precompute() },
			} {
				prepare(key)
				sig, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest[:])
				if err != nil {
					t.Fatalf("%v: p > q is %v: %v", tk, key.Primes[0].Cmp(key.Primes[1]) > 0, err)
				}
				sigs = append(sigs, sig)
				key.Precomputed = rsa.PrecomputedValues{}
			}
		}
		for _, sig := range sigs[1:] {
			if !bytes.Equal(sig, sigs[0]) {
				t.Errorf("%v: signatures differ", tk)
			}
		}
	}
}

// golang/go#61077, golang/go#74115: a changed key went on signing with the
// values of the old one.
func TestKeyChangedAfterPrecompute(t *testing.T) {
	t.Parallel()
	if fips140.Enabled() {
		t.Skip("in FIPS 140-3 mode crypto/rsa does the work, with its stored values")
	}
	tk := testKeyOf(t, "size", 1024, 0)
	other := testKeyOf(t, "exponent", 1024, 3).private()
	c := make([]byte, 128)
	c[127] = 2
	for name, change := range map[string]func(k *rsa.PrivateKey){
		"N of another key":  func(k *rsa.PrivateKey) { k.N = other.N },
		"D=0":               func(k *rsa.PrivateKey) { k.D = new(big.Int) },
		"D+2":               func(k *rsa.PrivateKey) { addTo(&k.D, 2) },
		"E=3":               func(k *rsa.PrivateKey) { k.E = 3 },
		"prime of another":  func(k *rsa.PrivateKey) { k.Primes = []*big.Int{other.Primes[0], k.Primes[1]} },
		"primes of another": func(k *rsa.PrivateKey) { k.Primes = other.Primes },
		"D nil":             func(k *rsa.PrivateKey) { k.D = nil },
	} {
		key := tk.private()
		key.Precompute()
		change(key)
		wantAllFail(t, name, key, c)
	}
}

// golang/go#71216 (CVE-2025-22865): a key without CRT values panicked.
func TestCRTValuesMissingOrWrong(t *testing.T) {
	t.Parallel()
	tk := testKeyOf(t, "size", 1024, 0)
	good := setCRT(tk.private())
	digest := make([]byte, 32)
	want, err := rsa.SignPKCS1v15(nil, good, crypto.SHA256, digest)
	if err != nil {
		t.Fatal(err)
	}
	c := make([]byte, 128)
	c[127] = 2
	for _, change := range crtChanges() {
		key := tk.private()
		change.change(key)
		sig, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest)
		if err == nil && !bytes.Equal(sig, want) || err != nil && sig != nil {
			t.Errorf("%s: SignPKCS1v15 = %x, %v", change.name, sig, err)
		}
		for op, err := range privateOperations(key, c) {
			if err != nil && len(err.Error()) > 3 && err.Error()[:3] == "BUG" {
				t.Errorf("%s: %s: %v", change.name, op, err)
			}
		}
	}
}

// golang/go#11233, RustCrypto/RSA#624, pyca/cryptography#7056: division by zero
// with the prime 1, internal errors with 2.
func TestPrimesOneAndTwo(t *testing.T) {
	t.Parallel()
	tk := testKeyOf(t, "size", 1024, 0)
	c := make([]byte, 129)
	c[128] = 2
	for name, change := range map[string]func(k *rsa.PrivateKey){
		"p=1":      func(k *rsa.PrivateKey) { k.Primes = []*big.Int{big.NewInt(1), k.N} },
		"q=1":      func(k *rsa.PrivateKey) { k.Primes = []*big.Int{k.N, big.NewInt(1)} },
		"q=2":      func(k *rsa.PrivateKey) { k.Primes = []*big.Int{k.N, big.NewInt(2)}; k.N = new(big.Int).Lsh(k.N, 1) },
		"p=2":      func(k *rsa.PrivateKey) { k.Primes = []*big.Int{big.NewInt(2), k.N}; k.N = new(big.Int).Lsh(k.N, 1) },
		"p=0":      func(k *rsa.PrivateKey) { k.Primes = []*big.Int{new(big.Int), k.N} },
		"all zero": func(k *rsa.PrivateKey) { k.Primes = []*big.Int{new(big.Int), new(big.Int)} },
	} {
		for _, crt := range []bool{false, true} {
			key := tk.private()
			change(key)
			if crt {
				key.Precomputed.Dp, key.Precomputed.Dq, key.Precomputed.Qinv = new(big.Int), big.NewInt(1), new(big.Int)
			}
			wantAllFail(t, fmt.Sprintf("%s, CRT values %v", name, crt), key, c)
		}
	}
}

// Mbed-TLS/mbedtls#1380, letsencrypt/boulder#5853, kjur/jsrsasign#546: primes
// next to each other make the modulus easy to factor.
func TestClosePrimes(t *testing.T) {
	t.Parallel()
	p := testKeyOf(t, "size", 1024, 0).primes[0]
	q := new(big.Int).Add(p, big.NewInt(2))
	for !q.ProbablyPrime(1) {
		q.Add(q, big.NewInt(2))
	}
	c := make([]byte, 128)
	c[127] = 2
	wantAllFail(t, "next prime", keyFromPrimes(65537, p, q), c)
	wantAllFail(t, "next prime, swapped", keyFromPrimes(65537, q, p), c)
	wantAllFail(t, "next prime, CRT values", setCRT(keyFromPrimes(65537, p, q)), c)
	wantAllFail(t, "p = q", keyFromPrimes(65537, p, p), c)
}

// mirage/mirage-crypto#62, mirage/mirage-crypto#63, aws/aws-lc#756: private
// exponents that are right but not reduced the usual way.
func TestUnusualPrivateExponents(t *testing.T) {
	t.Parallel()
	tk := testKeyOf(t, "size", 1024, 0)
	key := tk.private()
	digest := make([]byte, 32)
	want := rawSign(key, emPKCS1v15(128, digestInfoSHA256(digest)))
	for _, change := range keyChanges(tk.private()) {
		for _, crt := range []bool{false, true} {
			key := tk.private()
			change.change(key)
			var ok bool
			switch change.name {
			case "as is", "D modulo (p-1)(q-1)", "D+lambda, the largest below N":
				ok = true
			case "D+lambda, the smallest above N", "D+2", "D+1", "D=0", "D=1":
			default:
				continue
			}
			if crt {
				good := setCRT(tk.private())
				key.Precomputed = good.Precomputed
			}
			sig, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest)
			if ok && (err != nil || !bytes.Equal(sig, want)) || !ok && (err == nil || sig != nil) {
				t.Errorf("%s, CRT values %v: SignPKCS1v15 = %x, %v; want success: %v", change.name, crt, sig, err, ok)
			}
		}
	}
}

// golang/go#14512, square/go-jose#283, kjur/jsrsasign#97: keys of n, e and d.
func TestKeyWithoutPrimes(t *testing.T) {
	t.Parallel()
	for _, bits := range []int{1024, 1025, 1031, 2048} {
		key := testKeyOf(t, "size", bits, 0).private()
		digest := make([]byte, 32)
		want, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest)
		if err != nil {
			t.Fatal(err)
		}
		key.Primes = nil
		got, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bits: SignPKCS1v15 without primes = %x, %v, want %x", bits, got, err, want)
		}
		crossCheck(t, key)
		key.Precompute()
		crossCheck(t, key)
	}
}

// golang/go#56921, microsoft/go#1355: the CRT values of further primes are not
// needed and must not be trusted.
func TestThreePrimesIgnoreCRTValues(t *testing.T) {
	t.Parallel()
	tk := testKeyOf(t, "three", 1024, 0)
	digest := make([]byte, 32)
	want := rawSign(tk.private(), emPKCS1v15(128, digestInfoSHA256(digest)))
	for name, change := range map[string]func(pre *rsa.PrecomputedValues){
		"as is":       func(pre *rsa.PrecomputedValues) {},
		"Exp+1":       func(pre *rsa.PrecomputedValues) { addTo(&pre.CRTValues[0].Exp, 1) },
		"zero values": func(pre *rsa.PrecomputedValues) { pre.CRTValues[0] = rsa.CRTValue{} },
		"none":        func(pre *rsa.PrecomputedValues) { pre.CRTValues = nil },
	} {
		key := tk.private()
		key.Precompute()
		change(&key.Precomputed)
		sig, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest)
		if err == nil && !bytes.Equal(sig, want) || err != nil && (sig != nil || name == "as is") {
			t.Errorf("%s: SignPKCS1v15 = %x, %v", name, sig, err)
		}
	}
}

// web-auth/cose-lib#173, openssl/openssl#32369: one wrong bit anywhere in a key
// must not lead to a wrong signature.
func TestEveryFlippedKeyBit(t *testing.T) {
	t.Parallel()
	tk := testKeyOf(t, "size", 1024, 0)
	digest := make([]byte, 32)
	fields := map[string]func(k *rsa.PrivateKey) *big.Int{
		"n":    func(k *rsa.PrivateKey) *big.Int { return k.N },
		"d":    func(k *rsa.PrivateKey) *big.Int { return k.D },
		"p":    func(k *rsa.PrivateKey) *big.Int { return k.Primes[0] },
		"q":    func(k *rsa.PrivateKey) *big.Int { return k.Primes[1] },
		"dp":   func(k *rsa.PrivateKey) *big.Int { return k.Precomputed.Dp },
		"dq":   func(k *rsa.PrivateKey) *big.Int { return k.Precomputed.Dq },
		"qinv": func(k *rsa.PrivateKey) *big.Int { return k.Precomputed.Qinv },
	}
	step := 5
	if testing.Short() {
		step = 61
	}
	for name, field := range fields {
		for bit := 0; bit < field(setCRT(tk.private())).BitLen(); bit += step {
			key := setCRT(tk.private())
			x := field(key)
			x.SetBit(x, bit, x.Bit(bit)^1)
			sig, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest)
			if err == nil || sig != nil {
				t.Errorf("bit %d of %s flipped: SignPKCS1v15 = %x, %v", bit, name, sig, err)
			}
		}
	}
}

// asmcrypto/asmcrypto.js#175, RustCrypto/RSA#626, bcgit/bc-java#1528: different
// errors make an oracle. golang-fips/openssl#142, dotnet/runtime#95157,
// golang/go#80808: bad padding is an error, not a made-up message.
func TestDecryptionErrorsAreOneValue(t *testing.T) {
	t.Parallel()
	for _, bits := range []int{1024, 1025} {
		key := testKeyOf(t, "size", bits, 0).private()
		k := key.Size()
		for name, em := range paddingErrors(k) {
			good := name == "good" || name == "separator last" || name == "message of zeros" || name == "PS of 8 bytes" || name == "PS of 9 bytes"
			if new(big.Int).SetBytes(em).Cmp(key.N) >= 0 {
				continue
			}
			m, err := rsa.DecryptPKCS1v15(nil, key, rawVerify(&key.PublicKey, em))
			if !good && (err != rsa.ErrDecryption || m != nil) || good && (err != nil || m == nil) {
				t.Errorf("%d bits, %s: DecryptPKCS1v15 = %x, %v", bits, name, m, err)
			}
		}
		for name, em := range oaepErrors(k) {
			if new(big.Int).SetBytes(em).Cmp(key.N) >= 0 {
				continue
			}
			m, err := rsa.DecryptOAEP(sha256.New(), nil, key, rawVerify(&key.PublicKey, em), []byte("label"))
			if name == "good" && (err != nil || string(m) != "m") || name != "good" && (err != rsa.ErrDecryption || m != nil) {
				t.Errorf("%d bits, %s: DecryptOAEP = %x, %v", bits, name, m, err)
			}
		}
	}
}

// oaepErrors returns encoded messages for RSAES-OAEP with SHA-256 and the label
// "label", good and bad.
func oaepErrors(k int) map[string][]byte {
	lHash := sha256.Sum256([]byte("label"))
	encode := func(first byte, edit func(db []byte)) []byte {
		db := make([]byte, k-sha256.Size-1)
		copy(db, lHash[:])
		db[len(db)-2], db[len(db)-1] = 1, 'm'
		edit(db)
		seed := sha256.Sum256([]byte("seed"))
		mask := func(out, seed []byte) {
			for i, counter := 0, uint32(0); i < len(out); counter++ {
				h := sha256.Sum256(binary.BigEndian.AppendUint32(slices.Clone(seed), counter))
				for j := 0; j < len(h) && i < len(out); i, j = i+1, j+1 {
					out[i] ^= h[j]
				}
			}
		}
		mask(db, seed[:])
		mask(seed[:], db)
		return slices.Concat([]byte{first}, seed[:], db)
	}
	return map[string][]byte{
		"good":                  encode(0, func(db []byte) {}),
		"first byte 1":          encode(1, func(db []byte) {}),
		"label hash, first bit": encode(0, func(db []byte) { db[0] ^= 0x80 }),
		"label hash, last bit":  encode(0, func(db []byte) { db[31] ^= 1 }),
		"first byte and label":  encode(1, func(db []byte) { db[0] ^= 0x80 }),
		"junk in the padding":   encode(0, func(db []byte) { db[32] = 2 }),
		"junk before the 1":     encode(0, func(db []byte) { db[len(db)-3] = 0xff }),
		"separator 2":           encode(0, func(db []byte) { db[len(db)-2] = 2 }),
		"no separator":          encode(0, func(db []byte) { clear(db[32:]) }),
		"no separator, junk":    encode(0, func(db []byte) { db[len(db)-2] = 0; db[len(db)-1] = 7 }),
	}
}

// google/end-to-end#108: leading zero bytes were dropped, so that one message
// in 256 failed.
func TestManyRoundTrips(t *testing.T) {
	t.Parallel()
	counts := map[int]int{1024: 1000, 1025: 600, 2047: 200, 2048: 200}
	for bits, n := range counts {
		if testing.Short() {
			n /= 20
		}
		t.Run(fmt.Sprintf("bits=%d", bits), func(t *testing.T) {
			t.Parallel()
			key := testKeyOf(t, "size", bits, 0).private()
			key.Precompute()
			for i := range n {
				msg := binaryDigest(i)
				if i%2 == 0 {
					c, err := rsa.EncryptOAEP(sha1.New(), rand.Reader, &key.PublicKey, msg, nil)
					if err != nil || len(c) != key.Size() {
						t.Fatalf("EncryptOAEP: %d bytes, %v", len(c), err)
					}
					if m, err := rsa.DecryptOAEP(sha1.New(), nil, key, c, nil); err != nil || !bytes.Equal(m, msg) {
						t.Fatalf("DecryptOAEP(%x) = %x, %v", c, m, err)
					}
					continue
				}
				c, err := rsa.EncryptPKCS1v15(rand.Reader, &key.PublicKey, msg)
				if err != nil || len(c) != key.Size() {
					t.Fatalf("EncryptPKCS1v15: %d bytes, %v", len(c), err)
				}
				if m, err := rsa.DecryptPKCS1v15(nil, key, c); err != nil || !bytes.Equal(m, msg) {
					t.Fatalf("DecryptPKCS1v15(%x) = %x, %v", c, m, err)
				}
			}
		})
	}
}

// wolfSSL/wolfssl#10012, microsoft/TSS.MSR#154: the empty message was refused.
func TestEmptyMessages(t *testing.T) {
	t.Parallel()
	key := testKeyOf(t, "size", 1024, 0).private()
	for _, msg := range [][]byte{nil, {}, {0}, {0, 0, 0}, {1}, {1, 1, 1, 1}, {0, 1}, {0, 2, 0}, bytes.Repeat([]byte{1}, 62), make([]byte, 62)} {
		c, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, &key.PublicKey, msg, nil)
		if err != nil {
			t.Errorf("EncryptOAEP(%x): %v", msg, err)
			continue
		}
		if m, err := rsa.DecryptOAEP(sha256.New(), nil, key, c, nil); err != nil || m == nil || !bytes.Equal(m, msg) {
			t.Errorf("DecryptOAEP = %#v, %v, want %#v", m, err, msg)
		}
		c, err = rsa.EncryptPKCS1v15(rand.Reader, &key.PublicKey, msg)
		if err != nil {
			t.Errorf("EncryptPKCS1v15(%x): %v", msg, err)
			continue
		}
		if m, err := rsa.DecryptPKCS1v15(nil, key, c); err != nil || m == nil || !bytes.Equal(m, msg) {
			t.Errorf("DecryptPKCS1v15 = %#v, %v, want %#v", m, err, msg)
		}
	}
}

// golang-fips/openssl#119, openssl/openssl#18102, latchset/kryoptic#59: the
// empty label.
func TestOAEPLabels(t *testing.T) {
	t.Parallel()
	key := testKeyOf(t, "size", 1024, 0).private()
	labels := [][]byte{nil, {}, []byte("x"), []byte("x\x00"), make([]byte, 1<<20)}
	for _, label := range labels {
		c, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, &key.PublicKey, []byte("m"), label)
		if err != nil {
			t.Errorf("label of %d bytes: %v", len(label), err)
			continue
		}
		for _, other := range labels {
			m, err := rsa.DecryptOAEP(sha256.New(), nil, key, c, other)
			if bytes.Equal(label, other) {
				if err != nil || string(m) != "m" {
					t.Errorf("label of %d bytes: DecryptOAEP = %x, %v", len(label), m, err)
				}
			} else if err != rsa.ErrDecryption || m != nil {
				t.Errorf("label of %d bytes, decrypted with one of %d: %x, %v", len(label), len(other), m, err)
			}
		}
	}
}

// cryptopp-modern/cryptopp-modern#72: two SHA-512 hashes do not fit in 128 bytes.
func TestOAEPHashTooLarge(t *testing.T) {
	t.Parallel()
	key := testKeyOf(t, "size", 1024, 0).private()
	for _, msg := range [][]byte{nil, {1}} {
		if c, err := rsa.EncryptOAEP(sha512.New(), rand.Reader, &key.PublicKey, msg, nil); err != rsa.ErrMessageTooLong || c != nil {
			t.Errorf("1024 bits, %d-byte message: EncryptOAEP = %x, %v", len(msg), c, err)
		}
	}
	for i := range 4 {
		c := bytes.Repeat([]byte{byte(i)}, 128)
		if m, err := rsa.DecryptOAEP(sha512.New(), nil, key, c, nil); err != rsa.ErrDecryption || m != nil {
			t.Errorf("1024 bits: DecryptOAEP = %x, %v", m, err)
		}
	}
	key = testKeyOf(t, "size", 1040, 0).private()
	c, err := rsa.EncryptOAEP(sha512.New(), rand.Reader, &key.PublicKey, nil, nil)
	if err != nil {
		t.Fatalf("1040 bits, empty message: %v", err)
	}
	if m, err := rsa.DecryptOAEP(sha512.New(), nil, key, c, nil); err != nil || m == nil || len(m) != 0 {
		t.Errorf("1040 bits, empty message: DecryptOAEP = %x, %v", m, err)
	}
	if c, err := rsa.EncryptOAEP(sha512.New(), rand.Reader, &key.PublicKey, []byte{1}, nil); err != rsa.ErrMessageTooLong || c != nil {
		t.Errorf("1040 bits, 1-byte message: EncryptOAEP = %x, %v", c, err)
	}
}

// sybrenstuvel/python-rsa#146, kjur/jsrsasign#439 (CVE-2020-14967),
// LadybirdBrowser/ladybird#11979, pyca/cryptography#11411: zero bytes in front
// of a ciphertext.
func TestCiphertextLength(t *testing.T) {
	t.Parallel()
	if fips140.Enabled() {
		t.Skip("in FIPS 140-3 mode crypto/rsa does the work, and limits PKCS #1 v1.5 ciphertexts by their limbs")
	}
	for _, bits := range []int{1024, 1025, 1033, 1056, 2048} {
		key := testKeyOf(t, "size", bits, 0).private()
		pkcs, err := rsa.EncryptPKCS1v15(rand.Reader, &key.PublicKey, make([]byte, 16))
		if err != nil {
			t.Fatal(err)
		}
		oaep, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, &key.PublicKey, make([]byte, 16), nil)
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n <= 17; n++ {
			c := append(make([]byte, n), pkcs...)
			if m, err := rsa.DecryptPKCS1v15(nil, key, c); err != rsa.ErrDecryption || m != nil {
				t.Errorf("%d bits, %d zero bytes in front: DecryptPKCS1v15 = %x, %v", bits, n, m, err)
			}
			session := unchanged(16)
			if err := rsa.DecryptPKCS1v15SessionKey(nil, key, c, session); err != rsa.ErrDecryption || !bytes.Equal(session, unchanged(16)) {
				t.Errorf("%d bits, %d zero bytes in front: DecryptPKCS1v15SessionKey = %x, %v", bits, n, session, err)
			}
			if m, err := rsa.DecryptOAEP(sha256.New(), nil, key, append(make([]byte, n), oaep...), nil); err != rsa.ErrDecryption || m != nil {
				t.Errorf("%d bits, %d zero bytes in front: DecryptOAEP = %x, %v", bits, n, m, err)
			}
		}
		for _, c := range [][]byte{nil, {}, {1}, pkcs[:len(pkcs)-1], append(slices.Clone(pkcs), 0)} {
			if m, err := rsa.DecryptPKCS1v15(nil, key, c); err != rsa.ErrDecryption || m != nil {
				t.Errorf("%d bits, %d bytes: DecryptPKCS1v15 = %x, %v", bits, len(c), m, err)
			}
			if m, err := rsa.DecryptOAEP(sha256.New(), nil, key, c, nil); err != rsa.ErrDecryption || m != nil {
				t.Errorf("%d bits, %d bytes: DecryptOAEP = %x, %v", bits, len(c), m, err)
			}
		}
	}
}

// OpenSC/OpenSC#3546: a wrong mask made padding errors visible.
func TestSessionKeyUnchangedOnBadPadding(t *testing.T) {
	t.Parallel()
	for _, bits := range []int{1024, 1025, 2048} {
		key := testKeyOf(t, "size", bits, 0).private()
		k := key.Size()
		for _, n := range []int{15, 16, 17, 31, 32, 33} {
			msg := bytes.Repeat([]byte{0x77}, n)
			c, err := rsa.EncryptPKCS1v15(rand.Reader, &key.PublicKey, msg)
			if err != nil {
				t.Fatal(err)
			}
			for _, size := range []int{16, 32} {
				session := unchanged(size)
				want := unchanged(size)
				if size == n {
					want = msg
				}
				if err := rsa.DecryptPKCS1v15SessionKey(nil, key, c, session); err != nil || !bytes.Equal(session, want) {
					t.Errorf("%d bits, %d-byte message into %d bytes: %x, %v", bits, n, size, session, err)
				}
			}
		}
		for name, em := range paddingErrors(k) {
			if name == "good" || name == "message of zeros" || new(big.Int).SetBytes(em).Cmp(key.N) >= 0 {
				continue
			}
			session := unchanged(16)
			if err := rsa.DecryptPKCS1v15SessionKey(nil, key, rawVerify(&key.PublicKey, em), session); err != nil || !bytes.Equal(session, unchanged(16)) {
				t.Errorf("%d bits, %s: %x, %v", bits, name, session, err)
			}
		}
		for name, c := range map[string][]byte{"N": key.N.Bytes(), "all ones": bytes.Repeat([]byte{0xff}, k)} {
			session := unchanged(16)
			if err := rsa.DecryptPKCS1v15SessionKey(nil, key, c, session); err != rsa.ErrDecryption || !bytes.Equal(session, unchanged(16)) {
				t.Errorf("%d bits, ciphertext %s: %x, %v", bits, name, session, err)
			}
		}
	}
}

// mpdavis/python-jose#408, Infisical/infisical#6411: unusual session key lengths.
func TestSessionKeyLengths(t *testing.T) {
	t.Parallel()
	key := testKeyOf(t, "size", 1024, 0).private()
	k := key.Size()
	for _, n := range []int{0, 1, k - 11} {
		msg := bytes.Repeat([]byte{9}, n)
		c, err := rsa.EncryptPKCS1v15(rand.Reader, &key.PublicKey, msg)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{0, 1, k - 11, k - 10} {
			session, want, wantErr := unchanged(size), unchanged(size), error(nil)
			if size == n {
				want = msg
			}
			if size > k-11 {
				wantErr = rsa.ErrDecryption
			}
			if err := rsa.DecryptPKCS1v15SessionKey(nil, key, c, session); err != wantErr || !bytes.Equal(session, want) {
				t.Errorf("%d-byte message into %d bytes: %x, %v", n, size, session, err)
			}
		}
	}
}

// sybrenstuvel/python-rsa#165, Legrandin/pycryptodome#481, openssl/openssl#13421:
// the search for the end of the padding.
func TestPaddingScan(t *testing.T) {
	t.Parallel()
	key := testKeyOf(t, "size", 1024, 0).private()
	k := key.Size()
	for zero := 2; zero <= k; zero++ {
		em := bytes.Repeat([]byte{0x55}, k)
		em[0], em[1] = 0, 2
		if zero < k {
			em[zero] = 0
		}
		m, err := rsa.DecryptPKCS1v15(nil, key, rawVerify(&key.PublicKey, em))
		switch {
		case zero < 10 || zero == k:
			if err != rsa.ErrDecryption || m != nil {
				t.Errorf("separator at %d: %x, %v", zero, m, err)
			}
		case err != nil || m == nil || !bytes.Equal(m, em[zero+1:]):
			t.Errorf("separator at %d: %x, %v", zero, m, err)
		}
	}
}

// golang/go#21104, jedisct1/libsodium#848, mirage/mirage-crypto#79,
// yann-shi/dht#52: inputs at odd addresses, with nothing behind them.
func TestUnalignedInputs(t *testing.T) {
	t.Parallel()
	for _, bits := range []int{1024, 1025, 2048} {
		key := testKeyOf(t, "size", bits, 0).private()
		key.Precompute()
		at := func(b []byte, offset int) []byte {
			buf := make([]byte, offset+len(b))
			return buf[offset:][:copy(buf[offset:], b):len(b)]
		}
		digest := sha256.Sum256([]byte(t.Name()))
		want, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest[:])
		if err != nil {
			t.Fatal(err)
		}
		c, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, &key.PublicKey, digest[:10], nil)
		if err != nil {
			t.Fatal(err)
		}
		for offset := 1; offset < 8; offset++ {
			d := at(digest[:], offset)
			if sig, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, d); err != nil || !bytes.Equal(sig, want) {
				t.Errorf("%d bits, offset %d: SignPKCS1v15 = %x, %v", bits, offset, sig, err)
			}
			if err := rsa.VerifyPKCS1v15(&key.PublicKey, crypto.SHA256, d, at(want, offset)); err != nil {
				t.Errorf("%d bits, offset %d: VerifyPKCS1v15: %v", bits, offset, err)
			}
			if m, err := rsa.DecryptOAEP(sha256.New(), nil, key, at(c, offset), nil); err != nil || !bytes.Equal(m, digest[:10]) {
				t.Errorf("%d bits, offset %d: DecryptOAEP = %x, %v", bits, offset, m, err)
			}
		}
	}
}
