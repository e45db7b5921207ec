package scram_test

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"testing"
	"time"

	xdg "github.com/xdg-go/scram"

	"github.com/fastrsa/fastrsa/compat/scram"
)

// selfSigned returns a certificate for localhost, signed by its own key.
func selfSigned(t testing.TB, key crypto.Signer, alg x509.SignatureAlgorithm) tls.Certificate {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber:       big.NewInt(1),
		Subject:            pkix.Name{CommonName: "localhost"},
		NotBefore:          time.Now().Add(-time.Hour),
		NotAfter:           time.Now().Add(24 * time.Hour),
		DNSNames:           []string{"localhost"},
		IPAddresses:        []net.IP{net.IPv4(127, 0, 0, 1)},
		SignatureAlgorithm: alg,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}

func ecdsaKey(t testing.TB, curve elliptic.Curve) crypto.Signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(curve, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// handshake returns the states of both sides of a TLS connection.
func handshake(t *testing.T, cert tls.Certificate, version uint16) (client, server tls.ConnectionState) {
	t.Helper()
	pool := x509.NewCertPool()
	pool.AddCert(cert.Leaf)
	a, b := net.Pipe()
	cc := tls.Client(a, &tls.Config{RootCAs: pool, ServerName: "localhost", MinVersion: version, MaxVersion: version})
	sc := tls.Server(b, &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: version, MaxVersion: version})
	errs := make(chan error, 1)
	go func() { errs <- sc.Handshake() }()
	if err := cc.Handshake(); err != nil {
		t.Fatal(err)
	}
	if err := <-errs; err != nil {
		t.Fatal(err)
	}
	client, server = cc.ConnectionState(), sc.ConnectionState()
	a.Close()
	b.Close()
	return client, server
}

// TestTLSBindings logs in over TLS with each type of binding, each side having taken
// it from its own end of the connection, and compares with xdg-go's.
func TestTLSBindings(t *testing.T) {
	cert := selfSigned(t, ecdsaKey(t, elliptic.P256()), x509.ECDSAWithSHA256)
	c, s := pair(t, scram.SHA256, "user", "pencil", "")
	must := func(cb scram.ChannelBinding, err error) scram.ChannelBinding {
		t.Helper()
		if err != nil || !cb.IsSupported() {
			t.Fatalf("%+v, %v", cb, err)
		}
		return cb
	}
	same := func(cb scram.ChannelBinding, x xdg.ChannelBinding, err error) {
		t.Helper()
		if err != nil || string(cb.Type) != string(x.Type) || !bytes.Equal(cb.Data, x.Data) {
			t.Errorf("%+v, xdg-go has %+v, %v", cb, x, err)
		}
	}
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		client, server := handshake(t, cert, version)
		ends := [][2]scram.ChannelBinding{
			{must(scram.NewTLSServerEndpointBinding(&client)), must(scram.NewTLSServerEndpointBindingFromCertificate(cert.Leaf))},
			{must(scram.NewTLSExporterBinding(&client)), must(scram.NewTLSExporterBinding(&server))},
		}
		x, err := xdg.NewTLSServerEndpointBinding(&client)
		same(ends[0][0], x, err)
		x, err = xdg.NewTLSExporterBinding(&client)
		same(ends[1][0], x, err)
		if version == tls.VersionTLS12 {
			ends = append(ends, [2]scram.ChannelBinding{must(scram.NewTLSUniqueBindingFromState(&client)), must(scram.NewTLSUniqueBindingFromState(&server))})
			same(ends[2][0], xdg.NewTLSUniqueBinding(client.TLSUnique), nil)
		} else if cb, err := scram.NewTLSUniqueBindingFromState(&client); err == nil {
			t.Errorf("tls-unique with TLS 1.3: %+v", cb)
		}
		other, _ := handshake(t, cert, version)
		exporter := must(scram.NewTLSExporterBinding(&other))
		if exporter.Matches(ends[1][0]) {
			t.Error("tls-exporter is the same on two connections")
		}
		for _, e := range ends {
			if !e[0].Matches(e[1]) {
				t.Errorf("%s: the ends differ", e[0].Type)
			}
			mustTalk(t, c.NewConversationWithChannelBinding(e[0]), s.NewConversationWithChannelBindingRequired(e[1]))
		}
		if clientErr, serverErr := talk(c.NewConversationWithChannelBinding(exporter), s.NewConversationWithChannelBinding(ends[1][1])); clientErr != scram.ServerError("channel-bindings-dont-match") || serverErr == nil {
			t.Errorf("a binding of another connection: %v, %v", clientErr, serverErr)
		}
	}
}

