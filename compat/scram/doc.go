// Package scram is the Salted Challenge Response Authentication Mechanism: logins
// by password that show neither the password nor anything equivalent to it to who
// listens, and in which the server proves that it knows the user, too (RFC 5802, RFC
// 7677 for SHA-256). PostgreSQL, MongoDB, Kafka, LDAP, XMPP and IMAP servers use it.
//
// It exports every identifier of github.com/xdg-go/scram v1.4 with the same
// signature, so that a program that uses that package changes by one import line:
//
//	import "github.com/fastrsa/fastrsa/compat/scram"
//
// and the bare functions of RFC 5802, [Hi] to [ClientProof], which append to the
// caller's buffer and do not allocate.
//
// # Logging in
//
// A [Client] is made for a user; each login is a [ClientConversation], whose Step is
// given the server's messages in turn and returns what to send. The login is good
// if, at the end, [ClientConversation.Valid] says so: not before, because the server
// proves itself in the last message. Keys are derived once for each salt and
// iteration count, and kept in a [Cache], which many Clients can share.
//
// The iteration count comes from the server. Outside of the limits, 4096 to 100,000
// unless [Client.WithMinIterations] and [Client.WithMaxIterations] say otherwise,
// the conversation ends with an [IterationError] before anything is computed.
//
// What is done to non-ASCII passwords is a matter of the server: see [Preparation].
//
// # Channel binding
//
// Over TLS, the mechanisms with -PLUS in their name also prove that both sides are
// ends of one TLS connection. The bindings tls-unique, tls-server-end-point and
// tls-exporter are made from a [crypto/tls.ConnectionState]; which one to use is
// agreed on outside of SCRAM.
//
// # Serving
//
// A [Server] looks the [StoredCredentials] of users up. Those are made by
// [Client.GetStoredCredentialsWithError]; [HashGeneratorFcn.FormatStored] writes
// them in the form of RFC 5803, which is also PostgreSQL's. A user who does not
// exist is asked for a proof like any other, and refused like one with a wrong
// password.
//
// # Bare functions
//
// [Hi], [SaltedPassword], [ClientKey], [StoredKey], [ServerKey], [ClientSignature],
// [ServerSignature] and [ClientProof] are those of RFC 5802 section 3, for SHA-1,
// SHA-224, SHA-256, SHA-384, SHA-512 and the four SHA-3 functions. Each appends its
// result, of the hash's size, to dst and returns the extended slice, which it does not
// allocate if dst has the capacity; dst may overlap the other arguments. An error
// leaves dst as it was.
//
// # Messages
//
// Messages are read strictly, attribute by attribute in the order of RFC 5802:
// canonical base64 only, counts without sign or leading zero, nonces of printable
// characters and longer than the one they extend, nothing malformed at the end.
// Optional extensions that are well-formed are ignored, mandatory ones refused. The
// one thing accepted beyond the RFC is an empty user name from a client, because
// libpq sends that. A message of more than 65536 bytes is refused.
//
// # Secrets
//
// Proofs, signatures, nonces and bindings are compared in constant time. Errors quote
// no password, key, nonce or message; a [ServerError] quotes the name of the error
// that the server sent. Scratch memory is wiped after use, and everything that holds
// keys has a Wipe method. Passwords given as strings and those that are not plain
// ASCII leave copies that cannot be wiped.
//
// # Differences to xdg-go/scram
//
//   - There is a maximum iteration count. A program whose servers ask for more has to
//     say so.
//   - The server does not tell that a user is unknown, except after
//     [Server.WithUnknownUserError].
//   - The keys that a Client remembers are limited in number.
//   - What both sides accept is stricter, see above. A step that fails ends the
//     conversation.
//   - Where that package leaves it to the program what to send after an error, the
//     server's response always is one of RFC 5802's errors.
//   - The constructors, [HashGeneratorFcn.NewServer] too, refuse a missing function,
//     and hashes of more than 64 bytes.
//   - An iteration count of less than 1 is an error for GetStoredCredentials, too.
//   - The texts of errors are different. An error of the credential lookup is not returned
//     by Step; [ServerConversation.LookupError] has it.
//   - Extensions are attributes of one letter, as RFC 5802 has them. Kafka's tokenauth=true, for
//     delegation tokens, is not.
//   - A channel binding with a type or data alone is an error.
//
// # FIPS 140-3
//
// Where [crypto/fips140.Enabled], the KDF and all HMACs are those of the standard
// library. In FIPS 140-only mode, SHA-1 is refused.
package scram
