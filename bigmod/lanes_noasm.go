//go:build purego || !amd64

package bigmod

const activeLanes = laneNone

func (k laneKernel) montMul(f *laneForm, z, x, y, t, m []uint64) {
	montMulLanesGeneric(f, z, x, y, m)
}

func (k laneKernel) montSqrs(f *laneForm, z, x, t, m []uint64, count int) {
	montSqrsLanesGeneric(f, z, x, m, count)
}

func (k laneKernel) selectPair(z, table []uint64, i, j uint) { selectPairGeneric(z, table, i, j) }
