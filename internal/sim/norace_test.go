//go:build !race

package sim

const schedules = 3000
