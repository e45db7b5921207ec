package rsa_test

import (
	"bytes"
	"crypto"
	"crypto/fips140"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"math/big"
	"net"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/cryptosigner"
	"golang.org/x/crypto/ocsp"
	"golang.org/x/crypto/ssh"

	"github.com/fastrsa/fastrsa/rsa"
)

// This file gives a Signer to code that takes a crypto.Signer or crypto.Decrypter, and
// lets that code, or the standard library, check the result.

// certificate returns a self-signed certificate for the key.
func certificate(key crypto.Signer, algorithm x509.SignatureAlgorithm) (*x509.Certificate, error) {
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "localhost"},
		DNSNames:              []string{"localhost"},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(time.Hour),
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageKeyEncipherment | x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
		IsCA:                  true,
		BasicConstraintsValid: true,
		SignatureAlgorithm:    algorithm,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(der)
}

// handshake connects a client and a server and returns what the client then reads.
func handshake(server, client *tls.Config) (state tls.ConnectionState, got string, err error) {
	clientConn, serverConn := net.Pipe()
	defer clientConn.Close()
	serverErr := make(chan error, 1)
	go func() {
		defer serverConn.Close()
		conn := tls.Server(serverConn, server)
		_, err := io.WriteString(conn, "hello")
		serverErr <- err
	}()
	conn := tls.Client(clientConn, client)
	buf := make([]byte, 5)
	if _, err := io.ReadFull(conn, buf); err != nil {
		return state, "", fmt.Errorf("client: %w, server: %v", err, <-serverErr)
	}
	return conn.ConnectionState(), string(buf), <-serverErr
}

func TestSignerTLS(t *testing.T) {
	t.Parallel()
	s := newSigner(t, testKeyOf(t, "bench", 2048, 65537).private())
	cert, err := certificate(s, x509.SHA256WithRSA)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(cert)
	chain := []tls.Certificate{{Certificate: [][]byte{cert.Raw}, PrivateKey: s}}
	for _, c := range []struct {
		name    string
		version uint16
		suites  []uint16
		inFIPS  bool
	}{
		{"TLS 1.3", tls.VersionTLS13, nil, true},
		{"TLS 1.2", tls.VersionTLS12, []uint16{tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256}, true},
		// The client encrypts the premaster secret for the key, which is decrypted.
		{"TLS 1.2 with RSA key exchange", tls.VersionTLS12, []uint16{tls.TLS_RSA_WITH_AES_128_GCM_SHA256}, false},
	} {
		if fips140.Enabled() && !c.inFIPS {
			continue
		}
		// Both sides present the key.
		server := &tls.Config{
			Certificates: chain, MinVersion: c.version, MaxVersion: c.version, CipherSuites: c.suites,
			ClientAuth: tls.RequireAnyClientCert,
		}
		client := &tls.Config{
			Certificates: chain, MinVersion: c.version, MaxVersion: c.version, CipherSuites: c.suites,
			RootCAs: roots, ServerName: "localhost",
		}
		state, got, err := handshake(server, client)
		if err != nil || got != "hello" || state.Version != c.version || c.suites != nil && state.CipherSuite != c.suites[0] {
			t.Errorf("%s: %q, version %x, suite %x, %v", c.name, got, state.Version, state.CipherSuite, err)
		}
	}
}

