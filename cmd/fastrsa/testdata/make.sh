#!/bin/sh
# Makes the certificates, requests, CRLs and signatures in this directory with
# the openssl command (written for OpenSSL 3.0). Only public material is kept:
# the keys live in a temporary directory and are deleted at the end, so a second
# run gives other files of the same shape; run
#
#	go test -run Golden -update ./cmd/fastrsa
#
# after it. The remaining files are typed from RFCs: rfc7515-a2.jws and .jwk are
# the token and the public half of the key of RFC 7515 appendix A.2; the two
# rfc7520 tokens are figures 13 and 20 of RFC 7520 (sections 4.1 and 4.2), and
# rfc7520-3.3.jwks is a set of their key (section 3.3) and, so that there is
# something to select from, the keys of RFC 7515 appendices A.2 and A.3. roca.jwk
# has the modulus mod03.txt of the tests of github.com/crocs-muni/roca, from a device
# with CVE-2017-15361.
set -eu
cd "$(dirname "$0")"
keys=$(mktemp -d)
trap 'rm -rf "$keys"' EXIT

pss="-sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest"

# key BITS E: makes $keys/BITS-E.pem.
key() {
	openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:"$1" \
		-pkeyopt rsa_keygen_pubexp:"$2" -out "$keys/$1-$2.pem" 2>/dev/null ||
		openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:"$1" \
			-pkeyopt rsa_keygen_pubexp:"$2" -out "$keys/$1-$2.pem" 2>/dev/null
}

# cert KEY SERIAL SUBJECT OPTIONS...: prints a self-signed certificate.
cert() {
	k=$1 serial=$2 subject=$3
	shift 3
	openssl req -x509 -new -key "$keys/$k.pem" -set_serial "$serial" \
		-subj "$subject" -days 36500 "$@"
}

# matrix-*.pem: every size with every exponent, PKCS #1 v1.5 and PSS.
serial=1
: >matrix-pkcs1.pem
: >matrix-pss.pem
for bits in 1024 2048 3072 4096 8192; do
	case $bits in
	1024 | 2048) hash=sha256 ;;
	3072) hash=sha384 ;;
	*) hash=sha512 ;;
	esac
	for e in 3 17 65537 2147483647; do
		key $bits $e
		cert $bits-$e $serial "/CN=v1.5 $bits $e" -$hash >>matrix-pkcs1.pem
		# shellcheck disable=SC2086
		cert $bits-$e $serial "/CN=PSS $bits $e" -$hash $pss >>matrix-pss.pem
		serial=$((serial + 1))
	done
done

# hashes.pem: one 2048-bit key with every hash OpenSSL signs certificates with.
: >hashes.pem
for hash in md5 sha1 sha224 sha256 sha384 sha512 sha512-224 sha512-256 \
	sha3-224 sha3-256 sha3-384 sha3-512; do
	cert 2048-65537 $serial "/O=fastrsa test/CN=hash $hash" -$hash >>hashes.pem
	serial=$((serial + 1))
done

# pss-odd.pem: a salt that is not as long as the hash, and a key that is
# restricted to PSS (the id-RSASSA-PSS key type, which crypto/x509 leaves alone).
cert 2048-65537 $serial "/CN=salt of 17 bytes" -sha256 \
	-sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:17 >pss-odd.pem
openssl genpkey -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048 \
	-out "$keys/psskey.pem" 2>/dev/null
cert psskey $serial "/CN=key restricted to PSS" -sha256 \
	-sigopt rsa_pss_saltlen:digest >>pss-odd.pem
cert 2048-65537 $serial "/CN=MGF1 with another hash" -sha256 $pss \
	-sigopt rsa_mgf1_md:sha1 >>pss-odd.pem

