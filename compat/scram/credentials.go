package scram

import (
	"encoding/base64"
	"errors"
	"math"
	"strconv"
	"strings"
)

// KeyFactors are what the server tells the client for deriving the keys.
type KeyFactors struct {
	Salt  string // the bytes themselves, not in base64
	Iters int
}

// StoredCredentials are what a server keeps of a user's password, for one hash.
// They do not let their holder log in as the user, but whoever has them can try
// passwords, and can play the server to that user.
type StoredCredentials struct {
	KeyFactors
	StoredKey []byte
	ServerKey []byte
}

// Wipe overwrites the keys.
func (c *StoredCredentials) Wipe() {
	clear(c.StoredKey)
	clear(c.ServerKey)
	*c = StoredCredentials{}
}

// DerivedKeys are what a client needs instead of the password, for one hash and as
// long as the server keeps the salt and the iteration count. Whoever has them can
// log in. They follow from the result of [SaltedPassword] by [ClientKey] and
// [ServerKey].
type DerivedKeys struct {
	KeyFactors
	ClientKey []byte
	ServerKey []byte
}

// Wipe overwrites the keys.
func (k *DerivedKeys) Wipe() {
	clear(k.ClientKey)
	clear(k.ServerKey)
	*k = DerivedKeys{}
}

// CredentialLookup returns what is stored for a user, for the hash that the
// [Server] was made for. Any error is taken to mean that there is no such user,
// unless it wraps [ErrLookupFailed].
type CredentialLookup func(string) (StoredCredentials, error)

// ErrLookupFailed is for a [CredentialLookup] to wrap when it cannot tell whether
// the user exists. The conversation then ends at once, with e=other-error.
var ErrLookupFailed = errors.New("scram: credentials cannot be looked up")

var (
	errStoredForm = errors.New("scram: malformed stored credentials")
	errStoredSize = errors.New("scram: stored keys of another size than the hash's")
	errStoredMech = errors.New("scram: stored credentials of another mechanism")
	errNoSalt     = errors.New("scram: no salt")
)

// check tells whether a server can use c.
func (c *StoredCredentials) check(e *engine) error {
	switch {
	case c.Salt == "":
		return errNoSalt
	case c.Iters < 1:
		return errIterations
	case len(c.StoredKey) != e.size || len(c.ServerKey) != e.size:
		return errStoredSize
	}
	return nil
}

// FormatStored returns c in the form of RFC 5803, which PostgreSQL calls a
// verifier:
//
//	SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>
func (f HashGeneratorFcn) FormatStored(c StoredCredentials) (string, error) {
	e, err := f.engine()
	if err != nil {
		return "", err
	}
	if e.name == "" {
		return "", errUnknownHash
	}
	if err := c.check(e); err != nil {
		return "", err
	}
	b64 := base64.StdEncoding
	return e.name + "$" + strconv.Itoa(c.Iters) + ":" + b64.EncodeToString([]byte(c.Salt)) +
		"$" + b64.EncodeToString(c.StoredKey) + ":" + b64.EncodeToString(c.ServerKey), nil
}

// ParseStored reads what [HashGeneratorFcn.FormatStored] and PostgreSQL write. It
// is strict: no white space, no other base64 than the canonical one, nothing after
// the end. Its errors do not quote s.
func (f HashGeneratorFcn) ParseStored(s string) (StoredCredentials, error) {
	var c StoredCredentials
	e, err := f.engine()
	if err != nil {
		return c, err
	}
	mechanism, rest, ok := strings.Cut(s, "$")
	if !ok {
		return c, errStoredForm
	}
	if e.name == "" || mechanism != e.name {
		return c, errStoredMech
	}
	factors, values, ok := strings.Cut(rest, "$")
	iters, salt, ok1 := strings.Cut(factors, ":")
	stored, server, ok2 := strings.Cut(values, ":")
	if !ok || !ok1 || !ok2 {
		return c, errStoredForm
	}
	n, ok := parseCount(iters)
	rawSalt, ok1 := decodeBase64(nil, salt)
	if !ok || !ok1 || n > math.MaxInt {
		return c, errStoredForm
	}
	c.Salt, c.Iters = string(rawSalt), int(n)
	if c.StoredKey, ok = decodeBase64(nil, stored); !ok {
		return StoredCredentials{}, errStoredForm
	}
	if c.ServerKey, ok = decodeBase64(nil, server); !ok {
		return StoredCredentials{}, errStoredForm
	}
	if err := c.check(e); err != nil {
		return StoredCredentials{}, err
	}
	return c, nil
}
