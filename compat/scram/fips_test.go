package scram_test

import (
	"bytes"
	"crypto"
	"crypto/fips140"
	"crypto/hmac"
	"hash"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/fastrsa/fastrsa/compat/scram"
)

// TestFIPS runs itself again in both FIPS 140-3 modes. There, the bare functions and
// logins have to give the same results, and FIPS 140-only mode has to refuse SHA-1 with
// an error, not with a panic.
func TestFIPS(t *testing.T) {
	if !fips140.Enabled() {
		exe, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		for _, mode := range []string{"on", "only"} {
			cmd := exec.Command(exe, "-test.run=^TestFIPS$", "-test.v")
			cmd.Env = append(os.Environ(), "GODEBUG=fips140="+mode)
			out, err := cmd.CombinedOutput()
			if err != nil && !strings.Contains(string(out), "TestFIPS") {
				t.Skipf("a program in FIPS 140-3 mode does not start here: %v, %s", err, out)
			}
			if err != nil || !strings.Contains(string(out), "FIPS 140-3 mode is on") {
				t.Errorf("fips140=%s: %v\n%s", mode, err, out)
			}
		}
		return
	}
	t.Log("FIPS 140-3 mode is on")
	for i, h := range allHashes {
		id := bareHashes[i]
		if id == crypto.SHA1 && fips140.Enforced() {
			if _, err := h.f.NewClient("user", "pencilpencilpencil", ""); err == nil {
				t.Error("a client with SHA-1")
			}
			if _, err := h.f.NewServer(lookupOf("", scram.StoredCredentials{})); err == nil {
				t.Error("a server with SHA-1")
			}
			if _, err := scram.ClientKey(nil, id, make([]byte, 20)); err == nil {
				t.Error("ClientKey with SHA-1")
			}
			continue
		}
		c, s := pair(t, h.f, "user", "pencilpencilpencil", "")
		mustTalk(t, c.NewConversation(), s.NewConversation())
		key := bytes.Repeat([]byte{3}, id.Size())
		mac := hmac.New(id.New, key)
		mac.Write([]byte("message"))
		if got, err := scram.ClientSignature(nil, id, key, "message"); err != nil || !bytes.Equal(got, mac.Sum(nil)) {
			t.Errorf("%s: %x, %v", h.name, got, err)
		}
	}
	if !fips140.Enforced() {
		return
	}
	// A salt of less than 128 bits and hashes from elsewhere are not allowed.
	for _, id := range bareHashes {
		if _, err := scram.Hi(nil, id, []byte("pencil"), make([]byte, 15), 4096); err == nil {
			t.Errorf("%v: a short salt is accepted", id)
		}
	}
	foreign := scram.HashGeneratorFcn(func() hash.Hash { return oddHash{crypto.SHA256.New()} })
	if _, err := foreign.NewClient("user", "pencilpencilpencil", ""); err == nil {
		t.Error("a client with a hash from elsewhere")
	}
	s, err := scram.SHA256.NewServer(func(string) (scram.StoredCredentials, error) { return scram.StoredCredentials{}, os.ErrNotExist })
	if err != nil {
		t.Fatal(err)
	}
	if msg, err := s.WithMockChallenge([]byte("short"), 4096, 16).NewConversation().Step("n,,n=user,r=abc"); err != nil {
		t.Errorf("%q, %v", msg, err)
	}
}
