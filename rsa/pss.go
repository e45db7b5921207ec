package rsa

import (
	"bytes"
	"crypto"
	"crypto/rsa"
	"errors"
	"hash"
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

	emLen := (bits - 1 + 7) / 8
	longest := emLen - hash.Size() - 2
	saltLen := PSSSaltLengthAuto
	if opts != nil {
		saltLen = opts.SaltLength
	}
	switch {
	case saltLen == PSSSaltLengthAuto:
		saltLen = longest
	case saltLen == PSSSaltLengthEqualsHash:
		saltLen = hash.Size()
	case saltLen < 0:
		return nil, errSaltLength
	}
	if saltLen < 0 {
		return nil, ErrMessageTooLong
	}
	// The order of reading and checking is that of crypto/rsa, but beyond the size of
	// the modulus nothing is allocated and read in vain.
	salt := make([]byte, min(saltLen, k.pub.k))
	if _, err := io.ReadFull(random, salt); err != nil {
		return nil, err
	}
	if len(digest) != hash.Size() {
		return nil, errors.New("crypto/rsa: input must be hashed with given hash")
	}
	if saltLen > longest {
		return nil, ErrMessageTooLong
	}
	// EM is a byte shorter than the modulus if its size in bits is a multiple of
	// eight plus one.
	s := make([]byte, k.pub.k)
	emsaPSSEncode(s[len(s)-emLen:], bits-1, hash.New(), digest, salt)
	if err := k.decrypt(s, s); err != nil {
		return nil, err
	}
	return s, nil
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
	saltLen := pssSaltAny
	if opts != nil {
		switch saltLen = opts.SaltLength; {
		case saltLen == PSSSaltLengthAuto:
			saltLen = pssSaltAny
		case saltLen == PSSSaltLengthEqualsHash:
			saltLen = hash.Size()
		case saltLen < 0:
			return errors.New("crypto/rsa: salt length cannot be negative")
		}
	}
	var n [stackLimbs]uint
	k, err := newPublicKey(pub, n[:])
	if err != nil {
		return err
	}
	if len(sig) != k.k {
		return ErrVerification
	}
	// Not on the stack: what a hash.Hash is given escapes.
	em := make([]byte, k.k)
	if err := k.encrypt(em, sig); err != nil {
		return ErrVerification
	}
	if emLen := (bits - 1 + 7) / 8; emLen < k.k {
		if em[0] != 0 {
			return ErrVerification
		}
		em = em[1:]
	}
	return emsaPSSVerify(em, bits-1, hash.New(), digest, saltLen)
}

// pssSaltAny stands for a salt of whatever length the signature has.
const pssSaltAny = -1

// emsaPSSEncode sets em to the encoding EMSA-PSS of digest with the given salt, RFC
// 8017, section 9.1.1:
//
//	em = maskedDB || H || 0xbc
//	H  = Hash(eight zero bytes || digest || salt)
//	DB = zeros || 0x01 || salt
//
// em has ⌈emBits/8⌉ bytes, at least h.Size() + len(salt) + 2, all zeros on entry,
// and the unused bits on its top are zeros on return.
func emsaPSSEncode(em []byte, emBits int, h hash.Hash, digest, salt []byte) {
	hLen := h.Size()
	db, rest := em[:len(em)-hLen-1], em[len(em)-hLen-1:]
	db[len(db)-len(salt)-1] = 1
	copy(db[len(db)-len(salt):], salt)
	pssHash(rest[:0], h, digest, salt)
	rest[hLen] = 0xbc
	mgf1XOR(db, h, rest[:hLen], make([]byte, 0, hLen+4))
	db[0] &= 0xff >> (8*len(em) - emBits)
}

// emsaPSSVerify returns nil if em is the encoding EMSA-PSS of digest, RFC 8017,
// section 9.1.2, with a salt of saltLen bytes, or pssSaltAny. em has ⌈emBits/8⌉
// bytes and is overwritten.
func emsaPSSVerify(em []byte, emBits int, h hash.Hash, digest []byte, saltLen int) error {
	hLen := h.Size()
	// The sum of three lengths can overflow, the differences cannot.
	if len(digest) != hLen || len(em) < hLen+2 || saltLen > len(em)-hLen-2 {
		return ErrVerification
	}
	unused := byte(0xff) << (8 - (8*len(em) - emBits))
	if em[len(em)-1] != 0xbc || em[0]&unused != 0 {
		return ErrVerification
	}
	db, hash := em[:len(em)-hLen-1], em[len(em)-hLen-1:len(em)-1]
	scratch := make([]byte, 0, hLen+4)
	mgf1XOR(db, h, hash, scratch)
	db[0] &^= unused
	one := len(db) - saltLen - 1
	if saltLen == pssSaltAny {
		one = bytes.IndexByte(db, 1)
		if one < 0 {
			return ErrVerification
		}
	}
	for _, c := range db[:one] {
		if c != 0 {
			return ErrVerification
		}
	}
	if db[one] != 1 {
		return ErrVerification
	}
	if !bytes.Equal(hash, pssHash(scratch, h, digest, db[one+1:])) {
		return ErrVerification
	}
	return nil
}

// pssHash appends the hash of eight zero bytes, digest and salt to b.
func pssHash(b []byte, h hash.Hash, digest, salt []byte) []byte {
	var zeros [8]byte
	h.Reset()
	h.Write(zeros[:])
	h.Write(digest)
	h.Write(salt)
	return h.Sum(b)
}
