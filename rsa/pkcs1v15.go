package rsa

import (
	"bytes"
	"crypto"
	"crypto/rsa"
	"crypto/subtle"
	"io"
)

// digestInfo[hash] is the DER encoding of DigestInfo up to the digest itself, RFC
// 8017, section 9.2, note 1. It is nil for a hash that PKCS #1 v1.5 signatures
// cannot use.
var digestInfo = [...][]byte{
	crypto.MD5:        digestInfoPrefix(crypto.MD5, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x02, 0x05),
	crypto.SHA1:       digestInfoPrefix(crypto.SHA1, 0x2b, 0x0e, 0x03, 0x02, 0x1a),
	crypto.SHA224:     digestInfoPrefix(crypto.SHA224, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x04),
	crypto.SHA256:     digestInfoPrefix(crypto.SHA256, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01),
	crypto.SHA384:     digestInfoPrefix(crypto.SHA384, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02),
	crypto.SHA512:     digestInfoPrefix(crypto.SHA512, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03),
	crypto.SHA512_224: digestInfoPrefix(crypto.SHA512_224, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x05),
	crypto.SHA512_256: digestInfoPrefix(crypto.SHA512_256, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x06),
	crypto.SHA3_224:   digestInfoPrefix(crypto.SHA3_224, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x07),
	crypto.SHA3_256:   digestInfoPrefix(crypto.SHA3_256, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x08),
	crypto.SHA3_384:   digestInfoPrefix(crypto.SHA3_384, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x09),
	crypto.SHA3_512:   digestInfoPrefix(crypto.SHA3_512, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x0a),
	// TLS 1.0 and 1.1 sign the two digests as they are, RFC 4346, section 4.7.
	crypto.MD5SHA1: {},
	// The algorithm of ISO/IEC 10118-3, without parameters, as in OpenPGP cards.
	crypto.RIPEMD160: {0x30, 0x20, 0x30, 0x08, 0x06, 0x06, 0x28, 0xcf, 0x06, 0x03, 0x00, 0x31, 0x04, 0x14},
}

// digestInfoPrefix returns
//
//	SEQUENCE { SEQUENCE { OBJECT IDENTIFIER oid, NULL }, OCTET STRING …
//
// with the lengths for a digest of hash. oid is the DER contents of the object
// identifier.
func digestInfoPrefix(hash crypto.Hash, oid ...byte) []byte {
	digest, algorithm := byte(hash.Size()), byte(len(oid)+4)
	p := []byte{0x30, algorithm + digest + 4, 0x30, algorithm, 0x06, byte(len(oid))}
	p = append(p, oid...)
	return append(p, 0x05, 0x00, 0x04, digest)
}

// emsaPKCS1v15 sets em to the encoding EMSA-PKCS1-v1_5 of digest, RFC 8017,
// section 9.2. A hash of zero means no DigestInfo.
//
//	em = 0x00 || 0x01 || 0xff … 0xff (at least 8) || 0x00 || DigestInfo
func emsaPKCS1v15(em []byte, hash crypto.Hash, digest []byte) error {
	var prefix []byte
	if hash != 0 {
		if int(hash) < len(digestInfo) {
			prefix = digestInfo[hash]
		}
		if prefix == nil {
			return errBadHash
		}
	}
	tLen := len(prefix) + len(digest)
	if len(em) < tLen+11 {
		return ErrMessageTooLong
	}
	padding, t := em[2:len(em)-tLen-1], em[len(em)-tLen:]
	em[0], em[1] = 0, 1
	for i := range padding {
		padding[i] = 0xff
	}
	em[len(em)-tLen-1] = 0
	copy(t[copy(t, prefix):], digest)
	return nil
}

// SignPKCS1v15 returns the RSASSA-PKCS1-v1_5 signature of a digest, RFC 8017,
// section 8.2.1: priv.Size() bytes.
//
// hashed must be the output of hash, or if hash is zero a message of at most
// priv.Size()-11 bytes that is signed as it is. The signature is deterministic
// and random is not used; it may be nil.
//
// priv is secret; hash, hashed and the signature are not.
func SignPKCS1v15(random io.Reader, priv *PrivateKey, hash crypto.Hash, hashed []byte) ([]byte, error) {
	if err := checkDigest(hash, hashed); err != nil {
		return nil, err
	}
	if err := checkPrivate(priv); err != nil {
		return nil, err
	}
	if delegated(priv.N.BitLen()) {
		return rsa.SignPKCS1v15(random, priv, hash, hashed)
	}
	var mem keyMemory
	k, err := newPrivateKey(priv, &mem)
	if err != nil {
		return nil, err
	}
	defer k.wipe()
	em := make([]byte, k.pub.k)
	if err := emsaPKCS1v15(em, hash, hashed); err != nil {
		return nil, err
	}
	if err := k.decrypt(em, em); err != nil {
		return nil, err
	}
	return em, nil
}

