package rsa

import (
	"bytes"
	"crypto"
	"crypto/rsa"
	"errors"
	"io"
)

// SignPSS returns an RSASSA-PSS signature of a digest, RFC 8017, section 8.1.1:
// priv.Size() bytes.
//
// digest must be the output of hash; opts.Hash, if set, takes its place, and is
// also the hash of MGF1. opts may be nil, which means [PSSSaltLengthAuto]. The
// error is [ErrMessageTooLong] if the salt does not fit.
//
// The salt is read from random, which should be [crypto/rand.Reader].
//
// priv is secret; hash, digest, the salt and the signature are not.
func SignPSS(random io.Reader, priv *PrivateKey, hash crypto.Hash, digest []byte, opts *PSSOptions) ([]byte, error) {
	if err := checkPrivate(priv); err != nil {
		return nil, err
	}
	if opts != nil && opts.Hash != 0 {
		hash = opts.Hash
	}
	bits := priv.N.BitLen()
	if delegated(bits) && hash.Available() {
		return rsa.SignPSS(random, priv, hash, digest, opts)
	}
	if err := checkAvailable(hash); err != nil {
		return nil, err
	}
	var mem keyMemory
	k, err := newPrivateKey(priv, &mem)
	if err != nil {
		return nil, err
	}
	defer k.wipe()

	salt := PSSSaltLongest()
	if opts != nil {
		salt = saltOfOptions(opts.SaltLength)
	}
	s := make([]byte, k.pub.k)
	if err := encodePSS(s, bits, random, pssHashes{hash, hash}, digest, salt); err != nil {
		return nil, err
	}
	if err := k.decrypt(s, s); err != nil {
		return nil, err
	}
	return s, nil
}

// encodePSS sets em, which has the size of a modulus of the given length in bits and
// contains zeros, to the encoding of a digest, with a salt that is read from random.
func encodePSS(em []byte, bits int, random io.Reader, hashes pssHashes, digest []byte, salt PSSSalt) error {
	hLen := hashes.message.Size()
	// EM is a byte shorter than the modulus if its size in bits is a multiple of
	// eight plus one.
	emLen := (bits - 1 + 7) / 8
	longest := emLen - hLen - 2
	saltLen, err := salt.signing(hLen, longest)
	if err != nil {
		return err
	}
	// The order of reading and checking is that of crypto/rsa, but beyond the size of
	// the modulus nothing is allocated and read in vain.
	var stack [stackBytes]byte
	b := buffer(stack[:], min(saltLen, len(em)))
	if err := readRandom(random, b); err != nil {
		return err
	}
	if len(digest) != hLen {
		return errors.New("crypto/rsa: input must be hashed with given hash")
	}
	if saltLen > longest {
		return ErrMessageTooLong
	}
	emsaPSSEncode(em[len(em)-emLen:], bits-1, hashes, digest, b)
	return nil
}

// VerifyPSS returns nil if sig is an RSASSA-PSS signature of a digest, RFC 8017,
// section 8.1.2, and otherwise [ErrVerification], or another error if the key or
// the arguments cannot be used.
//
// digest must be the output of hash, which is also the hash of MGF1. Of opts only
// SaltLength counts; opts may be nil, which means [PSSSaltLengthAuto].
//
// No argument is secret: what they are may leak through timing.
func VerifyPSS(pub *PublicKey, hash crypto.Hash, digest []byte, sig []byte, opts *PSSOptions) error {
	if err := checkPublic(pub); err != nil {
		return err
	}
	bits := pub.N.BitLen()
	if delegated(bits) && hash.Available() {
		return rsa.VerifyPSS(pub, hash, digest, sig, opts)
	}
	if err := checkAvailable(hash); err != nil {
		return err
	}
	if err := checkSize(pub); err != nil {
		return err
	}
	salt := PSSSaltLongest()
	if opts != nil {
		salt = saltOfOptions(opts.SaltLength)
	}
	var n [stackLimbs]uint
	k, err := newPublicKey(pub, n[:])
	if err != nil {
		return err
	}
	return k.verifyPSS(pssHashes{hash, hash}, digest, sig, salt)
}

