package scram_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"hash"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	xdg "github.com/xdg-go/scram"

	"github.com/fastrsa/fastrsa/compat/scram"
)

// This file turns public reports about SCRAM implementations, and about the
// comparisons inside them, into tests.
//
//	golang/vulndb#6168, irssi/irssi#1630,
//	pgmoneta/pgmoneta#1190                             TestIterationCounts, TestIterationLimitBeforeWork
//	brianc/node-postgres#3677                          TestIterationCounts (the maximum)
//	cyrusimap/cyrus-sasl#811, brianc/node-postgres#3655,
//	oven-sh/bun#38133                                  TestIterationMinimum
//	kafka-python-ng/kafka-python-ng#196,
//	mongodb/mongo-java-driver#447                      TestNameEscapes, TestNames
//	vlang/v#28142, redpanda-data/console#322           TestServerNonce, TestClientFinalNonce
//	supercaracal/scram-sha-256#1, maranda/metronome#427,
//	processone/ejabberd#409, mongodb/specifications#304,
//	brianc/node-postgres#3669, multigres/multigres#616 TestPreparations, TestPreparedLogin
//	cyrusimap/cyrus-sasl#545                           TestWrongVerifier, TestWrongProof
//	aws/s2n-tls#762                                    TestWrongVerifier, TestWrongProof (every bit)
//	gorilla/securecookie#32, golang/go#31355           TestWrongVerifier, TestWrongProof (other lengths)
//	bitcoin-core/secp256k1#823                         TestBindingDataWithZeros
//	golang/go#21624                                    TestBareFunctionsOverlap
//	go-fed/activity#114, golang/go#59695               TestConcurrentConversations
//	go-mgo/mgo#403, cockroachdb/cockroach#80246,
//	pgbouncer/pgbouncer#1335, jackc/pgx#2523           TestCacheSharedByClients, TestCacheBounds
//	elixir-ecto/postgrex#624                           TestCacheSingleFlight
//	IBM/sarama#1837                                    TestCacheSharedByClients, ExampleCache
//	browserify/pbkdf2#128 (CVE-2013-5958)              TestLongPassword
//	nodejs/node#30578                                  TestGetStoredCredentials, TestBareFunctionsErrors
//	twmb/franz-go's c=biws                             TestBindingOfAuthzID

// challengeFor starts a login and returns the conversation and its nonce.
func challengeFor(t *testing.T, c *scram.Client) (*scram.ClientConversation, string) {
	t.Helper()
	cc := c.NewConversation()
	first, err := cc.Step("")
	if err != nil {
		t.Fatal(err)
	}
	_, nonce, ok := strings.Cut(first, ",r=")
	if !ok {
		t.Fatalf("%q", first)
	}
	return cc, nonce
}

func TestIterationCounts(t *testing.T) {
	c, err := scram.SHA256.NewClient("user", "pencil", "")
	if err != nil {
		t.Fatal(err)
	}
	c.WithMaxIterations(5000)
	for _, i := range []struct {
		text  string
		limit bool // refused because of the limits
		want  uint64
	}{
		{"4096", false, 4096}, {"5000", false, 5000},
		{"1", true, 1}, {"4095", true, 4095}, {"5001", true, 5001}, {"2147483647", true, math.MaxInt32}, {"2147483648", true, 1 << 31},
		{"4294967296", true, 1 << 32}, {"4294971392", true, 1<<32 + 4096}, {"18446744073709551615", true, math.MaxUint64},
		{"18446744073709555712", true, math.MaxUint64}, // 2^64 + 4096
		{"99999999999999999999", true, math.MaxUint64}, {"1" + strings.Repeat("0", 1000), true, math.MaxUint64},
		{"0", false, 0}, {"-1", false, 0}, {"+4096", false, 0}, {"04096", false, 0}, {"4096x", false, 0}, {"", false, 0}, {" 4096", false, 0},
		{"4096 ", false, 0}, {"4_096", false, 0}, {"0x1000", false, 0}, {"4096.0", false, 0}, {"４０９６", false, 0}, {"4096\n", false, 0}, {"4e3", false, 0},
	} {
		cc, nonce := challengeFor(t, c)
		_, err := cc.Step("r=" + nonce + "x,s=c2FsdA==,i=" + i.text)
		var limit *scram.IterationError
		switch good := i.want != 0 && !i.limit; {
		case good != (err == nil):
			t.Errorf("i=%.30s: %v", i.text, err)
		case i.limit != errors.As(err, &limit):
			t.Errorf("i=%.30s: %v, an IterationError: %v", i.text, err, !i.limit)
		case i.limit && (limit.Iterations != i.want || limit.Min != 4096 || limit.Max != 5000 || limit.Error() == ""):
			t.Errorf("i=%.30s: %+v", i.text, limit)
		}
		if err != nil && !cc.Done() {
			t.Errorf("i=%.30s: not over", i.text)
		}
	}
}