# chain.pem: root, intermediate and leaf, not in that order; leaf.pem: the leaf
# alone; other.pem: certificates that are not RSA.
openssl ecparam -name prime256v1 -genkey -noout -out "$keys/ec.pem"
openssl genpkey -algorithm ed25519 -out "$keys/ed.pem"
cert 3072-65537 101 "/C=XX/O=fastrsa test/CN=Root" -sha256 >"$keys/root.crt"
sign() { # sign KEY SUBJECT SERIAL CA-KEY CA-CERT CA-FLAG OPTIONS...
	k=$1 subject=$2 serial=$3 cakey=$4 cacert=$5 ca=$6
	shift 6
	printf 'basicConstraints=CA:%s\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n' \
		"$ca" >"$keys/ext"
	openssl req -new -key "$keys/$k.pem" -subj "$subject" -sha256 -out "$keys/csr"
	openssl x509 -req -in "$keys/csr" -CA "$keys/$cacert.crt" \
		-CAkey "$keys/$cakey.pem" -set_serial "$serial" -days 36500 \
		-extfile "$keys/ext" "$@" 2>/dev/null
}
# shellcheck disable=SC2086
sign 2048-65537 "/C=XX/O=fastrsa test/CN=Intermediate" 102 3072-65537 root TRUE \
	-sha384 $pss >"$keys/inter.crt"
sign ec "/CN=leaf.example" 103 2048-65537 inter FALSE -sha256 >leaf.pem
cat leaf.pem "$keys/root.crt" "$keys/inter.crt" >chain.pem
openssl x509 -in "$keys/root.crt" -outform DER -out root.der
cert ec 104 "/CN=P-256" -sha256 >other.pem
cert ed 105 "/CN=Ed25519" >>other.pem

# negative.pem: a certificate that crypto/x509 refuses to parse, then a good one.
cert 1024-65537 -5 "/CN=negative serial number" -sha256 >negative.pem
cert 1024-65537 106 "/CN=after it" -sha256 >>negative.pem

# bad.pem: the last byte of the signature is another.
cert 1024-65537 107 "/CN=altered signature" -sha256 -outform DER >"$keys/bad.der"
size=$(wc -c <"$keys/bad.der")
last=$(tail -c 1 "$keys/bad.der" | od -An -tu1 | tr -d ' ')
{
	head -c $((size - 1)) "$keys/bad.der"
	# shellcheck disable=SC2059
	printf "\\$(printf %03o $(((last + 1) % 256)))"
} | openssl base64 | {
	echo "-----BEGIN CERTIFICATE-----"
	cat
	echo "-----END CERTIFICATE-----"
} >bad.pem

# csr.pem, crl.pem and crl.der: requests, and lists of the intermediate and root.
openssl req -new -key "$keys/2048-17.pem" -subj "/CN=request" -sha256 >csr.pem
# shellcheck disable=SC2086
openssl req -new -key "$keys/2048-65537.pem" -subj "/CN=PSS request" -sha256 $pss >>csr.pem
cat >"$keys/ca.cnf" <<CONF
[ca]
default_ca = this
[this]
database = $keys/index
default_md = sha256
default_crl_days = 36500
crl_extensions = ext
[ext]
authorityKeyIdentifier = keyid
CONF
: >"$keys/index"
openssl ca -config "$keys/ca.cnf" -gencrl -keyfile "$keys/2048-65537.pem" \
	-cert "$keys/inter.crt" >crl.pem
openssl ca -config "$keys/ca.cnf" -gencrl -keyfile "$keys/3072-65537.pem" \
	-cert "$keys/root.crt" | openssl crl -outform DER -out crl.der

# Detached signatures over message.txt: raw, hexadecimal and base64.
printf 'The quick brown fox jumps over the lazy dog.\n' >message.txt
openssl pkey -in "$keys/2048-65537.pem" -pubout -out key.pem
openssl rsa -in "$keys/2048-65537.pem" -RSAPublicKey_out -out key-pkcs1.pem 2>/dev/null
openssl pkey -in "$keys/2048-65537.pem" -pubout -outform DER -out key.der
openssl dgst -sha256 -sign "$keys/2048-65537.pem" -out v15-sha256.sig message.txt
openssl dgst -sha3-384 -sign "$keys/2048-65537.pem" message.txt |
	od -An -v -tx1 | tr -d ' ' >v15-sha3-384.hex
# shellcheck disable=SC2086
openssl dgst -sha512 -sign "$keys/2048-65537.pem" -sigopt rsa_padding_mode:pss \
	-sigopt rsa_pss_saltlen:max message.txt | openssl base64 >pss-sha512.b64
