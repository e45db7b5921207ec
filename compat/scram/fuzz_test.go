package scram

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	xdg "github.com/xdg-go/scram"
)

// fuzzPair returns clients and servers of both packages for one user, whose nonces
// are fixed.
func fuzzPair(t testing.TB) (*Client, *Server, *xdg.Client, *xdg.Server) {
	const salt, iters = "0123456789abcdef", 2
	clientNonce, serverNonce := func() string { return "abc" }, func() string { return "def" }
	c, err := SHA256.NewClient("user", "pencil", "")
	if err != nil {
		t.Fatal(err)
	}
	c.WithMinIterations(1).WithMaxIterations(100).WithNonceGenerator(clientNonce)
	cred, err := c.GetStoredCredentialsWithError(KeyFactors{salt, iters})
	if err != nil {
		t.Fatal(err)
	}
	s, err := SHA256.NewServer(func(string) (StoredCredentials, error) { return cred, nil })
	if err != nil {
		t.Fatal(err)
	}
	s.WithNonceGenerator(serverNonce)
	xc, err := xdg.SHA256.NewClient("user", "pencil", "")
	if err != nil {
		t.Fatal(err)
	}
	xc.WithMinIterations(1).WithNonceGenerator(clientNonce)
	xcred, err := xc.GetStoredCredentialsWithError(xdg.KeyFactors{Salt: salt, Iters: iters})
	if err != nil {
		t.Fatal(err)
	}
	xs, err := xdg.SHA256.NewServer(func(string) (xdg.StoredCredentials, error) { return xcred, nil })
	if err != nil {
		t.Fatal(err)
	}
	xs.WithNonceGenerator(serverNonce)
	return c, s, xc, xs
}

// FuzzClient gives the client two messages of a server. What it accepts, xdg-go's
// client accepts with the same answer; what it refuses ends the conversation.
func FuzzClient(f *testing.F) {
	c, s, xc, _ := fuzzPair(f)
	sc := s.NewConversation()
	cc := c.NewConversation()
	first, err := cc.Step("")
	if err != nil {
		f.Fatal(err)
	}
	challenge, err := sc.Step(first)
	if err != nil {
		f.Fatal(err)
	}
	proof, err := cc.Step(challenge)
	if err != nil {
		f.Fatal(err)
	}
	verifier, err := sc.Step(proof)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(challenge, verifier)
	f.Add(challenge+",x=y", verifier)
	f.Add(challenge, verifier+",x=y")
	f.Add(challenge, "e=invalid-proof")
	f.Add("e=unknown-user", "v=")
	f.Add("m=x,"+challenge, "m=x,"+verifier)
	f.Add("r=abc,s=eHg=,i=1", "v=eHg=")
	f.Add("r=abcd,s=eHg=,i=01", "v=")
	f.Add("r=abcd,s=,i=1", "e=")
	f.Add("r=abcd,s=eHg=,i=99999999999999999999", "v=\n")
	f.Add("r=abcd,s=e\nHg=,i=1", "\xff")
	f.Fuzz(func(t *testing.T, s1, s2 string) {
		cc, xcc := c.NewConversation(), xc.NewConversation()
		a, err := cc.Step("")
		b, _ := xcc.Step("")
		if err != nil || a != b {
			t.Fatalf("%q, %v, xdg-go says %q", a, err, b)
		}
		for _, msg := range []string{s1, s2} {
			a, err := cc.Step(msg)
			if err != nil {
				if a != "" || cc.Valid() || !cc.Done() || !strings.HasPrefix(err.Error(), "scram: ") {
					t.Fatalf("%q, %v, valid: %v, done: %v", a, err, cc.Valid(), cc.Done())
				}
				return
			}
			if b, err := xcc.Step(msg); err != nil || a != b {
				t.Fatalf("%q, xdg-go says %q, %v", a, b, err)
			}
		}
		if !cc.Valid() || !cc.Done() || !xcc.Valid() {
			t.Errorf("valid: %v, done: %v, xdg-go: %v", cc.Valid(), cc.Done(), xcc.Valid())
		}
		if want := verifier[:2+44]; s1 == challenge && !strings.HasPrefix(s2, want) {
			t.Errorf("%q passes for %q", s2, verifier)
		}
	})
}

