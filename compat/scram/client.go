package scram

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"sync"
)

const (
	// DefaultMinIterations is the least iteration count that a client accepts if
	// nothing else is said; RFC 7677 section 4 recommends it.
	DefaultMinIterations = 4096

	// DefaultMaxIterations is the greatest iteration count that a client accepts if
	// nothing else is said. The count comes from a server that has not proved
	// anything yet, and each iteration costs the client time.
	DefaultMaxIterations = 100_000
)

// NonceGeneratorFcn returns a string of unpredictable printable ASCII characters
// other than the comma and the space. The default is the base64 form of 24 bytes of
// [crypto/rand].
type NonceGeneratorFcn func() string

func defaultNonce() string {
	var raw [24]byte
	rand.Read(raw[:])
	return base64.StdEncoding.EncodeToString(raw[:])
}

// A Client makes conversations for one user. It is safe for concurrent use, and
// worth keeping: it remembers the keys that it derived (see [Cache]).
//
// The lock is part of the API that this package stands in for. Programs need not
// touch it.
type Client struct {
	sync.RWMutex
	eng         *engine
	username    string
	authzID     string
	password    []byte // prepared; nil without one
	hasPassword bool
	minIters    int // 0 is the default
	maxIters    int // 0 is the default
	nonceGen    NonceGeneratorFcn
	cache       *Cache // nil for none
	shared      bool   // whether cache is not this Client's own
	imported    *importedKeys
	wiped       bool
}

// importedKeys are keys that came from elsewhere, and what they are for.
type importedKeys struct {
	salt  []byte
	iters int
	keys  keys
}

var (
	errWiped      = errors.New("scram: the client was wiped")
	errNoPassword = errors.New("scram: the server's salt and iteration count are not those of the client's keys, and it has no password")
)

// NewClient returns a Client for a user, with the preparation [PrepareStrict]. The
// authorization identity is whom to act for; it is mostly empty, which means the
// user.
func (f HashGeneratorFcn) NewClient(username, password, authzID string) (*Client, error) {
	return f.newClient(PrepareStrict, username, password, authzID)
}

// NewClientUnprepped is NewClient with the preparation [PrepareNone].
func (f HashGeneratorFcn) NewClientUnprepped(username, password, authzID string) (*Client, error) {
	return f.newClient(PrepareNone, username, password, authzID)
}

func (f HashGeneratorFcn) newClient(p Preparation, username, password, authzID string) (*Client, error) {
	raw := []byte(password)
	defer clear(raw)
	return f.NewClientPrepared(p, username, raw, authzID)
}

// NewClientPrepared is NewClient with a preparation of choice, and for a password
// that the caller can wipe afterwards: it is copied.
func (f HashGeneratorFcn) NewClientPrepared(p Preparation, username string, password []byte, authzID string) (*Client, error) {
	c, err := f.newNamed(p, username, authzID)
	if err != nil {
		return nil, err
	}
	// No reallocation while it grows, which would leave a part behind.
	prepared, err := p.Password(make([]byte, 0, len(password)+utf8Growth), password)
	if err != nil {
		return nil, err
	}
	c.password, c.hasPassword = prepared, true
	return c, nil
}

// utf8Growth is some room for the few characters whose prepared form is longer.
const utf8Growth = 32

// NewClientFromKeys returns a Client that has keys instead of a password. It can
// log in as long as the server's salt and iteration count are those of the keys;
// anything else is an error. The names are taken as they are, the keys are copied.
func (f HashGeneratorFcn) NewClientFromKeys(username, authzID string, k DerivedKeys) (*Client, error) {
	c, err := f.newNamed(PrepareNone, username, authzID)
	if err != nil {
		return nil, err
	}
	if err := c.ImportKeys(k); err != nil {
		return nil, err
	}
	return c, nil
}

func (f HashGeneratorFcn) newNamed(p Preparation, username, authzID string) (*Client, error) {
	e, err := f.engine()
	if err != nil {
		return nil, err
	}
	c := &Client{eng: e, nonceGen: defaultNonce, cache: NewCache(0, 0)}
	if c.username, err = p.Name(username); err != nil {
		return nil, err
	}
	if c.authzID, err = p.Name(authzID); err != nil {
		return nil, err
	}
	return c, nil
}

