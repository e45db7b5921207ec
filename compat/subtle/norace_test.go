//go:build !race

package subtle

const raceEnabled = false
