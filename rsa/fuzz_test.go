package rsa_test

import (
	"bytes"
	"crypto"
	"crypto/fips140"
	"crypto/rand"
	stdrsa "crypto/rsa"
	"crypto/sha256"
	"fmt"
	"math"
	"math/big"
	"slices"
	"sync"
	"testing"

	"github.com/fastrsa/fastrsa/rsa"
)

// The fuzz targets drive this package and crypto/rsa with the same input and
// require the same result, except for the differences that the package
// documentation lists.

// fuzzKeys are the keys that fuzz inputs select from: aligned, one bit above a
// multiple of 8 with e = 3 and the smaller prime first, one bit above a multiple
// of 8 in a larger size, and the common case.
var fuzzKeys = sync.OnceValue(func() []*rsa.PrivateKey {
	var keys []*rsa.PrivateKey
	for _, name := range []string{"testing-1024.pem", "testing-1025.pem", "testing-2041.pem", "rfc9500-2048.pem"} {
		priv, err := readTestKey(name)
		if err != nil {
			panic(err)
		}
		keys = append(keys, priv)
	}
	return keys
})

func fuzzKey(sel uint8) *rsa.PrivateKey {
	keys := fuzzKeys()
	return keys[int(sel)%len(keys)]
}

// fuzzHashes are the hashes that fuzz inputs select from: all that the schemes
// name, none, and some that are not available or do not exist.
var fuzzHashes = []crypto.Hash{
	crypto.SHA256, crypto.SHA1, crypto.SHA224, crypto.SHA384, crypto.SHA512, crypto.SHA512_224, crypto.SHA512_256,
	crypto.SHA3_224, crypto.SHA3_256, crypto.SHA3_384, crypto.SHA3_512, crypto.MD5SHA1, 0,
	crypto.MD4, crypto.RIPEMD160, crypto.BLAKE2b_256, 99,
}

func fuzzHash(sel uint8) crypto.Hash { return fuzzHashes[int(sel)%len(fuzzHashes)] }

// fuzzDigest returns digest, or if fit is set, digest cut or repeated to the
// size of h.
func fuzzDigest(h crypto.Hash, digest []byte, fit bool) []byte {
	if !fit || h == 0 || h == 99 {
		return digest
	}
	out := make([]byte, h.Size())
	for n := 0; n < len(out) && len(digest) > 0; {
		n += copy(out[n:], digest)
	}
	return out
}

// fuzzBlock builds the integer that a public or private operation is given. It
// returns k bytes or a deliberately wrong number of them.
//
//	shape%4 = 0   data itself
//	          1   valid XOR data
//	          2   raw(em XOR data), left-aligned
//	          3   raw(em XOR data), right-aligned
//	shape/4%8     the length: 0-3 as it is, 4 a zero byte in front, 5 eight of
//	              them, 6 without its first byte, 7 with a zero byte behind
//	shape/32%2    the modulus added, if it fits
func fuzzBlock(priv *rsa.PrivateKey, shape uint8, data, valid, em []byte, raw func(*big.Int) *big.Int) []byte {
	k := priv.Size()
	if len(data) > 2*k {
		data = data[:2*k]
	}
	var block []byte
	switch shape % 4 {
	case 0:
		block = bytes.Clone(data)
	case 1:
		block = bytes.Clone(valid)
		for i := range min(len(data), len(block)) {
			block[i] ^= data[i]
		}
	default:
		em := bytes.Clone(em)
		off := 0
		if shape%4 == 3 {
			off = max(0, k-len(data))
		}
		for i := range min(len(data), k-off) {
			em[off+i] ^= data[i]
		}
		m := new(big.Int).SetBytes(em)
		block = raw(m.Mod(m, priv.N)).FillBytes(make([]byte, k))
	}
	if shape/32%2 == 1 {
		v := new(big.Int).SetBytes(block)
		if v.Add(v, priv.N); v.BitLen() <= 8*k {
			block = v.FillBytes(make([]byte, k))
		}
	}
	switch shape / 4 % 8 {
	case 4:
		block = append(make([]byte, 1), block...)
	case 5:
		block = append(make([]byte, 8), block...)
	case 6:
		block = block[min(1, len(block)):]
	case 7:
		block = append(block, 0)
	}
	return block
}

// fuzzOutcome is what a call did. panicked is nil if it returned.
type fuzzOutcome struct {
	out      []byte
	err      error
	panicked any
}

func fuzzTry(f func() ([]byte, error)) (o fuzzOutcome) {
	defer func() { o.panicked = recover() }()
	o.out, o.err = f()
	return o
}

// compare requires that got, of this package, is std, of crypto/rsa, with one
// documented difference: where crypto/rsa panics, this package returns an error.
func (got fuzzOutcome) compare(t *testing.T, what string, std fuzzOutcome) {
	t.Helper()
	if got.panicked != nil {
		t.Errorf("%s: panic: %v", what, got.panicked)
		return
	}
	if std.panicked != nil {
		if got.err == nil {
			t.Errorf("%s: no error where crypto/rsa panics with %v", what, std.panicked)
		}
		return
	}
	if err := sameError(got.err, std.err); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	if !bytes.Equal(got.out, std.out) {
		t.Errorf("%s: result is %x, crypto/rsa's is %x", what, got.out, std.out)
	}
}