// TestIterationLimitBeforeWork lets a server demand what would take minutes, and
// wants nothing derived.
func TestIterationLimitBeforeWork(t *testing.T) {
	c, err := scram.SHA256.NewClient("user", "pencil", "")
	if err != nil {
		t.Fatal(err)
	}
	cache := scram.NewCache(4, 0)
	c.WithCache(cache)
	for _, i := range []uint64{100_001, math.MaxInt32, math.MaxInt64, math.MaxUint64} {
		cc, nonce := challengeFor(t, c)
		_, err := cc.Step(fmt.Sprintf("r=%sx,s=c2FsdA==,i=%d", nonce, i))
		var limit *scram.IterationError
		if !errors.As(err, &limit) || limit.Max != scram.DefaultMaxIterations || limit.Min != scram.DefaultMinIterations {
			t.Errorf("i=%d: %v", i, err)
		}
	}
	if s := cache.Stats(); s != (scram.CacheStats{}) {
		t.Errorf("keys were derived: %+v", s)
	}
}

func TestIterationMinimum(t *testing.T) {
	for _, c := range []struct{ least, most, iters, min, max int }{
		{0, 0, 4095, 4096, 100_000},
		{4095, 0, 4094, 4095, 100_000},
		{1, 0, 0, 1, 100_000},
		{-5, 0, 0, 1, 100_000},
		{200_000, 0, 199_999, 200_000, 200_000}, // a minimum beyond the default maximum
		{1, -1, 2, 1, 1},
		{10, 5, 7, 10, 5}, // nothing is acceptable
	} {
		client, err := scram.SHA256.NewClient("user", "pencil", "")
		if err != nil {
			t.Fatal(err)
		}
		if c.least != 0 {
			client.WithMinIterations(c.least)
		}
		if c.most != 0 {
			client.WithMaxIterations(c.most)
		}
		for _, i := range []int{c.iters, c.min, c.max} {
			if good := i >= c.min && i <= c.max; i == 0 || good && i > 10_000 {
				continue // 0 is malformed, and the rest takes long
			}
			cc, nonce := challengeFor(t, client)
			_, err = cc.Step(fmt.Sprintf("r=%sx,s=c2FsdA==,i=%d", nonce, i))
			var limit *scram.IterationError
			if good := i >= c.min && i <= c.max; good != (err == nil) || !good && !errors.As(err, &limit) {
				t.Errorf("%+v, i=%d: %v", c, i, err)
			} else if !good && (limit.Min != c.min || limit.Max != c.max) {
				t.Errorf("%+v, i=%d: limits %d to %d", c, i, limit.Min, limit.Max)
			}
		}
	}
}

