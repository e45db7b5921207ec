// Package bigmod is constant-time modular arithmetic on numbers of the sizes
// that RSA uses, with a variable-time path for public exponents.
//
// It has the API and the semantics of the Go standard library's internal
// package crypto/internal/fips140/bigmod, so that it can take that package's
// place, and is written anew.
//
// # Numbers
//
// A [Nat] is a natural number with an announced length in limbs; a [Modulus] is
// a number greater than one, with what is needed to reduce by it. A limb is one
// uint: 64 bits, or 32 bits on 32-bit architectures. The receiver of an
// operation is its output.
//
// # What leaks
//
// Here, constant time means that the sequence of instructions executed and of
// addresses accessed depends only on sizes: announced lengths of Nats, bit
// lengths of moduli, lengths in bytes of inputs and exponents, and whether a
// modulus is even. That is the unmarked default. A function whose name ends in
// VarTime leaks more, and its documentation says what.
//
// # Arithmetic
//
// Montgomery multiplication works modulo m on values x·R, where R is a power of
// 2^W (W the limb size) above m. Most implementations enter that form by a
// multiplication with R² mod m, which takes about seven squarings to compute
// and is wasted when a modulus is used once, as the key of a certificate is.
// This package computes x·R mod m directly, one limb of R at a time, for little
// more than the price of one squaring (see reduceTopGeneric), so a Modulus carries no
// R² and is ready for use after a few dozen instructions.
//
// Multiplication and squaring give double-length products; reduction is a step
// of its own. Those three and the selection from a table are the kernels: each
// has a generic form in Go, and assembly for the architectures that have it.
//
// Processors that multiply vectors fast do better with short digits, four of which lie in
// the lanes of a vector. [ExpPair] runs two exponentiations side by side that way, and
// [Nat.ExpShortVarTime] spreads one number over all lanes; lanes.go says how.
package bigmod
