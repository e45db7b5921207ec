package sha

import (
	"math/rand"
	"slices"
	"testing"
)

// TestLoopCounts runs every set with more iterations than one call takes, and the
// functions that split them with all numbers of streams that they split differently, and
// with numbers of iterations at and around those of a call, with none and with fewer.
func TestLoopCounts(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewSource(3))
	trim256, trim512 := trims256(r)[2], trims512(r)[4]

	// want is what streams become after n iterations, in[n] of them before any.
	const streams = 2*MaxStreams + 1
	last := 2*callIterations + 1
	if !testing.Short() {
		last = 8 * callIterations
	}
	counts := []int{-1, 0, 1, callIterations - 1, callIterations, callIterations + 1, last - 1, last}
	var (
		in1   = make([]Stream1, streams)
		in256 = make([]Stream256, streams)
		in512 = make([]Stream512, streams)
	)
	for i := range streams {
		in1[i], in256[i], in512[i] = random1(r), random256(r, trim256), random512(r, trim512)
	}
	want1, want256, want512 := slices.Clone(in1), slices.Clone(in256), slices.Clone(in512)
	done := 0
	for _, n := range counts {
		for i := range streams {
			loop1x1Generic(&want1[i], n-done)
			loop256x1Generic(&want256[i], trim256, n-done)
			loop512x1Generic(&want512[i], trim512, n-done)
		}
		done = max(n, 0)

		for m := range streams + 1 {
			if n > 1 && testing.Short() && m%MaxStreams > 2 {
				continue
			}
			// The streams beyond m must not change.
			got1, got256, got512 := slices.Clone(in1), slices.Clone(in256), slices.Clone(in512)
			Loop1(got1[:m], n)
			Loop256(got256[:m], trim256, n)
			Loop512(got512[:m], trim512, n)
			if !slices.Equal(got1, append(slices.Clone(want1[:m]), in1[m:]...)) {
				t.Errorf("Loop1 of %d streams, %d iterations", m, n)
			}
			if !slices.Equal(got256, append(slices.Clone(want256[:m]), in256[m:]...)) {
				t.Errorf("Loop256 of %d streams, %d iterations", m, n)
			}
			if !slices.Equal(got512, append(slices.Clone(want512[:m]), in512[m:]...)) {
				t.Errorf("Loop512 of %d streams, %d iterations", m, n)
			}
		}
		if n < 1 {
			continue
		}
		for _, set := range sets1 {
			got := slices.Clone(in1[:set.width])
			if set.run(got, n); !slices.Equal(got, want1[:set.width]) {
				t.Errorf("SHA-1, %s, %d streams, %d iterations", set.name, set.width, n)
			}
		}
		for _, set := range sets256 {
			got := slices.Clone(in256[:set.width])
			if set.run(got, trim256, n); !slices.Equal(got, want256[:set.width]) {
				t.Errorf("SHA-256, %s, %d streams, %d iterations", set.name, set.width, n)
			}
		}
		for _, set := range sets512 {
			got := slices.Clone(in512[:set.width])
			if set.run(got, trim512, n); !slices.Equal(got, want512[:set.width]) {
				t.Errorf("SHA-512, %s, %d streams, %d iterations", set.name, set.width, n)
			}
		}
	}
}