func TestNameEscapes(t *testing.T) {
	_, s := pair(t, scram.SHA256, "user", "pencil", "")
	for _, c := range []struct{ wire, want string }{
		{"user", "user"}, {"a=2Cb=3Dc", "a,b=c"}, {"=3D2C", "=2C"}, {"=3D=3D", "=="}, {"=2C=2C", ",,"}, {"=2C3D", ",3D"},
	} {
		sc := s.NewConversation()
		if reply, err := sc.Step("n,,n=" + c.wire + ",r=abc"); err != nil || sc.Username() != c.want {
			t.Errorf("n=%s: %q, %v, user %q", c.wire, reply, err, sc.Username())
		}
		sc = s.NewConversation()
		if reply, err := sc.Step("n,a=" + c.wire + ",n=user,r=abc"); err != nil || sc.AuthzID() != c.want {
			t.Errorf("a=%s: %q, %v, identity %q", c.wire, reply, err, sc.AuthzID())
		}
	}
	for _, wire := range []string{"=", "=3", "=2", "a=", "a=b", "=2c", "=3d", "=2d", "=41", "==3D", "=3D=", "=3D=2", "=\xff", "\x00", "a\x00b"} {
		want := map[bool]string{true: scram.ErrInvalidEncoding, false: scram.ErrInvalidUsernameEncoding}[!utf8.ValidString(wire) || strings.Contains(wire, "\x00")]
		sc := s.NewConversation()
		if reply, err := sc.Step("n,,n=" + wire + ",r=abc"); err == nil || reply != want || !sc.Done() || sc.LookupError() != nil {
			t.Errorf("n=%q: %q, %v", wire, reply, err)
		}
		sc = s.NewConversation()
		if reply, err := sc.Step("n,a=" + wire + ",n=user,r=abc"); err == nil || reply != scram.ErrInvalidEncoding || !sc.Done() {
			t.Errorf("a=%q: %q, %v", wire, reply, err)
		}
	}
}

func TestServerNonce(t *testing.T) {
	c, err := scram.SHA256.NewClient("user", "pencil", "")
	if err != nil {
		t.Fatal(err)
	}
	c.WithMinIterations(1)
	for name, nonce := range map[string]func(string) string{
		"nothing added":      func(n string) string { return n },
		"shorter":            func(n string) string { return n[:len(n)-1] },
		"empty":              func(n string) string { return "" },
		"last byte changed":  func(n string) string { return n[:len(n)-1] + "~x" },
		"first byte changed": func(n string) string { return "~" + n[1:] + "x" },
		"other case":         func(n string) string { return strings.ToUpper(n) + "x" },
		"before":             func(n string) string { return "x" + n },
		"space":              func(n string) string { return n + " x" },
		"control":            func(n string) string { return n + "\x01" },
		"delete":             func(n string) string { return n + "\x7f" },
		"not ASCII":          func(n string) string { return n + "é" },
		"not UTF-8":          func(n string) string { return n + "\xff" },
		"zero":               func(n string) string { return n + "\x00" },
	} {
		cc, own := challengeFor(t, c)
		if msg, err := cc.Step("r=" + nonce(own) + ",s=c2FsdA==,i=8"); err == nil || msg != "" || !cc.Done() {
			t.Errorf("%s: %q, %v", name, msg, err)
		}
	}
	cc, own := challengeFor(t, c)
	if _, err := cc.Step("r=" + own + "=,s=c2FsdA==,i=8"); err != nil {
		t.Errorf("one character added: %v", err)
	}
}

// clientFinalFor plays a good login up to the client's final message.
func clientFinalFor(t *testing.T, c *scram.Client, s *scram.Server) (sc *scram.ServerConversation, final string) {
	t.Helper()
	cc := c.NewConversation()
	sc = s.NewConversation()
	msg, err := cc.Step("")
	if err == nil {
		msg, err = sc.Step(msg)
	}
	if err == nil {
		final, err = cc.Step(msg)
	}
	if err != nil {
		t.Fatal(err)
	}
	return sc, final
}

