package scram

import (
	"encoding/base64"
	"strings"
	"testing"
)

// TestMessagesOutOfOrder gives both parsers messages whose attributes are not the
// expected ones in the expected order, and wants an error that a server can send.
func TestMessagesOutOfOrder(t *testing.T) {
	long := strings.Repeat("x", maxMessage)
	for name, p := range map[string]struct {
		parse func(string) *failure
		good  []string
		bad   map[string]*failure
	}{
		"client first": {
			func(s string) *failure { _, f := parseClientFirst(s); return f },
			[]string{
				"n,,n=user,r=abc", "y,,n=user,r=abc", "p=tls-unique,,n=user,r=abc", "p=X.9-y,a=x,n=user,r=abc", "n,,n=user,r=abc,x=y", "n,,n=user,r=abc,X=y,z==,b=é",
				"n,,n=,r=abc", "n,,n=é,r=!\"#$%&'()*+-./:;<=>?@[]^_`{|}~",
			},
			map[string]*failure{
				"": errGS2Flag, "n": errClientFirst, "n,": errClientFirst, "n,,": errClientFirst, "n,,n=user": errClientFirst, "n,,n=user,": errClientFirst,
				"n,,n=user,r=": errNonce, "n,,n=user,r": errClientFirst, "n,,r=abc,n=user": errClientFirst, "n,,a=x,n=user,r=abc": errClientFirst,
				"n,n=user,r=abc": errAuthzID, "n=user,r=abc": errGS2Flag, "x,,n=user,r=abc": errGS2Flag, "N,,n=user,r=abc": errGS2Flag, "nn,,n=user,r=abc": errGS2Flag,
				"p,,n=user,r=abc": errGS2Flag, "p=,,n=user,r=abc": errGS2Flag, "p=a_b,,n=user,r=abc": errGS2Flag, "p=a=b,,n=user,r=abc": errGS2Flag, "n=x,,n=user,r=abc": errGS2Flag,
				"p= a,,n=user,r=abc": errGS2Flag, "n,a=,n=user,r=abc": errAuthzID, "n,a,n=user,r=abc": errAuthzID, "n,b=x,n=user,r=abc": errAuthzID, "n,A=x,n=user,r=abc": errAuthzID,
				"n,,m=x,n=user,r=abc": errMandatory, "n,,m=,n=user,r=abc": errMandatory, "n,,n=user,m=x,r=abc": errClientFirst, "n,,n=user,r=abc,m=x": errMandatory,
				"n,,n=user,r=abc,": errExtension, "n,,n=user,r=abc,x": errExtension, "n,,n=user,r=abc,x=": errExtension, "n,,n=user,r=abc,=x": errExtension, "n,,n=user,r=abc,xx=y": errExtension,
				"n,,n=user,r=abc,1=y": errExtension, "n,,n=user,r=abc,,x=y": errExtension, "n,,n=user,r=abc,r=def": errExtension, "n,,n=user,r=abc,p=eA==": errExtension, "n,,n=user,r=abc,é=y": errExtension,
				"n,,n=user,r=a c": errNonce, "n,,n=user,r=a\tc": errNonce, "n,,n=user,r=aéc": errNonce, "n,,n=user,r=a\x7f": errNonce, " n,,n=user,r=abc": errGS2Flag, "n,,n=user,r=abc\n": errNonce,
				"n,,n=us\x00er,r=abc": errNotText, "n,,n=\xff,r=abc": errNotText, "n,,n=user,r=abc,x=\xc3": errNotText, "n,,n==,r=abc": errUsername, "n,a==,n=user,r=abc": errAuthzID,
				"n,,n=user,r=" + long: errTooLong,
			},
		},
		"server first": {
			func(s string) *failure { _, f := parseServerFirst(s, nil); return f },
			[]string{"r=abc,s=eA==,i=1", "r=abc,s=eA==,i=4096,x=y", "r=abc,s=" + base64.StdEncoding.EncodeToString(make([]byte, 1000)) + ",i=18446744073709551616"},
			map[string]*failure{
				"": errServerFirst, "r=abc": errServerFirst, "r=abc,": errServerFirst, "r=abc,s=eA==": errServerFirst, "r=abc,s=eA==,": errServerFirst, "r=abc,s=eA==,i": errServerFirst, "r=abc,s=eA==,i=": errCount,
				"s=eA==,r=abc,i=1": errServerFirst, "r=abc,i=1,s=eA==": errServerFirst, "r=abc,r=abc,s=eA==,i=1": errServerFirst, "x=y,r=abc,s=eA==,i=1": errServerFirst, "r=abc,x=y,s=eA==,i=1": errServerFirst,
				"m=x,r=abc,s=eA==,i=1": errMandatory, "r=abc,m=x,s=eA==,i=1": errServerFirst, "r=abc,s=eA==,i=1,m=x": errMandatory, "r=,s=eA==,i=1": errNonce, "r=a c,s=eA==,i=1": errNonce,
				"r=abc,s=,i=1": errSalt, "r=abc,s=eA,i=1": errSalt, "r=abc,s=eA=,i=1": errSalt, "r=abc,s=eB==,i=1": errSalt, "r=abc,s=eA===,i=1": errSalt, "r=abc,s=e A==,i=1": errSalt, "r=abc,s=e\nA==,i=1": errSalt,
				"r=abc,s=e\rA==,i=1": errSalt, "r=abc,s=__==,i=1": errSalt, "r=abc,s=eA==eA==,i=1": errSalt, "r=abc,s=====,i=1": errSalt,
				"r=abc,s=eA==,i=1,": errExtension, "r=abc,s=eA==,i=1,i=2": errExtension, "r=abc,s=eA==,i=1,x": errExtension, "r=abc,s=eA==,i=1,v=eA==": errExtension, "r=abc,s=eA==,i=0": errCount,
				"r=abc,s=eA==,i=1 ": errCount, "R=abc,s=eA==,i=1": errServerFirst, "r=abc\x00,s=eA==,i=1": errNotText, "r=abc,s=eA==,i=1,x=\xff": errNotText, "r=" + long: errTooLong,
			},
		},
		"client final": {
			func(s string) *failure { _, f := parseClientFinal(s, nil, nil); return f },
			[]string{"c=biws,r=abc,p=eA==", "c=biws,r=abc,x=y,Z=y,p=eA==", "c=,r=abc,p="},
			map[string]*failure{
				"": errClientFinal, "c=biws": errClientFinal, "c=biws,r=abc": errClientFinal, "c=biws,p=eA==": errClientFinal, "r=abc,p=eA==": errClientFinal, "c=biws,r=abc,p": errClientFinal, "c=biws,r=abc,p=eA==,": errClientFinal,
				"c=biws,r=abc,p=eA==,x=y": errClientFinal, "r=abc,c=biws,p=eA==": errClientFinal, "c=biws,x=y,r=abc,p=eA==": errClientFinal, "x=y,c=biws,r=abc,p=eA==": errClientFinal, "c=biws,r=abc,m=x,p=eA==": errMandatory,
				"m=x,c=biws,r=abc,p=eA==": errClientFinal, "c=biws,r=abc,p=eA==,p=eA==": errExtension, "c=biws,r=abc,c=biws,p=eA==": errExtension, "c=biws,r=abc,r=abc,p=eA==": errExtension, "c=biws,r=abc,,p=eA==": errExtension,
				"c=biws,r=abc,x=,p=eA==": errExtension, "c=biw,r=abc,p=eA==": errClientFinal, "c=biws,r=abc,p=eA": errClientFinal, "c=biws,r=abc,p=eB==": errClientFinal, "c=biws,r=abc,p=e\nA==": errClientFinal, "c=bi\r\nws,r=abc,p=eA==": errClientFinal,
				"c=biws,r=,p=eA==": errNonce, "c=biws,r=a c,p=eA==": errNonce, "c=biws,r=abc,x=\xff,p=eA==": errNotText, "c=biws,r=abc\x00,p=eA==": errNotText, "c=biws,r=abc,P=eA==": errClientFinal, "c=biws,r=" + long: errTooLong,
			},
		},
		"server final": {
			func(s string) *failure { _, _, f := parseServerFinal(s, nil); return f },
			[]string{"v=eA==", "v=", "v=eA==,x=y", "e=invalid-proof", "e=x,anything"},
			map[string]*failure{
				"": errServerFinal, "v": errServerFinal, "e": errServerFinal, "e=": errServerFinal, "x=y": errServerFinal, "V=eA==": errServerFinal, " v=eA==": errServerFinal, "v=eA": errServerFinal, "v=eB==": errServerFinal,
				"v=e\nA==": errServerFinal, "v=eA==,": errExtension, "v=eA==,x": errExtension, "v=eA==,v=eA==": errExtension, "v=eA==,e=x": errExtension, "v=eA==,m=x": errMandatory, "x=y,v=eA==": errServerFinal, "m=x,v=eA==": errServerFinal,
				"v=eA==,x=\xff": errNotText, "e=\x00": errNotText, "e=" + long: errTooLong,
			},
		},
	} {
		for _, msg := range p.good {
			if f := p.parse(msg); f != nil {
				t.Errorf("%s, %.60q: %v", name, msg, f)
			}
		}
		for msg, want := range p.bad {
			if f := p.parse(msg); f != want {
				t.Errorf("%s, %.60q: %v, want %v", name, msg, f, want)
			} else if !strings.HasPrefix(f.reply, "e=") {
				t.Errorf("%v has the reply %q", f, f.reply)
			}
		}
	}
}