// WithMinIterations sets the least iteration count that is accepted from a server.
// Some servers can be set to fewer than [DefaultMinIterations].
func (c *Client) WithMinIterations(n int) *Client {
	c.Lock()
	defer c.Unlock()
	c.minIters = max(n, 1)
	return c
}

// WithMaxIterations sets the greatest iteration count that is accepted from a
// server. If it was not set, it is [DefaultMaxIterations] or the least count,
// whichever is more.
func (c *Client) WithMaxIterations(n int) *Client {
	c.Lock()
	defer c.Unlock()
	c.maxIters = max(n, 1)
	return c
}

// WithNonceGenerator replaces the generator of nonces.
func (c *Client) WithNonceGenerator(ng NonceGeneratorFcn) *Client {
	c.Lock()
	defer c.Unlock()
	c.nonceGen = ng
	return c
}

// WithCache replaces the Client's own cache, which is wiped, by another, which may
// be shared. With nil, keys are derived for each login.
func (c *Client) WithCache(cache *Cache) *Client {
	c.Lock()
	defer c.Unlock()
	if c.cache != nil && !c.shared {
		c.cache.Wipe()
	}
	c.cache, c.shared = cache, true
	return c
}

// limits returns the least and the greatest acceptable iteration count.
func (c *Client) limits() (least, most int) {
	least = c.minIters
	if least == 0 {
		least = DefaultMinIterations
	}
	most = c.maxIters
	if most == 0 {
		most = max(least, DefaultMaxIterations)
	}
	return least, most
}

// ImportKeys gives the Client keys that it uses when the server's salt and iteration
// count are those of the keys, instead of deriving them. It replaces such keys of
// an earlier call. The keys are copied.
func (c *Client) ImportKeys(k DerivedKeys) error {
	e := c.eng
	switch {
	case len(k.ClientKey) != e.size || len(k.ServerKey) != e.size:
		return errKeySize
	case k.Salt == "":
		return errNoSalt
	case k.Iters < 1:
		return errIterations
	}
	in := &importedKeys{salt: []byte(k.Salt), iters: k.Iters}
	copy(in.keys.client[:], k.ClientKey)
	copy(in.keys.server[:], k.ServerKey)
	e.hash(in.keys.stored[:], k.ClientKey)
	c.Lock()
	defer c.Unlock()
	if c.imported != nil {
		c.imported.keys.wipe()
	}
	c.imported, c.wiped = in, false
	return nil
}

// DerivedKeys returns the keys for a salt and an iteration count, from the cache if
// they are there. The limits on iteration counts, which are there because of
// servers, do not apply.
func (c *Client) DerivedKeys(kf KeyFactors) (DerivedKeys, error) {
	var k keys
	defer k.wipe()
	if err := c.keys(&k, []byte(kf.Salt), kf.Iters); err != nil {
		return DerivedKeys{KeyFactors: kf}, err
	}
	n := c.eng.size
	return DerivedKeys{kf, append([]byte(nil), k.client[:n]...), append([]byte(nil), k.server[:n]...)}, nil
}

// GetStoredCredentials is GetStoredCredentialsWithError, and panics instead of
// returning an error.
//
// Deprecated: use [Client.GetStoredCredentialsWithError].
func (c *Client) GetStoredCredentials(kf KeyFactors) StoredCredentials {
	s, err := c.GetStoredCredentialsWithError(kf)
	if err != nil {
		panic("scram: GetStoredCredentials: " + err.Error())
	}
	return s
}

// GetStoredCredentialsWithError returns what a server has to keep of the user's
// password. The salt should be 16 random bytes or more. As in
// [Client.DerivedKeys], the limits on iteration counts do not apply.
func (c *Client) GetStoredCredentialsWithError(kf KeyFactors) (StoredCredentials, error) {
	var k keys
	defer k.wipe()
	if err := c.keys(&k, []byte(kf.Salt), kf.Iters); err != nil {
		return StoredCredentials{KeyFactors: kf}, err
	}
	n := c.eng.size
	return StoredCredentials{kf, append([]byte(nil), k.stored[:n]...), append([]byte(nil), k.server[:n]...)}, nil
}