func TestClientFinalNonce(t *testing.T) {
	c, s := pair(t, scram.SHA256, "user", "pencil", "")
	change := func(f func(nonce string) string) {
		t.Helper()
		sc, final := clientFinalFor(t, c, s)
		head, rest, _ := strings.Cut(final, ",r=")
		nonce, proof, _ := strings.Cut(rest, ",p=")
		if reply, err := sc.Step(head + ",r=" + f(nonce) + ",p=" + proof); err == nil || reply != scram.ErrOtherError || sc.Valid() {
			t.Errorf("%q, %v", reply, err)
		}
	}
	change(func(n string) string { return n[:len(n)-1] })
	change(func(n string) string { return n[1:] })
	change(func(n string) string { return n + "x" })
	change(func(n string) string { return "" })
	change(func(n string) string { return n + " " })
	change(func(n string) string { return n[:5] + string(n[5]^1) + n[6:] })
}

// variants returns changes of a base64 value that are all another value or not the
// canonical form: other lengths, and every single bit.
func variants(t *testing.T, good string) []string {
	raw, err := base64.StdEncoding.DecodeString(good)
	if err != nil {
		t.Fatal(err)
	}
	enc := base64.StdEncoding.EncodeToString
	out := []string{
		"", "=", "A", "AA==", good + "=", good + " ", " " + good, good + "\n", good[:8] + "\r\n" + good[8:], strings.TrimRight(good, "="), good[:len(good)-4],
		enc(raw[:len(raw)-1]), enc(raw[1:]), enc(append(raw[:len(raw):len(raw)], 0)), enc(append(make([]byte, 1), raw...)), enc(append(raw[:len(raw):len(raw)], raw...)),
		enc(make([]byte, len(raw))), "*" + good[1:],
	}
	for i := range 8 * len(raw) {
		b := bytes.Clone(raw)
		b[i/8] ^= 1 << (i % 8)
		out = append(out, enc(b))
	}
	if u := base64.URLEncoding.EncodeToString(raw); u != good {
		out = append(out, u)
	}
	return out
}

func TestWrongVerifier(t *testing.T) {
	c, s := pair(t, scram.SHA256, "user", "pencil", "")
	nonce := func() string { return "abc" }
	c.WithNonceGenerator(nonce)
	s.WithNonceGenerator(nonce)
	run := func(change func(final string) string) (*scram.ClientConversation, error) {
		cc, sc := c.NewConversation(), s.NewConversation()
		msg := ""
		for range 2 {
			var err error
			if msg, err = cc.Step(msg); err != nil {
				t.Fatal(err)
			}
			if msg, err = sc.Step(msg); err != nil {
				t.Fatal(err)
			}
		}
		_, err := cc.Step(change(msg))
		return cc, err
	}
	var good string
	if cc, err := run(func(s string) string { good = s; return s }); err != nil || !cc.Valid() {
		t.Fatal(err)
	}
	if cc, err := run(func(s string) string { return s + ",x=extension" }); err != nil || !cc.Valid() {
		t.Errorf("with an extension: %v", err)
	}
	bad := []string{
		"", "v", "v=", "x=", "V" + good[1:], good[2:], good[:len(good)-1] + "B", " " + good, good + ",", good + ",junk", good + ",x=", good + ",m=x", good + "," + good, "e=", "e=other-error," + good,
		"r=abc," + good,
	}
	for _, v := range variants(t, good[2:]) {
		bad = append(bad, "v="+v)
	}
	for _, msg := range bad {
		if cc, err := run(func(string) string { return msg }); err == nil || cc.Valid() || !cc.Done() {
			t.Errorf("%q: %v", msg, err)
		}
	}
}

