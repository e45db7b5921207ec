package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/fastrsa/fastrsa/rsa"
)

// maxIssuerKeys is the most keys that one signature is checked with. Without it
// the certificates of one name would each be checked with the keys of all.
const maxIssuerKeys = 16

// errMoreKeys reports the limit, so that it is not taken for the whole answer.
var errMoreKeys = fmt.Errorf("more than %d different keys go by the issuer's name; checked with only %[1]d of them", maxIssuerKeys)

// issuers are the keys of the certificates that were given, by subject and
// subject key identifier.
type issuers struct {
	named map[string]*issuerKeys // by subject
	keyed map[issuerID]*issuerKeys
	// pubs holds each key once, so that equal keys are the same pointer.
	pubs map[pubID]*rsa.PublicKey
}

type (
	issuerID struct{ subject, keyID string }
	pubID    struct {
		n string // big endian
		e int
	}
)

// issuerKeys are the different RSA keys that a name stands for, one more than
// maxIssuerKeys at most, in the order of the input.
type issuerKeys struct {
	pubs []*rsa.PublicKey
	err  error // what was wrong with the first key that can't be used
}

func (l *issuerKeys) add(pub *rsa.PublicKey, err error) {
	switch {
	case err != nil:
		if l.err == nil {
			l.err = err
		}
	case len(l.pubs) <= maxIssuerKeys && !slices.Contains(l.pubs, pub):
		l.pubs = append(l.pubs, pub)
	}
}

func newIssuers() *issuers {
	return &issuers{
		named: make(map[string]*issuerKeys),
		keyed: make(map[issuerID]*issuerKeys),
		pubs:  make(map[pubID]*rsa.PublicKey),
	}
}

// key returns the RSA key of a DER SubjectPublicKeyInfo, the same pointer for the
// same key.
func (x *issuers) key(spki []byte) (*rsa.PublicKey, error) {
	pub, ok, err := parsePublicKey(spki)
	if !ok && err == nil {
		err = errors.New("an RSA signature, but the key of its issuer is no RSA key")
	}
	if err != nil {
		return nil, err
	}
	id := pubID{string(pub.N.Bytes()), pub.E}
	if known := x.pubs[id]; known != nil {
		return known, nil
	}
	x.pubs[id] = pub
	return pub, nil
}

// add adds the key of a certificate.
func (x *issuers) add(o *object) {
	pub, err := x.key(o.cert.RawSubjectPublicKeyInfo)
	subject := string(o.cert.RawSubject)
	named := x.named[subject]
	if named == nil {
		named = new(issuerKeys)
		x.named[subject] = named
	}
	named.add(pub, err)
	id := issuerID{subject, string(o.cert.SubjectKeyId)}
	keyed := x.keyed[id]
	if keyed == nil {
		keyed = new(issuerKeys)
		x.keyed[id] = keyed
	}
	keyed.add(pub, err)
}

// find returns the different keys that may have signed o, at most maxIssuerKeys,
// the most likely first; more says that there are others. There may be none; err
// then says why the key of the issuer can't be used, if it was given.
func (x *issuers) find(o *object) (pubs []*rsa.PublicKey, more bool, err error) {
	var issuer, keyID []byte
	var own issuerKeys
	switch {
	case o.csr != nil:
		own.add(x.key(o.csr.RawSubjectPublicKeyInfo))
		return own.pubs, false, own.err
	case o.cert != nil:
		issuer, keyID = o.cert.RawIssuer, o.cert.AuthorityKeyId
		if bytes.Equal(issuer, o.cert.RawSubject) &&
			(len(keyID) == 0 || len(o.cert.SubjectKeyId) == 0 || bytes.Equal(keyID, o.cert.SubjectKeyId)) {
			own.add(x.key(o.cert.RawSubjectPublicKeyInfo))
		}
	case o.crl != nil:
		issuer, keyID = o.crl.RawIssuer, o.crl.AuthorityKeyId
	}
	lists := []*issuerKeys{&own}
	if len(keyID) == 0 {
		lists = append(lists, x.named[string(issuer)])
	} else {
		lists = append(lists,
			x.keyed[issuerID{string(issuer), string(keyID)}],
			x.keyed[issuerID{string(issuer), ""}])
	}
	var all issuerKeys
	for _, l := range lists {
		if l == nil {
			continue
		}
		for _, pub := range l.pubs {
			all.add(pub, nil)
		}
		if all.err == nil {
			all.err = l.err
		}
	}
	more = len(all.pubs) > maxIssuerKeys
	return all.pubs[:min(len(all.pubs), maxIssuerKeys)], more, all.err
}
