// Fastrsa checks, times and describes the module github.com/fastrsa/fastrsa on
// the machine it runs on, with crypto/rsa as the measure.
//
// Usage:
//
//	fastrsa verify [flags] FILE...   check real signatures with both implementations
//	fastrsa bench [flags]            compare the speed of both implementations
//	fastrsa info [-json] [KEYFILE]   say what is running here, or examine keys
//	fastrsa help [command]           describe a command
//
// # Verify
//
// Verify reads files, or standard input for the name "-", and checks every RSA
// signature in them twice: with crypto/rsa and with fastrsa's rsa package, on the
// same public key, hash, digest, signature and options. It prints one line for
// each signature. It answers the question "do the two agree, and which is
// faster"; it is no judge of trust. Names, dates, key usage, path lengths and
// revocation are not looked at, and neither are the claims of a token.
//
// What a file may hold:
//
//   - Certificates, certificate requests (CSRs) and revocation lists (CRLs), PEM
//     or DER, any number in one file. A self-signed certificate is checked with
//     its own key, and so is a request. Any other certificate, and a revocation
//     list, is checked with the key of each certificate, among all the files
//     given, whose subject is its issuer; where both sides carry key identifiers
//     these must be equal too. If several keys go by the issuer's name, and one
//     accepts, the others are no fault. MD5, SHA-1, SHA-2 and SHA-3 are checked,
//     PKCS #1 v1.5 and PSS, whatever crypto/x509 thinks of them.
//   - JWS compact tokens (RFC 7515), one a line, with -key. The algorithms are
//     RS256, RS384, RS512, PS256, PS384 and PS512. Base64url is taken strictly; a
//     header with repeated members or with "crit", the algorithm "none", and any
//     algorithm that is no RSA signature are refused.
//   - With -sig, anything: the file is the message that was signed.
//
// The flags are:
//
//	-key FILE    key for tokens and detached signatures: a public key, certificate
//	             or private key (only its public half is used), PEM or DER; a JWK;
//	             or a JWK set, from which the token's kid selects
//	-sig FILE    detached signature of the one FILE: raw bytes, or hexadecimal or
//	             base64 text
//	-hash NAME   hash of the detached signature: md5, sha1, sha224, sha256
//	             (default), sha384, sha512, sha512-224, sha512-256, sha3-224,
//	             sha3-256, sha3-384, sha3-512
//	-pss         the detached signature is RSASSA-PSS, salt of any length, and not
//	             PKCS #1 v1.5
//	-rounds N    time each signature N times with either implementation (default 9)
//	-json        print one JSON object instead of the table
//
// The times are those of the fastest of the rounds, in which the two
// implementations take turns, each going first in every other round; the key is
// a fresh struct each time, as it is in a program that has just parsed it.
// Signatures that take long are timed fewer times. For comparisons worth
// quoting use bench.
//
// A verdict is "ok"; "bad", for the error ErrVerification; "refused", for any
// other error, such as that of a key that is too small; "panic"; or "varies", if
// the rounds do not all give the same answer. The two implementations agree when
// they both accept, or both return errors of the same text; with an answer that
// varies nothing agrees.
//
// Input of any kind takes time and memory in proportion to its size:
//
//   - A file is at most 64 MiB, a message with -sig excepted, and an RSA modulus
//     at most 16384 bits.
//   - A signature is checked with at most 16 different keys that go by its
//     issuer's name: the certificate's own, if it is self-issued, then those of
//     the key identifier, then the others, in the order of the input. If there
//     are more, that is an error of the item, whether one of the 16 accepts or
//     not. Equal keys are one, in however many certificates they are.
//   - Equal keys under one kid of a JWK set are one. Different keys under one kid
//     are an error of each token with that kid.
//   - Of the errors of one file the first 20 are printed, and listed with -json;
//     the others are counted.
//
// The exit status is
//
//	0    every signature was accepted by both
//	1    the two implementations disagree about a signature
//	2    a file or an item in it could not be read or made sense of, the command
//	     line is wrong, or no RSA signature was found
//	3    both agree, and at least one signature was not accepted
//	130  interrupted
//
// and where several apply, 1 goes before 2, and 2 before 3. Signatures of other
// algorithms, and certificates whose issuer is not among the files, are counted
// and do not change the status.
//
// With -json the object has the members
//
//	signatures       list of: file, index (from 1, within the file), kind
//	                 ("certificate", "request", "crl", "token", "detached"),
//	                 subject or kid, issuer, bits, e, scheme ("pkcs1", "pss"),
//	                 hash, salt (PSS: bytes, or "auto"), crypto_rsa and fastrsa
//	                 (each: verdict, error, ns), speedup, agree, and other_key
//	                 (true: rejected, and accepted with another key of that name)
//	skipped          list of: file, index, kind, subject, algorithm
//	issuer_not_given list of: file, index, kind, subject, issuer, algorithm
//	errors           list of: file, index (0: the whole file), message; the first
//	                 20 of each file
//	error_count      how many errors there are in all
//	ok, bad, refused, disagree    counts of signatures
//	exit             the exit status
//
// # Bench
//
// Bench needs no arguments and takes about a minute. It signs (PKCS #1 v1.5),
// verifies (PKCS #1 v1.5), encrypts (OAEP) and decrypts (OAEP), all with SHA-256
// and e = 65537, with keys that are part of the command. The public-key
// operations get a fresh key struct each time, the private-key operations a
// parsed and precomputed key.
//
//	-ops LIST    of sign, verify, encrypt, decrypt (default all)
//	-bits LIST   of 1024, 2048, 3072, 4096, 8192 (default 2048,3072,4096)
//	-time D      measure for about this long in all (default 60s)
//	-quick       the same as -time 6s
//	-json        print one JSON object instead of the table
//	-o FILE      also write FILE in the Go benchmark format, for benchstat
//
// Both implementations run in one process and take turns: a round is a batch of
// operations with one and then a batch with the other, and the order alternates
// from round to round. The table gives the medians over the rounds of the time of
// one operation, and the median over the rounds of the ratio of the two, crypto/rsa
// to fastrsa, so more is better. Its confidence interval comes from the order
// statistics of these ratios: by the binomial distribution it covers the true
// median with a probability of at least 95 %, whatever the distribution of the
// ratios, if rounds are independent. An interval that comes within 2 % of 1 counts
// as no difference. Allocations are counted in a separate batch, and printed for
// crypto/rsa and fastrsa with a colon in between.
//
// An interrupt (Ctrl-C) ends the measurement; what has been measured is printed
// and written, and the exit status is 130. It is otherwise 0; 1 when the two
// implementations give different results or the output cannot be written; 2 for
// a wrong command line.
//
// The JSON object has the members go, goos, goarch, cpu, gomaxprocs, kernel,
// interrupted, and rows, a list of: op, bits, e, key, rounds, crypto_rsa and
// fastrsa (each: ns_per_op, bytes_per_op, allocs_per_op), ratio, ratio_low,
// ratio_high, verdict.
//
// # Info
//
// Without a file, info prints the version of the module and of Go, the platform, the
// processor features that kernels are chosen by, as the running program sees them,
// the settings that change what runs (GODEBUG, FIPS 140-3 mode), and the kernel in
// use. With -json it prints them as one object.
//
// With a file, or "-" for standard input, info describes each RSA key in it and
// examines it as the functions AuditPublicKey and AuditPrivateKey of the package rsa
// do, whose documentation lists the checks, and what is not looked for: sizes and
// exponent, small and close prime factors, ROCA, a small private exponent; in private
// keys also whether the numbers fit together and the prime factors are prime. That takes a tenth of a second for most
// keys, and up to a minute for one of 16384 bits. The file may hold public keys,
// private keys, certificates and certificate requests, PEM or DER
// (SubjectPublicKeyInfo, PKCS #1, PKCS #8), any number of PEM blocks; a JWK, or a JWK
// set. Private values are never printed.
//
// The fingerprints are those of the public key: the SHA-256 of the
// SubjectPublicKeyInfo, in hexadecimal; what ssh-keygen -l prints; and the JWK
// thumbprint (RFC 7638). Keys with a fault may lack the last.
//
// The exit status is
//
//	0    no finding is an error; there may be notes and warnings
//	1    the output cannot be written
//	2    the file, or a key in it, could not be read or made sense of, the command
//	     line is wrong, or there is no RSA key
//	3    at least one finding is an error: the key does not work, or it is not safe
//	130  interrupted
//
// and where several apply, 130 goes before 2, and 2 before 3. Keys of other
// algorithms are counted and do not change the status.
//
// With -json the object has the members
//
//	file     the name of the file
//	keys     list of: index (from 1, within the file), kind ("public", "private"),
//	         format, subject or kid, bits, e, spki_sha256 (hexadecimal), ssh_sha256
//	         (base64), jwk_thumbprint (base64url), and findings, a list of: check,
//	         severity ("note", "warning", "error"), message
//	skipped  list of: index, message; keys of other algorithms
//	errors   list of: index (0: the whole file), message
//	exit     the exit status
package main
