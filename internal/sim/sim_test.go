package sim

import (
	"os"
	"runtime/debug"
	"strconv"
	"testing"
)

// OUTBOX_SIM_SEED gives one schedule again, with its trace.
func TestOneSchedule(t *testing.T) {
	seed, err := strconv.ParseUint(os.Getenv("OUTBOX_SIM_SEED"), 10, 64)
	if err != nil {
		return
	}
	if err := Run(seed, Options{Trace: os.Stdout}).Err(); err != nil {
		t.Error(err)
	}
}

// plain is how many schedules are played without a planted defect.
const plain = 3000

func TestEveryScheduleKeepsTheLaws(t *testing.T) {
	n := uint64(schedules)
	if testing.Short() {
		n = 300
	}
	defer debug.SetGCPercent(debug.SetGCPercent(GCPercent))
	var steps, events, deliveries int
	for seed := range n {
		r := Run(seed, Options{})
		if err := r.Err(); err != nil {
			t.Error(err)
		}
		steps, events, deliveries = steps+r.Steps, events+r.Events, deliveries+r.Deliveries
	}
	t.Logf("%d schedules, %d events, %d deliveries, %d steps", n, events, deliveries, steps)
}