// mustFail requires an error where this package is documented to be stricter.
func (got fuzzOutcome) mustFail(t *testing.T, what string, want error) {
	t.Helper()
	if got.panicked != nil {
		t.Errorf("%s: panic: %v", what, got.panicked)
		return
	}
	if got.err == nil || want != nil && got.err != want {
		t.Errorf("%s: error is %v, must be refused (%v)", what, got.err, want)
	}
	if got.out != nil {
		t.Errorf("%s: %d bytes of output beside an error", what, len(got.out))
	}
}

// encryptBig returns m^e mod N by math/big.
func encryptBig(pub *rsa.PublicKey, m *big.Int) *big.Int {
	return new(big.Int).Exp(m, big.NewInt(int64(pub.E)), pub.N)
}

// fuzzShapes adds the shapes and data that several targets start from, for all
// keys, or for -short only for the two small ones.
func fuzzShapes(add func(key, shape uint8, data []byte)) {
	for key := range uint8(4) {
		n := fuzzKey(key).N
		if testing.Short() && n.BitLen() > 1025 {
			continue
		}
		for _, data := range [][]byte{nil, {0}, {1}, {0xff}, {0, 1}, {0, 0xff}, bytes.Repeat([]byte{0xff}, 256), make([]byte, 257)} {
			for shape := range uint8(4) {
				add(key, shape, data)
			}
		}
		for shape := uint8(4); shape < 64; shape++ {
			if shape%4 < 2 || shape >= 32 { // EM as it is gives the valid block again
				add(key, shape, nil)
			}
		}
		for _, v := range []*big.Int{n, new(big.Int).Sub(n, big.NewInt(1)), new(big.Int).Add(n, big.NewInt(1))} {
			add(key, 0, v.Bytes())
		}
	}
}

// skipInFIPSMode skips what compares this package's own behaviour.
func skipInFIPSMode(tb testing.TB) {
	if fips140.Enabled() {
		tb.Skip("in FIPS 140-3 mode crypto/rsa does the work")
	}
}

func FuzzVerifyPKCS1v15(f *testing.F) {
	skipInFIPSMode(f)
	fuzzShapes(func(key, shape uint8, data []byte) { f.Add(key, uint8(0), true, []byte("digest"), shape, data) })
	for hash := range fuzzHashes {
		f.Add(uint8(0), uint8(hash), true, []byte{byte(hash)}, uint8(1), []byte(nil))
		f.Add(uint8(1), uint8(hash), false, make([]byte, 32), uint8(1), []byte(nil))
	}
	for _, n := range []int{0, 1, 116, 117, 118, 128} { // unhashed, up to and above k-11
		f.Add(uint8(0), uint8(12), false, make([]byte, n), uint8(1), []byte(nil))
	}
	// Half of the signatures with a 1025-bit key start with a zero byte: the whole
	// one, and one without it.
	for i := range byte(8) {
		f.Add(uint8(1), uint8(0), true, []byte{i}, uint8(1), []byte(nil))
		f.Add(uint8(1), uint8(0), true, []byte{i}, uint8(1+4*6), []byte(nil))
	}
	f.Fuzz(func(t *testing.T, key, hash uint8, fit bool, digest []byte, shape uint8, data []byte) {
		priv, h := fuzzKey(key), fuzzHash(hash)
		digest = fuzzDigest(h, digest, fit)
		signed := fuzzTry(func() ([]byte, error) { return stdrsa.SignPKCS1v15(nil, priv, h, digest) })
		fuzzTry(func() ([]byte, error) { return rsa.SignPKCS1v15(nil, priv, h, digest) }).
			compare(t, "SignPKCS1v15", signed)
		valid := signed.out
		if valid == nil { // no such signature; any other will do
			valid = make([]byte, priv.Size())
		}
		em := encryptBig(&priv.PublicKey, new(big.Int).SetBytes(valid)).FillBytes(make([]byte, priv.Size()))
		sig := fuzzBlock(priv, shape, data, valid, em, func(m *big.Int) *big.Int { return bigDecrypt(priv, m) })
		got := fuzzTry(func() ([]byte, error) { return nil, rsa.VerifyPKCS1v15(&priv.PublicKey, h, digest, sig) })
		got.compare(t, "VerifyPKCS1v15",
			fuzzTry(func() ([]byte, error) { return nil, stdrsa.VerifyPKCS1v15(&priv.PublicKey, h, digest, sig) }))
		if got.err == nil && got.panicked == nil && (signed.err != nil || !bytes.Equal(sig, valid)) {
			t.Errorf("VerifyPKCS1v15 accepts a second signature %x", sig)
		}
	})
}

