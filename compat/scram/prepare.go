package scram

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/xdg-go/stringprep"
)

// A Preparation says how user names and passwords are normalised before they are
// used. RFC 5802 demands SASLprep (RFC 4013), so that a password typed on another
// keyboard gives the same keys; servers differ in what they make of it, and a
// client has to do what its server did when the password was set.
type Preparation int

const (
	// PrepareStrict is RFC 5802: SASLprep for the user name, the password and the
	// authorization identity, in its form for stored strings, and an error for what
	// that forbids: control characters, characters newer than Unicode 3.2 (all
	// emoji), and mixes of right-to-left and left-to-right text.
	PrepareStrict Preparation = iota

	// PreparePostgreSQL does what PostgreSQL and libpq do: SASLprep for the
	// password, and the password as it is where SASLprep forbids it or makes it
	// empty. Names are taken as they are.
	PreparePostgreSQL

	// PrepareMongoDB is SASLprep for the password and nothing for the names, as
	// MongoDB's drivers do for SCRAM-SHA-256. (For SCRAM-SHA-1 they hash the
	// password to hexadecimal digits first, which the caller has to do.)
	PrepareMongoDB

	// PrepareNone takes everything as it is.
	PrepareNone
)

// Errors of the preparation name neither the text nor the character.
var (
	errPrepPassword = errors.New("scram: password: SASLprep forbids one of its characters or their mix of directions")
	errPrepName     = errors.New("scram: name: SASLprep forbids one of its characters or their mix of directions")
	errPreparation  = errors.New("scram: unknown preparation")
	errNameNUL      = errors.New("scram: name: holds a zero byte")
)

// zeroWidthSpace is in two tables of RFC 3454, and PostgreSQL looks at the other
// one first: it becomes a space there, and nothing elsewhere.
const zeroWidthSpace = "\u200b"

// Password appends the prepared form of password to dst. Printable ASCII is its
// own prepared form; anything else passes through strings that cannot be wiped.
func (p Preparation) Password(dst, password []byte) ([]byte, error) {
	if p < PrepareStrict || p > PrepareNone {
		return dst, errPreparation
	}
	if p == PrepareNone || printableASCII(password) {
		return append(dst, password...), nil
	}
	text := string(password)
	if p == PreparePostgreSQL {
		text = strings.ReplaceAll(text, zeroWidthSpace, " ")
	}
	prepared, err := saslprep(text)
	switch {
	case p == PreparePostgreSQL && (err != nil || prepared == ""):
		return append(dst, password...), nil
	case err != nil:
		return dst, errPrepPassword
	}
	return append(dst, prepared...), nil
}

// Name returns the prepared form of a user name or an authorization identity.
func (p Preparation) Name(name string) (string, error) {
	switch {
	case p < PrepareStrict || p > PrepareNone:
		return "", errPreparation
	case strings.IndexByte(name, 0) >= 0:
		return "", errNameNUL
	case p != PrepareStrict || printableASCII(name):
		return name, nil
	}
	prepared, err := saslprep(name)
	if err != nil {
		return "", errPrepName
	}
	return prepared, nil
}

func saslprep(s string) (string, error) {
	if !utf8.ValidString(s) {
		return "", errPrepPassword
	}
	return stringprep.SASLprep.Prepare(s)
}

func printableASCII[T string | []byte](s T) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
