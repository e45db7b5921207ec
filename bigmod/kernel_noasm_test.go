//go:build purego || !(amd64 || arm64)

package bigmod

// kernelSets returns the generic functions under test against math/big.
func kernelSets() []kernelSet {
	return []kernelSet{genericSet}
}
