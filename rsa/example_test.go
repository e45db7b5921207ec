package rsa_test

import (
	"crypto"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"log"

	"github.com/fastrsa/fastrsa/rsa"
)

// exampleKey stands for a key that a program has loaded.
func exampleKey() *rsa.PrivateKey {
	keys, err := readTestKeys()
	if err != nil {
		log.Fatal(err)
	}
	for _, k := range keys {
		if k.label == "bench" && k.bits == 2048 {
			return setCRT(k.private())
		}
	}
	log.Fatal("no key")
	return nil
}

// Only the import of crypto/rsa changes. The parsers of the standard library keep
// making the keys, and these functions take them.
func Example() {
	key := exampleKey()
	encoded := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: must1(x509.MarshalPKIXPublicKey(&key.PublicKey))})

	digest := sha256.Sum256([]byte("message"))
	sig, err := rsa.SignPKCS1v15(nil, key, crypto.SHA256, digest[:])
	if err != nil {
		log.Fatal(err)
	}

	block, _ := pem.Decode(encoded)
	pub := must1(x509.ParsePKIXPublicKey(block.Bytes)).(*rsa.PublicKey)
	fmt.Println(rsa.VerifyPKCS1v15(pub, crypto.SHA256, digest[:], sig))

	sig[17] ^= 1
	fmt.Println(rsa.VerifyPKCS1v15(pub, crypto.SHA256, digest[:], sig))
	// Output:
	// <nil>
	// crypto/rsa: verification error
}

// A JWT with the algorithm PS256 (RFC 7518) has a salt as long as the hash.
func ExampleSignPSS() {
	key := exampleKey()
	opts := &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash}

	digest := sha256.Sum256([]byte("header.payload"))
	sig, err := rsa.SignPSS(rand.Reader, key, crypto.SHA256, digest[:], opts)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(sig), rsa.VerifyPSS(&key.PublicKey, crypto.SHA256, digest[:], sig, opts))
	// Output: 256 <nil>
}

func ExampleEncryptOAEP() {
	key := exampleKey()
	label := []byte("session")
	ciphertext, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, &key.PublicKey, []byte("secret"), label)
	if err != nil {
		log.Fatal(err)
	}
	message, err := rsa.DecryptOAEP(sha256.New(), nil, key, ciphertext, label)
	fmt.Printf("%s %v\n", message, err)

	_, err = rsa.DecryptOAEP(sha256.New(), nil, key, ciphertext, []byte("another label"))
	fmt.Println(err)
	// Output:
	// secret <nil>
	// crypto/rsa: decryption error
}

// Peers in Java often hash the label with SHA-256 and leave MGF1 at SHA-1.
func ExampleEncryptOAEPWithOptions() {
	key := exampleKey()
	ciphertext, err := rsa.EncryptOAEPWithOptions(rand.Reader, &key.PublicKey, []byte("secret"), &rsa.OAEPOptions{
		Hash:    crypto.SHA256,
		MGFHash: crypto.SHA1,
	})
	fmt.Println(len(ciphertext), err)
	// Output: 256 <nil>
}

func must1[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}
