// Package sha has the inner loop of PBKDF2 for the hashes of FIPS 180-4: n times
// U = HMAC(key, U), with the exclusive or of all U. See RFC 8018 §5.2.
//
// Both hashes of an HMAC over a digest take one block beyond the key's, and most of
// that block is padding which never changes. So the loop holds the two keyed states
// and the words of U, passes digest words on as message words without a detour over
// bytes, and leaves out whatever of the schedule is constant.
//
// The functions are constant time in all words of a stream. The number of iterations,
// the number of streams and the trim are public.
package sha
