package scram

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// TestConversationsAreWiped looks for what is left after a conversation, and in the
// pooled states.
func TestConversationsAreWiped(t *testing.T) {
	c, err := SHA256.NewClient("user", "pencil", "")
	if err != nil {
		t.Fatal(err)
	}
	c.WithMinIterations(1)
	cred, err := c.GetStoredCredentialsWithError(KeyFactors{"salt", 2})
	if err != nil {
		t.Fatal(err)
	}
	s, err := SHA256.NewServer(func(string) (StoredCredentials, error) { return cred, nil })
	if err != nil {
		t.Fatal(err)
	}
	for _, good := range []bool{true, false} {
		cc, sc := c.NewConversation(), s.NewConversation()
		msg := ""
		for range 2 {
			msg, _ = cc.Step(msg)
			msg, _ = sc.Step(msg)
		}
		if cc.verifier == [maxSize]byte{} {
			t.Error("the client has no verifier to wipe")
		}
		if !good {
			msg = "v=eA=="
		}
		if _, err := cc.Step(msg); (err == nil) != good {
			t.Error(err)
		}
		if cc.verifier != [maxSize]byte{} || sc.stored != [maxSize]byte{} || sc.server != [maxSize]byte{} {
			t.Errorf("good: %v, keys are left", good)
		}
	}

	for _, e := range known {
		if e == nil {
			continue
		}
		var k keys
		if err := k.derive(e, []byte("pencil"), []byte("salt"), 2); err != nil {
			t.Fatal(err)
		}
		s := e.get()
		s.startHMAC(e, k.stored[:e.size])
		write(s, "a message longer than the buffer of the hash, so that a part of it is compressed and a part is left in the buffer: "+string(k.client[:e.size]))
		s.finishHMAC(e, k.server[:])
		e.put(s)
		for _, b := range [][]byte{s.pad, s.in[:], s.sum[:], s.inner[:], s.outer[:]} {
			for _, v := range b {
				if v != 0 {
					t.Fatalf("%s: a state is not wiped", e.name)
				}
			}
		}
		if b := byteArrays(reflect.ValueOf(s.h)); len(b) == 0 || !bytes.Equal(b, make([]byte, len(b))) {
			t.Errorf("%s: the buffer of the hash is not wiped: %x", e.name, b)
		}
	}
}

// byteArrays returns all arrays of bytes in a value. In a hash, they hold what was
// written and not yet compressed, or the state of a sponge.
func byteArrays(v reflect.Value) (all []byte) {
	switch v.Kind() {
	case reflect.Pointer:
		return byteArrays(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			all = append(all, byteArrays(v.Field(i))...)
		}
	case reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			for i := range v.Len() {
				all = append(all, byte(v.Index(i).Uint()))
			}
		}
	}
	return all
}

// TestMissingUserCannotPass gives the conversation of a user who does not exist the
// right keys, as if the made-up ones were guessed, and wants it to fail nevertheless.
func TestMissingUserCannotPass(t *testing.T) {
	c, s, _, _ := fuzzPair(t)
	s.lookup = func(string) (StoredCredentials, error) { return StoredCredentials{}, errUnknownUser }
	for _, exists := range []int{0, 1} {
		cc, sc := c.NewConversation(), s.NewConversation()
		first, err := cc.Step("")
		if err != nil {
			t.Fatal(err)
		}
		challenge, err := sc.Step(first)
		if err != nil {
			t.Fatal(err)
		}
		sc.exists, cc.maxIters = exists, DefaultMinIterations
		final, err := cc.Step(challenge)
		if err != nil {
			t.Fatal(err)
		}
		msg, f := parseServerFirst(challenge, nil)
		if f != nil || !strings.HasPrefix(challenge, "r=abcdef,") {
			t.Fatal(challenge, f)
		}
		cred, err := c.GetStoredCredentialsWithError(KeyFactors{string(msg.salt), int(msg.iters)})
		if err != nil {
			t.Fatal(err)
		}
		copy(sc.stored[:], cred.StoredKey)
		if _, err := sc.Step(final); (err == nil) != (exists == 1) || sc.Valid() != (exists == 1) {
			t.Errorf("exists: %d, %v, valid: %v", exists, err, sc.Valid())
		}
	}
}

// TestFormat checks that what holds passwords or keys does not print them.
func TestFormat(t *testing.T) {
	client, err := SHA256.NewClientUnprepped("user", "hunter2secret", "")
	if err != nil {
		t.Fatal(err)
	}
	server, err := SHA256.NewServer(func(string) (StoredCredentials, error) { return StoredCredentials{}, nil })
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]any{
		"Client": client, "Server": server, "ClientConversation": client.NewConversation(),
		"ServerConversation": server.NewConversation(), "Cache": client.cache,
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d"} {
			if got := fmt.Sprintf(verb, x); got != "scram."+name {
				t.Errorf("%s, %s: %.60s", name, verb, got)
			}
		}
	}
}