func TestWrongProof(t *testing.T) {
	c, s := pair(t, scram.SHA256, "user", "pencil", "")
	nonce := func() string { return "abc" }
	c.WithNonceGenerator(nonce)
	s.WithNonceGenerator(nonce)
	sc, good := clientFinalFor(t, c, s)
	if reply, err := sc.Step(good); err != nil || !sc.Valid() {
		t.Fatal(reply, err)
	}
	head, proof, _ := strings.Cut(good, ",p=")
	bad := []string{"", head, head + ",p", head + ",", head + "," + proof, head + ",P=" + proof, good + ",", good + ",x=y", good + "," + proof, "p=" + proof, head + ",x=,p=" + proof, head + ",m=x,p=" + proof, head + ",p=" + proof + ",p=" + proof}
	for _, v := range variants(t, proof) {
		bad = append(bad, head+",p="+v)
	}
	for _, msg := range bad {
		sc, _ := clientFinalFor(t, c, s)
		if reply, err := sc.Step(msg); err == nil || sc.Valid() || !sc.Done() || !strings.HasPrefix(reply, "e=") {
			t.Errorf("%q: %q, %v", msg, reply, err)
		}
	}
	// An optional extension is covered by the proof, so the good proof does not do,
	// but the refusal is that of a wrong proof.
	sc, _ = clientFinalFor(t, c, s)
	if reply, err := sc.Step(head + ",x=y,p=" + proof); err == nil || reply != scram.ErrInvalidProof {
		t.Errorf("with an extension: %q, %v", reply, err)
	}
}

// TestBindingDataWithZeros compares binding data full of zeros, of which one bit
// differs.
func TestBindingDataWithZeros(t *testing.T) {
	a := scram.NewTLSUniqueBinding(make([]byte, 36))
	for i := range 36 {
		data := make([]byte, 36)
		data[i] = 0x80
		b := scram.NewTLSUniqueBinding(data)
		if a.Matches(b) || !b.Matches(b) {
			t.Errorf("byte %d: Matches", i)
		}
		c, s := pair(t, scram.SHA256, "user", "pencil", "")
		clientErr, serverErr := talk(c.NewConversationWithChannelBinding(a), s.NewConversationWithChannelBinding(b))
		if clientErr != scram.ServerError("channel-bindings-dont-match") || serverErr == nil {
			t.Errorf("byte %d: %v, %v", i, clientErr, serverErr)
		}
	}
	for _, other := range [][]byte{nil, make([]byte, 35), make([]byte, 37)} {
		if a.Matches(scram.NewTLSUniqueBinding(other)) {
			t.Errorf("Matches data of %d bytes", len(other))
		}
	}
}

// TestBindingOfAuthzID wants the authorization identity in the attribute c, where
// it is part of the gs2-header, and a server that looks.
func TestBindingOfAuthzID(t *testing.T) {
	c, s := pair(t, scram.SHA256, "user", "pencil", "a,dmin")
	sc, final := clientFinalFor(t, c, s)
	want := "c=" + base64.StdEncoding.EncodeToString([]byte("n,a=a=2Cdmin,")) + ","
	if !strings.HasPrefix(final, want) {
		t.Fatalf("%q, want %q", final, want)
	}
	if _, err := sc.Step(final); err != nil {
		t.Fatal(err)
	}
	sc, final = clientFinalFor(t, c, s)
	if reply, err := sc.Step("c=biws," + final[len(want):]); err == nil || reply != scram.ErrChannelBindingsDontMatch {
		t.Errorf("%q, %v", reply, err)
	}
	for _, bad := range []string{"c=,", "c=!,", "c=biwt,", "c=biw,", "c=biws=,", "c=bi\nws,", "C=biws,", "c,", ","} {
		sc, final = clientFinalFor(t, c, s)
		if reply, err := sc.Step(bad + final[len(want):]); err == nil || sc.Valid() || !strings.HasPrefix(reply, "e=") {
			t.Errorf("%q: %q, %v", bad, reply, err)
		}
	}
}

// TestPreparedLogin logs in with other forms of a password than the one stored.
func TestPreparedLogin(t *testing.T) {
	for _, c := range [][2]string{{"IX", "I\u00adX"}, {"IX", "\u2168"}, {"\u2163", "IV"}, {"a", "\u00aa"}, {"p\u00c5ssword", "p\u212bssword"}, {"a b", "a\u00a0b"}} {
		_, s := pair(t, scram.SHA256, "user", c[0], "")
		client, _ := pair(t, scram.SHA256, "user", c[1], "")
		mustTalk(t, client.NewConversation(), s.NewConversation())
		raw, err := scram.SHA256.NewClientUnprepped("user", c[1], "")
		if err != nil {
			t.Fatal(err)
		}
		if clientErr, _ := talk(raw.WithMinIterations(1).NewConversation(), s.NewConversation()); c[1] != "IV" && clientErr == nil {
			t.Errorf("%q unprepared passes for %q", c[1], c[0])
		}
	}
}