func FuzzVerifyPSS(f *testing.F) {
	skipInFIPSMode(f)
	fuzzShapes(func(key, shape uint8, data []byte) {
		f.Add(key, uint8(0), true, []byte("digest"), []byte("salt"), rsa.PSSSaltLengthAuto, shape, data)
	})
	for hash := range fuzzHashes {
		f.Add(uint8(0), uint8(hash), true, []byte{byte(hash)}, []byte("salt"), 4, uint8(1), []byte(nil))
		f.Add(uint8(1), uint8(hash), false, make([]byte, 32), []byte("salt"), -1, uint8(1), []byte(nil))
	}
	for _, salt := range []int{-1, -2, -3, 0, 1, 19, 20, 21, 93, 94, 95, 222, 223, math.MaxInt, math.MaxInt - 33, math.MaxInt - 34,
		math.MaxInt - 35, math.MaxInt/2 + 1, math.MinInt} {
		f.Add(uint8(0), uint8(0), true, []byte("digest"), make([]byte, 94), salt, uint8(1), []byte(nil))
		f.Add(uint8(3), uint8(1), true, []byte("digest"), make([]byte, 20), salt, uint8(1), []byte(nil))
		f.Add(uint8(2), uint8(0), true, []byte("digest"), []byte{1}, salt, uint8(0), make([]byte, 256))
	}
	// EM with a bit set above its length, which fits below the modulus for some
	// digests.
	for i := range byte(24) {
		for key, top := range []byte{0x80, 0x01, 0x01, 0x80} {
			if !testing.Short() || key < 2 {
				f.Add(uint8(key), uint8(0), true, []byte{i}, []byte("salt"), 4, uint8(2), []byte{top})
			}
		}
	}
	f.Fuzz(func(t *testing.T, key, hash uint8, fit bool, digest, salt []byte, saltLength int, shape uint8, data []byte) {
		priv, h := fuzzKey(key), fuzzHash(hash)
		digest = fuzzDigest(h, digest, fit)
		// The salt of the signature that is altered.
		signed := fuzzTry(func() ([]byte, error) {
			return stdrsa.SignPSS(bytes.NewReader(salt), priv, h, digest, &rsa.PSSOptions{SaltLength: len(salt)})
		})
		fuzzTry(func() ([]byte, error) {
			return rsa.SignPSS(bytes.NewReader(salt), priv, h, digest, &rsa.PSSOptions{SaltLength: len(salt)})
		}).compare(t, "SignPSS", signed)
		valid := signed.out
		if valid == nil {
			valid = make([]byte, priv.Size())
		}
		em := encryptBig(&priv.PublicKey, new(big.Int).SetBytes(valid)).FillBytes(make([]byte, priv.Size()))
		sig := fuzzBlock(priv, shape, data, valid, em, func(m *big.Int) *big.Int { return bigDecrypt(priv, m) })
		opts := &rsa.PSSOptions{SaltLength: saltLength}
		fuzzTry(func() ([]byte, error) { return nil, rsa.VerifyPSS(&priv.PublicKey, h, digest, sig, opts) }).
			compare(t, "VerifyPSS",
				fuzzTry(func() ([]byte, error) { return nil, stdrsa.VerifyPSS(&priv.PublicKey, h, digest, sig, opts) }))
		// Signing with the length that verification asks for. crypto/rsa would
		// allocate a long salt before it looks at the size of the key.
		if saltLength > 1<<16 {
			fuzzTry(func() ([]byte, error) {
				return rsa.SignPSS(bytes.NewReader(nil), priv, h, digest, opts)
			}).mustFail(t, "SignPSS with a long salt", nil)
			return
		}
		// crypto/rsa reads the salt before it knows whether it fits.
		source := append(bytes.Clone(salt), make([]byte, max(saltLength, priv.Size()))...)
		fuzzTry(func() ([]byte, error) { return rsa.SignPSS(bytes.NewReader(source), priv, h, digest, opts) }).
			compare(t, "SignPSS with options",
				fuzzTry(func() ([]byte, error) { return stdrsa.SignPSS(bytes.NewReader(source), priv, h, digest, opts) }))
	})
}

