// Package rsa is a drop-in alternative to [crypto/rsa], and a faster one: RSA
// encryption and signatures as specified in PKCS #1, RFC 8017.
//
// It exports every identifier of crypto/rsa with the identical type. Types,
// constants and error values are aliases, so keys pass freely between the two
// packages, [crypto/x509], [crypto/tls] and everything else, and existing code
// changes by one import line:
//
//	import "github.com/fastrsa/fastrsa/rsa"
//
// # What an alias cannot change
//
// The methods of the shared types are those of crypto/rsa and run its code:
// priv.Sign, priv.Decrypt, priv.Precompute, priv.Validate. The speed comes through
// the functions of this package. Code that is given the key as a [crypto.Signer],
// such as crypto/tls and crypto/x509, calls the methods: give it a [Signer] instead.
//
// # Prepared keys
//
// A [Signer] and a [Verifier] hold a validated copy of a key, which nothing changes
// any more. They are for programs that use a key more than once: they save the
// validation, allocate nothing when they append to a buffer, and are safe for concurrent
// use without locks. A Signer is a [crypto.Signer], a [crypto.MessageSigner] and a
// [crypto.Decrypter], so it can be the private key of a tls.Certificate, of
// x509.CreateCertificate, of an SSH server or of a JOSE library:
//
//	signer, err := rsa.NewSigner(key)
//	if err != nil {
//		return err
//	}
//	config.Certificates = []tls.Certificate{{Certificate: chain, PrivateKey: signer}}
//
// They also do what the functions cannot say: [PSS] has a salt of exactly any length and
// a hash function of its own for MGF1, [NewVerifierBig] takes exponents above 2^31-1,
// [MinModulusBits], [MaxModulusBits] and [MaxExponentBits] bound what a key may cost,
// [ParallelCRT] uses two processors for one signature. A key of n, e and d alone gets its
// primes back, so that it is as fast as others.
//
// # What is secret
//
// Operations with a private key run in constant time: which instructions are
// executed and which addresses are accessed depends on the sizes of the key, its
// primes and the input, and on the result that the caller sees, but not on the
// values of the key, the plaintext or the padding. The validation of the key also
// reveals the lengths in bits of p - q and d and those in limbs of the CRT values,
// none of which an attacker can influence, and for an invalid key what is wrong with it.
//
// Operations with a public key take time that depends on its exponent; the
// plaintext of an encryption is secret, the inputs of a verification are not. What
// [GenerateKey] reveals is listed there.
//
// Scratch memory that held secrets is wiped before it is reused or dropped. The
// caller's own keys, plaintexts and copies that the Go runtime makes of a growing
// stack are out of this package's reach.
//
// # Every private operation is checked
//
// Signatures and decryptions are raised to the public exponent and compared with
// the input before they are returned, so that a fault of the hardware cannot give
// away the key. Keys of two primes are validated completely for each operation,
// instead of that being remembered: there is no cache, lock or hidden state, and the
// caller's key is only read. For a key that is precomputed, as parsed and generated
// keys are, that takes about a hundredth of the operation; for others the CRT values
// have to be computed each time, which adds a third.
//
// # Small keys and FIPS 140-3
//
// Keys of less than 1024 bits are handed to crypto/rsa, which refuses them unless
// GODEBUG says rsa1024min=0. Where [crypto/fips140.Enabled], every operation is
// handed to crypto/rsa, because only that is part of the validated module; none of
// the differences below applies to either, but that a nil key or an unavailable hash
// function is an error.
//
// # Random sources
//
// As in crypto/rsa since Go 1.26, [EncryptPKCS1v15] and [GenerateKey] ignore their
// Reader unless GODEBUG says cryptocustomrand=1. Only crypto/rsa can see that
// setting, so calls with any Reader but [crypto/rand.Reader] are handed to it. [SignPSS] and
// [EncryptOAEP] take the salt and the seed from their Reader, byte for byte as
// crypto/rsa does.
//
// # Differences
//
// Results, errors and edge cases are those of crypto/rsa, except where this
// package is stricter on purpose, or where it says so:
//
//   - A nil key is an error, not a panic.
//   - Negative numbers in a key are an error. crypto/rsa takes their absolute
//     values.
//   - A modulus of more than 16384 bits is an error in operations with a public
//     key. crypto/rsa accepts any size, which lets whoever chose the key decide how
//     long a verification takes.
//   - A private key whose fields were changed after Precompute is an error if it is
//     not consistent any more. crypto/rsa goes on with the old values.
//   - DecryptPKCS1v15 and DecryptPKCS1v15SessionKey refuse ciphertexts that are longer than
//     the modulus. crypto/rsa accepts some that have leading zero bytes.
//   - A decryption whose result does not encrypt to the ciphertext again is an error.
//     crypto/rsa checks that for signatures only.
//   - A PSS salt length that cannot fit is an error for any value. crypto/rsa can panic
//     for values near the largest int.
//   - A hash function that is unknown or not linked into the program is an error. Go
//     1.26 panics.
//   - A PSS salt that is longer than the modulus is not read from the Reader first.
//   - If the primes of a key do not multiply to its modulus, the error says that.
//     crypto/rsa may name an exponent or a prime that is inconsistent with them.
//   - More prime factors than the modulus has bits are an error.
//   - In a key of more than two primes, crypto/rsa also refuses factors that are
//     different but share a divisor, and so are not primes.
//   - GenerateMultiPrimeKey for other than two primes, and small keys, are crypto/rsa's
//     own code.
package rsa