func TestSignerX509(t *testing.T) {
	t.Parallel()
	s := newSigner(t, testKeyOf(t, "size", 1024, 0).private())
	for _, algorithm := range []x509.SignatureAlgorithm{
		x509.SHA256WithRSA, x509.SHA384WithRSA, x509.SHA512WithRSA, x509.SHA256WithRSAPSS, x509.SHA384WithRSAPSS,
	} {
		cert, err := certificate(s, algorithm)
		if err != nil {
			t.Errorf("%v: certificate: %v", algorithm, err)
			continue
		}
		if err := cert.CheckSignatureFrom(cert); err != nil || cert.SignatureAlgorithm != algorithm {
			t.Errorf("%v: certificate: %v, %v", algorithm, cert.SignatureAlgorithm, err)
		}
		der, err := x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{SignatureAlgorithm: algorithm}, s)
		if err != nil {
			t.Errorf("%v: request: %v", algorithm, err)
			continue
		}
		if csr, err := x509.ParseCertificateRequest(der); err != nil || csr.CheckSignature() != nil {
			t.Errorf("%v: request: %v", algorithm, err)
		}
		der, err = x509.CreateRevocationList(rand.Reader, &x509.RevocationList{
			SignatureAlgorithm: algorithm, Number: big.NewInt(1), ThisUpdate: time.Now(), NextUpdate: time.Now().Add(time.Hour),
		}, cert, s)
		if err != nil {
			t.Errorf("%v: revocation list: %v", algorithm, err)
			continue
		}
		if list, err := x509.ParseRevocationList(der); err != nil || list.CheckSignatureFrom(cert) != nil {
			t.Errorf("%v: revocation list: %v", algorithm, err)
		}
	}
}

func TestSignerOCSP(t *testing.T) {
	t.Parallel()
	s := newSigner(t, testKeyOf(t, "size", 1024, 0).private())
	cert, err := certificate(s, x509.SHA256WithRSA)
	if err != nil {
		t.Fatal(err)
	}
	der, err := ocsp.CreateResponse(cert, cert, ocsp.Response{
		Status: ocsp.Good, SerialNumber: big.NewInt(7), ThisUpdate: time.Now(), NextUpdate: time.Now().Add(time.Hour),
	}, s)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := ocsp.ParseResponse(der, cert); err != nil || r.Status != ocsp.Good || r.SerialNumber.Int64() != 7 {
		t.Errorf("response %v, %v", r, err)
	}
}

func TestSignerSSH(t *testing.T) {
	t.Parallel()
	signer, err := ssh.NewSignerFromSigner(newSigner(t, testKeyOf(t, "size", 1024, 0).private()))
	if err != nil {
		t.Fatal(err)
	}
	message := []byte("message")
	for _, algorithm := range []string{ssh.KeyAlgoRSASHA256, ssh.KeyAlgoRSASHA512} {
		sig, err := signer.(ssh.AlgorithmSigner).SignWithAlgorithm(rand.Reader, message, algorithm)
		if err != nil || sig.Format != algorithm {
			t.Errorf("%s: %v, %v", algorithm, sig, err)
			continue
		}
		if err := signer.PublicKey().Verify(message, sig); err != nil {
			t.Errorf("%s: %v", algorithm, err)
		}
		if signer.PublicKey().Verify([]byte("another"), sig) == nil {
			t.Errorf("%s: another message is accepted", algorithm)
		}
	}
}

func TestSignerJOSE(t *testing.T) {
	t.Parallel()
	s := newSigner(t, testKeyOf(t, "bench", 2048, 65537).private())
	payload := []byte(`{"sub":"user"}`)
	for _, algorithm := range []jose.SignatureAlgorithm{jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512} {
		signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: cryptosigner.Opaque(s)}, nil)
		if err != nil {
			t.Errorf("%s: %v", algorithm, err)
			continue
		}
		object, err := signer.Sign(payload)
		if err != nil {
			t.Errorf("%s: %v", algorithm, err)
			continue
		}
		token, err := object.CompactSerialize()
		if err != nil {
			t.Errorf("%s: %v", algorithm, err)
			continue
		}
		parsed, err := jose.ParseSigned(token, []jose.SignatureAlgorithm{algorithm})
		if err != nil {
			t.Errorf("%s: %v", algorithm, err)
			continue
		}
		if got, err := parsed.Verify(s.Public().(*rsa.PublicKey)); err != nil || !bytes.Equal(got, payload) {
			t.Errorf("%s: %q, %v", algorithm, got, err)
		}
	}
}