func FuzzDecryptPKCS1v15(f *testing.F) {
	skipInFIPSMode(f)
	fuzzShapes(func(key, shape uint8, data []byte) { f.Add(key, shape, data, []byte("message"), uint16(7)) })
	for key := range uint8(4) {
		k := fuzzKey(key).Size()
		for _, n := range []int{0, 1, 16, 32, k - 12, k - 11, k - 10, k} { // length of the session key
			f.Add(key, uint8(1), []byte(nil), make([]byte, n), uint16(n))
			f.Add(key, uint8(1), []byte(nil), []byte("0123456789abcdef"), uint16(n))
		}
		for i := range 12 { // first zero byte after i-2 bytes of padding
			data := make([]byte, k)
			data[i] = 0x5a
			if i == 1 {
				data[i] = 2
			}
			f.Add(key, uint8(2), data, []byte("message"), uint16(k-i-1))
		}
		f.Add(key, uint8(3), []byte{0x5a}, []byte{}, uint16(0))                           // no zero byte
		f.Add(key, uint8(3), bytes.Repeat([]byte{0x5a}, 8), []byte("message"), uint16(0)) // no zero byte
	}
	f.Fuzz(func(t *testing.T, key, shape uint8, data, msg []byte, keyLen uint16) {
		priv := fuzzKey(key)
		k := priv.Size()
		em := append([]byte{0, 2}, bytes.Repeat([]byte{0x5a}, k-2)...)
		msg = msg[:min(len(msg), k-3)]
		em[k-len(msg)-1] = 0
		copy(em[k-len(msg):], msg)
		valid := encryptBig(&priv.PublicKey, new(big.Int).SetBytes(em)).FillBytes(make([]byte, k))
		ct := fuzzBlock(priv, shape, data, valid, em, func(m *big.Int) *big.Int { return encryptBig(&priv.PublicKey, m) })

		got := fuzzTry(func() ([]byte, error) { return rsa.DecryptPKCS1v15(nil, priv, ct) })
		if len(ct) > k {
			// Documented: crypto/rsa accepts some ciphertexts with zero bytes in front.
			got.mustFail(t, "DecryptPKCS1v15, long ciphertext", rsa.ErrDecryption)
		} else {
			got.compare(t, "DecryptPKCS1v15", fuzzTry(func() ([]byte, error) { return stdrsa.DecryptPKCS1v15(nil, priv, ct) }))
			want, ok := unpadPKCS1v15(priv, ct)
			if ok != (got.err == nil) || ok && !bytes.Equal(got.out, want) {
				t.Errorf("DecryptPKCS1v15: message %x, error %v, want %x, valid is %v", got.out, got.err, want, ok)
			}
		}

		session := func(decrypt func(key []byte) error) func() ([]byte, error) {
			return func() ([]byte, error) {
				key := bytes.Repeat([]byte{0xa5}, int(keyLen)%(k+2))
				err := decrypt(key)
				return key, err
			}
		}
		got = fuzzTry(session(func(key []byte) error { return rsa.DecryptPKCS1v15SessionKey(nil, priv, ct, key) }))
		std := fuzzTry(session(func(key []byte) error { return stdrsa.DecryptPKCS1v15SessionKey(nil, priv, ct, key) }))
		if len(ct) > k {
			std = fuzzOutcome{out: bytes.Repeat([]byte{0xa5}, len(std.out)), err: rsa.ErrDecryption}
		}
		got.compare(t, "DecryptPKCS1v15SessionKey", std)
	})
}

// unpadPKCS1v15 is RFC 8017 §7.2.2 with math/big, and with ciphertexts that are
// shorter than the modulus taken as integers.
func unpadPKCS1v15(priv *rsa.PrivateKey, ct []byte) (msg []byte, ok bool) {
	c := new(big.Int).SetBytes(ct)
	if c.Cmp(priv.N) >= 0 {
		return nil, false
	}
	em := bigDecrypt(priv, c).FillBytes(make([]byte, priv.Size()))
	ps, msg, ok := bytes.Cut(em[2:], []byte{0})
	return msg, ok && em[0] == 0 && em[1] == 2 && len(ps) >= 8
}

func FuzzDecryptOAEP(f *testing.F) {
	skipInFIPSMode(f)
	fuzzShapes(func(key, shape uint8, data []byte) {
		f.Add(key, uint8(1), shape, data, []byte("message"), []byte("label"), []byte("label"))
	})
	for hash := range fuzzHashes {
		for key := range uint8(4) {
			f.Add(key, uint8(hash), uint8(1), []byte(nil), []byte{}, []byte(nil), []byte{})
			f.Add(key, uint8(hash), uint8(1), []byte(nil), []byte("m"), []byte("label"), []byte("other"))
			f.Add(key, uint8(hash), uint8(2), []byte{1}, []byte("m"), []byte("label"), []byte("label"))
		}
	}
	for _, b := range []byte{0, 1, 2, 3, 0x80, 0xff} { // the separator, a zero before it, the message
		f.Add(uint8(0), uint8(1), uint8(3), []byte{b, 0, 0}, []byte("mm"), []byte(nil), []byte(nil))
		f.Add(uint8(0), uint8(1), uint8(3), []byte{b, 0, 0, 0}, []byte("mm"), []byte(nil), []byte(nil))
		f.Add(uint8(0), uint8(1), uint8(3), []byte{1, b, b}, []byte("mm"), []byte(nil), []byte(nil))
	}
	for _, n := range []int{61, 62, 63, 86, 87, 130, 190, 191} { // around the longest message
		f.Add(uint8(0), uint8(0), uint8(1), []byte(nil), make([]byte, n), []byte(nil), []byte(nil))
		f.Add(uint8(3), uint8(0), uint8(1), []byte(nil), bytes.Repeat([]byte{1}, n), []byte(nil), []byte(nil))
	}
	f.Fuzz(func(t *testing.T, key, hash, shape uint8, data, msg, label, label2 []byte) {
		priv, h := fuzzKey(key), fuzzHash(hash)
		if !h.Available() { // DecryptOAEP takes a hash.Hash, not a crypto.Hash
			h = crypto.SHA256
		}
		seed := bytes.Repeat([]byte{0xc3}, h.Size())
		encrypted := fuzzTry(func() ([]byte, error) {
			return stdrsa.EncryptOAEP(h.New(), bytes.NewReader(seed), &priv.PublicKey, msg, label)
		})
		fuzzTry(func() ([]byte, error) {
			return rsa.EncryptOAEP(h.New(), bytes.NewReader(seed), &priv.PublicKey, msg, label)
		}).compare(t, "EncryptOAEP", encrypted)
		valid := encrypted.out
		if valid == nil {
			valid = make([]byte, priv.Size())
		}
		em := bigDecrypt(priv, new(big.Int).SetBytes(valid)).FillBytes(make([]byte, priv.Size()))
		if shape%4 == 3 && encrypted.err == nil {
			// Alter DB from its end and mask the seed anew, so that the rest of
			// DB stays as it is.
			db := em[1+h.Size():]
			for i := range min(len(data), len(db)) {
				db[len(db)-1-i] ^= data[len(data)-1-i]
			}
			for i, b := range mgf1(h, db, h.Size()) {
				em[1+i] = seed[i] ^ b
			}
			shape, data = shape-1, nil
		}
		ct := fuzzBlock(priv, shape, data, valid, em, func(m *big.Int) *big.Int { return encryptBig(&priv.PublicKey, m) })
		got := fuzzTry(func() ([]byte, error) { return rsa.DecryptOAEP(h.New(), nil, priv, ct, label2) })
		got.compare(t, "DecryptOAEP", fuzzTry(func() ([]byte, error) { return stdrsa.DecryptOAEP(h.New(), nil, priv, ct, label2) }))
		if encrypted.err == nil && bytes.Equal(ct, valid) && bytes.Equal(label, label2) &&
			(got.err != nil || !bytes.Equal(got.out, msg)) {
			t.Errorf("DecryptOAEP: message %x, error %v, want %x", got.out, got.err, msg)
		}
	})
}

