package main

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// cpuMeter reads how much processor time this process and the database server
// have used. Unlike a rate it hardly depends on what else the machine does, so
// it shows where a cost is even on a busy one.
type cpuMeter struct{ postmaster int }

// newCPUMeter finds the server's process, if it runs on this machine and the
// user may ask for it.
func newCPUMeter(ctx context.Context, e *env) cpuMeter {
	var text string
	if err := e.admin.QueryRow(ctx, "SELECT pg_read_file('postmaster.pid')").Scan(&text); err != nil {
		return cpuMeter{}
	}
	first, _, _ := strings.Cut(text, "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		return cpuMeter{}
	}
	if name, err := os.ReadFile(procFile(pid, "comm")); err != nil || !strings.HasPrefix(string(name), "postgres") {
		return cpuMeter{}
	}
	return cpuMeter{postmaster: pid}
}

// cpuTimes is processor time up to a moment.
type cpuTimes struct{ process, server time.Duration }

func (m cpuMeter) now() cpuTimes { return cpuTimes{process: ownCPU(), server: m.serverCPU()} }

// since adds to a sample what each of n events has cost.
func (m cpuMeter) since(before cpuTimes, to *sample, n int) {
	after := m.now()
	if d := after.process - before.process; d > 0 {
		to.Values[processCPU] = micros(d) / float64(n)
	}
	if d := after.server - before.server; m.postmaster > 0 && d > 0 {
		to.Values[serverCPU] = micros(d) / float64(n)
	}
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// serverCPU is that of the postmaster, its children, and those that have ended.
func (m cpuMeter) serverCPU() time.Duration {
	if m.postmaster == 0 {
		return 0
	}
	self := readStat(m.postmaster)
	sum := self.own + self.ended
	others, _ := filepath.Glob("/proc/[0-9]*") // the pattern is right
	for _, dir := range others {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			continue
		}
		if s := readStat(pid); s.parent == m.postmaster {
			sum += s.own
		}
	}
	return sum
}

// procStat is what the system reports about a process.
type procStat struct {
	parent     int
	own, ended time.Duration // its own time, and that of its children that ended
}

// tick is the unit of the times there, on every Linux of today.
const tick = 10 * time.Millisecond

func readStat(pid int) (s procStat) {
	text, err := os.ReadFile(procFile(pid, "stat"))
	if err != nil {
		return s // it has just ended
	}
	// The name, in parentheses, may have spaces in it.
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 15 {
		return s
	}
	at := func(i int) time.Duration {
		n, _ := strconv.Atoi(fields[i]) // the system writes numbers
		return time.Duration(n) * tick
	}
	s.parent, _ = strconv.Atoi(fields[1])
	s.own, s.ended = at(11)+at(12), at(13)+at(14)
	return s
}

func procFile(pid int, name string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), name)
}
