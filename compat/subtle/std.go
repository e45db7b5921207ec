package subtle

import "crypto/subtle"

// ConstantTimeSelect returns x if v is 1 and y if v is 0. For another v the result
// is undefined. All values are secret.
func ConstantTimeSelect(v, x, y int) int { return subtle.ConstantTimeSelect(v, x, y) }

// ConstantTimeByteEq returns 1 if x = y and 0 if not. Both are secret.
func ConstantTimeByteEq(x, y uint8) int { return subtle.ConstantTimeByteEq(x, y) }

// ConstantTimeEq returns 1 if x = y and 0 if not. Both are secret.
func ConstantTimeEq(x, y int32) int { return subtle.ConstantTimeEq(x, y) }

// ConstantTimeLessOrEq returns 1 if x ≤ y and 0 if not, for x and y in [0, 2^31 - 1].
// Outside of that the result is undefined. Both are secret.
func ConstantTimeLessOrEq(x, y int) int { return subtle.ConstantTimeLessOrEq(x, y) }

// ConstantTimeCopy copies y to x if v is 1 and leaves x as it is if v is 0. For
// another v the contents of x are undefined. It panics if the lengths, which are
// public, differ. v and the contents are secret.
func ConstantTimeCopy(v int, x, y []byte) { subtle.ConstantTimeCopy(v, x, y) }

// XORBytes sets dst[i] = x[i] ^ y[i] for all i < n = min(len(x), len(y)) and returns
// n. It panics before it writes if dst is shorter than n. dst[:n] may be x[:n] or
// y[:n]; it panics if they overlap in another way. The contents are secret.
//
// Where a shorter input should be an error, use [Mask].
func XORBytes(dst, x, y []byte) int { return subtle.XORBytes(dst, x, y) }

// WithDataIndependentTiming calls f in a mode in which the processor promises that
// the timing of arithmetic does not depend on the operands, if there is such a
// mode: on arm64 with FEAT_DIT. Elsewhere it only calls f. See the function of that
// name in crypto/subtle about goroutines and cgo.
func WithDataIndependentTiming(f func()) { subtle.WithDataIndependentTiming(f) }
