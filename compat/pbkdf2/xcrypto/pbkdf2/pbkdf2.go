// Package pbkdf2 stands in for golang.org/x/crypto/pbkdf2. A change of the import line is
// all it takes. What is new, and how to be rid of the panic, is in the package two
// directories up, github.com/fastrsa/fastrsa/compat/pbkdf2.
package pbkdf2

import (
	"hash"
	"unsafe"

	"github.com/fastrsa/fastrsa/compat/pbkdf2"
)

// Key derives a key of keyLen bytes from a password and a salt, with iter iterations of HMAC
// over the hash that h makes: RFC 8018 §5.2. It panics if keyLen is below 1 or above
// 2^32 - 1 digests, and in FIPS 140-only mode if the parameters are not allowed. iter below
// 1 counts as 1.
func Key(password, salt []byte, iter, keyLen int, h func() hash.Hash) []byte {
	// As a string, but not a copy that could not be wiped: pbkdf2.Key keeps no reference.
	key, err := pbkdf2.Key(h, unsafe.String(unsafe.SliceData(password), len(password)), salt, iter, keyLen)
	if err != nil {
		panic(err)
	}
	return key
}
