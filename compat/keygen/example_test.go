package keygen_test

import (
	"fmt"
	"log"
	"time"

	"github.com/fastrsa/fastrsa/compat/keygen"
)

// A Go service derives the key with which a Phoenix application signs its session
// cookies. The secret_key_base is in the application's configuration, as text that is used as
// it stands; the salt is the signing_salt of its Plug.Session.
func ExampleGenerate_session() {
	secretKeyBase := []byte("Zm9yIHRoZSBleGFtcGxlIG9ubHkuIFJlYWwgb25lcyBjb21lIGZyb20gbWl4IHBoeC5nZW4=")
	keys := keygen.NewCache(16, time.Hour)

	key, err := keygen.Generate(secretKeyBase, []byte("cookie salt"), keygen.WithCache(keys))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", key)
	// Output: 4f8628ccd2a321036fdf5e047c9fd0fe08aa1b2e9c0e8d7ac8d4ec47ac67249e
}

// For a password, rather than a random secret, Plug advises at least 65536 iterations.
func ExampleGenerate_password() {
	key, err := keygen.Generate([]byte("correct horse"), []byte("salt of this user"),
		keygen.WithIterations(1<<16), keygen.WithLength(16), keygen.WithDigest(keygen.SHA512))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", key)

	_, err = keygen.Generate([]byte("correct horse"), nil, keygen.WithIterations(0))
	fmt.Println(err)
	// Output:
	// a203d5278aae9fb6c1719cc5429e7e71
	// keygen: iterations must be an integer >= 1
}

func ExampleMessageVerifier() {
	secret, err := keygen.Generate([]byte("secret key base"), []byte("signed links"))
	if err != nil {
		log.Fatal(err)
	}
	v, err := keygen.NewMessageVerifier(secret, keygen.SHA256)
	if err != nil {
		log.Fatal(err)
	}
	token := v.Sign([]byte("user=42"))
	fmt.Println(token)

	message, err := v.Verify(token)
	fmt.Printf("%s, %v\n", message, err)

	_, err = v.Verify(token[:len(token)-1])
	fmt.Println(err)
	// Output:
	// SFMyNTY.dXNlcj00Mg.ripitXlkoGoZVVvWXSudkCIp4F_EpBgjpALAHkhLuF4
	// user=42, <nil>
	// keygen: invalid token
}

func ExampleMessageEncryptor() {
	// Plug derives both secrets, from salts of their own. The second one serves
	// tokens of plug_crypto 1.x only.
	base := []byte("secret key base")
	secret, err := keygen.Generate(base, []byte("encrypted cookie"))
	if err != nil {
		log.Fatal(err)
	}
	signSecret, err := keygen.Generate(base, []byte("signed encrypted cookie"))
	if err != nil {
		log.Fatal(err)
	}
	e, err := keygen.NewMessageEncryptor(secret, signSecret)
	if err != nil {
		log.Fatal(err)
	}
	token, err := e.EncryptAAD([]byte("balance=100"), []byte("account 7"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(token[:4], len(token))

	message, err := e.DecryptAAD(token, []byte("account 7"))
	fmt.Printf("%s, %v\n", message, err)

	// The token of one account is worth nothing for another.
	_, err = e.DecryptAAD(token, []byte("account 8"))
	fmt.Println(err)
	// Output:
	// XCP. 72
	// balance=100, <nil>
	// keygen: invalid token
}
