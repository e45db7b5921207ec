package scram

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// A failure is an error of a conversation, and what a server replies to it. Its
// text is fixed: it quotes nothing that the other side sent.
type failure struct {
	reply string
	text  string
}

func (f *failure) Error() string { return "scram: " + f.text }

var (
	errTooLong     = &failure{ErrInvalidEncoding, "message longer than 65536 bytes"}
	errNotText     = &failure{ErrInvalidEncoding, "message is not UTF-8 text, or holds a zero byte"}
	errMandatory   = &failure{ErrExtensionsNotSupported, "message with a mandatory extension, none of which is known"}
	errExtension   = &failure{ErrInvalidEncoding, "malformed or misplaced attribute after the ones that were expected"}
	errGS2Flag     = &failure{ErrInvalidEncoding, "malformed channel binding flag"}
	errAuthzID     = &failure{ErrInvalidEncoding, "malformed authorization identity"}
	errUsername    = &failure{ErrInvalidUsernameEncoding, "malformed user name"}
	errClientFirst = &failure{ErrInvalidEncoding, "malformed first message of the client"}
	errClientFinal = &failure{ErrInvalidEncoding, "malformed final message of the client"}
	errServerFirst = &failure{ErrInvalidEncoding, "malformed first message of the server"}
	errServerFinal = &failure{ErrInvalidEncoding, "malformed final message of the server"}
	errNonce       = &failure{ErrOtherError, "malformed nonce"}
	errSalt        = &failure{ErrInvalidEncoding, "malformed or empty salt"}
	errCount       = &failure{ErrInvalidEncoding, "malformed iteration count"}
)

// maxMessage is the longest message that is looked at, in bytes.
const maxMessage = 1 << 16

// checkText refuses what no message may be.
func checkText(msg string) *failure {
	if len(msg) > maxMessage {
		return errTooLong
	}
	if !utf8.ValidString(msg) || strings.IndexByte(msg, 0) >= 0 {
		return errNotText
	}
	return nil
}

// cut removes the first attribute from msg, and the comma behind it. more is
// whether there was one; without, the attribute is the last.
func cut(msg *string) (attr string, more bool) {
	attr, *msg, more = strings.Cut(*msg, ",")
	return attr, more
}

// value returns what follows "key=" in attr.
func value(attr string, key byte) (string, bool) {
	if len(attr) < 2 || attr[0] != key || attr[1] != '=' {
		return "", false
	}
	return attr[2:], true
}

// checkExtensions looks at the optional attributes at the end of a message, which
// are ignored if they are well-formed and not one of those that have a meaning
// elsewhere.
func checkExtensions(ext string, more bool) *failure {
	for more {
		var attr string
		attr, more = cut(&ext)
		if len(attr) < 3 || attr[1] != '=' || attr[0]|0x20 < 'a' || attr[0]|0x20 > 'z' {
			return errExtension
		}
		if attr[0] == 'm' {
			return errMandatory
		}
		if strings.IndexByte("anrcsipve", attr[0]) >= 0 {
			return errExtension
		}
	}
	return nil
}

// strictBase64 wants the unused bits of the last character to be zero.
var strictBase64 = base64.StdEncoding.Strict()

// decodeBase64 appends the bytes that s encodes to dst. The encoding has to be the
// canonical one, on one line.
func decodeBase64(dst []byte, s string) ([]byte, bool) {
	// The package base64 skips line breaks.
	if strings.ContainsAny(s, "\r\n") {
		return dst, false
	}
	var buf [256]byte
	out, err := strictBase64.AppendDecode(dst, append(buf[:0], s...))
	if err != nil {
		return dst, false
	}
	return out, true
}

// parseCount reads a posit-number of RFC 5802: no sign, no leading zero, no more
// than digits. What does not fit is returned as the largest uint64.
func parseCount(s string) (n uint64, ok bool) {
	if s == "" || s[0] == '0' {
		return 0, false
	}
	for i := range len(s) {
		d := s[i] - '0'
		if d > 9 {
			return 0, false
		}
		if n > (^uint64(0)-uint64(d))/10 {
			n = ^uint64(0)
		} else {
			n = n*10 + uint64(d)
		}
	}
	return n, true
}

// validNonce tells whether s is one or more printable ASCII characters but comma
// and space.
func validNonce(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' || s[i] == ',' {
			return false
		}
	}
	return s != ""
}

// validBindingName tells whether s is a cb-name of RFC 5801.
func validBindingName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '.' || c == '-') {
			return false
		}
	}
	return s != ""
}

// appendName appends s in the form of a saslname.
func appendName(b *strings.Builder, s string) {
	for i := range len(s) {
		switch s[i] {
		case ',':
			b.WriteString("=2C")
		case '=':
			b.WriteString("=3D")
		default:
			b.WriteByte(s[i])
		}
	}
}

// decodeName undoes appendName, in one pass: "=3D2C" is "=2C", not ",".
func decodeName(s string) (string, bool) {
	i := strings.IndexByte(s, '=')
	if i < 0 {
		return s, true
	}
	var b strings.Builder
	b.Grow(len(s))
	for ; i >= 0; i = strings.IndexByte(s, '=') {
		b.WriteString(s[:i])
		s = s[i:]
		switch {
		case strings.HasPrefix(s, "=2C"):
			b.WriteByte(',')
		case strings.HasPrefix(s, "=3D"):
			b.WriteByte('=')
		default:
			return "", false
		}
		s = s[3:]
	}
	b.WriteString(s)
	return b.String(), true
}

