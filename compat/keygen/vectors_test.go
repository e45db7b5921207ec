package keygen

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// hexBytes is a byte string that JSON holds in hex.
type hexBytes []byte

func (b *hexBytes) UnmarshalText(text []byte) (err error) {
	*b, err = hex.AppendDecode(nil, text)
	return err
}

// vector is a line of testdata/plug_crypto.jsonl.
type vector struct {
	Kind       string
	Secret     hexBytes
	Salt       hexBytes
	Digest     string
	Length     int
	Iterations int
	Key        hexBytes
	Message    hexBytes
	SignSecret hexBytes `json:"sign_secret"`
	AAD        hexBytes
	Token      string
	OK         bool
}

// vectors returns the vectors of a kind, and fails unless there are n.
func vectors(t testing.TB, kind string, n int) []vector {
	t.Helper()
	f, err := os.Open("testdata/plug_crypto.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []vector
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var v vector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if v.Kind == kind {
			all = append(all, v)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(all) != n {
		t.Fatalf("%d vectors of kind %s, want %d", len(all), kind, n)
	}
	return all
}

func TestPlugGenerate(t *testing.T) {
	t.Parallel()
	cache := NewCache(1000, 0)
	all := vectors(t, "keygen", 80)
	seen := map[Digest]int{}
	for i, v := range all {
		d, err := ParseDigest(v.Digest)
		if err != nil {
			t.Fatal(err)
		}
		seen[d]++
		options := []Option{WithIterations(v.Iterations), WithLength(v.Length), WithDigest(d)}
		// Without a cache, then derived into one, then found there.
		for _, c := range []*Cache{nil, cache, cache} {
			key, err := Generate(v.Secret, v.Salt, append(options, WithCache(c))...)
			if err != nil || !bytes.Equal(key, v.Key) {
				t.Errorf("vector %d: %x, %v, want %x", i, key, err, v.Key)
			}
		}
	}
	if len(seen) != int(numDigests) {
		t.Errorf("digests seen: %v", seen)
	}
	if s := cache.Stats(); s.Derivations != uint64(len(all)) || s.Hits != s.Derivations {
		t.Errorf("%d vectors: %+v", len(all), s)
	}
	for _, v := range vectors(t, "keygen-default", 2) {
		if key, err := Generate(v.Secret, v.Salt); err != nil || !bytes.Equal(key, v.Key) {
			t.Errorf("defaults: %x, %v, want %x", key, err, v.Key)
		}
	}
}

func TestPlugVerifier(t *testing.T) {
	t.Parallel()
	seen := map[Digest]int{}
	for i, v := range vectors(t, "verifier", 27) {
		d, err := ParseDigest(v.Digest)
		if err != nil {
			t.Fatal(err)
		}
		seen[d]++
		mv, err := NewMessageVerifier(v.Secret, d)
		if err != nil {
			t.Fatal(err)
		}
		if token := mv.Sign(v.Message); token != v.Token {
			t.Errorf("vector %d: signed %s, want %s", i, token, v.Token)
		}
		// Whatever a verifier signs with, it reads all.
		for _, other := range []Digest{SHA256, SHA384, SHA512} {
			mv, err := NewMessageVerifier(v.Secret, other)
			if err != nil {
				t.Fatal(err)
			}
			if m, err := mv.Verify(v.Token); err != nil || !bytes.Equal(m, v.Message) {
				t.Errorf("vector %d: %x, %v, want %x", i, m, err, v.Message)
			}
		}
	}
	if len(seen) != 3 {
		t.Errorf("digests seen: %v", seen)
	}
}

func TestPlugVerifierBad(t *testing.T) {
	t.Parallel()
	for i, v := range vectors(t, "verifier-bad", 8) {
		mv, err := NewMessageVerifier(v.Secret, SHA256)
		if err != nil {
			t.Fatal(err)
		}
		if m, err := mv.Verify(v.Token); m != nil || err != ErrInvalidToken {
			t.Errorf("vector %d: %x, %v for %q", i, m, err, v.Token)
		}
		// The one kind that plug_crypto accepts and the package documentation
		// excludes: padding. It is refused for that alone.
		if v.OK {
			bare := strings.TrimRight(v.Token, "=")
			if _, err := mv.Verify(bare); bare == v.Token || err != nil {
				t.Errorf("vector %d: %v for %q", i, err, bare)
			}
		}
	}
}

func TestPlugEncryptor(t *testing.T) {
	t.Parallel()
	for _, kind := range []struct {
		name, prefix string
		n            int
	}{{"encryptor", "XCP.", 27}, {"encryptor-v1", "QTEyOEdDTQ.", 12}} {
		sizes := map[int]int{}
		defaults := 0
		for i, v := range vectors(t, kind.name, kind.n) {
			sizes[len(v.Secret)]++
			e, err := NewMessageEncryptor(v.Secret, v.SignSecret)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(v.Token, kind.prefix) {
				t.Errorf("%s %d: token %s", kind.name, i, v.Token)
			}
			if m, err := e.DecryptAAD(v.Token, v.AAD); err != nil || !bytes.Equal(m, v.Message) {
				t.Errorf("%s %d: %x, %v, want %x", kind.name, i, m, err, v.Message)
			}
			want := ErrInvalidToken
			if string(v.AAD) == DefaultAAD {
				want = nil
				defaults++
			}
			if _, err := e.Decrypt(v.Token); err != want {
				t.Errorf("%s %d: %v with the default AAD, want %v", kind.name, i, err, want)
			}
		}
		if defaults == 0 || defaults == kind.n {
			t.Errorf("%s: %d vectors with the default AAD", kind.name, defaults)
		}
		if kind.prefix != "XCP." && len(sizes) != 3 {
			t.Errorf("%s: secret sizes %v", kind.name, sizes)
		}
	}
}
