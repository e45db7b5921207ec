//go:build !race

package scram_test

const raceEnabled = false
