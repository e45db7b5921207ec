package scram

import (
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
)

// conversationState counts the messages of a conversation.
type conversationState uint8

const (
	atFirst conversationState = iota
	atFinal
	atVerifier // clients only
	done
)

var (
	errDone          = errors.New("scram: the conversation is over")
	errNoClient      = errors.New("scram: a conversation that was not made by a Client")
	errBadNonceGen   = errors.New("scram: the nonce generator returned something other than printable characters without comma and space")
	errForeignNonce  = errors.New("scram: the server's nonce does not extend the client's")
	errWrongVerifier = errors.New("scram: the server does not know the user's credentials")
)

// A ClientConversation is the client's side of one login. It is for one login and
// one goroutine.
type ClientConversation struct {
	client   *Client
	nonceGen NonceGeneratorFcn
	binding  ChannelBinding
	minIters int
	maxIters int
	first    string // the first message
	gs2      int    // the length of its gs2-header
	nonce    string
	verifier [maxSize]byte
	flag     byte // 'n', 'y' or 'p'
	state    conversationState
	valid    bool
}

// Step takes the server's next message, and returns the next one to send. For the
// first step, what it is given is ignored; for the last, it returns an empty
// string. An error ends the conversation.
func (cc *ClientConversation) Step(challenge string) (response string, err error) {
	if cc.client == nil {
		return "", errNoClient
	}
	switch cc.state {
	case atFirst:
		response, err = cc.firstMessage()
	case atFinal:
		response, err = cc.finalMessage(challenge)
	case atVerifier:
		err = cc.verify(challenge)
	default:
		return "", errDone
	}
	cc.state++
	if err != nil {
		cc.Wipe()
	}
	return response, err
}

// Done tells whether the conversation is over, well or not.
func (cc *ClientConversation) Done() bool { return cc.state == done }

// Valid tells whether both sides have proved that they know the credentials.
func (cc *ClientConversation) Valid() bool { return cc.valid }

// Wipe ends the conversation and overwrites what it holds.
func (cc *ClientConversation) Wipe() {
	clear(cc.verifier[:])
	cc.first, cc.nonce = "", ""
	cc.state = done
}

func (cc *ClientConversation) firstMessage() (string, error) {
	if err := cc.binding.check(); err != nil {
		return "", err
	}
	if cc.nonceGen == nil {
		return "", errBadNonceGen
	}
	cc.nonce = cc.nonceGen()
	if !validNonce(cc.nonce) {
		return "", errBadNonceGen
	}
	c := cc.client
	var b strings.Builder
	b.Grow(len("p=,a=,n=,r=") + len(cc.binding.Type) + len(c.authzID) + len(c.username) + len(cc.nonce))
	b.WriteByte(cc.flag)
	if cc.flag == 'p' {
		b.WriteByte('=')
		b.WriteString(string(cc.binding.Type))
	}
	b.WriteByte(',')
	if c.authzID != "" {
		b.WriteString("a=")
		appendName(&b, c.authzID)
	}
	b.WriteByte(',')
	cc.gs2 = b.Len()
	b.WriteString("n=")
	appendName(&b, c.username)
	b.WriteString(",r=")
	b.WriteString(cc.nonce)
	cc.first = b.String()
	return cc.first, nil
}

func (cc *ClientConversation) finalMessage(serverFirst string) (string, error) {
	// Not foreseen here by RFC 5802, but what servers do.
	if strings.HasPrefix(serverFirst, "e=") {
		if _, name, f := parseServerFinal(serverFirst, nil); f == nil {
			return "", ServerError(name)
		}
	}
	var saltBuf [128]byte
	msg, f := parseServerFirst(serverFirst, saltBuf[:0])
	if f != nil {
		return "", f
	}
	if len(msg.nonce) <= len(cc.nonce) ||
		subtle.ConstantTimeCompare([]byte(msg.nonce[:len(cc.nonce)]), []byte(cc.nonce)) != 1 {
		return "", errForeignNonce
	}
	if msg.iters < uint64(cc.minIters) || msg.iters > uint64(cc.maxIters) {
		return "", &IterationError{msg.iters, cc.minIters, cc.maxIters}
	}

	e := cc.client.eng
	var k keys
	defer k.wipe()
	if err := cc.client.keys(&k, msg.salt, int(msg.iters)); err != nil {
		return "", err
	}

	var buf [256]byte
	binding := append(buf[:0], cc.first[:cc.gs2]...)
	if cc.flag == 'p' {
		binding = append(binding, cc.binding.Data...)
	}
	var encBuf [384]byte
	enc := base64.StdEncoding.AppendEncode(encBuf[:0], binding)
	var b strings.Builder
	b.Grow(len("c=,r=,p=") + len(enc) + len(msg.nonce) + base64.StdEncoding.EncodedLen(e.size))
	b.WriteString("c=")
	b.Write(enc)
	b.WriteString(",r=")
	b.WriteString(msg.nonce)
	bare, withoutProof := cc.first[cc.gs2:], b.String()

	var proof [maxSize]byte
	e.signature(proof[:], k.stored[:e.size], bare, serverFirst, withoutProof)
	subtle.XORBytes(proof[:], proof[:e.size], k.client[:e.size])
	e.signature(cc.verifier[:], k.server[:e.size], bare, serverFirst, withoutProof)

	b.WriteString(",p=")
	b.Write(base64.StdEncoding.AppendEncode(encBuf[:0], proof[:e.size]))
	return b.String(), nil
}

func (cc *ClientConversation) verify(serverFinal string) error {
	var buf [128]byte
	verifier, name, f := parseServerFinal(serverFinal, buf[:0])
	if f != nil {
		return f
	}
	if name != "" {
		return ServerError(name)
	}
	if subtle.ConstantTimeCompare(verifier, cc.verifier[:cc.client.eng.size]) != 1 {
		return errWrongVerifier
	}
	cc.valid = true
	clear(cc.verifier[:])
	return nil
}

// Format prints the name of the type whatever the verb, so that nothing secret gets into a log.
func (*ClientConversation) Format(f fmt.State, _ rune) { io.WriteString(f, "scram.ClientConversation") }