// verifyPSS is [VerifyPSS] for hash functions that are available.
func (k *publicKey) verifyPSS(hashes pssHashes, digest, sig []byte, salt PSSSalt) error {
	shortest, longest, err := salt.verifying(hashes.message.Size())
	if err != nil {
		return err
	}
	if len(sig) != k.k {
		return ErrVerification
	}
	var stack [stackBytes]byte
	em := buffer(stack[:], k.k)
	if err := k.encrypt(em, sig); err != nil {
		return ErrVerification
	}
	emBits := k.n.BitLen() - 1
	if emLen := (emBits + 7) / 8; emLen < k.k {
		if em[0] != 0 {
			return ErrVerification
		}
		em = em[1:]
	}
	return emsaPSSVerify(em, emBits, hashes, digest, shortest, longest)
}

// pssHashes are the hash functions of a PSS signature: that of the message and that of
// MGF1.
type pssHashes struct{ message, mgf1 crypto.Hash }

// emsaPSSEncode sets em to the encoding EMSA-PSS of digest with the given salt, RFC
// 8017, section 9.1.1:
//
//	em = maskedDB || H || 0xbc
//	H  = Hash(eight zero bytes || digest || salt)
//	DB = zeros || 0x01 || salt
//
// em has ⌈emBits/8⌉ bytes, at least the lengths of digest and salt and 2 together, all
// zeros on entry, and the unused bits on its top are zeros on return.
func emsaPSSEncode(em []byte, emBits int, hashes pssHashes, digest, salt []byte) {
	hLen := len(digest)
	db, h := em[:len(em)-hLen-1], em[len(em)-hLen-1:len(em)-1]
	db[len(db)-len(salt)-1] = 1
	copy(db[len(db)-len(salt):], salt)
	pssHash(h, hashes.message, digest, salt)
	em[len(em)-1] = 0xbc
	mgf := newHasher(hashes.mgf1)
	mgf1XOR(db, &mgf, h)
	db[0] &= 0xff >> (8*len(em) - emBits)
}

// emsaPSSVerify returns nil if em is the encoding EMSA-PSS of digest, RFC 8017,
// section 9.1.2, with a salt of shortest to longest bytes. em has ⌈emBits/8⌉ bytes and
// is overwritten.
func emsaPSSVerify(em []byte, emBits int, hashes pssHashes, digest []byte, shortest, longest int) error {
	hLen := hashes.message.Size()
	// The sum of three lengths can overflow, the differences cannot.
	if len(digest) != hLen || len(em) < hLen+2 || shortest > len(em)-hLen-2 {
		return ErrVerification
	}
	unused := byte(0xff) << (8 - (8*len(em) - emBits))
	if em[len(em)-1] != 0xbc || em[0]&unused != 0 {
		return ErrVerification
	}
	db, h := em[:len(em)-hLen-1], em[len(em)-hLen-1:len(em)-1]
	mgf := newHasher(hashes.mgf1)
	mgf1XOR(db, &mgf, h)
	db[0] &^= unused
	one := 0
	for one < len(db) && db[one] == 0 {
		one++
	}
	if one == len(db) || db[one] != 1 {
		return ErrVerification
	}
	salt := db[one+1:]
	if len(salt) < shortest || len(salt) > longest {
		return ErrVerification
	}
	var stack [maxHashBytes]byte
	want := buffer(stack[:], hLen)
	pssHash(want, hashes.message, digest, salt)
	if !bytes.Equal(h, want) {
		return ErrVerification
	}
	return nil
}

// pssHash sets out to the hash of eight zero bytes, digest and salt.
func pssHash(out []byte, id crypto.Hash, digest, salt []byte) {
	var stack [8 + maxHashBytes + stackBytes]byte
	in := append(append(stack[:8], digest...), salt...)
	h := newHasher(id)
	h.sum(out, in)
}
