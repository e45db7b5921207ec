package rsa_test

import (
	"crypto"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/fastrsa/fastrsa/rsa"
)

// A key is validated once, when the program loads it. Buffers can be used again.
func ExampleSigner() {
	signer, err := rsa.NewSigner(exampleKey(), rsa.MinModulusBits(2048))
	if err != nil {
		log.Fatal(err)
	}
	verifier, err := rsa.NewVerifier(signer.Public().(*rsa.PublicKey))
	if err != nil {
		log.Fatal(err)
	}
	buf := make([]byte, 0, signer.Size())
	for _, message := range []string{"one", "two"} {
		digest := sha256.Sum256([]byte(message))
		sig, err := signer.AppendSignPKCS1v15(buf, crypto.SHA256, digest[:])
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(message, verifier.VerifyPKCS1v15(crypto.SHA256, digest[:], sig))
	}
	// Output:
	// one <nil>
	// two <nil>
}

// A TLS server takes a Signer as the private key of its certificate.
func ExampleNewSigner_tlsServer() {
	signer, err := rsa.NewSigner(exampleKey())
	if err != nil {
		log.Fatal(err)
	}
	// Normally the certificate is read from a file, with x509.ParseCertificate.
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		DNSNames:     []string{"localhost"},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
	}
	der := must1(x509.CreateCertificate(rand.Reader, template, template, signer.Public(), signer))
	leaf := must1(x509.ParseCertificate(der))

	serverSide, clientSide := net.Pipe()
	go func() {
		server := tls.Server(serverSide, &tls.Config{
			Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: signer, Leaf: leaf}},
		})
		io.WriteString(server, "hello")
		server.Close()
	}()

	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	client := tls.Client(clientSide, &tls.Config{RootCAs: roots, ServerName: "localhost"})
	greeting, err := io.ReadAll(client)
	fmt.Printf("%s %v\n", greeting, err)
	// Output: hello <nil>
}

// A JSON Web Token with the algorithm RS256 (RFC 7515), with nothing but the standard
// library.
func ExampleSigner_AppendSignPKCS1v15_jwt() {
	signer, err := rsa.NewSigner(exampleKey())
	if err != nil {
		log.Fatal(err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	token := encode([]byte(`{"alg":"RS256","typ":"JWT"}`)) + "." + encode([]byte(`{"sub":"user"}`))
	digest := sha256.Sum256([]byte(token))
	sig, err := signer.AppendSignPKCS1v15(nil, crypto.SHA256, digest[:])
	if err != nil {
		log.Fatal(err)
	}
	token += "." + encode(sig)
	fmt.Println(token[:56])

	// The other side.
	verifier, err := rsa.NewVerifier(signer.Public().(*rsa.PublicKey))
	if err != nil {
		log.Fatal(err)
	}
	dot := strings.LastIndexByte(token, '.')
	digest = sha256.Sum256([]byte(token[:dot]))
	sig = must1(base64.RawURLEncoding.DecodeString(token[dot+1:]))
	fmt.Println(verifier.VerifyPKCS1v15(crypto.SHA256, digest[:], sig))
	// Output:
	// eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJ1c2VyIn0
	// <nil>
}

// A certificate authority signs with a Signer.
func ExampleNewSigner_certificateAuthority() {
	signer, err := rsa.NewSigner(exampleKey())
	if err != nil {
		log.Fatal(err)
	}
	authority := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "An Authority"},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign,
	}
	root := must1(x509.ParseCertificate(must1(x509.CreateCertificate(rand.Reader, authority, authority, signer.Public(), signer))))

	leafKey := must1(rsa.GenerateKey(rand.Reader, 2048))
	leaf := &x509.Certificate{
		SerialNumber:       big.NewInt(2),
		DNSNames:           []string{"service.example"},
		NotBefore:          time.Now().Add(-time.Hour),
		NotAfter:           time.Now().Add(time.Hour),
		SignatureAlgorithm: x509.SHA256WithRSAPSS,
	}
	issued := must1(x509.ParseCertificate(must1(x509.CreateCertificate(rand.Reader, leaf, root, &leafKey.PublicKey, signer))))
	fmt.Println(issued.Issuer, issued.CheckSignatureFrom(root))
	// Output: CN=An Authority <nil>
}

// An SSH server takes a Signer as its host key.
func ExampleNewSigner_sshHostKey() {
	signer, err := rsa.NewSigner(exampleKey())
	if err != nil {
		log.Fatal(err)
	}
	hostKey, err := ssh.NewSignerFromSigner(signer)
	if err != nil {
		log.Fatal(err)
	}
	server := &ssh.ServerConfig{NoClientAuth: true}
	server.AddHostKey(hostKey)

	listener := must1(net.Listen("tcp", "127.0.0.1:0"))
	defer listener.Close()
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		if _, _, requests, err := ssh.NewServerConn(conn, server); err == nil {
			ssh.DiscardRequests(requests)
		}
	}()
	client, err := ssh.Dial("tcp", listener.Addr().String(), &ssh.ClientConfig{
		HostKeyAlgorithms: []string{ssh.KeyAlgoRSASHA256},
		HostKeyCallback:   ssh.FixedHostKey(hostKey.PublicKey()),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", client.ServerVersion())
	client.Close()
	// Output: SSH-2.0-Go
}

// Salts of any length can be asked for, and demanded: 20 bytes here, or none with
// PSSSaltExactly(0), for which PSSOptions has no word.
func ExamplePSS() {
	key := exampleKey()
	signer, err := rsa.NewSigner(key)
	if err != nil {
		log.Fatal(err)
	}
	opts := &rsa.PSS{Hash: crypto.SHA256, Salt: rsa.PSSSaltExactly(20)}
	digest := sha256.Sum256([]byte("message"))
	sig, err := signer.SignPSS(nil, digest[:], opts)
	if err != nil {
		log.Fatal(err)
	}
	verifier, err := rsa.NewVerifier(&key.PublicKey)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(verifier.VerifyPSS(digest[:], sig, opts))
	fmt.Println(verifier.VerifyPSS(digest[:], sig, &rsa.PSS{Hash: crypto.SHA256})) // a salt as long as the hash
	// Output:
	// <nil>
	// crypto/rsa: verification error
}

// The numbers of a JSON Web Key (RFC 7518, section 6.3.1). A conversion of the exponent
// to int could cut it; this takes it as it is and has a bound instead.
func ExampleNewVerifierBig() {
	n := exampleKey().N
	for _, text := range []string{"AQAB", "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB"} {
		e := new(big.Int).SetBytes(must1(base64.RawURLEncoding.DecodeString(text)))
		verifier, err := rsa.NewVerifierBig(n, e)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(verifier.PublicKey().E)
	}
	// Output:
	// 65537
	// crypto/rsa: public exponent too large
}
