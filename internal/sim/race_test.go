//go:build race

package sim

// schedules are fewer under the race detector, which makes each ten times as
// long and has nothing to find in one goroutine.
const schedules = 500
