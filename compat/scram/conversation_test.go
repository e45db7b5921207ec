package scram_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"os"
	"strings"
	"sync"
	"testing"

	xdg "github.com/xdg-go/scram"

	"github.com/fastrsa/fastrsa/compat/scram"
)

// A record is one conversation of testdata/conversations.jsonl.
type record struct {
	File         string
	Digest       string
	User         string
	Pass         string
	AuthID       string
	SkipSASLprep bool
	Salt64       string
	Iters        int
	ClientNonce  string
	ServerNonce  string
	Valid        bool
	Steps        []string
}

func records(t testing.TB) []record {
	data, err := os.ReadFile("testdata/conversations.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []record
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	if len(all) != 20 {
		t.Fatalf("%d conversations, want 20", len(all))
	}
	return all
}

// rfc7677 returns the example of RFC 7677.
func rfc7677(t testing.TB) record {
	for _, r := range records(t) {
		if r.File == "good/rfc7677.json" {
			return r
		}
	}
	t.Fatal("no record of RFC 7677")
	panic("unreachable")
}

func (r *record) salt(t testing.TB) string {
	salt, err := base64.StdEncoding.DecodeString(r.Salt64)
	if err != nil {
		t.Fatal(err)
	}
	return string(salt)
}

// conversation is what all four conversation types have in common.
type conversation interface {
	Step(string) (string, error)
	Done() bool
	Valid() bool
}

var (
	ours = map[string]scram.HashGeneratorFcn{"SHA-1": scram.SHA1, "SHA-256": scram.SHA256, "SHA-512": scram.SHA512}
	peer = map[string]xdg.HashGeneratorFcn{"SHA-1": xdg.SHA1, "SHA-256": xdg.SHA256, "SHA-512": xdg.SHA512}
)

// ourClient and peerClient return the client of a record; the two must do the same.
func ourClient(t testing.TB, r record) conversation {
	f := ours[r.Digest]
	make := f.NewClient
	if r.SkipSASLprep {
		make = f.NewClientUnprepped
	}
	c, err := make(r.User, r.Pass, r.AuthID)
	if err != nil {
		t.Fatal(err)
	}
	return c.WithNonceGenerator(func() string { return r.ClientNonce }).NewConversation()
}

func peerClient(t testing.TB, r record) conversation {
	f := peer[r.Digest]
	make := f.NewClient
	if r.SkipSASLprep {
		make = f.NewClientUnprepped
	}
	c, err := make(r.User, r.Pass, r.AuthID)
	if err != nil {
		t.Fatal(err)
	}
	return c.WithNonceGenerator(func() string { return r.ClientNonce }).NewConversation()
}

func preparedUser(t testing.TB, r record) string {
	p := scram.PrepareStrict
	if r.SkipSASLprep {
		p = scram.PrepareNone
	}
	user, err := p.Name(r.User)
	if err != nil {
		t.Fatal(err)
	}
	return user
}

func ourServer(t testing.TB, r record) conversation {
	f := ours[r.Digest]
	p := scram.PrepareStrict
	if r.SkipSASLprep {
		p = scram.PrepareNone
	}
	c, err := f.NewClientPrepared(p, r.User, []byte(r.Pass), r.AuthID)
	if err != nil {
		t.Fatal(err)
	}
	cred, err := c.GetStoredCredentialsWithError(scram.KeyFactors{Salt: r.salt(t), Iters: r.Iters})
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.NewServer(func(user string) (scram.StoredCredentials, error) {
		if user != preparedUser(t, r) {
			return scram.StoredCredentials{}, errors.New("no such user")
		}
		return cred, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s.WithNonceGenerator(func() string { return r.ServerNonce }).WithUnknownUserError().NewConversation()
}

func peerServer(t testing.TB, r record) conversation {
	f := peer[r.Digest]
	make := f.NewClient
	if r.SkipSASLprep {
		make = f.NewClientUnprepped
	}
	c, err := make(r.User, r.Pass, r.AuthID)
	if err != nil {
		t.Fatal(err)
	}
	cred, err := c.GetStoredCredentialsWithError(xdg.KeyFactors{Salt: r.salt(t), Iters: r.Iters})
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.NewServer(func(user string) (xdg.StoredCredentials, error) {
		if user != preparedUser(t, r) {
			return xdg.StoredCredentials{}, errors.New("no such user")
		}
		return cred, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s.WithNonceGenerator(func() string { return r.ServerNonce }).NewConversation()
}

// replay gives a conversation the odd messages of a record and wants the even ones,
// or an error where the record has one or ends.
func replay(t *testing.T, c conversation, r record, in []string, want []string) {
	for i, msg := range in {
		if c.Done() {
			t.Fatalf("over before step %d", i+1)
		}
		got, err := c.Step(msg)
		if i >= len(want) {
			if err == nil {
				t.Fatalf("step %d: no error", i+1)
			}
			break
		}
		if wantErr := strings.HasPrefix(want[i], "e="); wantErr != (err != nil) {
			t.Fatalf("step %d: error %v", i+1, err)
		}
		if got != want[i] {
			t.Fatalf("step %d: %q, want %q", i+1, got, want[i])
		}
	}
	if !c.Done() || c.Valid() != r.Valid {
		t.Errorf("done: %v, valid: %v, want true, %v", c.Done(), c.Valid(), r.Valid)
	}
}

// TestPeerConversations plays the published conversations, by both packages.
func TestPeerConversations(t *testing.T) {
	for _, r := range records(t) {
		t.Run(r.File, func(t *testing.T) {
			t.Parallel()
			if !strings.HasPrefix(r.File, "bad-client/") {
				in, want := []string{""}, []string{}
				for i, s := range r.Steps {
					if i%2 == 0 {
						want = append(want, s)
					} else {
						in = append(in, s)
					}
				}
				t.Run("client", func(t *testing.T) { replay(t, ourClient(t, r), r, in, want) })
				t.Run("client of xdg-go", func(t *testing.T) { replay(t, peerClient(t, r), r, in, want) })
			}
			if !strings.HasPrefix(r.File, "bad-server/") {
				var in, want []string
				for i, s := range r.Steps[:len(r.Steps)&^1] {
					if i%2 == 0 {
						in = append(in, s)
					} else {
						want = append(want, s)
					}
				}
				t.Run("server", func(t *testing.T) {
					c := ourServer(t, r).(*scram.ServerConversation)
					replay(t, c, r, in, want)
					if r.Valid && c.Username() != preparedUser(t, r) {
						t.Errorf("user %q", c.Username())
					}
				})
				t.Run("server of xdg-go", func(t *testing.T) { replay(t, peerServer(t, r), r, in, want) })
			}
		})
	}
}

// talk runs a conversation to its end, and returns the errors of both sides. The
// client sees what the server sends with its error.
func talk(client, server conversation) (clientErr, serverErr error) {
	msg := ""
	for range 10 {
		if msg, clientErr = client.Step(msg); clientErr != nil || client.Done() {
			return clientErr, serverErr
		}
		if msg, serverErr = server.Step(msg); serverErr != nil {
			_, clientErr = client.Step(msg)
			return clientErr, serverErr
		}
	}
	return errors.New("no end"), nil
}

// mustTalk is talk for conversations that must be good.
func mustTalk(t testing.TB, client, server conversation) {
	t.Helper()
	clientErr, serverErr := talk(client, server)
	if clientErr != nil || serverErr != nil || !client.Valid() || !server.Valid() || !client.Done() || !server.Done() {
		t.Fatalf("client: %v, valid: %v; server: %v, valid: %v", clientErr, client.Valid(), serverErr, server.Valid())
	}
}

// lookupOf returns a CredentialLookup that knows one user.
func lookupOf(user string, cred scram.StoredCredentials) scram.CredentialLookup {
	return func(name string) (scram.StoredCredentials, error) {
		if name != user {
			return scram.StoredCredentials{}, errors.New("no such user")
		}
		return cred, nil
	}
}

// pair returns a client and a server that knows the client's user, with a few
// iterations.
func pair(t testing.TB, f scram.HashGeneratorFcn, user, pass, authz string) (*scram.Client, *scram.Server) {
	t.Helper()
	c, err := f.NewClient(user, pass, authz)
	if err != nil {
		t.Fatal(err)
	}
	cred, err := c.GetStoredCredentialsWithError(scram.KeyFactors{Salt: "0123456789abcdef", Iters: 8})
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := scram.PrepareStrict.Name(user)
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.NewServer(lookupOf(prepared, cred))
	if err != nil {
		t.Fatal(err)
	}
	return c.WithMinIterations(1), s
}

var allHashes = []struct {
	name string
	f    scram.HashGeneratorFcn
}{
	{"SCRAM-SHA-1", scram.SHA1}, {"SCRAM-SHA-224", scram.SHA224}, {"SCRAM-SHA-256", scram.SHA256},
	{"SCRAM-SHA-384", scram.SHA384}, {"SCRAM-SHA-512", scram.SHA512}, {"SCRAM-SHA3-224", scram.SHA3_224},
	{"SCRAM-SHA3-256", scram.SHA3_256}, {"SCRAM-SHA3-384", scram.SHA3_384}, {"SCRAM-SHA3-512", scram.SHA3_512},
}

// TestEveryHash talks with each hash, between all pairs of this package and xdg-go.
func TestEveryHash(t *testing.T) {
	for _, h := range allHashes {
		t.Run(h.name, func(t *testing.T) {
			if got := h.f.Mechanism(); got != h.name {
				t.Errorf("Mechanism: %q", got)
			}
			c, s := pair(t, h.f, "user", "pencil", "")
			xc, err := xdg.HashGeneratorFcn(h.f).NewClient("user", "pencil", "")
			if err != nil {
				t.Fatal(err)
			}
			xc.WithMinIterations(1)
			xcred, err := xc.GetStoredCredentialsWithError(xdg.KeyFactors{Salt: "0123456789abcdef", Iters: 8})
			if err != nil {
				t.Fatal(err)
			}
			xs, err := xdg.HashGeneratorFcn(h.f).NewServer(func(string) (xdg.StoredCredentials, error) { return xcred, nil })
			if err != nil {
				t.Fatal(err)
			}
			mustTalk(t, c.NewConversation(), s.NewConversation())
			mustTalk(t, c.NewConversation(), xs.NewConversation())
			mustTalk(t, xc.NewConversation(), s.NewConversation())

			cred, err := c.GetStoredCredentialsWithError(scram.KeyFactors{Salt: "0123456789abcdef", Iters: 8})
			if err != nil || !bytes.Equal(cred.StoredKey, xcred.StoredKey) || !bytes.Equal(cred.ServerKey, xcred.ServerKey) {
				t.Errorf("stored credentials: %x, %x, %v; xdg-go has %x, %x", cred.StoredKey, cred.ServerKey, err, xcred.StoredKey, xcred.ServerKey)
			}
		})
	}
}

// oddHash is a hash that the package does not know, with an output that is longer
// than its block.
type oddHash struct{ hash.Hash }

func (oddHash) BlockSize() int { return 24 }

// TestForeignHash talks with hashes that have no name here.
func TestForeignHash(t *testing.T) {
	for _, f := range []func() hash.Hash{
		func() hash.Hash { return &struct{ hash.Hash }{sha256.New()} },
		func() hash.Hash { return oddHash{sha256.New()} },
	} {
		c, s := pair(t, f, "user", "pencil", "")
		mustTalk(t, c.NewConversation(), s.NewConversation())
		if got := scram.HashGeneratorFcn(f).Mechanism(); got != "" {
			t.Errorf("Mechanism: %q", got)
		}
		want, err := xdg.HashGeneratorFcn(f).NewClient("user", "pencil", "")
		if err != nil {
			t.Fatal(err)
		}
		wantCred, err := want.GetStoredCredentialsWithError(xdg.KeyFactors{Salt: "salt", Iters: 3})
		if err != nil {
			t.Fatal(err)
		}
		cred, err := c.GetStoredCredentialsWithError(scram.KeyFactors{Salt: "salt", Iters: 3})
		if err != nil || !bytes.Equal(cred.StoredKey, wantCred.StoredKey) || !bytes.Equal(cred.ServerKey, wantCred.ServerKey) {
			t.Errorf("stored credentials: %x, %v, xdg-go has %x", cred.StoredKey, err, wantCred.StoredKey)
		}
	}
}

type size int

func (size) Write(p []byte) (int, error) { return len(p), nil }
func (n size) Sum(b []byte) []byte       { return append(b, make([]byte, n)...) }
func (size) Reset()                      {}
func (n size) Size() int                 { return int(n) }
func (size) BlockSize() int              { return 64 }

// TestUnusableHash asks for an error, from the constructors, for hashes that cannot
// work.
func TestUnusableHash(t *testing.T) {
	one := sha256.New()
	wrapped := &struct{ hash.Hash }{one}
	for name, f := range map[string]scram.HashGeneratorFcn{
		"no function":             nil,
		"no hash":                 func() hash.Hash { return nil },
		"65 bytes":                func() hash.Hash { return size(65) },
		"0 bytes":                 func() hash.Hash { return size(0) },
		"the same object (other)": func() hash.Hash { return wrapped },
	} {
		if _, err := f.NewClient("user", "pencil", ""); err == nil {
			t.Errorf("NewClient, %s: no error", name)
		}
		if _, err := f.NewServer(lookupOf("user", scram.StoredCredentials{})); err == nil {
			t.Errorf("NewServer, %s: no error", name)
		}
		if f.Mechanism() != "" {
			t.Errorf("Mechanism, %s: %q", name, f.Mechanism())
		}
	}
	// For a hash that is known by its type, the function is not used again.
	c, s := pair(t, func() hash.Hash { return one }, "user", "pencil", "")
	mustTalk(t, c.NewConversation(), s.NewConversation())

	if _, err := scram.SHA256.NewServer(nil); err == nil {
		t.Error("NewServer without a lookup: no error")
	}
}

// TestZeroConversations asks for errors from conversations that nobody made.
func TestZeroConversations(t *testing.T) {
	for _, c := range []conversation{new(scram.ClientConversation), new(scram.ServerConversation)} {
		if _, err := c.Step(""); err == nil || c.Valid() {
			t.Errorf("%T: no error", c)
		}
	}
}

// TestStepAfterEnd asks for an error, and no change, from a step too many.
func TestStepAfterEnd(t *testing.T) {
	c, s := pair(t, scram.SHA256, "user", "pencil", "")
	cc, sc := c.NewConversation(), s.NewConversation()
	mustTalk(t, cc, sc)
	for _, c := range []conversation{cc, sc} {
		if msg, err := c.Step("v="); err == nil || msg != "" || !c.Valid() || !c.Done() {
			t.Errorf("%T: %q, %v", c, msg, err)
		}
	}
	if sc.Username() != "user" || sc.AuthzID() != "" {
		t.Errorf("%q, %q", sc.Username(), sc.AuthzID())
	}
}

// TestFailedStepEnds asks for the end of the conversation after any error. A client
// that goes on must not take an empty verifier for the one it did not compute.
func TestFailedStepEnds(t *testing.T) {
	c, s := pair(t, scram.SHA256, "user", "pencil", "")
	for _, first := range []string{"", "r=", "junk", "r=x,s=eHg=,i=8"} {
		cc := c.NewConversation()
		if _, err := cc.Step(""); err != nil {
			t.Fatal(err)
		}
		if _, err := cc.Step(first); err == nil || !cc.Done() {
			t.Errorf("%q: %v, done: %v", first, err, cc.Done())
		}
		for _, final := range []string{"v=", "v=" + base64.StdEncoding.EncodeToString(make([]byte, 32))} {
			if _, err := cc.Step(final); err == nil || cc.Valid() {
				t.Errorf("%q after %q: %v, valid: %v", final, first, err, cc.Valid())
			}
		}
	}
	sc := s.NewConversation()
	if _, err := sc.Step("junk"); err == nil || !sc.Done() {
		t.Errorf("server: %v, done: %v", err, sc.Done())
	}
}

// TestWrongPassword asks for refusals on both sides.
func TestWrongPassword(t *testing.T) {
	_, s := pair(t, scram.SHA256, "user", "pencil", "")
	for _, pass := range []string{"Pencil", "", "pencil ", "pencilpencil"} {
		c, _ := pair(t, scram.SHA256, "user", pass, "")
		cc, sc := c.NewConversation(), s.NewConversation()
		clientErr, serverErr := talk(cc, sc)
		if clientErr != scram.ServerError("invalid-proof") || serverErr == nil || cc.Valid() || sc.Valid() {
			t.Errorf("%q: %v, %v", pass, clientErr, serverErr)
		}
	}
}

// TestUnknownUser compares a user who does not exist with a wrong password: the
// same form of challenge, the same answer, the same error.
func TestUnknownUser(t *testing.T) {
	known, s := pair(t, scram.SHA256, "user", "pencil", "")
	wrong, _ := pair(t, scram.SHA256, "user", "pen", "")
	unknown, _ := pair(t, scram.SHA256, "nobody", "pencil", "")
	s.WithMockChallenge([]byte("secret"), 8, 16)

	type outcome struct {
		challenge string
		reply     string
		err       error
	}
	run := func(c *scram.Client, s *scram.Server) (o outcome, sc *scram.ServerConversation) {
		cc := c.WithNonceGenerator(func() string { return "abc" }).NewConversation()
		sc = s.WithNonceGenerator(func() string { return "def" }).NewConversation()
		first, err := cc.Step("")
		if err != nil {
			t.Fatal(err)
		}
		if o.challenge, err = sc.Step(first); err != nil {
			t.Fatal(err)
		}
		final, err := cc.Step(o.challenge)
		if err != nil {
			t.Fatal(err)
		}
		o.reply, o.err = sc.Step(final)
		if sc.Valid() || !sc.Done() {
			t.Errorf("valid: %v, done: %v", sc.Valid(), sc.Done())
		}
		return o, sc
	}
	a, sc := run(wrong, s)
	if a.reply != scram.ErrInvalidProof || a.err == nil || sc.LookupError() != nil {
		t.Fatalf("wrong password: %+v, %v", a, sc.LookupError())
	}
	b, sc := run(unknown, s)
	if b.reply != a.reply || b.err != a.err || len(b.challenge) != len(a.challenge) || b.challenge == a.challenge {
		t.Errorf("unknown user: %+v, wrong password: %+v", b, a)
	}
	if sc.LookupError() == nil || sc.Username() != "nobody" {
		t.Errorf("LookupError: %v, Username: %q", sc.LookupError(), sc.Username())
	}
	if again, _ := run(unknown, s); again.challenge != b.challenge {
		t.Errorf("the challenge changed from %q to %q", b.challenge, again.challenge)
	}
	// Another server with the same secret asks the same, one with another does not,
	// and another user is asked something else.
	_, s2 := pair(t, scram.SHA256, "user", "pencil", "")
	if same, _ := run(unknown, s2.WithMockChallenge([]byte("secret"), 8, 16)); same.challenge != b.challenge {
		t.Errorf("another server's challenge: %q, want %q", same.challenge, b.challenge)
	}
	if other, _ := run(unknown, s2.WithMockChallenge([]byte("Secret"), 8, 16)); other.challenge == b.challenge {
		t.Error("the challenge does not depend on the secret")
	}
	somebody, _ := pair(t, scram.SHA256, "nobodx", "pencil", "")
	if other, _ := run(somebody, s); other.challenge == b.challenge {
		t.Error("the challenge does not depend on the name")
	}
	for _, n := range []int{-1, 1, 20, 64, 65} {
		o, _ := run(unknown, s.WithMockChallenge(nil, 3-n, n))
		_, rest, _ := strings.Cut(o.challenge, ",s=")
		enc, iters, _ := strings.Cut(rest, ",i=")
		salt, err := base64.StdEncoding.DecodeString(enc)
		if len(salt) == 64 && bytes.Equal(salt[:32], salt[32:]) {
			t.Error("the halves of the salt are the same")
		}
		if err != nil || len(salt) != min(max(n, 1), 64) || iters != fmt.Sprint(max(3-n, 1)) {
			t.Errorf("salt of %d bytes, %d iterations: %q", n, 3-n, o.challenge)
		}
	}
	mustTalk(t, known.NewConversation(), s.NewConversation())
}

// TestUnusableCredentials asks for the mock challenge, too, when what is stored
// cannot be used: nobody may log in by it, least of all with keys of no bytes.
func TestUnusableCredentials(t *testing.T) {
	c, _ := pair(t, scram.SHA256, "user", "pencil", "")
	good, err := c.GetStoredCredentialsWithError(scram.KeyFactors{Salt: "salt", Iters: 8})
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*scram.StoredCredentials){
		"nothing":         func(c *scram.StoredCredentials) { *c = scram.StoredCredentials{} },
		"no salt":         func(c *scram.StoredCredentials) { c.Salt = "" },
		"no iterations":   func(c *scram.StoredCredentials) { c.Iters = 0 },
		"no stored key":   func(c *scram.StoredCredentials) { c.StoredKey = nil },
		"short key":       func(c *scram.StoredCredentials) { c.StoredKey = c.StoredKey[:31] },
		"long server key": func(c *scram.StoredCredentials) { c.ServerKey = append(c.ServerKey[:32:32], 0) },
	} {
		bad := good
		change(&bad)
		s, err := scram.SHA256.NewServer(lookupOf("user", bad))
		if err != nil {
			t.Fatal(err)
		}
		sc := s.WithMockChallenge(nil, 8, 16).NewConversation()
		_, err = talk(c.NewConversation(), sc)
		if err == nil || sc.Valid() || sc.LookupError() == nil {
			t.Errorf("%s: %v, valid: %v, LookupError: %v", name, err, sc.Valid(), sc.LookupError())
		}
	}
}

// TestLookupFailed asks for an end at once, without a challenge, when the store is
// out of order.
func TestLookupFailed(t *testing.T) {
	cause := fmt.Errorf("database is down: %w", scram.ErrLookupFailed)
	s, err := scram.SHA256.NewServer(func(string) (scram.StoredCredentials, error) { return scram.StoredCredentials{}, cause })
	if err != nil {
		t.Fatal(err)
	}
	sc := s.NewConversation()
	reply, err := sc.Step("n,,n=user,r=abc")
	if reply != scram.ErrOtherError || err == nil || !sc.Done() || sc.LookupError() != cause {
		t.Errorf("%q, %v, LookupError: %v", reply, err, sc.LookupError())
	}
}

// TestNames sends names that need escapes through both packages.
func TestNames(t *testing.T) {
	for _, c := range []struct{ user, authz, wire string }{
		{"user", "", "n,,n=user,"},
		{"a,b=c", "", "n,,n=a=2Cb=3Dc,"},
		{"x=3D2C", "", "n,,n=x=3D3D2C,"},
		{"=", ",", "n,a==2C,n==3D,"},
		{"a＝b，c", "d，e", "n,a=d=2Ce,n=a=3Db=2Cc,"},
		{"日本", "語", "n,a=語,n=日本,"},
	} {
		client, server := pair(t, scram.SHA256, c.user, "pencil", c.authz)
		first, err := client.NewConversation().Step("")
		if err != nil || !strings.HasPrefix(first, c.wire+"r=") {
			t.Errorf("%q: %q, %v, want %q", c.user, first, err, c.wire)
		}
		sc := server.NewConversation()
		mustTalk(t, client.NewConversation(), sc)
		user, _ := scram.PrepareStrict.Name(c.user)
		authz, _ := scram.PrepareStrict.Name(c.authz)
		if sc.Username() != user || sc.AuthzID() != authz {
			t.Errorf("%q, %q: server has %q, %q", c.user, c.authz, sc.Username(), sc.AuthzID())
		}
		xc, err := xdg.SHA256.NewClient(c.user, "pencil", c.authz)
		if err != nil {
			t.Fatal(err)
		}
		mustTalk(t, xc.WithMinIterations(1).NewConversation(), server.NewConversation())
	}
}

// TestEmptyUsername wants the form that libpq sends to be accepted.
func TestEmptyUsername(t *testing.T) {
	c, s := pair(t, scram.SHA256, "", "pencil", "")
	mustTalk(t, c.NewConversation(), s.NewConversation())
}

// TestConcurrentConversations shares one client and one server, while their settings
// change. It is of use with the race detector.
func TestConcurrentConversations(t *testing.T) {
	c, s := pair(t, scram.SHA256, "user", "pencil", "")
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 8 {
				clientErr, serverErr := talk(c.NewConversation(), s.NewConversation())
				if clientErr != nil || serverErr != nil {
					t.Error(clientErr, serverErr)
				}
				c.WithMinIterations(2).WithMaxIterations(9).WithCache(scram.NewCache(2, 0))
				s.WithMockChallenge(nil, 8, 16)
			}
		})
	}
	wg.Wait()
}

// TestWipe wants a wiped client to refuse, and everything else that can be wiped to
// be empty.
func TestWipe(t *testing.T) {
	c, s := pair(t, scram.SHA256, "user", "pencil", "")
	kf := scram.KeyFactors{Salt: "0123456789abcdef", Iters: 8}
	derived, err := c.DerivedKeys(kf)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := c.GetStoredCredentialsWithError(kf)
	if err != nil {
		t.Fatal(err)
	}
	cc, sc := c.NewConversation(), s.NewConversation()
	c.Wipe()
	clientErr, _ := talk(cc, sc)
	if clientErr == nil || cc.Valid() || sc.Valid() {
		t.Errorf("wiped client: %v", clientErr)
	}
	if _, err := c.DerivedKeys(kf); err == nil {
		t.Error("wiped client has keys")
	}

	zero := make([]byte, 32)
	client, server, storedKey, serverKey := derived.ClientKey, derived.ServerKey, stored.StoredKey, stored.ServerKey
	if bytes.Equal(client, zero) || bytes.Equal(storedKey, zero) {
		t.Fatal("keys are zero before Wipe")
	}
	derived.Wipe()
	stored.Wipe()
	for _, k := range [][]byte{client, server, storedKey, serverKey} {
		if !bytes.Equal(k, zero) {
			t.Errorf("%x after Wipe", k)
		}
	}
	if derived.ClientKey != nil || stored.StoredKey != nil || stored.Salt != "" {
		t.Error("not empty after Wipe")
	}

	// A conversation that is wiped half-way is over.
	c, s = pair(t, scram.SHA256, "user", "pencil", "")
	cc, sc = c.NewConversation(), s.NewConversation()
	first, _ := cc.Step("")
	challenge, err := sc.Step(first)
	if err != nil {
		t.Fatal(err)
	}
	final, err := cc.Step(challenge)
	if err != nil {
		t.Fatal(err)
	}
	sc.Wipe()
	if _, err := sc.Step(final); err == nil || sc.Valid() || !sc.Done() {
		t.Errorf("wiped server conversation: %v", err)
	}
	cc.Wipe()
	if _, err := cc.Step("v=" + base64.StdEncoding.EncodeToString(zero)); err == nil || cc.Valid() || !cc.Done() {
		t.Errorf("wiped client conversation: %v", err)
	}
}

// TestNonceGenerators refuses what a generator may not return.
func TestNonceGenerators(t *testing.T) {
	for _, nonce := range []string{"", "a,b", "a b", "é", "a\n", "\x7f"} {
		c, s := pair(t, scram.SHA256, "user", "pencil", "")
		gen := func() string { return nonce }
		if msg, err := c.WithNonceGenerator(gen).NewConversation().Step(""); err == nil {
			t.Errorf("client, %q: %q", nonce, msg)
		}
		if msg, err := s.WithNonceGenerator(gen).NewConversation().Step("n,,n=user,r=abc"); err == nil || msg != scram.ErrOtherError {
			t.Errorf("server, %q: %q", nonce, msg)
		}
	}
	c, s := pair(t, scram.SHA256, "user", "pencil", "")
	if _, err := c.WithNonceGenerator(nil).NewConversation().Step(""); err == nil {
		t.Error("client without a generator: no error")
	}
	if _, err := s.WithNonceGenerator(nil).NewConversation().Step("n,,n=user,r=abc"); err == nil {
		t.Error("server without a generator: no error")
	}
}

// TestImportedKeys logs in by keys instead of a password.
func TestImportedKeys(t *testing.T) {
	c, s := pair(t, scram.SHA256, "user", "pencil", "")
	kf := scram.KeyFactors{Salt: "0123456789abcdef", Iters: 8}
	k, err := c.DerivedKeys(kf)
	if err != nil {
		t.Fatal(err)
	}
	byKeys, err := scram.SHA256.NewClientFromKeys("user", "", k)
	if err != nil {
		t.Fatal(err)
	}
	byKeys.WithMinIterations(1)
	mustTalk(t, byKeys.NewConversation(), s.NewConversation())
	a, err := c.GetStoredCredentialsWithError(kf)
	if err != nil {
		t.Fatal(err)
	}
	b, err := byKeys.GetStoredCredentialsWithError(kf)
	if err != nil || !bytes.Equal(a.StoredKey, b.StoredKey) || !bytes.Equal(a.ServerKey, b.ServerKey) {
		t.Errorf("stored credentials from keys: %x, %v, want %x", b.StoredKey, err, a.StoredKey)
	}
	for _, other := range []scram.KeyFactors{{Salt: "0123456789abcdeg", Iters: 8}, {Salt: kf.Salt, Iters: 9}} {
		if _, err := byKeys.DerivedKeys(other); err == nil {
			t.Errorf("%+v: no error without a password", other)
		}
	}

	// A client with a password uses the keys where they fit, and the password
	// elsewhere.
	wrong := scram.DerivedKeys{KeyFactors: kf, ClientKey: make([]byte, 32), ServerKey: make([]byte, 32)}
	if err := c.ImportKeys(wrong); err != nil {
		t.Fatal(err)
	}
	if clientErr, _ := talk(c.NewConversation(), s.NewConversation()); clientErr == nil {
		t.Error("imported keys are not used")
	}
	if err := c.ImportKeys(k); err != nil {
		t.Fatal(err)
	}
	mustTalk(t, c.NewConversation(), s.NewConversation())
	if _, err := c.DerivedKeys(scram.KeyFactors{Salt: "other", Iters: 8}); err != nil {
		t.Error(err)
	}
	clear(k.ClientKey)
	mustTalk(t, c.NewConversation(), s.NewConversation())

	for name, bad := range map[string]scram.DerivedKeys{
		"no keys":       {KeyFactors: kf},
		"short key":     {KeyFactors: kf, ClientKey: make([]byte, 31), ServerKey: make([]byte, 32)},
		"long key":      {KeyFactors: kf, ClientKey: make([]byte, 32), ServerKey: make([]byte, 33)},
		"no salt":       {KeyFactors: scram.KeyFactors{Iters: 1}, ClientKey: make([]byte, 32), ServerKey: make([]byte, 32)},
		"no iterations": {KeyFactors: scram.KeyFactors{Salt: "x"}, ClientKey: make([]byte, 32), ServerKey: make([]byte, 32)},
	} {
		if _, err := scram.SHA256.NewClientFromKeys("user", "", bad); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestGetStoredCredentials wants the deprecated form to panic where the other has
// an error.
func TestGetStoredCredentials(t *testing.T) {
	c, _ := pair(t, scram.SHA256, "user", "pencil", "")
	kf := scram.KeyFactors{Salt: "salt", Iters: 3}
	want, err := c.GetStoredCredentialsWithError(kf)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.GetStoredCredentials(kf); !bytes.Equal(got.StoredKey, want.StoredKey) || got.KeyFactors != kf {
		t.Errorf("%+v, want %+v", got, want)
	}
	for _, iters := range []int{0, -1, -1 << 31} {
		if _, err := c.GetStoredCredentialsWithError(scram.KeyFactors{Salt: "salt", Iters: iters}); err == nil {
			t.Errorf("%d iterations: no error", iters)
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%d iterations: no panic", iters)
				}
			}()
			c.GetStoredCredentials(scram.KeyFactors{Salt: "salt", Iters: iters})
		}()
	}
}

// TestStoredForm reads and writes RFC 5803's form, strictly.
func TestStoredForm(t *testing.T) {
	r := rfc7677(t)
	c, err := scram.SHA256.NewClient(r.User, r.Pass, "")
	if err != nil {
		t.Fatal(err)
	}
	cred, err := c.GetStoredCredentialsWithError(scram.KeyFactors{Salt: r.salt(t), Iters: r.Iters})
	if err != nil {
		t.Fatal(err)
	}
	text, err := scram.SHA256.FormatStored(cred)
	if err != nil {
		t.Fatal(err)
	}
	const prefix = "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$"
	if !strings.HasPrefix(text, prefix) || len(text) != len(prefix)+44+1+44 {
		t.Errorf("%q", text)
	}
	back, err := scram.SHA256.ParseStored(text)
	if err != nil || back.KeyFactors != cred.KeyFactors || !bytes.Equal(back.StoredKey, cred.StoredKey) || !bytes.Equal(back.ServerKey, cred.ServerKey) {
		t.Errorf("%+v, %v, want %+v", back, err, cred)
	}

	key := base64.StdEncoding.EncodeToString(make([]byte, 32))
	good := "SCRAM-SHA-256$4096:c2FsdA==$" + key + ":" + key
	if _, err := scram.SHA256.ParseStored(good); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{
		"", "$", "SCRAM-SHA-256", "SCRAM-SHA-256$", "SCRAM-SHA-256$4096:c2FsdA==", "SCRAM-SHA-256$4096$" + key + ":" + key,
		strings.Replace(good, "256", "1", 1), strings.Replace(good, "SCRAM", "scram", 1), " " + good, good + " ", good + "\n", good + "$", good + ":",
		strings.Replace(good, "4096", "0", 1), strings.Replace(good, "4096", "-1", 1), strings.Replace(good, "4096", "+4096", 1),
		strings.Replace(good, "4096", "04096", 1), strings.Replace(good, "4096", "", 1), strings.Replace(good, "4096", "99999999999999999999", 1),
		strings.Replace(good, "c2FsdA==", "", 1), strings.Replace(good, "c2FsdA==", "c2FsdA", 1), strings.Replace(good, "c2FsdA==", "c2FsdB==", 1),
		strings.Replace(good, key, key[:40], 1), strings.Replace(good, key+":"+key, key, 1), strings.Replace(good, key+":", key+",", 1),
		strings.Replace(good, key, key[:20]+"\r\n"+key[20:], 1),
	} {
		if c, err := scram.SHA256.ParseStored(bad); err == nil || c.StoredKey != nil {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := scram.SHA256.FormatStored(scram.StoredCredentials{}); err == nil {
		t.Error("FormatStored of nothing: no error")
	}
	if _, err := scram.SHA1.FormatStored(cred); err == nil {
		t.Error("FormatStored of another hash's keys: no error")
	}
	foreign := scram.HashGeneratorFcn(func() hash.Hash { return oddHash{sha256.New()} })
	if _, err := foreign.FormatStored(cred); err == nil {
		t.Error("FormatStored for a hash without a name: no error")
	}
	if _, err := foreign.ParseStored("$4096:c2FsdA==$" + key + ":" + key); err == nil {
		t.Error("ParseStored for a hash without a name: no error")
	}
}
