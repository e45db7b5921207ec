package scram

import (
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The errors that a server may send, as RFC 5802 section 7 names them.
const (
	// ErrInvalidEncoding is for a message that is not well-formed.
	ErrInvalidEncoding = "e=invalid-encoding"

	// ErrExtensionsNotSupported is for a mandatory extension, attribute m.
	ErrExtensionsNotSupported = "e=extensions-not-supported"

	// ErrInvalidProof is for a wrong password, and for a user who does not exist.
	ErrInvalidProof = "e=invalid-proof"

	// ErrChannelBindingsDontMatch is for channel binding data, or a gs2-header, that
	// is not the server's.
	ErrChannelBindingsDontMatch = "e=channel-bindings-dont-match"

	// ErrServerDoesSupportChannelBinding is for a client that did not see the
	// server's offer of channel binding, or does not heed that it is required.
	ErrServerDoesSupportChannelBinding = "e=server-does-support-channel-binding"

	// ErrChannelBindingNotSupported is for channel binding that was not offered.
	ErrChannelBindingNotSupported = "e=channel-binding-not-supported"

	// ErrUnsupportedChannelBindingType is for another type of channel binding.
	ErrUnsupportedChannelBindingType = "e=unsupported-channel-binding-type"

	// ErrUnknownUser is for a user who does not exist, and only sent after
	// [Server.WithUnknownUserError].
	ErrUnknownUser = "e=unknown-user"

	// ErrInvalidUsernameEncoding is for a user name with a wrong escape.
	ErrInvalidUsernameEncoding = "e=invalid-username-encoding"

	// ErrNoResources is not sent by this package.
	ErrNoResources = "e=no-resources"

	// ErrOtherError is for everything else.
	ErrOtherError = "e=other-error"
)

var (
	errNoLookup      = errors.New("scram: no function for looking credentials up")
	errNoServer      = errors.New("scram: a conversation that was not made by a Server")
	errUnknownUser   = &failure{ErrUnknownUser, "unknown user"}
	errWrongNonce    = &failure{ErrOtherError, "the client's final nonce is not the one that was agreed on"}
	errServerNonce   = &failure{ErrOtherError, "the nonce generator returned something other than printable characters without comma and space"}
	errWrongProof    = &failure{ErrInvalidProof, "invalid proof: unknown user or wrong password"}
	errWrongBinding  = &failure{ErrChannelBindingsDontMatch, "channel bindings do not match"}
	errRequired      = &failure{ErrServerDoesSupportChannelBinding, "channel binding is required, and the client has none"}
	errDowngrade     = &failure{ErrServerDoesSupportChannelBinding, "the client did not see the offer of channel binding: it may have been removed on the way"}
	errNotOffered    = &failure{ErrChannelBindingNotSupported, "the client demands channel binding, which was not offered"}
	errOtherType     = &failure{ErrUnsupportedChannelBindingType, "the client demands another type of channel binding"}
	errServerBinding = &failure{ErrOtherError, "the server's channel binding has no valid type or no data"}
	errLookupRefused = &failure{ErrOtherError, "credentials cannot be looked up"}
)

// A ServerConversation is the server's side of one login. It is for one login and
// one goroutine.
type ServerConversation struct {
	eng         *engine
	lookup      CredentialLookup
	nonceGen    NonceGeneratorFcn
	mock        mockChallenge
	binding     ChannelBinding
	required    bool
	unknownUser bool
	state       conversationState
	valid       bool
	flag        byte // the client's: 'n', 'y' or 'p'
	exists      int  // 1 if the user does, in crypto/subtle's way
	lookupErr   error
	username    string
	authzID     string
	gs2         string
	bare        string // the client's first message without gs2
	first       string // the server's first message
	nonce       string
	stored      [maxSize]byte
	server      [maxSize]byte
}

// Step takes the client's next message, and returns what to send. If there is an
// error, the conversation is over, and what to send says so to the client.
func (sc *ServerConversation) Step(challenge string) (response string, err error) {
	if sc.eng == nil {
		return "", errNoServer
	}
	switch sc.state {
	case atFirst:
		response, err = sc.firstMessage(challenge)
		sc.state = atFinal
	case atFinal:
		response, err = sc.finalMessage(challenge)
		sc.Wipe()
	default:
		return "", errDone
	}
	if err != nil {
		sc.Wipe()
		var f *failure
		if errors.As(err, &f) {
			response = f.reply
		}
	}
	return response, err
}

// Done tells whether the conversation is over, well or not.
func (sc *ServerConversation) Done() bool { return sc.state == done }

// Valid tells whether the client has proved that it knows the credentials.
func (sc *ServerConversation) Valid() bool { return sc.valid }

// Username returns the user name, once the client has sent it. It is the client's
// claim until [ServerConversation.Valid].
func (sc *ServerConversation) Username() string { return sc.username }

// AuthzID returns the authorization identity, once the client has sent it: whom the
// user wants to act for, or nothing. The program has to decide whether he may.
func (sc *ServerConversation) AuthzID() string { return sc.authzID }

// LookupError returns the error of the [CredentialLookup], or why the credentials
// that it returned are not usable. It is for the server's own log.
func (sc *ServerConversation) LookupError() error { return sc.lookupErr }

// Wipe ends the conversation and overwrites its copy of the credentials. The
// results remain.
func (sc *ServerConversation) Wipe() {
	clear(sc.stored[:])
	clear(sc.server[:])
	sc.gs2, sc.bare, sc.first, sc.nonce = "", "", "", ""
	sc.state = done
}

// checkFlag compares what the client says about channel binding with what the
// server has.
func (sc *ServerConversation) checkFlag(msg *clientFirst) *failure {
	if sc.binding.check() != nil {
		return errServerBinding
	}
	offered := sc.binding.IsSupported()
	switch {
	case msg.flag == 'p' && !offered:
		return errNotOffered
	case msg.flag == 'p' && msg.binding != string(sc.binding.Type):
		return errOtherType
	case msg.flag == 'y' && offered:
		return errDowngrade
	case msg.flag != 'p' && sc.required:
		return errRequired
	}
	return nil
}

func (sc *ServerConversation) firstMessage(message string) (string, error) {
	msg, f := parseClientFirst(message)
	if f != nil {
		return "", f
	}
	sc.flag, sc.username, sc.authzID = msg.flag, msg.user, msg.authzID
	sc.gs2, sc.bare = msg.gs2, msg.bare
	if f := sc.checkFlag(&msg); f != nil {
		return "", f
	}
	if sc.nonceGen == nil {
		return "", errServerNonce
	}
	own := sc.nonceGen()
	if !validNonce(own) {
		return "", errServerNonce
	}

	cred, err := sc.lookup(msg.user)
	if err == nil {
		err = cred.check(sc.eng)
	}
	// The salt is computed for everybody: it shall not be seen in the time.
	var saltBuf [maxSize]byte
	salt, iters := sc.mock.salt(&saltBuf, msg.user), sc.mock.iters
	if err != nil {
		sc.lookupErr = err
		switch {
		case errors.Is(err, ErrLookupFailed):
			return "", errLookupRefused
		case sc.unknownUser:
			return "", errUnknownUser
		}
	} else {
		sc.exists = 1
		salt, iters = append(saltBuf[:0], cred.Salt...), cred.Iters
		copy(sc.stored[:], cred.StoredKey)
		copy(sc.server[:], cred.ServerKey)
	}

	var encBuf [128]byte
	enc := base64.StdEncoding.AppendEncode(encBuf[:0], salt)
	var b strings.Builder
	b.Grow(len("r=,s=,i=") + len(msg.nonce) + len(own) + len(enc) + 20)
	b.WriteString("r=")
	b.WriteString(msg.nonce)
	b.WriteString(own)
	b.WriteString(",s=")
	b.Write(enc)
	b.WriteString(",i=")
	var digits [20]byte
	b.Write(strconv.AppendInt(digits[:0], int64(iters), 10))
	sc.first = b.String()
	sc.nonce = sc.first[len("r="):][:len(msg.nonce)+len(own)]
	return sc.first, nil
}

func (sc *ServerConversation) finalMessage(message string) (string, error) {
	var bindingBuf [256]byte
	var proofBuf [128]byte
	msg, f := parseClientFinal(message, bindingBuf[:0], proofBuf[:0])
	if f != nil {
		return "", f
	}
	var expectedBuf [256]byte
	expected := append(expectedBuf[:0], sc.gs2...)
	if sc.flag == 'p' {
		expected = append(expected, sc.binding.Data...)
	}
	if subtle.ConstantTimeCompare(msg.binding, expected) != 1 {
		return "", errWrongBinding
	}
	if subtle.ConstantTimeCompare([]byte(msg.nonce), []byte(sc.nonce)) != 1 {
		return "", errWrongNonce
	}

	// StoredKey must be H(ClientProof ⊕ ClientSignature). For a user who does not
	// exist the same is computed, with zeros, and the result does not count.
	e := sc.eng
	var key [maxSize]byte
	defer clear(key[:])
	e.signature(key[:], sc.stored[:e.size], sc.bare, sc.first, msg.withoutProof)
	var proof [maxSize]byte
	ok := subtle.ConstantTimeEq(int32(len(msg.proof)), int32(e.size)) & sc.exists
	copy(proof[:], msg.proof)
	subtle.XORBytes(key[:], key[:e.size], proof[:e.size])
	e.hash(key[:], key[:e.size])
	ok &= subtle.ConstantTimeCompare(key[:e.size], sc.stored[:e.size])
	if ok != 1 {
		return "", errWrongProof
	}
	sc.valid = true

	e.signature(key[:], sc.server[:e.size], sc.bare, sc.first, msg.withoutProof)
	var encBuf [128]byte
	out := append(encBuf[:0], "v="...)
	return string(base64.StdEncoding.AppendEncode(out, key[:e.size])), nil
}

// Format prints the name of the type whatever the verb, so that nothing secret gets into a log.
func (*ServerConversation) Format(f fmt.State, _ rune) { io.WriteString(f, "scram.ServerConversation") }
