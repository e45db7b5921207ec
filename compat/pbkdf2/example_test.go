package pbkdf2_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ecdh"
	stdpbkdf2 "crypto/pbkdf2"
	"crypto/sha256"
	"crypto/sha512"
	"errors"
	"fmt"
	"log"
	"testing"

	"github.com/fastrsa/fastrsa/compat/pbkdf2"
)

func ExampleKey() {
	key, err := pbkdf2.Key(sha256.New, "correct horse battery staple", []byte("a salt of at least 16 bytes"), 600_000, 32)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x", key)
}

// identity derives an X25519 key pair from a passphrase: 32 bytes of PBKDF2 with
// HMAC-SHA-512, clamped as in RFC 7748 §5. The passphrase is wiped.
func identity(ctx context.Context, passphrase, salt []byte, iterations int, progress func(done, total uint64)) (*ecdh.PrivateKey, error) {
	defer clear(passphrase)
	var seed [32]byte
	defer clear(seed[:])
	if err := pbkdf2.FillContext(ctx, seed[:], crypto.SHA512, passphrase, salt, iterations, progress); err != nil {
		return nil, err
	}
	// X25519 clamps by itself. Clamped bytes are for programs that want them stored so.
	seed[0] &= 248
	seed[31] &= 127
	seed[31] |= 64
	return ecdh.X25519().NewPrivateKey(seed[:])
}

// A key for a passphrase that is all there is to protect it: a million iterations, which
// the user watches and may stop.
func ExampleFillContext() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	key, err := identity(ctx, []byte("correct horse battery staple"), []byte("alice@example.org"), 1_000_000, func(done, total uint64) {
		fmt.Printf("\r%3d %%", done*100/total)
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("\n%x\n", key.PublicKey().Bytes())
}

// TestIdentity runs the example, with all its iterations if there is time.
func TestIdentity(t *testing.T) {
	t.Parallel()
	iterations := 1_000_000
	if testing.Short() {
		iterations = 10_000
	}
	passphrase := []byte("correct horse battery staple")
	var calls, last uint64
	key, err := identity(context.Background(), passphrase, []byte("alice@example.org"), iterations, func(done, total uint64) {
		calls++
		last = done
		if total != uint64(iterations) {
			t.Errorf("total = %d", total)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if calls < 30 || calls > 101 || last != uint64(iterations) {
		t.Errorf("%d calls of progress, the last for %d", calls, last)
	}
	if !bytes.Equal(passphrase, make([]byte, len(passphrase))) {
		t.Error("the passphrase is not wiped")
	}
	want, err := stdpbkdf2.Key(sha512.New, "correct horse battery staple", []byte("alice@example.org"), iterations, 32)
	if err != nil {
		t.Fatal(err)
	}
	wantKey, err := ecdh.X25519().NewPrivateKey(want)
	if err != nil {
		t.Fatal(err)
	}
	if !key.PublicKey().Equal(wantKey.PublicKey()) {
		t.Error("another key")
	}
	if b := key.Bytes(); b[0]&7 != 0 || b[31]&0xc0 != 0x40 {
		t.Errorf("not clamped: %x", b)
	}

	// The user has seen enough.
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, err = identity(ctx, passphrase, nil, 1_000_000, func(done, total uint64) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Error("stopped:", err)
	}
}

func ExampleFill() {
	password, salt := []byte("password"), []byte("salt")
	var key [32]byte
	if err := pbkdf2.Fill(key[:], crypto.SHA256, password, salt, 2); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", key)
	// Output: ae4d0c95af6b46d32d0adff928f06dd02a303f8ef3c251dfd6e2d85a95474c43
}

func ExampleDeriver() {
	d, err := pbkdf2.NewDeriver(crypto.SHA256, []byte("password"))
	if err != nil {
		log.Fatal(err)
	}
	defer d.Wipe()
	for _, purpose := range []string{"sign", "encrypt"} {
		var key [16]byte
		if err := d.Derive(key[:], []byte("salt for "+purpose), 1000); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %x\n", purpose, key)
	}
}

func ExampleBatch() {
	passwords := []string{"123456", "password", "qwerty"}
	requests := make([]pbkdf2.Request, len(passwords))
	for i, p := range passwords {
		requests[i] = pbkdf2.Request{Dst: make([]byte, 20), Password: []byte(p), Salt: []byte("salt"), Iterations: 2}
	}
	if err := pbkdf2.Batch(context.Background(), crypto.SHA1, requests, nil); err != nil {
		log.Fatal(err)
	}
	for i, r := range requests {
		fmt.Printf("%s: %x\n", passwords[i], r.Dst[:4])
	}
	// Output:
	// 123456: 73fc4324
	// password: ea6c014d
	// qwerty: 05d6445f
}

func ExampleLimits() {
	// A server says how many iterations it wants.
	limits := pbkdf2.Limits{MinIterations: 4096, MaxIterations: 1_000_000, MinSalt: 8}
	err := limits.Check(16, 2_147_483_647, 32)
	var limit *pbkdf2.LimitError
	fmt.Println(errors.As(err, &limit))
	fmt.Println(err)
	// Output:
	// true
	// pbkdf2: iterations 2147483647 is more than 1000000
}
