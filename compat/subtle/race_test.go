//go:build race

package subtle

// raceEnabled says that every load is instrumented, which takes ten times as long.
const raceEnabled = true
