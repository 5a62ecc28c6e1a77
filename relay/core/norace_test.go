//go:build !race

package core

const schedules = 1000
