//go:build !race

package sim

const schedules = plain
