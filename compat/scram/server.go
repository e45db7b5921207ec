package scram

import (
	"crypto"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"
	"sync"
)

// A Server makes conversations with clients. It is safe for concurrent use, and
// normally one is made for a program's life.
//
// The lock is part of the API that this package stands in for. Programs need not
// touch it.
type Server struct {
	sync.RWMutex
	eng         *engine
	lookup      CredentialLookup
	nonceGen    NonceGeneratorFcn
	mock        mockChallenge
	unknownUser bool // say so
}

// A mockChallenge is what users who do not exist are asked.
type mockChallenge struct {
	key     []byte
	iters   int
	saltLen int
}

// NewServer returns a Server that looks credentials up by cl. A user for whom cl
// returns an error is treated like one with another password, up to the last
// message (RFC 5802 section 9 warns of telling who exists); see
// [Server.WithMockChallenge] for what makes that work, [Server.WithUnknownUserError]
// for the opposite, and [ServerConversation.LookupError] for finding out.
func (f HashGeneratorFcn) NewServer(cl CredentialLookup) (*Server, error) {
	e, err := f.engine()
	if err != nil {
		return nil, err
	}
	if cl == nil {
		return nil, errNoLookup
	}
	s := &Server{eng: e, lookup: cl, nonceGen: defaultNonce}
	s.mock = mockChallenge{make([]byte, 32), DefaultMinIterations, 16}
	rand.Read(s.mock.key)
	return s, nil
}

// WithNonceGenerator replaces the generator of nonces.
func (s *Server) WithNonceGenerator(ng NonceGeneratorFcn) *Server {
	s.Lock()
	defer s.Unlock()
	s.nonceGen = ng
	return s
}

// WithMockChallenge sets what a client is told about a user who does not exist: the
// iteration count, and a salt of saltLen bytes, 1 to 64, that is derived from the
// user name and secret, so that it is the same at each try. For the answer to tell
// nothing, iterations and saltLen have to be those of the real users (the defaults
// are 4096 and 16), and the secret has to be the same at all servers and after a
// restart (the default is random). It should be 32 random bytes.
// Numbers out of range are replaced by the nearest one in it.
//
// What remains is the time that the [CredentialLookup] takes.
func (s *Server) WithMockChallenge(secret []byte, iterations, saltLen int) *Server {
	s.Lock()
	defer s.Unlock()
	key := sha256.Sum256(secret)
	s.mock = mockChallenge{key[:], max(iterations, 1), min(max(saltLen, 1), maxSize)}
	return s
}

// WithUnknownUserError makes the server answer e=unknown-user when the
// [CredentialLookup] returns an error. Anybody can then find out which users exist.
func (s *Server) WithUnknownUserError() *Server {
	s.Lock()
	defer s.Unlock()
	s.unknownUser = true
	return s
}

// salt writes the salt for a user who does not exist to buf, and returns it. Block
// i of it is HMAC-SHA-256(key, i ‖ user).
func (m *mockChallenge) salt(buf *[maxSize]byte, user string) []byte {
	e := known[crypto.SHA256]
	s := e.get()
	for i := 0; i*e.size < m.saltLen; i++ {
		s.startHMAC(e, m.key)
		write(s, "01"[i:i+1])
		write(s, user)
		s.finishHMAC(e, buf[i*e.size:])
	}
	e.put(s)
	return buf[:m.saltLen]
}

// NewConversation returns a conversation for a connection on which no channel
// binding was offered.
func (s *Server) NewConversation() *ServerConversation {
	return s.newConversation(ChannelBinding{}, false)
}

// NewConversationWithChannelBinding returns a conversation for a connection on which
// the -PLUS mechanism was offered beside the plain one. It accepts clients that have
// no channel binding and those with the same binding. It refuses those that say they
// have it and did not see the offer.
func (s *Server) NewConversationWithChannelBinding(cb ChannelBinding) *ServerConversation {
	return s.newConversation(cb, false)
}

// NewConversationWithChannelBindingRequired returns a conversation for a connection
// on which only the -PLUS mechanism was offered. It accepts clients with the same
// binding, no others.
func (s *Server) NewConversationWithChannelBindingRequired(cb ChannelBinding) *ServerConversation {
	return s.newConversation(cb, true)
}

func (s *Server) newConversation(cb ChannelBinding, required bool) *ServerConversation {
	s.RLock()
	defer s.RUnlock()
	return &ServerConversation{
		eng:         s.eng,
		lookup:      s.lookup,
		nonceGen:    s.nonceGen,
		mock:        s.mock,
		unknownUser: s.unknownUser,
		binding:     cb,
		required:    required,
	}
}

// Format prints the name of the type whatever the verb, so that nothing secret gets into a log.
func (*Server) Format(f fmt.State, _ rune) { io.WriteString(f, "scram.Server") }