// FuzzServer gives the server two messages of a client, and compares in the same way.
func FuzzServer(f *testing.F) {
	c, s, _, xs := fuzzPair(f)
	cc, sc := c.NewConversation(), s.NewConversation()
	first, err := cc.Step("")
	if err != nil {
		f.Fatal(err)
	}
	challenge, err := sc.Step(first)
	if err != nil {
		f.Fatal(err)
	}
	proof, err := cc.Step(challenge)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(first, proof)
	f.Add(first+",x=y", proof)
	f.Add("n,a=a=2Cb,n=u=3Dr,r=abc", proof)
	f.Add("y,,n=user,r=abc", "c=eSws,r=abcdef,x=y,p=eHg=")
	f.Add("p=tls-unique,,n=user,r=abc", "c=biws,r=abcdef,p=")
	f.Add("n,,m=x,n=user,r=abc", "c=biws,r=abc,p=eHg=")
	f.Add("n,,n=u=2cr,r=abc", "c=biws,r=abcdef,p=eHg=,p=eHg=")
	f.Add("n,,n=\xff,r=abc", "c=bi\nws,r=abcdef,p=eHg=")
	f.Add("n,,n=,r=", ",,,")
	f.Fuzz(func(t *testing.T, c1, c2 string) {
		sc, xsc := s.NewConversation(), xs.NewConversation()
		for _, msg := range []string{c1, c2} {
			a, err := sc.Step(msg)
			if err != nil {
				if !strings.HasPrefix(a, "e=") || sc.Valid() || !sc.Done() || !strings.HasPrefix(err.Error(), "scram: ") {
					t.Fatalf("%q, %v, valid: %v, done: %v", a, err, sc.Valid(), sc.Done())
				}
				return
			}
			if b, err := xsc.Step(msg); err != nil || a != b {
				t.Fatalf("%q, xdg-go says %q, %v", a, b, err)
			}
			if sc.Username() != xsc.Username() || sc.AuthzID() != xsc.AuthzID() {
				t.Fatalf("%q, %q, xdg-go has %q, %q", sc.Username(), sc.AuthzID(), xsc.Username(), xsc.AuthzID())
			}
		}
		if !sc.Valid() || !sc.Done() || !xsc.Valid() {
			t.Errorf("valid: %v, done: %v, xdg-go: %v", sc.Valid(), sc.Done(), xsc.Valid())
		}
	})
}

// FuzzParseStored wants what is accepted to be written back as it was.
func FuzzParseStored(f *testing.F) {
	key := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32))
	f.Add("SCRAM-SHA-256$4096:c2FsdA==$" + key + ":" + key)
	f.Add("SCRAM-SHA-256$04096:c2FsdB==$" + key + ":" + key)
	f.Add("SCRAM-SHA-256$::$:")
	f.Fuzz(func(t *testing.T, s string) {
		c, err := SHA256.ParseStored(s)
		if err != nil {
			return
		}
		if back, err := SHA256.FormatStored(c); err != nil || back != s {
			t.Errorf("%q, %v, from %q", back, err, s)
		}
	})
}

// FuzzNames wants encoding and decoding of names to be inverse to each other.
func FuzzNames(f *testing.F) {
	for _, s := range []string{"", "user", "a,b=c", "=3D2C", "=2c", "a=", "日本,=語"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var b strings.Builder
		appendName(&b, s)
		if got, ok := decodeName(b.String()); !ok || got != s {
			t.Errorf("%q, %v, from %q", got, ok, b.String())
		}
		if got, ok := decodeName(s); ok && !strings.Contains(s, ",") {
			b.Reset()
			if appendName(&b, got); b.String() != s {
				t.Errorf("%q became %q", s, b.String())
			}
		}
	})
}

// FuzzPreparation wants preparation to be idempotent, and never to fail in the modes
// that are made not to.
func FuzzPreparation(f *testing.F) {
	for _, s := range []string{"pencil", "I\u00adX", "\u2168", "\u0007", "\u0627\u0031", "a\u200bb", "\xff", "horse\U0001f434"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, s []byte) {
		for p := PrepareStrict; p <= PrepareNone; p++ {
			once, err := p.Password(nil, s)
			if err != nil {
				if p == PreparePostgreSQL || p == PrepareNone || len(once) != 0 {
					t.Errorf("mode %d: %q, %v", p, once, err)
				}
				continue
			}
			if twice, err := p.Password(nil, once); err != nil || !bytes.Equal(once, twice) {
				t.Errorf("mode %d: %+q, then %+q, %v", p, once, twice, err)
			}
		}
	})
}
