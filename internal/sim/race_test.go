//go:build race

package sim

// schedules are fewer under the race detector, which makes each ten times as
// long and has nothing to find in one goroutine. TestThePlantedDefectsAreFound then
// plays the others, in a binary without it.
const schedules = 100