// keys sets k to the keys for salt and iter.
func (c *Client) keys(k *keys, salt []byte, iter int) error {
	if iter < 1 {
		return errIterations
	}
	c.RLock()
	if c.wiped {
		c.RUnlock()
		return errWiped
	}
	if in := c.imported; in != nil && in.iters == iter && subtle.ConstantTimeCompare(in.salt, salt) == 1 {
		*k = in.keys
		c.RUnlock()
		return nil
	}
	if !c.hasPassword {
		c.RUnlock()
		return errNoPassword
	}
	var id digest
	var epoch uint64
	cache := c.cache
	if cache != nil {
		id = cache.digest(c.eng, c.password, salt, iter)
		var found bool
		if epoch, found = cache.get(k, id); found {
			c.RUnlock()
			return nil
		}
	}
	// A copy, so that neither the settings nor Wipe have to wait for the KDF.
	password := append(make([]byte, 0, len(c.password)), c.password...)
	c.RUnlock()
	defer clear(password)
	if cache == nil {
		return k.derive(c.eng, password, salt, iter)
	}
	return cache.derive(k, id, epoch, c.eng, password, salt, iter)
}

// Wipe overwrites the password, the imported keys and, unless it is shared, the
// cache. Conversations that need keys afterwards end with an error. The string
// given to [HashGeneratorFcn.NewClient] is out of its reach, see
// [HashGeneratorFcn.NewClientPrepared].
func (c *Client) Wipe() {
	c.Lock()
	defer c.Unlock()
	clear(c.password)
	c.password, c.hasPassword, c.wiped = nil, false, true
	if c.imported != nil {
		c.imported.keys.wipe()
		c.imported = nil
	}
	if c.cache != nil && !c.shared {
		c.cache.Wipe()
	}
}

// NewConversation returns a conversation without channel binding.
func (c *Client) NewConversation() *ClientConversation {
	return c.newConversation(ChannelBinding{}, 'n')
}

// NewConversationAdvertisingChannelBinding returns a conversation without channel
// binding which tells the server that the client would have had it, had the server
// offered it. A server that did offer it then knows that somebody removed the offer,
// and refuses.
func (c *Client) NewConversationAdvertisingChannelBinding() *ClientConversation {
	return c.newConversation(ChannelBinding{}, 'y')
}

// NewConversationWithChannelBinding returns a conversation with channel binding, or
// one without if cb is the zero value. A cb with only one of type and data makes the
// first step fail: falling back to none would be a downgrade.
func (c *Client) NewConversationWithChannelBinding(cb ChannelBinding) *ClientConversation {
	flag := byte('n')
	if cb.Type != ChannelBindingNone || len(cb.Data) != 0 {
		flag = 'p'
	}
	return c.newConversation(cb, flag)
}

func (c *Client) newConversation(cb ChannelBinding, flag byte) *ClientConversation {
	c.RLock()
	defer c.RUnlock()
	cc := &ClientConversation{client: c, nonceGen: c.nonceGen, binding: cb, flag: flag}
	cc.minIters, cc.maxIters = c.limits()
	return cc
}

// An IterationError says that a server asked for an iteration count outside the
// limits. Nothing was computed.
type IterationError struct {
	Iterations uint64 // what the server asked for; more than fits is the greatest uint64
	Min, Max   int
}

func (e *IterationError) Error() string {
	if e.Iterations > uint64(e.Max) {
		return fmt.Sprintf("scram: server asks for %d iterations, more than the maximum of %d", e.Iterations, e.Max)
	}
	return fmt.Sprintf("scram: server asks for %d iterations, fewer than the minimum of %d", e.Iterations, e.Min)
}

// A ServerError is the name of the error with which a server refuses a login, such
// as "invalid-proof".
type ServerError string

func (e ServerError) Error() string {
	const most = 100
	if len(e) > most {
		return fmt.Sprintf("scram: server error: %.100q…", string(e[:most]))
	}
	if printableASCII(string(e)) {
		return "scram: server error: " + string(e)
	}
	return fmt.Sprintf("scram: server error: %+q", string(e))
}

// Format prints the name of the type whatever the verb, so that nothing secret gets into a log.
func (*Client) Format(f fmt.State, _ rune) { io.WriteString(f, "scram.Client") }
