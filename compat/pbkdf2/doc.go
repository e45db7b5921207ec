// Package pbkdf2 is the key derivation of RFC 8018 §5.2 with HMAC, one and a half to three times as
// fast as crypto/pbkdf2.
//
// [Key] stands in for crypto/pbkdf2.Key: same signature, same results, same errors. For
// golang.org/x/crypto/pbkdf2 there is the package xcrypto/pbkdf2 beside this one. Beyond
// them are:
//   - [Fill], which allocates nothing and takes the password as bytes, so that the caller
//     can wipe it;
//   - [FillContext], which can be stopped and tells how far it has got, for derivations of
//     millions of iterations;
//   - [Deriver], which keeps what depends on the password only;
//   - [Batch], for many derivations at once: up to four times as fast again;
//   - [Limits] for parameters that others choose.
//
// # Which hashes are fast
//
// SHA-1, SHA-224, SHA-256, SHA-384, SHA-512, SHA-512/224 and SHA-512/256, on amd64 with the
// SHA extensions (SHA-1, SHA-224, SHA-256), with AVX2 (SHA-1, and batches of all) or with
// AVX, BMI1 and BMI2 (the others), and on arm64 with its SHA instructions. All else is
// handed to crypto/pbkdf2: other hashes, other processors, builds with the tag purego. So
// is everything in FIPS 140-3 mode, because the validated module is in the standard
// library. Then the functions here do allocate, and the password is copied to where it
// cannot be wiped.
//
// # Secrets
//
// The time taken depends on lengths, the number of iterations and the hash only. States that
// come from the password are wiped from memory and registers before a function returns;
// what the runtime copies elsewhere, when a stack grows or a goroutine is preempted, is out
// of reach. The password of a [Key] call is a string, which nobody can wipe.
package pbkdf2