func FuzzEncryptVsBig(f *testing.F) {
	skipInFIPSMode(f)
	for key := range uint8(4) {
		k := fuzzKey(key).Size()
		for _, n := range []int{0, 1, 16, k - 12, k - 11, k - 10, k - 66, k - 67, k - 65, k, k + 1} {
			f.Add(key, uint8(0), uint8(1), make([]byte, n), []byte(nil), []byte("seed"))
			f.Add(key, uint8(1), uint8(0), bytes.Repeat([]byte{0xff}, n), []byte("label"), []byte{})
		}
		for hash := range fuzzHashes {
			f.Add(key, uint8(hash), uint8(0), []byte("message"), []byte("label"), bytes.Repeat([]byte{0xff}, 64))
			f.Add(key, uint8(0), uint8(hash), []byte("message"), []byte("label"), make([]byte, 64))
		}
	}
	f.Fuzz(func(t *testing.T, key, hash, mgf uint8, msg, label, seed []byte) {
		priv := fuzzKey(key)
		k := priv.Size()
		got := fuzzTry(func() ([]byte, error) { return rsa.EncryptPKCS1v15(rand.Reader, &priv.PublicKey, msg) })
		std := fuzzTry(func() ([]byte, error) { return stdrsa.EncryptPKCS1v15(rand.Reader, &priv.PublicKey, msg) })
		if got.panicked != nil {
			t.Fatalf("EncryptPKCS1v15: panic: %v", got.panicked)
		}
		if err := sameError(got.err, std.err); err != nil {
			t.Errorf("EncryptPKCS1v15: %v", err)
		}
		if got.err == nil {
			if len(got.out) != k {
				t.Errorf("EncryptPKCS1v15: %d bytes, want %d", len(got.out), k)
			}
			if m, ok := unpadPKCS1v15(priv, got.out); !ok || !bytes.Equal(m, msg) {
				t.Errorf("EncryptPKCS1v15: decrypted by math/big, the message is %x, want %x, valid is %v", m, msg, ok)
			}
		}

		opts := &rsa.OAEPOptions{Hash: fuzzHash(hash), MGFHash: fuzzHash(mgf), Label: label}
		got = fuzzTry(func() ([]byte, error) {
			return rsa.EncryptOAEPWithOptions(bytes.NewReader(seed), &priv.PublicKey, msg, opts)
		})
		got.compare(t, "EncryptOAEPWithOptions", fuzzTry(func() ([]byte, error) {
			return stdrsa.EncryptOAEPWithOptions(bytes.NewReader(seed), &priv.PublicKey, msg, opts)
		}))
		if got.err == nil && got.panicked == nil {
			m := opts.MGFHash
			if m == 0 {
				m = opts.Hash
			}
			if s := oaepSeed(t, priv, opts.Hash, m, got.out); !bytes.HasPrefix(seed, s) {
				t.Errorf("EncryptOAEPWithOptions: the seed is %x, read were %x", s, seed)
			}
		}
	})
}

