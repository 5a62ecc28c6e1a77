//go:build race

package core

// schedules are fewer under the race detector, which makes each ten times as long and
// has nothing to find in one goroutine.
const schedules = 60
