package main

import (
	"math/big"
	"testing"
)

// TestMedianInterval compares the ranks with those of exact binomial sums.
func TestMedianInterval(t *testing.T) {
	for n := 1; n <= 1200; n += 1 + n/50 {
		numbers := make([]float64, n)
		for i := range numbers {
			numbers[i] = float64(i + 1)
		}
		// The largest k for which 2 P[B < k] is at most 1/20, that is for which 40
		// times the sum of the binomial coefficients below k is at most 2^n.
		sum, bound := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(n))
		k := 0
		for ; k < n; k++ {
			sum.Add(sum, new(big.Int).Mul(big.NewInt(40), new(big.Int).Binomial(int64(n), int64(k))))
			if sum.Cmp(bound) > 0 {
				break
			}
		}
		low, high, ok := medianInterval(numbers)
		if ok != (k > 0) {
			t.Errorf("n = %d: ok = %v, want %v", n, ok, k > 0)
		}
		if wantLow, wantHigh := max(1, k), n+1-max(1, k); low != float64(wantLow) || high != float64(wantHigh) {
			t.Errorf("n = %d: ranks %v and %v, want %d and %d", n, low, high, wantLow, wantHigh)
		}
	}
}

func TestMedian(t *testing.T) {
	if got := median([]float64{1, 2, 10}); got != 2 {
		t.Errorf("median of three = %v", got)
	}
	if got := median([]float64{1, 2, 4, 10}); got != 3 {
		t.Errorf("median of four = %v", got)
	}
}

func TestRatioVerdict(t *testing.T) {
	for _, tt := range []struct {
		ratio, low, high float64
		want             string
	}{
		{2.41, 2.39, 2.44, "2.4x faster"},
		{1.07, 1.05, 1.09, "7% faster"},
		{1.05, 1.01, 1.09, "no difference"},
		{1.01, 1.005, 1.015, "no difference"},
		{1, 1, 1, "no difference"},
		{0.97, 0.96, 0.985, "no difference"},
		{0.90, 0.89, 0.91, "11% slower"},
		{0.25, 0.24, 0.26, "4.0x slower"},
	} {
		if got := ratioVerdict(tt.ratio, tt.low, tt.high); got != tt.want {
			t.Errorf("ratioVerdict(%v, %v, %v) = %q, want %q", tt.ratio, tt.low, tt.high, got, tt.want)
		}
	}
}