func FuzzPublicKey(f *testing.F) {
	skipInFIPSMode(f)
	n := fuzzKey(0).N
	around := func(v *big.Int) [][]byte {
		var out [][]byte
		for d := int64(-2); d <= 2; d++ {
			out = append(out, new(big.Int).Add(v, big.NewInt(d)).Bytes())
		}
		return out
	}
	pow2 := func(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }
	moduli := [][]byte{{}, {1}, {2}, {3}, {10}, {0xff}, bytes.Repeat([]byte{0xff}, 127), bytes.Repeat([]byte{0xff}, 128), bytes.Repeat([]byte{0xff}, 129)}
	for _, v := range []*big.Int{n, fuzzKey(1).N, fuzzKey(2).N, fuzzKey(3).N, pow2(1023), pow2(1024), pow2(2048), pow2(8191), pow2(16384)} {
		moduli = append(moduli, around(v)...)
	}
	for _, mod := range moduli {
		f.Add(mod, uint8(0), int64(65537), []byte("signature"))
		f.Add(mod, uint8(1), int64(3), []byte{})
	}
	for _, e := range []int64{0, 1, 2, 3, 4, 5, 17, 35, 41, 257, 65536, 65537, 65538, -1, -2, -3, -65537, 1<<31 - 1, 1 << 31, 1<<31 + 1,
		1<<32 + 1, 1<<32 + 3, math.MaxInt64, math.MinInt64, math.MinInt64 + 1} {
		f.Add(n.Bytes(), uint8(0), e, []byte("signature"))
		f.Add(new(big.Int).Add(n, big.NewInt(1)).Bytes(), uint8(0), e, n.Bytes())
	}
	f.Add([]byte{}, uint8(2), int64(65537), []byte{})
	f.Add(n.Bytes(), uint8(1), int64(1), fuzzKey(0).D.Bytes())
	f.Fuzz(func(t *testing.T, modulus []byte, form uint8, e int64, sig []byte) {
		if len(modulus) > 2100 {
			return
		}
		pub := &rsa.PublicKey{N: new(big.Int).SetBytes(modulus), E: int(e)}
		switch form % 4 {
		case 1:
			pub.N.Neg(pub.N)
		case 2:
			pub.N = nil
		}
		if int64(pub.E) != e {
			return
		}
		before := fmt.Sprint(pub)
		strict := pub.N != nil && (pub.N.Sign() < 0 && pub.N.BitLen() >= 1024 || pub.N.BitLen() > 16384)

		digest := sha256.Sum256(sig)
		size := 0
		if pub.N != nil {
			size = pub.Size()
		}
		padded := append(make([]byte, max(0, size-len(sig))), sig...)
		seed := bytes.Repeat([]byte{7}, 32)
		for _, s := range [][]byte{sig, padded} {
			for _, op := range []struct {
				name     string
				got, std func() ([]byte, error)
			}{
				{"VerifyPKCS1v15",
					func() ([]byte, error) { return nil, rsa.VerifyPKCS1v15(pub, crypto.SHA256, digest[:], s) },
					func() ([]byte, error) { return nil, stdrsa.VerifyPKCS1v15(pub, crypto.SHA256, digest[:], s) }},
				{"VerifyPKCS1v15, unhashed",
					func() ([]byte, error) { return nil, rsa.VerifyPKCS1v15(pub, 0, sig, s) },
					func() ([]byte, error) { return nil, stdrsa.VerifyPKCS1v15(pub, 0, sig, s) }},
				{"VerifyPSS",
					func() ([]byte, error) { return nil, rsa.VerifyPSS(pub, crypto.SHA256, digest[:], s, nil) },
					func() ([]byte, error) { return nil, stdrsa.VerifyPSS(pub, crypto.SHA256, digest[:], s, nil) }},
				{"EncryptPKCS1v15", // randomized: the outputs are compared in FuzzEncryptVsBig
					func() ([]byte, error) { _, err := rsa.EncryptPKCS1v15(rand.Reader, pub, s); return nil, err },
					func() ([]byte, error) { _, err := stdrsa.EncryptPKCS1v15(rand.Reader, pub, s); return nil, err }},
				{"EncryptOAEP",
					func() ([]byte, error) { return rsa.EncryptOAEP(sha256.New(), bytes.NewReader(seed), pub, sig, s) },
					func() ([]byte, error) { return stdrsa.EncryptOAEP(sha256.New(), bytes.NewReader(seed), pub, sig, s) }},
			} {
				got := fuzzTry(op.got)
				if strict {
					// Documented: negative and very large moduli are refused.
					got.mustFail(t, op.name, nil)
					continue
				}
				got.compare(t, op.name, fuzzTry(op.std))
			}
		}
		if after := fmt.Sprint(pub); after != before {
			t.Errorf("the key was changed: %s, before %s", after, before)
		}
	})
}

// Fields of a private key that FuzzPrivateKey alters.
const (
	fuzzFieldNone = iota
	fuzzFieldN
	fuzzFieldE
	fuzzFieldD
	fuzzFieldP
	fuzzFieldQ
	fuzzFieldDP
	fuzzFieldDQ
	fuzzFieldQInv
	fuzzFieldPrimes // their number and order
	fuzzFieldCRT    // which CRT values are present
	fuzzFields
)