// TestServerEndpointHash takes certificates with the signature algorithms that there
// are.
func TestServerEndpointHash(t *testing.T) {
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	sha256Sum := func(b []byte) []byte { s := sha256.Sum256(b); return s[:] }
	sha384Sum := func(b []byte) []byte { s := sha512.Sum384(b); return s[:] }
	sha512Sum := func(b []byte) []byte { s := sha512.Sum512(b); return s[:] }
	for _, c := range []struct {
		alg x509.SignatureAlgorithm
		key crypto.Signer
		sum func([]byte) []byte
	}{
		{x509.SHA256WithRSA, rsaKey, sha256Sum}, {x509.SHA384WithRSA, rsaKey, sha384Sum}, {x509.SHA512WithRSA, rsaKey, sha512Sum},
		{x509.SHA256WithRSAPSS, rsaKey, sha256Sum}, {x509.SHA384WithRSAPSS, rsaKey, sha384Sum}, {x509.SHA512WithRSAPSS, rsaKey, sha512Sum},
		{x509.ECDSAWithSHA256, ecdsaKey(t, elliptic.P256()), sha256Sum}, {x509.ECDSAWithSHA384, ecdsaKey(t, elliptic.P384()), sha384Sum},
		{x509.ECDSAWithSHA512, ecdsaKey(t, elliptic.P521()), sha512Sum},
	} {
		cert := selfSigned(t, c.key, c.alg)
		cb, err := scram.NewTLSServerEndpointBindingFromCertificate(cert.Leaf)
		if err != nil || cb.Type != scram.ChannelBindingTLSServerEndpoint || !bytes.Equal(cb.Data, c.sum(cert.Certificate[0])) {
			t.Errorf("%v: %+v, %v", c.alg, cb, err)
		}
	}
	// Certificates with these are no longer made.
	for _, alg := range []x509.SignatureAlgorithm{x509.MD5WithRSA, x509.SHA1WithRSA, x509.DSAWithSHA1, x509.ECDSAWithSHA1, x509.DSAWithSHA256} {
		cb, err := scram.NewTLSServerEndpointBindingFromCertificate(&x509.Certificate{Raw: []byte("raw"), SignatureAlgorithm: alg})
		if err != nil || !bytes.Equal(cb.Data, sha256Sum([]byte("raw"))) {
			t.Errorf("%v: %+v, %v", alg, cb, err)
		}
	}
	_, edKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if cb, err := scram.NewTLSServerEndpointBindingFromCertificate(selfSigned(t, edKey, x509.PureEd25519).Leaf); err == nil {
		t.Errorf("Ed25519: %+v", cb)
	}
	if cb, err := scram.NewTLSServerEndpointBindingFromCertificate(&x509.Certificate{}); err == nil {
		t.Errorf("no algorithm: %+v", cb)
	}
}

// TestBindingsOfNothing wants errors where there is no connection to bind to.
func TestBindingsOfNothing(t *testing.T) {
	for _, state := range []*tls.ConnectionState{nil, {}} {
		for name, f := range map[string]func(*tls.ConnectionState) (scram.ChannelBinding, error){
			"tls-unique": scram.NewTLSUniqueBindingFromState, "tls-server-end-point": scram.NewTLSServerEndpointBinding, "tls-exporter": scram.NewTLSExporterBinding,
		} {
			if cb, err := f(state); err == nil || cb.IsSupported() {
				t.Errorf("%s of %v: %+v", name, state, cb)
			}
		}
	}
	if _, err := scram.NewTLSServerEndpointBindingFromCertificate(nil); err == nil {
		t.Error("no certificate: no error")
	}
	data := []byte("data")
	cb := scram.NewTLSUniqueBinding(data)
	if data[0] = 'x'; string(cb.Data) != "data" || cb.Type != scram.ChannelBindingTLSUnique {
		t.Errorf("%+v", cb)
	}
	if other := (scram.ChannelBinding{Type: scram.ChannelBindingTLSExporter, Data: cb.Data}); other.Matches(cb) {
		t.Error("a binding matches one of another type")
	}
	if (scram.ChannelBinding{}).IsSupported() || (scram.ChannelBinding{Type: "x"}).IsSupported() || (scram.ChannelBinding{Data: data}).IsSupported() {
		t.Error("a part of a binding is supported")
	}
}
