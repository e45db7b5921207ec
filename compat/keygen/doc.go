// Package keygen is Plug.Crypto for Go: the key generator, the message verifier and
// the message encryptor of Elixir's plug_crypto 2.x, byte for byte, so that a Go
// service can share secrets, cookies and tokens with a Phoenix application.
//
//	Plug.Crypto                        here
//	KeyGenerator.generate              Generate
//	option cache: an ETS table         WithCache, a *Cache
//	MessageVerifier.sign, verify       MessageVerifier
//	MessageEncryptor.encrypt, decrypt  MessageEncryptor
//
// # Payloads are bytes
//
// MessageVerifier and MessageEncryptor carry binaries, in both languages. The
// functions above them in Elixir (Plug.Crypto.sign and encrypt, Phoenix.Token, the
// cookie session store) first serialize their data in the Erlang external term
// format; sign and encrypt put a tuple {data, signed at, maximal age} there. Such a
// token verifies or decrypts here to those serialized bytes. This package neither
// reads nor writes the format and therefore knows no maximal age: a token of its own
// is valid until the secret changes, unless the payload says otherwise.
//
// # Differences from Plug
//
//   - Failures are errors. Their texts are Plug's with the prefix "keygen: ".
//   - A length of 0 is [ErrLengthTooSmall]. In Plug the outcome depends on the
//     Erlang release: an empty key or an exception. An empty key is never what was meant.
//   - Tokens have one spelling. Plug's decoder accepts base64url with padding;
//     here a token that Plug did not write itself is refused, so that a
//     token can serve as a key in a deny list.
//   - A cache is bounded, holds neither secrets nor salts, and derives a key once
//     when many goroutines ask for it together. See [Cache].
//   - The encryptor reads the format of plug_crypto 1.x with secrets of 16, 24 and
//     32 bytes, as 2.x does; 1.x also took longer secrets and cut them off.
//
// # Secrets
//
// No error contains a secret, a salt or a payload, and every token that is refused,
// for whatever reason, gives the same error, [ErrInvalidToken]. MACs are compared in constant
// time and payloads are decoded only after their MAC was found right. Lengths are
// not secret.
//
// # FIPS 140
//
// With GODEBUG=fips140=only what the mode does not permit is an error: SHA-1,
// generated keys and verifier secrets under 14 bytes, salts under 16 bytes, and
// [NewMessageEncryptor]. With fips140=on everything works, but the present format of
// MessageEncryptor is not an approved one.
package keygen
