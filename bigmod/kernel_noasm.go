//go:build purego || !(amd64 || arm64)

package bigmod

const kernelName = "generic"

// montWidth returns the number of limbs that a modulus of n limbs is extended to
// for Montgomery arithmetic.
func montWidth(n int) int { return n }

func mulLimbs(z, x, y []uint) { mulGeneric(z, x, y) }
func sqrLimbs(z, x []uint)    { sqrGeneric(z, x) }

func montMul(z, x, y, t, m []uint, m0inv uint) { montMulGeneric(z, x, y, t, m, m0inv) }
func montSqrs(z, x, t, m []uint, m0inv uint, count int) {
	montSqrsGeneric(z, x, t, m, m0inv, count)
}

func montReduce(z, t, m []uint, m0inv uint) { montReduceGeneric(z, t, m, m0inv) }
func selectLimbs(z, table []uint, i uint)   { selectGeneric(z, table, i) }
func reduceTop(t []uint, m *Modulus)        { reduceTopGeneric(t, m) }
