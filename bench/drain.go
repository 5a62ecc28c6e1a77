package main

import (
	"fmt"
	"slices"
)

// drainEvents wait when a drain begins.
const drainEvents = 200_000

// Names of variants that occur in several scenarios.
const (
	nameOurs      = "ours"
	nameSQL       = "ours on database/sql"
	nameDefault   = "ours, untouched"
	nameRiver     = "River"
	nameOagudo    = "oagudo"
	nameWatermill = "watermill"
	nameQueue     = "watermill, queue"
	nameFloor     = "floor"
)

// Batches that are tried where a batch has to be chosen; the best one counts.
// The peers get them too, though a crash would repeat as many events with them.
var (
	floorBatches  = []int{1000, 2000, 5000}
	peerBatches   = []int{1000, 5000}
	sqliteBatches = []int{100, 1000}
)

// inBatches are variants that differ in the size of their batches.
func inBatches(name string, batches []int, run func(batch int) runFunc) (vs []variant, names []string) {
	for _, batch := range batches {
		full := fmt.Sprintf("%s, batches of %d", name, batch)
		vs, names = append(vs, variant{full, run(batch)}), append(names, full)
	}
	return vs, names
}

func drainKept() scenario {
	floors, floorNames := inBatches(nameFloor, floorBatches, drainFloor(true))
	peers, peerNames := inBatches(nameWatermill, peerBatches, func(batch int) runFunc {
		return drainWatermill(offsets(batch))
	})
	return scenario{
		name: "drain-kept",
		what: "drain of 200,000 waiting events to a null listener, one relay, rows kept as DONE",
		variants: slices.Concat([]variant{
			{nameOurs, drainOurs(onPgx, tuned())},
			{nameSQL, drainOurs(onSQL, tuned())},
			{nameDefault, drainOurs(onPgx, untouched())},
			{nameRiver, drainRiver},
		}, peers, floors),
		judge: func(r results) []row {
			ours := r.figure(nameOurs, rate)
			return []row{
				atLeast("drain, rows kept, against River", ours, r.figure(nameRiver, rate), 3.5),
				atLeast("drain, rows kept, against the floor", ours, r.fastest(floorNames...), 0.8),
				atLeast("drain, untouched configuration, against the tuned one", r.figure(nameDefault, rate), ours, 0.5),
				compared("drain, rows kept, database/sql against pgx", r.figure(nameSQL, rate), ours),
				compared("drain, rows kept, against watermill-sql", ours, r.fastest(peerNames...)),
			}
		},
	}
}

func drainDeleted() scenario {
	floors, floorNames := inBatches(nameFloor, floorBatches, drainFloor(false))
	oagudos, oagudoNames := inBatches(nameOagudo, peerBatches, drainOagudo)
	queues, queueNames := inBatches(nameQueue, peerBatches, func(batch int) runFunc {
		return drainWatermill(queue(batch))
	})
	return scenario{
		name: "drain-deleted",
		what: "the same, rows deleted at settle",
		variants: slices.Concat([]variant{
			{nameOurs, drainOurs(onPgx, deleting(tuned()))},
			{nameSQL, drainOurs(onSQL, deleting(tuned()))},
			{nameDefault, drainOurs(onPgx, deleting(untouched()))},
		}, oagudos, queues, floors),
		judge: func(r results) []row {
			ours := r.figure(nameOurs, rate)
			return []row{
				atLeast("drain, rows deleted, against oagudo", ours, r.fastest(oagudoNames...), 1),
				atLeast("drain, rows deleted, against the floor", ours, r.fastest(floorNames...), 0.8),
				compared("drain, rows deleted, otherwise untouched, against the tuned one", r.figure(nameDefault, rate), ours),
				compared("drain, rows deleted, database/sql against pgx", r.figure(nameSQL, rate), ours),
				compared("drain, rows deleted, against watermill-sql as a queue", ours, r.fastest(queueNames...)),
			}
		},
	}
}