// TestErrorsHoldNoSecret collects errors from all over and looks for the password,
// also in pieces, and for what the messages held.
func TestErrorsHoldNoSecret(t *testing.T) {
	const mark = "hunter2"
	var errs []error
	add := func(err error) {
		t.Helper()
		if err == nil {
			t.Fatal("no error")
		}
		errs = append(errs, err)
	}
	for _, pass := range []string{mark + "\u0007", mark + "\U0001f434", "\u05e9" + mark, mark + "\xff", mark + "\u0221"} {
		_, err := scram.SHA256.NewClient("user", pass, "")
		add(err)
		_, err = scram.SHA256.NewClient(pass, "pencil", "")
		add(err)
		_, err = scram.SHA256.NewClient("user", "pencil", pass)
		add(err)
		_, err = scram.SHA256.NewClientPrepared(scram.PrepareMongoDB, "user", []byte(pass), "")
		add(err)
	}
	_, err := scram.SHA256.NewClient(mark+"\x00", "pencil", "")
	add(err)
	_, err = scram.SHA256.ParseStored(mark)
	add(err)
	_, err = scram.SHA256.ParseStored("SCRAM-SHA-256$1:" + mark + "$" + mark + ":" + mark)
	add(err)
	c, s := pair(t, scram.SHA256, "user", mark, "")
	for _, msg := range []string{mark, "r=" + mark, "r=%x,s=" + mark + ",i=1", "r=%x,s=eHg=,i=" + mark, "r=%x,s=eHg=,i=1", "m=" + mark + ",r=%"} {
		cc, nonce := challengeFor(t, c.WithMinIterations(2))
		_, err := cc.Step(strings.ReplaceAll(msg, "%", nonce))
		add(err)
	}
	for _, msg := range []string{mark, "p=" + mark + ",,n=user,r=x", "n,,n=" + mark + ",r=\x01", "n,,n==" + mark + ",r=x", "n,a==" + mark + ",n=x,r=x"} {
		_, err := s.NewConversation().Step(msg)
		add(err)
	}
	for _, msg := range []string{mark, "c=" + mark + ",r=x,p=eHg=", "c=biws,r=" + mark + ",p=eHg=", "c=biws,r=x,p=" + mark} {
		sc, _ := clientFinalFor(t, c.WithMinIterations(1), s)
		_, err := sc.Step(msg)
		add(err)
	}
	c.Wipe()
	_, err = c.DerivedKeys(scram.KeyFactors{Salt: mark, Iters: 1})
	add(err)
	for _, err := range errs {
		text := err.Error()
		if strings.Contains(text, mark) || strings.Contains(text, mark[:4]) || !utf8.ValidString(text) || strings.ContainsAny(text, "\u0007\x00") ||
			strings.Contains(text, "\\u") || !strings.HasPrefix(text, "scram: ") {
			t.Errorf("%q", text)
		}
	}
}

