// Sim plays schedules of the simulated relay, one seed after the other, until
// it is stopped or a law is violated. With -trace it replays one schedule, and
// prints what happens.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/sendoff-go/outbox/internal/sim"
)

func main() {
	first := flag.Uint64("seed", uint64(time.Now().UnixNano())%1_000_000_000, "the first `seed`")
	n := flag.Uint64("n", 0, "how many schedules to play; 0: until it is stopped")
	trace := flag.Bool("trace", false, "play the schedule of the seed alone, and tell what happens")
	ledger := flag.Bool("ledger", false, "ignore what the core says about its own mistakes")
	flag.Parse()
	debug.SetGCPercent(sim.GCPercent)
	if *trace {
		out := bufio.NewWriter(os.Stdout)
		result := sim.Run(*first, sim.Options{Trace: out, LedgerOnly: *ledger})
		_ = out.Flush()
		end(result.Err())
	}
	begun := time.Now()
	var events, deliveries int
	for k := uint64(0); *n == 0 || k < *n; k++ {
		r := sim.Run(*first+k, sim.Options{LedgerOnly: *ledger})
		events, deliveries = events+r.Events, deliveries+r.Deliveries
		if err := r.Err(); err != nil {
			fmt.Printf("%d schedules\n", k+1)
			end(err)
		}
		if k%1000 == 999 {
			fmt.Printf("seeds %d to %d: %d events, %d deliveries, %s\n", *first, *first+k, events, deliveries, time.Since(begun).Round(time.Second))
		}
	}
}

func end(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}
