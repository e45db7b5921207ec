// Package subtle is crypto/subtle with a comparison that is several times as fast,
// and with what is usually written around it: comparisons of strings and of masked
// values, comparison that hides lengths, and masked tokens against CSRF.
//
// Every exported identifier of crypto/subtle is here with the same signature and
// behaviour, so changing the import line is enough.
//
//	ConstantTimeCompare                  crypto/subtle's, on words and vectors
//	SecureCompare, SecureCompareString   the same with a bool
//	MaskedCompare, Mask                  values under an xor mask
//	CompareHidingLength, Secret          inputs whose length is secret
//	MaskToken, UnmaskToken,
//	CompareMaskedToken                   tokens for HTML forms
//
// SecureCompare, MaskedCompare and Mask have the semantics of secure_compare,
// masked_compare and mask in Elixir's Plug.Crypto.
//
// # What leaks
//
// The instructions executed and the addresses accessed depend on lengths, never on
// contents. In particular nothing returns early at the first difference, and no
// table is indexed by a byte of a secret, in the encoding of tokens either. Inputs
// of unequal length are told apart at once, except by [CompareHidingLength] and
// [Secret]. A result is not secret once it is returned: the caller branches on it.
//
// On arm64 the processor promises timing that does not depend on data only in its
// DIT mode; [WithDataIndependentTiming] turns that on around any of these functions.
//
// # Speed
//
// Inputs shorter than 8 bytes are compared byte by byte, as in crypto/subtle, by code
// that the compiler copies into the caller. Nothing is gained there; the preparation
// for a call that is not made costs up to a nanosecond. Up to 64 bytes a few
// overlapping words do, above that vectors: SSE2 or AVX2 on amd64, Advanced SIMD on
// arm64, and words elsewhere or with the build tag purego.
//
// # FIPS 140-3
//
// In FIPS 140-3 mode (crypto/fips140) every comparison, xor and hash is the standard
// library's.
package subtle