// TestServerErrors wants the server's refusal as an error, in both places where
// servers send it, and its text cut and quoted.
func TestServerErrors(t *testing.T) {
	c, s := pair(t, scram.SHA256, "user", "pencil", "")
	for _, e := range []string{"invalid-proof", "unknown-user", "x"} {
		cc, _ := challengeFor(t, c)
		if _, err := cc.Step("e=" + e); err != scram.ServerError(e) || !cc.Done() {
			t.Errorf("first message: %v", err)
		}
		cc = c.NewConversation()
		sc := s.NewConversation()
		msg, _ := cc.Step("")
		msg, err := sc.Step(msg)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := cc.Step(msg); err != nil {
			t.Fatal(err)
		}
		if _, err := cc.Step("e=" + e); err != scram.ServerError(e) || !cc.Done() || cc.Valid() || err.Error() != "scram: server error: "+e {
			t.Errorf("final message: %v", err)
		}
	}
	for e, want := range map[scram.ServerError]string{
		"a\nb":     `scram: server error: "a\nb"`,
		"\x1b[31m": `scram: server error: "\x1b[31m"`,
		"é":        `scram: server error: "\u00e9"`,
		scram.ServerError(strings.Repeat("x", 1<<16)): "scram: server error: " + `"` + strings.Repeat("x", 100) + `"…`,
	} {
		if got := e.Error(); got != want {
			t.Errorf("%.20q: %q, want %q", string(e), got, want)
		}
	}
}

// countingHash counts the bytes that are hashed.
type countingHash struct {
	hash.Hash
	n *int
}

func (h *countingHash) Write(p []byte) (int, error) {
	*h.n += len(p)
	return h.Hash.Write(p)
}

// TestLongPassword wants a password of 1 MB to be hashed a few times, not once in
// each iteration.
func TestLongPassword(t *testing.T) {
	work := func(n int) (hashed int) {
		f := scram.HashGeneratorFcn(func() hash.Hash { return &countingHash{sha256.New(), &hashed} })
		c, err := f.NewClientUnprepped("user", strings.Repeat("x", n), "")
		if err != nil {
			t.Fatal(err)
		}
		hashed = 0
		if _, err := c.GetStoredCredentialsWithError(scram.KeyFactors{Salt: "salt", Iters: 1000}); err != nil {
			t.Fatal(err)
		}
		return hashed
	}
	if short, long := work(6), work(1<<20); short < 1000*32 || long > short+4<<20 {
		t.Errorf("%d bytes hashed for a password of 6 bytes, %d for one of 1 MB", short, long)
	}
}