// VerifyPKCS1v15 returns nil if sig is the RSASSA-PKCS1-v1_5 signature of a
// digest, RFC 8017, section 8.2.2, and otherwise [ErrVerification], or another
// error if the key or the arguments cannot be used. The expected encoding is
// built and compared as a whole, never parsed.
//
// hashed must be the output of hash, or if hash is zero the message itself.
//
// No argument is secret: what they are may leak through timing.
func VerifyPKCS1v15(pub *PublicKey, hash crypto.Hash, hashed []byte, sig []byte) error {
	if err := checkDigest(hash, hashed); err != nil {
		return err
	}
	if err := checkPublic(pub); err != nil {
		return err
	}
	if delegated(pub.N.BitLen()) {
		return rsa.VerifyPKCS1v15(pub, hash, hashed, sig)
	}
	if err := checkSize(pub); err != nil {
		return err
	}
	var n [stackLimbs]uint
	k, err := newPublicKey(pub, n[:])
	if err != nil {
		return err
	}
	return k.verifyPKCS1v15(hash, hashed, sig)
}

// verifyPKCS1v15 is [VerifyPKCS1v15] for a digest that has passed checkDigest.
func (k *publicKey) verifyPKCS1v15(hash crypto.Hash, hashed, sig []byte) error {
	if len(sig) != k.k {
		return ErrVerification
	}
	var stack1, stack2 [stackBytes]byte
	em, expected := buffer(stack1[:], k.k), buffer(stack2[:], k.k)
	if err := emsaPKCS1v15(expected, hash, hashed); err != nil {
		return ErrVerification
	}
	if err := k.encrypt(em, sig); err != nil {
		return ErrVerification
	}
	if !bytes.Equal(em, expected) {
		return ErrVerification
	}
	return nil
}

// EncryptPKCS1v15 returns the RSAES-PKCS1-v1_5 encryption of msg, RFC 8017,
// section 7.2.1: pub.Size() bytes. msg may have up to pub.Size()-11 bytes, else
// the error is [ErrMessageTooLong].
//
// random should be [crypto/rand.Reader]. With any other Reader the call is handed
// to crypto/rsa, which ignores the Reader since Go 1.26 unless GODEBUG says
// cryptocustomrand=1.
//
// msg is secret, its length and pub are not.
//
// Deprecated: this padding is fragile, because a receiver that reveals whether a
// padding is valid becomes a decryption oracle. Use [EncryptOAEP].
func EncryptPKCS1v15(random io.Reader, pub *PublicKey, msg []byte) ([]byte, error) {
	if err := checkPublic(pub); err != nil {
		return nil, err
	}
	if delegated(pub.N.BitLen()) {
		return rsa.EncryptPKCS1v15(random, pub, msg)
	}
	if err := checkSize(pub); err != nil {
		return nil, err
	}
	if !isSystemRand(random) {
		return rsa.EncryptPKCS1v15(random, pub, msg)
	}
	size := pub.Size()
	if len(msg) > size-11 {
		return nil, ErrMessageTooLong
	}
	var n [stackLimbs]uint
	k, err := newPublicKey(pub, n[:])
	if err != nil {
		return nil, err
	}
	em := make([]byte, size)
	if err := encodePKCS1v15(em, random, msg); err != nil {
		return nil, err
	}
	if err := k.encrypt(em, em); err != nil {
		return nil, err
	}
	return em, nil
}

// encodePKCS1v15 sets em, which is zeros, to the encoding EME-PKCS1-v1_5 of msg, which
// fits, RFC 8017, section 7.2.1, step 2:
//
//	EM = 0x00 || 0x02 || PS || 0x00 || M, with no zero byte in PS
func encodePKCS1v15(em []byte, random io.Reader, msg []byte) error {
	em[1] = 2
	at := len(em) - len(msg)
	if err := nonZeroBytes(random, em[2:at-1]); err != nil {
		return err
	}
	copy(em[at:], msg)
	return nil
}

// nonZeroBytes fills b with random bytes that are not zero, uniformly.
func nonZeroBytes(random io.Reader, b []byte) error {
	var spare [64]byte
	next := spare[:0]
	if err := readRandom(random, b); err != nil {
		return err
	}
	for i := range b {
		for b[i] == 0 {
			if len(next) == 0 {
				next = spare[:]
				if err := readRandom(random, next); err != nil {
					return err
				}
			}
			b[i], next = next[0], next[1:]
		}
	}
	return nil
}