// A clientFirst is the first message of a client:
//
//	("n" / "y" / "p=" cb-name) "," ["a=" authzid] "," ["m=…,"] "n=" username "," "r=" nonce *("," extension)
type clientFirst struct {
	flag    byte // 'n', 'y' or 'p'
	binding string
	authzID string
	user    string
	nonce   string
	gs2     string // with both commas
	bare    string
}

func parseClientFirst(msg string) (c clientFirst, f *failure) {
	if f := checkText(msg); f != nil {
		return c, f
	}
	rest := msg
	flag, more := cut(&rest)
	switch {
	case flag == "n" || flag == "y":
		c.flag = flag[0]
	case strings.HasPrefix(flag, "p=") && validBindingName(flag[2:]):
		c.flag, c.binding = 'p', flag[2:]
	default:
		return c, errGS2Flag
	}
	if !more {
		return c, errClientFirst
	}
	authz, more := cut(&rest)
	if authz != "" {
		raw, ok := value(authz, 'a')
		if ok {
			c.authzID, ok = decodeName(raw)
		}
		if !ok || raw == "" {
			return c, errAuthzID
		}
	}
	if !more {
		return c, errClientFirst
	}
	c.gs2, c.bare = msg[:len(msg)-len(rest)], rest

	user, more := cut(&rest)
	if strings.HasPrefix(user, "m=") {
		return c, errMandatory
	}
	raw, ok := value(user, 'n')
	if !ok || !more {
		return c, errClientFirst
	}
	// RFC 5802 wants at least one character; libpq sends none, because PostgreSQL
	// has the name already.
	if c.user, ok = decodeName(raw); !ok {
		return c, errUsername
	}
	nonce, more := cut(&rest)
	if c.nonce, ok = value(nonce, 'r'); !ok {
		return c, errClientFirst
	}
	if !validNonce(c.nonce) {
		return c, errNonce
	}
	return c, checkExtensions(rest, more)
}

// A serverFirst is the first message of a server:
//
//	["m=…,"] "r=" nonce "," "s=" base64 "," "i=" count *("," extension)
type serverFirst struct {
	nonce string
	salt  []byte
	iters uint64
}

// parseServerFirst appends the salt to buf.
func parseServerFirst(msg string, buf []byte) (s serverFirst, f *failure) {
	if f := checkText(msg); f != nil {
		return s, f
	}
	rest := msg
	nonce, more := cut(&rest)
	if strings.HasPrefix(nonce, "m=") {
		return s, errMandatory
	}
	var ok bool
	if s.nonce, ok = value(nonce, 'r'); !ok || !more {
		return s, errServerFirst
	}
	if !validNonce(s.nonce) {
		return s, errNonce
	}
	salt, more := cut(&rest)
	raw, ok := value(salt, 's')
	if !ok || !more {
		return s, errServerFirst
	}
	if s.salt, ok = decodeBase64(buf, raw); !ok || len(s.salt) == 0 {
		return s, errSalt
	}
	count, more := cut(&rest)
	if raw, ok = value(count, 'i'); !ok {
		return s, errServerFirst
	}
	if s.iters, ok = parseCount(raw); !ok {
		return s, errCount
	}
	return s, checkExtensions(rest, more)
}

// A clientFinal is the final message of a client:
//
//	"c=" base64 "," "r=" nonce *("," extension) "," "p=" base64
type clientFinal struct {
	binding      []byte
	nonce        string
	proof        []byte
	withoutProof string
}

// parseClientFinal appends the binding and the proof to the two buffers.
func parseClientFinal(msg string, bindingBuf, proofBuf []byte) (c clientFinal, f *failure) {
	if f := checkText(msg); f != nil {
		return c, f
	}
	// The proof is the last attribute, whatever optional ones are before it.
	i := strings.LastIndexByte(msg, ',')
	if i < 0 {
		return c, errClientFinal
	}
	c.withoutProof = msg[:i]
	proof, ok := value(msg[i+1:], 'p')
	if !ok {
		return c, errClientFinal
	}
	if c.proof, ok = decodeBase64(proofBuf, proof); !ok {
		return c, errClientFinal
	}

	rest := c.withoutProof
	binding, more := cut(&rest)
	raw, ok := value(binding, 'c')
	if !ok || !more {
		return c, errClientFinal
	}
	if c.binding, ok = decodeBase64(bindingBuf, raw); !ok {
		return c, errClientFinal
	}
	nonce, more := cut(&rest)
	if c.nonce, ok = value(nonce, 'r'); !ok {
		return c, errClientFinal
	}
	if !validNonce(c.nonce) {
		return c, errNonce
	}
	return c, checkExtensions(rest, more)
}

// parseServerFinal reads the final message of a server,
//
//	("e=" error / "v=" base64) *("," extension)
//
// and returns the error's name or appends the verifier to buf.
func parseServerFinal(msg string, buf []byte) (verifier []byte, name string, f *failure) {
	if f := checkText(msg); f != nil {
		return nil, "", f
	}
	rest := msg
	attr, more := cut(&rest)
	if name, ok := value(attr, 'e'); ok && name != "" {
		return nil, name, nil
	}
	raw, ok := value(attr, 'v')
	if !ok {
		return nil, "", errServerFinal
	}
	if verifier, ok = decodeBase64(buf, raw); !ok {
		return nil, "", errServerFinal
	}
	return verifier, "", checkExtensions(rest, more)
}
