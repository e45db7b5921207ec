package scram_test

import (
	"crypto"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"hash"
	"log"
	"time"

	"github.com/fastrsa/fastrsa/compat/scram"
)

// A login, both sides of which are in this program. The nonces are fixed here, which
// reproduces the example of RFC 7677; programs leave that call out.
func Example() {
	client, err := scram.SHA256.NewClient("user", "pencil", "")
	if err != nil {
		log.Fatal(err)
	}
	client.WithNonceGenerator(func() string { return "rOprNGfwEbeRWgbNEkqO" })

	// What the server keeps. It is made once, when the password is set.
	salt, _ := base64.StdEncoding.DecodeString("W22ZaJ0SNY7soEsUEjb6gQ==")
	stored, err := client.GetStoredCredentialsWithError(scram.KeyFactors{Salt: string(salt), Iters: 4096})
	if err != nil {
		log.Fatal(err)
	}
	server, err := scram.SHA256.NewServer(func(name string) (scram.StoredCredentials, error) {
		if name != "user" {
			return scram.StoredCredentials{}, errors.New("no such user")
		}
		return stored, nil
	})
	if err != nil {
		log.Fatal(err)
	}
	server.WithNonceGenerator(func() string { return "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0" })

	c, s := client.NewConversation(), server.NewConversation()
	message := ""
	for !c.Done() {
		if message, err = c.Step(message); err != nil {
			log.Fatal(err)
		}
		if c.Done() {
			break
		}
		fmt.Println("C:", message)
		if message, err = s.Step(message); err != nil {
			log.Fatal(err)
		}
		fmt.Println("S:", message)
	}
	fmt.Println(c.Valid(), s.Valid(), s.Username())

	// Output:
	// C: n,,n=user,r=rOprNGfwEbeRWgbNEkqO
	// S: r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096
	// C: c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=
	// S: v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=
	// true true user
}

// The verifier that PostgreSQL stores for a role, made without sending the password
// there.
func ExampleHashGeneratorFcn_FormatStored() {
	client, err := scram.SHA256.NewClientPrepared(scram.PreparePostgreSQL, "", []byte("pencil"), "")
	if err != nil {
		log.Fatal(err)
	}
	defer client.Wipe()
	// The salt should be 16 random bytes.
	salt, _ := base64.StdEncoding.DecodeString("W22ZaJ0SNY7soEsUEjb6gQ==")
	stored, err := client.GetStoredCredentialsWithError(scram.KeyFactors{Salt: string(salt), Iters: 4096})
	if err != nil {
		log.Fatal(err)
	}
	verifier, err := scram.SHA256.FormatStored(stored)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("ALTER ROLE app PASSWORD '%s'\n", verifier)

	// Output:
	// ALTER ROLE app PASSWORD 'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU='
}

// The proof of RFC 5802's example, by the bare functions.
func ExampleClientProof() {
	const authMessage = "n=user,r=fyko+d2lbbFgONRv9qkxdawL," +
		"r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096," +
		"c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j"
	salt, _ := base64.StdEncoding.DecodeString("QSXCR+Q6sek8bf92")

	var salted, client, stored, signature, proof [20]byte
	if _, err := scram.SaltedPassword(salted[:0], crypto.SHA1, []byte("pencil"), salt, 4096); err != nil {
		log.Fatal(err)
	}
	// These fail only for keys of a wrong size.
	scram.ClientKey(client[:0], crypto.SHA1, salted[:])
	scram.StoredKey(stored[:0], crypto.SHA1, client[:])
	scram.ClientSignature(signature[:0], crypto.SHA1, stored[:], authMessage)
	scram.ClientProof(proof[:0], client[:], signature[:])
	fmt.Println(base64.StdEncoding.EncodeToString(proof[:]))

	// Output:
	// v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=
}

// logins is shared by all clients of the program.
var logins = scram.NewCache(100, time.Hour)

// A kafkaClient has the methods that Sarama's interface SCRAMClient wants, Begin, Step
// and Done. Sarama makes a new one for each connection; because of the shared cache,
// the keys are derived for the first of them only. It goes into a configuration as
//
//	config.Net.SASL.SCRAMClientGeneratorFunc = func() sarama.SCRAMClient {
//		return &kafkaClient{HashGeneratorFcn: scram.SHA512}
//	}
type kafkaClient struct {
	scram.HashGeneratorFcn
	conversation *scram.ClientConversation
}

func (k *kafkaClient) Begin(userName, password, authzID string) error {
	client, err := k.NewClient(userName, password, authzID)
	if err != nil {
		return err
	}
	k.conversation = client.WithCache(logins).NewConversation()
	return nil
}

func (k *kafkaClient) Step(challenge string) (string, error) { return k.conversation.Step(challenge) }

// Done is what Sarama asks before it takes the login for good.
func (k *kafkaClient) Done() bool { return k.conversation.Done() && k.conversation.Valid() }

// An adapter for Sarama, the client library for Kafka.
func ExampleCache() {
	admin, err := scram.SHA512.NewClient("user", "pencil", "")
	if err != nil {
		log.Fatal(err)
	}
	stored, err := admin.GetStoredCredentialsWithError(scram.KeyFactors{Salt: "0123456789abcdef", Iters: 4096})
	if err != nil {
		log.Fatal(err)
	}
	server, err := scram.SHA512.NewServer(func(string) (scram.StoredCredentials, error) { return stored, nil })
	if err != nil {
		log.Fatal(err)
	}

	for range 3 {
		client := &kafkaClient{HashGeneratorFcn: scram.SHA512}
		if err := client.Begin("user", "pencil", ""); err != nil {
			log.Fatal(err)
		}
		broker := server.NewConversation()
		message, err := client.Step("")
		for err == nil && !client.Done() {
			if message, err = broker.Step(message); err == nil {
				message, err = client.Step(message)
			}
		}
		fmt.Println(client.Done(), err)
	}
	stats := logins.Stats()
	fmt.Println(stats.Misses, "derivation,", stats.Hits, "logins from the cache")

	// Output:
	// true <nil>
	// true <nil>
	// true <nil>
	// 1 derivation, 2 logins from the cache
}

// A client that has been given keys needs no password.
func ExampleHashGeneratorFcn_NewClientFromKeys() {
	client, err := scram.SHA256.NewClient("user", "pencil", "")
	if err != nil {
		log.Fatal(err)
	}
	factors := scram.KeyFactors{Salt: "0123456789abcdef", Iters: 4096}
	derived, err := client.DerivedKeys(factors)
	if err != nil {
		log.Fatal(err)
	}
	client.Wipe()

	other, err := scram.SHA256.NewClientFromKeys("user", "", derived)
	if err != nil {
		log.Fatal(err)
	}
	derived.Wipe()
	_, err = other.DerivedKeys(factors)
	fmt.Println(err)
	_, err = other.DerivedKeys(scram.KeyFactors{Salt: "another", Iters: 4096})
	fmt.Println(err)

	// Output:
	// <nil>
	// scram: the server's salt and iteration count are not those of the client's keys, and it has no password
}

// Any hash of up to 64 bytes makes a mechanism, if both sides agree on it.
func ExampleHashGeneratorFcn() {
	sha := scram.HashGeneratorFcn(func() hash.Hash { return sha256.New() })
	fmt.Println(sha.Mechanism(), scram.SHA3_512.Mechanism())

	// Output:
	// SCRAM-SHA-256 SCRAM-SHA3-512
}