// DecryptPKCS1v15 returns the message of an RSAES-PKCS1-v1_5 ciphertext, RFC
// 8017, section 7.2.2, and [ErrDecryption] if there is none. random is not used;
// it may be nil.
//
// priv and the message are secret; whether the padding is valid, and the length
// of the message, are revealed by the result itself.
//
// Deprecated: an attacker who can find out whether this function returned an
// error for ciphertexts of his choice can decrypt and sign with the key
// (Bleichenbacher, CRYPTO '98). Use [DecryptOAEP].
func DecryptPKCS1v15(random io.Reader, priv *PrivateKey, ciphertext []byte) ([]byte, error) {
	if err := checkPrivate(priv); err != nil {
		return nil, err
	}
	if delegated(priv.N.BitLen()) {
		return rsa.DecryptPKCS1v15(random, priv, ciphertext)
	}
	em, valid, at, err := decryptPKCS1v15(priv, ciphertext)
	if err != nil {
		return nil, err
	}
	if valid == 0 {
		clear(em)
		return nil, ErrDecryption
	}
	return em[at:], nil
}

// DecryptPKCS1v15SessionKey decrypts a session key with RSAES-PKCS1-v1_5, RFC
// 8017, section 7.2.2. If the padding is valid and the message has the length of
// key, it is copied into key; if not, key stays as it is. Which of the two
// happened does not show in the result or in the time taken. It is for the
// countermeasure of RFC 3218, section 2.3.2: fill key with random bytes first and
// go on with whatever it contains afterwards. random is not used; it may be nil.
//
// It returns [ErrDecryption] if the ciphertext is too long or not below the
// modulus, or if no message of the length of key fits in the modulus.
//
// priv and the message are secret, and so is whether the padding is valid.
//
// Deprecated: the protection ends where the protocol shows what key contains, so
// it is hard to use safely, and for keys of less than 16 bytes it does nothing.
// Use [DecryptOAEP].
func DecryptPKCS1v15SessionKey(random io.Reader, priv *PrivateKey, ciphertext []byte, key []byte) error {
	if err := checkPrivate(priv); err != nil {
		return err
	}
	if delegated(priv.N.BitLen()) {
		return rsa.DecryptPKCS1v15SessionKey(random, priv, ciphertext, key)
	}
	if priv.Size() < len(key)+11 {
		return ErrDecryption
	}
	em, valid, at, err := decryptPKCS1v15(priv, ciphertext)
	if err != nil {
		return err
	}
	valid &= subtle.ConstantTimeEq(int32(len(em)-at), int32(len(key)))
	subtle.ConstantTimeCopy(valid, key, em[len(em)-len(key):])
	clear(em)
	return nil
}

// decryptPKCS1v15 decrypts ciphertext into em and returns whether em is a valid
// EME-PKCS1-v1_5 encoding, as 1 or 0, and where in it the message starts. All
// three are secret. An error says only what the attacker knows.
func decryptPKCS1v15(priv *PrivateKey, ciphertext []byte) (em []byte, valid, at int, err error) {
	var mem keyMemory
	k, err := newPrivateKey(priv, &mem)
	if err != nil {
		return nil, 0, 0, err
	}
	defer k.wipe()
	if len(ciphertext) > k.pub.k {
		return nil, 0, 0, ErrDecryption
	}
	em = make([]byte, k.pub.k)
	if err := k.decrypt(em, ciphertext); err != nil {
		return nil, 0, 0, err
	}
	valid, at = unpadPKCS1v15(em)
	return em, valid, at, nil
}

// unpadPKCS1v15 returns 1 and the index of the message if em is
//
//	0x00 || 0x02 || at least 8 bytes that are not zero || 0x00 || message
//
// and otherwise 0 and an index of no meaning. em is secret, its length is not,
// and both results are.
func unpadPKCS1v15(em []byte) (valid, at int) {
	valid = subtle.ConstantTimeByteEq(em[0], 0) & subtle.ConstantTimeByteEq(em[1], 2)
	// found turns 1 at the first zero byte, whose index is zero.
	var found, zero int
	for i, c := range em[2:] {
		isZero := subtle.ConstantTimeByteEq(c, 0)
		zero = subtle.ConstantTimeSelect(isZero&(found^1), i+2, zero)
		found |= isZero
	}
	valid &= found & subtle.ConstantTimeLessOrEq(10, zero)
	return valid, zero + 1
}
