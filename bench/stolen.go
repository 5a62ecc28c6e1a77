package main

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// processorTime is what all processors of the machine have done so far, in
// ticks, and what of it the host gave to other machines.
type processorTime struct{ all, stolen uint64 }

// readProcessorTime is zero where the system does not tell.
func readProcessorTime() (t processorTime) {
	file, err := os.Open("/proc/stat")
	if err != nil {
		return t
	}
	defer func() { _ = file.Close() }()
	line, _ := bufio.NewReader(file).ReadString('\n') // what is missing is not counted
	return parseProcessorTime(line)
}

// parseProcessorTime reads "cpu user nice system idle iowait irq softirq steal
// guest guest_nice"; the last two are in user and nice already.
func parseProcessorTime(line string) (t processorTime) {
	const steal, guest = 8, 9
	for i, text := range strings.Fields(line) {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil || i >= guest {
			continue
		}
		t.all += n
		if i == steal {
			t.stolen = n
		}
	}
	return t
}

// since adds to a sample the share that was stolen.
func (t processorTime) since(before processorTime, to *sample) {
	if all := t.all - before.all; all > 0 && to.Values != nil {
		to.Values[stolen] = float64(t.stolen-before.stolen) / float64(all)
	}
}