// TestParsedFields looks at what is cut out of messages.
func TestParsedFields(t *testing.T) {
	c, f := parseClientFirst("p=tls-unique,a=ad=2Cmin,n=us=3Der,r=abc,x=y")
	if f != nil || c.flag != 'p' || c.binding != "tls-unique" || c.authzID != "ad,min" || c.user != "us=er" || c.nonce != "abc" ||
		c.gs2 != "p=tls-unique,a=ad=2Cmin," || c.bare != "n=us=3Der,r=abc,x=y" {
		t.Errorf("%+v, %v", c, f)
	}
	s, f := parseServerFirst("r=abcdef,s=AP8=,i=4096,x=y", []byte("before")[:0])
	if f != nil || s.nonce != "abcdef" || string(s.salt) != "\x00\xff" || s.iters != 4096 {
		t.Errorf("%+v, %v", s, f)
	}
	e, f := parseClientFinal("c=biws,r=abc,x=y,p=AP8=", nil, nil)
	if f != nil || string(e.binding) != "n,," || e.nonce != "abc" || string(e.proof) != "\x00\xff" || e.withoutProof != "c=biws,r=abc,x=y" {
		t.Errorf("%+v, %v", e, f)
	}
	v, name, f := parseServerFinal("v=AP8=,x=y", nil)
	if f != nil || string(v) != "\x00\xff" || name != "" {
		t.Errorf("%x, %q, %v", v, name, f)
	}
	if _, name, f = parseServerFinal("e=invalid-proof,x", nil); f != nil || name != "invalid-proof" {
		t.Errorf("%q, %v", name, f)
	}
}

// TestManyAttributes reads as many attributes as a message can have, for which
// nothing must be allocated.
func TestManyAttributes(t *testing.T) {
	const head = "n,,n=user,r=abc"
	if _, f := parseClientFirst(head + strings.Repeat(",", maxMessage-len(head))); f != errExtension {
		t.Errorf("commas: %v", f)
	}
	msg := head + strings.Repeat(",x=y", (maxMessage-len(head))/4)
	if allocs := testing.AllocsPerRun(10, func() {
		if _, f := parseClientFirst(msg); f != nil {
			t.Error(f)
		}
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// TestAppendNameIsInverse encodes and decodes.
func TestAppendNameIsInverse(t *testing.T) {
	for _, name := range []string{"", "user", ",", "=", "=2C", "=3D2C", "a,b=c,d=", "日本,=語"} {
		var b strings.Builder
		appendName(&b, name)
		if got, ok := decodeName(b.String()); !ok || got != name || strings.Contains(b.String(), ",") {
			t.Errorf("%q: %q, %v", name, got, ok)
		}
	}
}
