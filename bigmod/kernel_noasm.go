//go:build purego || !(amd64 || arm64)

package bigmod

const kernelName = "generic"

// montWidth returns the number of limbs that a modulus of n limbs is extended to
// for Montgomery arithmetic.
func montWidth(n int) int { return n }

func mulLimbs(z, x, y []uint) { mulGeneric(z, x, y) }
func sqrLimbs(z, x []uint)    { sqrGeneric(z, x) }

func montReduce(z, t, m []uint, m0inv uint) { montReduceGeneric(z, t, m, m0inv) }
func selectLimbs(z, table []uint, i uint)   { selectGeneric(z, table, i) }
func reduceTop(t []uint, m *Modulus)        { reduceTopGeneric(t, m) }
