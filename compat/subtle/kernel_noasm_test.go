//go:build purego || !(amd64 || arm64)

package subtle

import "testing"

func hostKernels() []kernel { return []kernel{kernelStandard, kernelGeneric} }

var kernelWithout = map[string]kernel{}

func diffFuncs() []diffFunc {
	return []diffFunc{{"generic", 32, diffGeneric, diffMaskGeneric}}
}

func TestChooseKernel(t *testing.T) {
	if chooseKernel(false) != kernelGeneric || chooseKernel(true) != kernelStandard {
		t.Error("the wrong kernel")
	}
}
