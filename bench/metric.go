package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// metric is one thing that a run measures.
type metric string

const (
	rate    metric = "rate"    // events or transactions each second
	p50     metric = "p50"     // milliseconds
	p99     metric = "p99"     // milliseconds
	longest metric = "max"     // milliseconds
	share   metric = "share"   // of the smallest of several relays: 1 is an equal one
	memory  metric = "memory"  // MiB, the highest that was resident
	backlog metric = "backlog" // events not yet settled when the writers stopped

	processCPU metric = "process CPU" // microseconds of this process for each event
	serverCPU  metric = "server CPU"  // microseconds of the database server for each event

	quotient metric = "ratio" // of two figures

	stolen metric = "stolen" // share of the processors' time that the host gave to other machines
)

// format is a value as people read it.
func (m metric) format(v float64) string {
	switch m {
	case rate:
		return thousands(v) + "/s"
	case p50, p99, longest:
		return strconv.FormatFloat(v, 'f', 3, 64) + " ms"
	case processCPU, serverCPU:
		return strconv.FormatFloat(v, 'f', 1, 64) + " µs"
	case quotient:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case share, stolen:
		return strconv.FormatFloat(100*v, 'f', 0, 64) + " %"
	case memory:
		return strconv.FormatFloat(v, 'f', 0, 64) + " MiB"
	}
	return thousands(v)
}

// thousands is a whole number with commas.
func thousands(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	digits := strconv.FormatInt(int64(math.Round(v)), 10)
	var out strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 && digits[i-1] != '-' {
			out.WriteByte(',')
		}
		out.WriteRune(d)
	}
	return out.String()
}

func percent(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) }
