package rsa

import (
	"crypto"
	"crypto/rsa"
	"crypto/subtle"
	"hash"
	"io"
)

// EncryptOAEP returns the RSAES-OAEP encryption of msg, RFC 8017, section 7.1.1:
// pub.Size() bytes. hash is the hash of the label and of MGF1; it is reset before
// and after. msg may have up to pub.Size() - 2·hash.Size() - 2 bytes, else the
// error is [ErrMessageTooLong]. label is not encrypted and must be given again to
// decrypt; it may be empty.
//
// The seed is read from random, which should be [crypto/rand.Reader].
//
// msg and the seed are secret; label, pub and the length of msg are not.
func EncryptOAEP(hash hash.Hash, random io.Reader, pub *PublicKey, msg []byte, label []byte) ([]byte, error) {
	return encryptOAEP(hash, hash, random, pub, msg, label, func() ([]byte, error) {
		return rsa.EncryptOAEP(hash, random, pub, msg, label)
	})
}

// EncryptOAEPWithOptions is [EncryptOAEP] with the hash, the label and a hash of
// its own for MGF1 from opts.
func EncryptOAEPWithOptions(random io.Reader, pub *PublicKey, msg []byte, opts *OAEPOptions) ([]byte, error) {
	mgfHash := opts.MGFHash
	if mgfHash == 0 {
		mgfHash = opts.Hash
	}
	for _, h := range [...]crypto.Hash{opts.Hash, mgfHash} {
		if err := checkAvailable(h); err != nil {
			return nil, err
		}
	}
	return encryptOAEP(opts.Hash.New(), mgfHash.New(), random, pub, msg, opts.Label, func() ([]byte, error) {
		return rsa.EncryptOAEPWithOptions(random, pub, msg, opts)
	})
}

// encryptOAEP is both of the above; std is the same call to crypto/rsa.
func encryptOAEP(hash, mgfHash hash.Hash, random io.Reader, pub *PublicKey, msg, label []byte, std func() ([]byte, error)) ([]byte, error) {
	if err := checkPublic(pub); err != nil {
		return nil, err
	}
	if delegated(pub.N.BitLen()) {
		return std()
	}
	if err := checkSize(pub); err != nil {
		return nil, err
	}
	defer hash.Reset()
	defer mgfHash.Reset()
	var n [stackLimbs]uint
	k, err := newPublicKey(pub, n[:])
	if err != nil {
		return nil, err
	}
	hLen := hash.Size()
	if len(msg) > k.k-2*hLen-2 {
		return nil, ErrMessageTooLong
	}
	em := make([]byte, k.k)
	hash.Reset()
	hash.Write(label)
	hash.Sum(em[1+hLen : 1+hLen])
	mgf := hasherOf(mgfHash)
	if err := encodeOAEP(em, hLen, &mgf, random, msg); err != nil {
		return nil, err
	}
	if err := k.encrypt(em, em); err != nil {
		return nil, err
	}
	return em, nil
}

// encodeOAEP sets em to the encoding EME-OAEP of msg, RFC 8017, section 7.1.1, step 2:
//
//	EM = 0x00 || maskedSeed || maskedDB
//	DB = lHash || zeros || 0x01 || M
//
// On entry em is zeros, but for lHash, of hLen bytes, in its place, and msg fits. If
// the seed cannot be read from random, em is wiped and the error returned.
func encodeOAEP(em []byte, hLen int, mgf *hasher, random io.Reader, msg []byte) error {
	seed, db := em[1:1+hLen], em[1+hLen:]
	db[len(db)-len(msg)-1] = 1
	copy(db[len(db)-len(msg):], msg)
	if err := readRandom(random, seed); err != nil {
		wipe(em)
		return err
	}
	mgf1XOR(db, mgf, seed)
	mgf1XOR(seed, mgf, db)
	mgf.wipe()
	return nil
}

// DecryptOAEP returns the message of an RSAES-OAEP ciphertext, RFC 8017, section
// 7.1.2, and [ErrDecryption], whatever the reason, if there is none. hash and
// label must be those of the encryption; hash is reset before and after. random
// is not used; it may be nil.
//
// priv and the message are secret; the length of the message, and whether the
// ciphertext is valid but not why, are revealed by the result itself.
func DecryptOAEP(hash hash.Hash, random io.Reader, priv *PrivateKey, ciphertext []byte, label []byte) ([]byte, error) {
	if err := checkPrivate(priv); err != nil {
		return nil, err
	}
	if delegated(priv.N.BitLen()) {
		return rsa.DecryptOAEP(hash, random, priv, ciphertext, label)
	}
	defer hash.Reset()
	var mem keyMemory
	k, err := newPrivateKey(priv, &mem)
	if err != nil {
		return nil, err
	}
	defer k.wipe()
	return k.decryptOAEP(hash, hash, ciphertext, label)
}

func (k *privateKey) decryptOAEP(hash, mgfHash hash.Hash, ciphertext, label []byte) ([]byte, error) {
	hLen := hash.Size()
	if len(ciphertext) > k.pub.k || k.pub.k < 2*hLen+2 {
		return nil, ErrDecryption
	}
	// The label is public and may be long: it is hashed before anything that
	// depends on the key, not between that and the answer.
	hash.Reset()
	hash.Write(label)
	lHash := hash.Sum(nil)

	em := make([]byte, k.pub.k)
	if err := k.decrypt(em, ciphertext); err != nil {
		return nil, err
	}
	mgf := hasherOf(mgfHash)
	valid, at := decodeOAEP(em, &mgf, lHash)
	if valid == 0 {
		clear(em)
		return nil, ErrDecryption
	}
	return em[at:], nil
}

// decodeOAEP takes the masks off em and returns 1 and the index of the message, if em
// was an encoding EME-OAEP, RFC 8017, section 7.1.2, step 3, for a label with the hash
// lHash, and otherwise 0 and an index of no meaning. em is secret, its length is not,
// and both results are.
func decodeOAEP(em []byte, mgf *hasher, lHash []byte) (valid, at int) {
	hLen := len(lHash)
	seed, db := em[1:1+hLen], em[1+hLen:]
	mgf1XOR(seed, mgf, db)
	mgf1XOR(db, mgf, seed)
	mgf.wipe()

	// One answer to all that can be wrong, or the receiver is an oracle: Manger,
	// CRYPTO 2001.
	valid, at = unpadOAEP(db, lHash)
	valid &= subtle.ConstantTimeByteEq(em[0], 0)
	return valid, 1 + hLen + at
}

// unpadOAEP returns 1 and the index of the message if db is
//
//	lHash || zeros || 0x01 || message
//
// and otherwise 0 and an index of no meaning. db is secret, its length is not,
// and both results are.
func unpadOAEP(db, lHash []byte) (valid, at int) {
	valid = subtle.ConstantTimeCompare(db[:len(lHash)], lHash)
	// found turns 1 at the first byte that is not zero, whose index is first; is1
	// tells whether it is 0x01.
	var found, first, is1 int
	for i, c := range db[len(lHash):] {
		here := (subtle.ConstantTimeByteEq(c, 0) ^ 1) & (found ^ 1)
		first = subtle.ConstantTimeSelect(here, len(lHash)+i, first)
		is1 |= here & subtle.ConstantTimeByteEq(c, 1)
		found |= here
	}
	return valid & is1, first + 1
}
