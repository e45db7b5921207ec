package scram

import (
	"crypto/sha256"
	"crypto/sha512"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
)

// A ChannelBindingType is the registered name of a kind of channel binding.
type ChannelBindingType string

const (
	// ChannelBindingNone is no channel binding.
	ChannelBindingNone ChannelBindingType = ""

	// ChannelBindingTLSUnique is the first Finished message of the handshake (RFC
	// 5929 section 3). TLS 1.3 has none, and without the extended master secret
	// extension it does not bind.
	ChannelBindingTLSUnique ChannelBindingType = "tls-unique"

	// ChannelBindingTLSServerEndpoint is a hash of the server's certificate (RFC
	// 5929 section 4). It works with every version of TLS, and is what PostgreSQL has.
	ChannelBindingTLSServerEndpoint ChannelBindingType = "tls-server-end-point"

	// ChannelBindingTLSExporter is exported keying material (RFC 9266), the
	// default for TLS 1.3.
	ChannelBindingTLSExporter ChannelBindingType = "tls-exporter"
)

// A ChannelBinding ties a login to the TLS connection it runs over: somebody in the
// middle, who has one TLS connection with each side, cannot relay it.
type ChannelBinding struct {
	Type ChannelBindingType
	Data []byte
}

// IsSupported tells whether cb has a type and data.
func (cb ChannelBinding) IsSupported() bool {
	return cb.Type != ChannelBindingNone && len(cb.Data) > 0
}

// Matches tells whether cb and other are the same, in time that does not depend on
// the data.
func (cb ChannelBinding) Matches(other ChannelBinding) bool {
	return cb.Type == other.Type && subtle.ConstantTimeCompare(cb.Data, other.Data) == 1
}

// check refuses what could not be put into a message as it is meant. No binding at
// all is fine.
func (cb ChannelBinding) check() error {
	if cb.Type == ChannelBindingNone && len(cb.Data) == 0 {
		return nil
	}
	if !cb.IsSupported() || !validBindingName(string(cb.Type)) {
		return errBinding
	}
	return nil
}

var (
	errBinding   = errors.New("scram: channel binding without a valid type or without data")
	errNoState   = errors.New("scram: no TLS connection state")
	errHandshake = errors.New("scram: the TLS handshake is not complete")
	errNoCert    = errors.New("scram: no certificate of the server in the TLS connection state")
	errNoUnique  = errors.New("scram: the TLS connection has no tls-unique value")
)

// NewTLSUniqueBinding returns the binding for a Finished message. The data is copied.
func NewTLSUniqueBinding(data []byte) ChannelBinding {
	return ChannelBinding{ChannelBindingTLSUnique, append([]byte(nil), data...)}
}

// NewTLSUniqueBindingFromState returns the tls-unique binding of a connection. There
// is none with TLS 1.3, nor with a session resumed without extended master secret.
func NewTLSUniqueBindingFromState(connState *tls.ConnectionState) (ChannelBinding, error) {
	if connState == nil {
		return ChannelBinding{}, errNoState
	}
	if len(connState.TLSUnique) == 0 {
		return ChannelBinding{}, errNoUnique
	}
	return NewTLSUniqueBinding(connState.TLSUnique), nil
}

// NewTLSServerEndpointBinding returns the tls-server-end-point binding of a client's
// connection. A server, whose connection state does not hold its own certificate,
// uses [NewTLSServerEndpointBindingFromCertificate].
func NewTLSServerEndpointBinding(connState *tls.ConnectionState) (ChannelBinding, error) {
	if connState == nil {
		return ChannelBinding{}, errNoState
	}
	if len(connState.PeerCertificates) == 0 {
		return ChannelBinding{}, errNoCert
	}
	return NewTLSServerEndpointBindingFromCertificate(connState.PeerCertificates[0])
}

// NewTLSServerEndpointBindingFromCertificate returns the tls-server-end-point binding
// of a connection whose server presents cert: its hash, by the hash function of its
// own signature, SHA-256 standing in for MD5 and SHA-1. RFC 5929 defines none for
// signatures without such a hash function, Ed25519 for instance.
func NewTLSServerEndpointBindingFromCertificate(cert *x509.Certificate) (ChannelBinding, error) {
	if cert == nil {
		return ChannelBinding{}, errNoCert
	}
	var data []byte
	switch cert.SignatureAlgorithm {
	case x509.MD5WithRSA, x509.SHA1WithRSA, x509.DSAWithSHA1, x509.ECDSAWithSHA1,
		x509.SHA256WithRSA, x509.SHA256WithRSAPSS, x509.DSAWithSHA256, x509.ECDSAWithSHA256:
		sum := sha256.Sum256(cert.Raw)
		data = sum[:]
	case x509.SHA384WithRSA, x509.SHA384WithRSAPSS, x509.ECDSAWithSHA384:
		sum := sha512.Sum384(cert.Raw)
		data = sum[:]
	case x509.SHA512WithRSA, x509.SHA512WithRSAPSS, x509.ECDSAWithSHA512:
		sum := sha512.Sum512(cert.Raw)
		data = sum[:]
	default:
		return ChannelBinding{}, fmt.Errorf("scram: tls-server-end-point is not defined for a certificate signed with %v", cert.SignatureAlgorithm)
	}
	return ChannelBinding{ChannelBindingTLSServerEndpoint, data}, nil
}

// NewTLSExporterBinding returns the tls-exporter binding of a connection, of either
// side. With TLS 1.2 it needs the extended master secret extension.
func NewTLSExporterBinding(connState *tls.ConnectionState) (ChannelBinding, error) {
	if connState == nil {
		return ChannelBinding{}, errNoState
	}
	if !connState.HandshakeComplete {
		return ChannelBinding{}, errHandshake
	}
	data, err := connState.ExportKeyingMaterial("EXPORTER-Channel-Binding", nil, 32)
	if err != nil {
		return ChannelBinding{}, fmt.Errorf("scram: tls-exporter: %w", err)
	}
	return ChannelBinding{ChannelBindingTLSExporter, data}, nil
}
