package main

import (
	"fmt"
	"math"
)

// median returns the median of sorted numbers, of which there is at least one.
func median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// medianInterval returns a 95 % confidence interval of the median of the
// distribution that the sorted numbers are drawn from. The number of draws below
// the median has the binomial distribution B(n, 1/2), so the k-th smallest and the
// k-th largest number enclose the median with probability 1 - 2 P[B < k]; k is the
// largest for which this is no less than 0.95. There is none for fewer than six
// numbers: ok is then false, and the interval holds them all.
func medianInterval(sorted []float64) (low, high float64, ok bool) {
	n := len(sorted)
	k := 0
	lgamma := func(x int) float64 {
		v, _ := math.Lgamma(float64(x))
		return v
	}
	for sum := 0.0; k < n; k++ {
		// P[B = k], with k below n/2 wherever the sum stays in bounds.
		sum += math.Exp(lgamma(n+1) - lgamma(k+1) - lgamma(n-k+1) - float64(n)*math.Ln2)
		if sum > 0.025 {
			break
		}
	}
	if k == 0 {
		return sorted[0], sorted[n-1], false
	}
	return sorted[k-1], sorted[n-k], true
}

// noise is the least relative difference that counts.
const noise = 0.02

// ratioVerdict puts a ratio of times and its confidence interval into words. It
// sees a difference if the whole interval is farther from 1 than the noise.
func ratioVerdict(ratio, low, high float64) string {
	word := "faster"
	switch {
	case low <= 1+noise && high >= 1-noise:
		return "no difference"
	case ratio < 1:
		ratio, word = 1/ratio, "slower"
	}
	if ratio < 1.2 {
		return fmt.Sprintf("%.0f%% %s", 100*(ratio-1), word)
	}
	return fmt.Sprintf("%.1fx %s", ratio, word)
}