// TestBindingFlags tries every pair of what clients say about channel binding and
// servers have, against the answer of RFC 5802 section 6, and xdg-go's servers
// against this package's clients, and the other way round.
func TestBindingFlags(t *testing.T) {
	unique := scram.NewTLSUniqueBinding([]byte("finished"))
	other := scram.ChannelBinding{Type: scram.ChannelBindingTLSExporter, Data: []byte("exported")}
	c, s := pair(t, scram.SHA256, "user", "pencil", "")
	clients := map[string]func() conversation{
		"n":        func() conversation { return c.NewConversation() },
		"zero":     func() conversation { return c.NewConversationWithChannelBinding(scram.ChannelBinding{}) },
		"y":        func() conversation { return c.NewConversationAdvertisingChannelBinding() },
		"unique":   func() conversation { return c.NewConversationWithChannelBinding(unique) },
		"exporter": func() conversation { return c.NewConversationWithChannelBinding(other) },
	}
	xc, err := xdg.SHA256.NewClient("user", "pencil", "")
	if err != nil {
		t.Fatal(err)
	}
	xc.WithMinIterations(1)
	peerBinding := func(cb scram.ChannelBinding) xdg.ChannelBinding {
		return xdg.ChannelBinding{Type: xdg.ChannelBindingType(cb.Type), Data: cb.Data}
	}
	xclients := map[string]func() conversation{
		"n":        func() conversation { return xc.NewConversation() },
		"zero":     func() conversation { return xc.NewConversationWithChannelBinding(xdg.ChannelBinding{}) },
		"y":        func() conversation { return xc.NewConversationAdvertisingChannelBinding() },
		"unique":   func() conversation { return xc.NewConversationWithChannelBinding(peerBinding(unique)) },
		"exporter": func() conversation { return xc.NewConversationWithChannelBinding(peerBinding(other)) },
	}
	cred, err := xc.GetStoredCredentialsWithError(xdg.KeyFactors{Salt: "0123456789abcdef", Iters: 8})
	if err != nil {
		t.Fatal(err)
	}
	xs, err := xdg.SHA256.NewServer(func(string) (xdg.StoredCredentials, error) { return cred, nil })
	if err != nil {
		t.Fatal(err)
	}
	servers := map[string]func() conversation{
		"none":     func() conversation { return s.NewConversation() },
		"zero":     func() conversation { return s.NewConversationWithChannelBinding(scram.ChannelBinding{}) },
		"offered":  func() conversation { return s.NewConversationWithChannelBinding(unique) },
		"required": func() conversation { return s.NewConversationWithChannelBindingRequired(unique) },
		"broken":   func() conversation { return s.NewConversationWithChannelBindingRequired(scram.ChannelBinding{}) },
	}
	xservers := map[string]func() conversation{
		"none":     func() conversation { return xs.NewConversation() },
		"zero":     func() conversation { return xs.NewConversationWithChannelBinding(xdg.ChannelBinding{}) },
		"offered":  func() conversation { return xs.NewConversationWithChannelBinding(peerBinding(unique)) },
		"required": func() conversation { return xs.NewConversationWithChannelBindingRequired(peerBinding(unique)) },
		"broken":   func() conversation { return xs.NewConversationWithChannelBindingRequired(xdg.ChannelBinding{}) },
	}
	const (
		refused     = "server-does-support-channel-binding"
		unsupported = "channel-binding-not-supported"
		otherType   = "unsupported-channel-binding-type"
	)
	want := map[string]map[string]scram.ServerError{
		"none":     {"unique": unsupported, "exporter": unsupported},
		"zero":     {"unique": unsupported, "exporter": unsupported},
		"offered":  {"y": refused, "exporter": otherType},
		"required": {"n": refused, "zero": refused, "y": refused, "exporter": otherType},
		"broken":   {"n": refused, "zero": refused, "y": refused, "unique": unsupported, "exporter": unsupported},
	}
	for server := range servers {
		for client := range clients {
			for _, p := range []struct {
				name           string
				client, server conversation
			}{
				{"both", clients[client](), servers[server]()},
				{"client", clients[client](), xservers[server]()},
				{"server", xclients[client](), servers[server]()},
			} {
				clientErr, serverErr := talk(p.client, p.server)
				if p.name == "client" && server == "broken" && client == "y" {
					continue // xdg-go's server accepts this one, although it requires a binding
				}
				if p.name == "server" {
					clientErr = nil
					if serverErr != nil {
						clientErr = want[server][client]
					}
				}
				if w := want[server][client]; w == "" && (clientErr != nil || serverErr != nil || !p.client.Valid() || !p.server.Valid()) ||
					w != "" && (clientErr != w || serverErr == nil || p.client.Valid() || p.server.Valid()) {
					t.Errorf("%s ours, server %s, client %s: %v, %v, want %q", p.name, server, client, clientErr, serverErr, w)
				}
			}
		}
	}

	// A binding of which a part is missing is an error, not a silent downgrade.
	for _, cb := range []scram.ChannelBinding{
		{Type: scram.ChannelBindingTLSUnique}, {Data: []byte("x")}, {Type: "a,b", Data: []byte("x")}, {Type: "a b", Data: []byte("x")}, {Type: "é", Data: []byte("x")},
	} {
		if msg, err := c.NewConversationWithChannelBinding(cb).Step(""); err == nil {
			t.Errorf("client, %+v: %q", cb, msg)
		}
		for _, first := range []string{"n,,n=user,r=abc", "p=tls-unique,,n=user,r=abc"} {
			if msg, err := s.NewConversationWithChannelBinding(cb).Step(first); err == nil || !strings.HasPrefix(msg, "e=") {
				t.Errorf("server, %+v: %q", cb, msg)
			}
		}
	}
	// Types that are not this package's constants work as well.
	own := scram.ChannelBinding{Type: "my-own.1", Data: bytes.Repeat([]byte("x"), 300)}
	mustTalk(t, c.NewConversationWithChannelBinding(own), s.NewConversationWithChannelBindingRequired(own))
}
