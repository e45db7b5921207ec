package scram_test

import (
	"testing"

	"github.com/xdg-go/stringprep"

	"github.com/fastrsa/fastrsa/compat/scram"
)

// TestPreparations prepares passwords and names in every mode. The first seven are
// the examples of RFC 4013 section 3; what PostgreSQL makes of the rest, its own
// server confirms in TestPostgreSQL.
func TestPreparations(t *testing.T) {
	const fails = "\xff fails"
	for _, c := range []struct{ in, strict, postgres string }{
		{"I\u00adX", "IX", "IX"},
		{"user", "user", "user"},
		{"USER", "USER", "USER"},
		{"\u00aa", "a", "a"},
		{"\u2168", "IX", "IX"},
		{"\u0007", fails, "\u0007"},
		{"\u0627\u0031", fails, "\u0627\u0031"},
		{"", "", ""},
		{"a b~", "a b~", "a b~"},
		{"a\x7f", fails, "a\x7f"},
		{"a\nb", fails, "a\nb"},
		{"a\u00a0b", "a b", "a b"},
		{"a\u3000b", "a b", "a b"},
		{"a\u200bb", "ab", "a b"}, // in the tables of both spaces and nothing
		{"\u00ad", "", "\u00ad"},
		{"\u200b", "", " "},
		{"p\u212bssword", "p\u00c5ssword", "p\u00c5ssword"},
		{"ramo\u0301n", "ram\u00f3n", "ram\u00f3n"},
		{"\ufb01", "fi", "fi"},
		{"horse\U0001f434", fails, "horse\U0001f434"},
		{"\u05e9\u05dc\u05d5\u05ddabc", fails, "\u05e9\u05dc\u05d5\u05ddabc"},
		{"\u0221", fails, "\u0221"}, // unassigned in Unicode 3.2
		{"\ufffd", fails, "\ufffd"},
		{"\ue000", fails, "\ue000"},
		{"\xff", fails, "\xff"},
		{"\xc3\xa9\xc3", fails, "\xc3\xa9\xc3"},
		{"\xed\xa0\x80", fails, "\xed\xa0\x80"},
		{"\u5bc6\u7801", "\u5bc6\u7801", "\u5bc6\u7801"},
	} {
		want := map[scram.Preparation]string{
			scram.PrepareStrict: c.strict, scram.PrepareMongoDB: c.strict, scram.PreparePostgreSQL: c.postgres, scram.PrepareNone: c.in,
		}
		for p, want := range want {
			got, err := p.Password([]byte("dst"), []byte(c.in))
			if (err != nil) != (want == fails) || string(got) != "dst"+want && err == nil || err != nil && string(got) != "dst" {
				t.Errorf("mode %d, password %+q: %+q, %v, want %+q", p, c.in, got, err, want)
			}
			name, err := p.Name(c.in)
			if p != scram.PrepareStrict {
				want = c.in
			}
			if (err != nil) != (want == fails) || name != want && err == nil {
				t.Errorf("mode %d, name %+q: %+q, %v, want %+q", p, c.in, name, err, want)
			}
		}
	}
	for _, p := range []scram.Preparation{-1, scram.PrepareNone + 1} {
		if _, err := p.Password(nil, nil); err == nil {
			t.Errorf("mode %d: no error", p)
		}
		if _, err := p.Name("x"); err == nil {
			t.Errorf("mode %d: no error", p)
		}
		if _, err := scram.SHA256.NewClientPrepared(p, "x", nil, ""); err == nil {
			t.Errorf("mode %d: no error", p)
		}
	}
	for p := scram.PrepareStrict; p <= scram.PrepareNone; p++ {
		if _, err := p.Name("a\x00b"); err == nil {
			t.Errorf("mode %d: a name with a zero byte passes", p)
		}
	}
}

// TestPrintableASCIIIsPrepared asserts what the shortcut around SASLprep relies on.
func TestPrintableASCIIIsPrepared(t *testing.T) {
	for c := range rune(128) {
		s := "x" + string(c) + "y"
		got, err := stringprep.SASLprep.Prepare(s)
		if printable := c >= ' ' && c <= '~'; printable && (err != nil || got != s) || !printable && err == nil {
			t.Errorf("%q: %q, %v", s, got, err)
		}
		strict, err2 := scram.PrepareStrict.Password(nil, []byte(s))
		if (err2 == nil) != (err == nil) || err == nil && string(strict) != got {
			t.Errorf("%q: %q, %v, the profile says %q, %v", s, strict, err2, got, err)
		}
	}
}