// fuzzMutate returns a copy of priv, without crypto/rsa's hidden precomputation,
// with one field altered.
func fuzzMutate(priv *rsa.PrivateKey, field, op uint8, crt bool, arg []byte) *rsa.PrivateKey {
	clone := func(v *big.Int) *big.Int { return new(big.Int).Set(v) }
	k := &rsa.PrivateKey{
		PublicKey: rsa.PublicKey{N: clone(priv.N), E: priv.E},
		D:         clone(priv.D),
		Primes:    []*big.Int{clone(priv.Primes[0]), clone(priv.Primes[1])},
	}
	if crt {
		k.Precomputed.Dp = clone(priv.Precomputed.Dp)
		k.Precomputed.Dq = clone(priv.Precomputed.Dq)
		k.Precomputed.Qinv = clone(priv.Precomputed.Qinv)
	}
	a := new(big.Int).SetBytes(arg[:min(len(arg), 520)])
	apply := func(v **big.Int) {
		if *v == nil {
			return
		}
		switch op % 8 {
		case 0:
			(*v).Add(*v, a)
		case 1:
			(*v).Sub(*v, a)
		case 2:
			(*v).Xor(*v, a)
		case 3:
			(*v).Set(a)
		case 4:
			*v = nil
		case 5:
			(*v).Neg(*v)
		case 6:
			(*v).Mul(*v, a)
		case 7: // a multiple of something that leaves the value congruent
			one := big.NewInt(1)
			p1 := new(big.Int).Sub(priv.Primes[0], one)
			q1 := new(big.Int).Sub(priv.Primes[1], one)
			lambda := new(big.Int).Div(new(big.Int).Mul(p1, q1), new(big.Int).GCD(nil, nil, p1, q1))
			(*v).Add(*v, a.Mul(a, lambda))
		}
	}
	switch field % fuzzFields {
	case fuzzFieldN:
		apply(&k.N)
	case fuzzFieldE:
		e := big.NewInt(int64(k.E))
		if apply(&e); e != nil && e.IsInt64() {
			k.E = int(e.Int64())
		}
	case fuzzFieldD:
		apply(&k.D)
	case fuzzFieldP:
		apply(&k.Primes[0])
	case fuzzFieldQ:
		apply(&k.Primes[1])
	case fuzzFieldDP:
		apply(&k.Precomputed.Dp)
	case fuzzFieldDQ:
		apply(&k.Precomputed.Dq)
	case fuzzFieldQInv:
		apply(&k.Precomputed.Qinv)
	case fuzzFieldPrimes:
		p, q := k.Primes[0], k.Primes[1]
		switch op % 8 {
		case 0:
			k.Primes = nil
		case 1:
			k.Primes = k.Primes[:1]
		case 2:
			k.Primes = []*big.Int{q, p} // CRT values, if present, no longer match
		case 3:
			k.Primes = append(k.Primes, a)
		case 4:
			k.Primes = []*big.Int{p, q, nil}
		case 5:
			k.Primes = []*big.Int{big.NewInt(1), clone(k.N)}
		case 6:
			k.Primes = []*big.Int{p, p}
		case 7:
			k.Primes = []*big.Int{q, p}
			k.Precomputed = rsa.PrecomputedValues{}
		}
	case fuzzFieldCRT:
		if op&1 != 0 {
			k.Precomputed.Dp = nil
		}
		if op&2 != 0 {
			k.Precomputed.Dq = nil
		}
		if op&4 != 0 {
			k.Precomputed.Qinv = nil
		}
	}
	return k
}

// fuzzHasNegative reports whether the key holds a negative number, which this
// package refuses and crypto/rsa reads as its absolute value.
func fuzzHasNegative(priv *rsa.PrivateKey) bool {
	pre := &priv.Precomputed
	for _, v := range append([]*big.Int{priv.N, priv.D, pre.Dp, pre.Dq, pre.Qinv}, priv.Primes...) {
		if v != nil && v.Sign() < 0 {
			return true
		}
	}
	return false
}

// compareKeyError is compare, but for a key whose primes do not give its modulus
// the two packages may name different faults: crypto/rsa takes the product
// modulo N, this package as it is.
func (got fuzzOutcome) compareKeyError(t *testing.T, what string, std fuzzOutcome, priv *rsa.PrivateKey) {
	t.Helper()
	if len(priv.Primes) == 2 && priv.Primes[0] != nil && priv.Primes[1] != nil && got.err != nil && std.err != nil &&
		got.err.Error() == "crypto/rsa: p * q != n" &&
		new(big.Int).Mul(priv.Primes[0], priv.Primes[1]).Cmp(priv.N) != 0 {
		return
	}
	got.compare(t, what, std)
}

func FuzzPrivateKey(f *testing.F) {
	skipInFIPSMode(f)
	args := [][]byte{{1}, {}, {2}, {3}}
	if testing.Short() {
		args = args[:1]
	}
	for field := range uint8(fuzzFields) {
		for op := range uint8(8) {
			for _, arg := range args {
				f.Add(uint8(0), field, op, true, arg)
				f.Add(uint8(1), field, op, false, arg)
			}
		}
	}
	for key := range uint8(4) {
		priv := fuzzKey(key)
		f.Add(key, uint8(fuzzFieldNone), uint8(0), true, []byte{})
		f.Add(key, uint8(fuzzFieldPrimes), uint8(7), true, []byte{})
		for _, v := range []*big.Int{priv.N, priv.D, priv.Primes[0], priv.Primes[1], big.NewInt(3), big.NewInt(65537)} {
			f.Add(key, uint8(fuzzFieldD), uint8(3), true, v.Bytes())
			f.Add(key, uint8(fuzzFieldN), uint8(3), false, v.Bytes())
			f.Add(key, uint8(fuzzFieldP), uint8(3), false, v.Bytes())
			f.Add(key, uint8(fuzzFieldQ), uint8(3), false, v.Bytes())
			f.Add(key, uint8(fuzzFieldDP), uint8(0), true, v.Bytes())
			f.Add(key, uint8(fuzzFieldQInv), uint8(0), true, v.Bytes())
			f.Add(key, uint8(fuzzFieldE), uint8(3), true, v.Bytes())
		}
		f.Add(key, uint8(fuzzFieldE), uint8(3), true, []byte{0xff, 0xff, 0xff, 0xff})
		f.Add(key, uint8(fuzzFieldN), uint8(3), false, new(big.Int).Mul(priv.Primes[0], priv.Primes[0]).Bytes())
	}
	for op := range uint8(8) {
		f.Add(uint8(4), uint8(fuzzFieldD), op, false, []byte{2})
		f.Add(uint8(5), uint8(fuzzFieldN), op, false, []byte{2})
		f.Add(uint8(4), uint8(fuzzFieldE), op, false, []byte{2})
	}
	digest := sha256.Sum256([]byte("message"))
	f.Fuzz(func(t *testing.T, key, field, op uint8, crt bool, arg []byte) {
		priv := fuzzMutate(fuzzKey(key), field, op, crt, arg)
		if key/4%2 == 1 { // a key of n, e and d alone
			priv.Primes, priv.Precomputed = nil, rsa.PrecomputedValues{}
		}
		before := fmt.Sprint(*priv)
		strict := fuzzHasNegative(priv) && priv.N != nil && priv.N.BitLen() >= 1024

		got := fuzzTry(func() ([]byte, error) { return rsa.SignPKCS1v15(nil, priv, crypto.SHA256, digest[:]) })
		std := fuzzTry(func() ([]byte, error) { return stdrsa.SignPKCS1v15(nil, priv, crypto.SHA256, digest[:]) })
		if strict {
			got.mustFail(t, "SignPKCS1v15", nil)
		} else {
			got.compareKeyError(t, "SignPKCS1v15", std, priv)
		}
		if got.err == nil && got.panicked == nil {
			if err := stdrsa.VerifyPKCS1v15(&priv.PublicKey, crypto.SHA256, digest[:], got.out); err != nil {
				t.Errorf("SignPKCS1v15: the signature does not verify: %v", err)
			}
		}

		ct := make([]byte, fuzzKey(key).Size())
		ct[len(ct)-1] = 2
		if len(arg) > 0 {
			copy(ct[1:], arg)
		}
		got = fuzzTry(func() ([]byte, error) { return rsa.DecryptPKCS1v15(nil, priv, ct) })
		std = fuzzTry(func() ([]byte, error) { return stdrsa.DecryptPKCS1v15(nil, priv, ct) })
		switch {
		case strict:
			got.mustFail(t, "DecryptPKCS1v15", nil)
		case got.err == rsa.ErrDecryption && std.panicked == nil && std.err == nil:
			// Documented: the result is checked with the public exponent.
			m := new(big.Int).SetBytes(ct)
			if new(big.Int).Exp(new(big.Int).Exp(m, priv.D, priv.N), big.NewInt(int64(priv.E)), priv.N).Cmp(m) == 0 {
				t.Error("DecryptPKCS1v15: error for a ciphertext that decrypts")
			}
		default:
			got.compareKeyError(t, "DecryptPKCS1v15", std, priv)
		}
		if after := fmt.Sprint(*priv); after != before {
			t.Errorf("the key was changed: %s, before %s", after, before)
		}
	})
}

// TestFuzzKeys asserts what the fuzz targets rely on.
func TestFuzzKeys(t *testing.T) {
	var bits, exps []int
	for _, priv := range fuzzKeys() {
		if err := priv.Validate(); err != nil {
			t.Error(err)
		}
		bits, exps = append(bits, priv.N.BitLen()), append(exps, priv.E)
	}
	if want := []int{1024, 1025, 2041, 2048}; !slices.Equal(bits, want) {
		t.Errorf("key sizes %v, want %v", bits, want)
	}
	if want := []int{65537, 3, 65537, 65537}; !slices.Equal(exps, want) {
		t.Errorf("exponents %v, want %v", exps, want)
	}
	if p := fuzzKey(1).Primes; p[0].Cmp(p[1]) >= 0 {
		t.Error("the 1025-bit key does not have the smaller prime first")
	}
	for key := range uint8(4) {
		priv := fuzzKey(key)
		em := big.NewInt(0x1234567)
		if bigDecrypt(priv, encryptBig(&priv.PublicKey, em)).Cmp(em) != 0 {
			t.Errorf("key %d: math/big does not invert itself", key)
		}
	}
}
