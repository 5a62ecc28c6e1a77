package main

import "fmt"

// drainEvents wait when a drain begins.
const drainEvents = 200_000

// Names of variants that stand in several scenarios.
const (
	nameOurs      = "ours"
	nameSQL       = "ours on database/sql"
	nameDefault   = "ours, untouched"
	nameRiver     = "River"
	nameOagudo    = "oagudo"
	nameWatermill = "watermill"
	nameQueue     = "watermill, queue"
)

// floorBatches are those that the floor tries; the best one counts.
var floorBatches = []int{500, 1000, 2000, 5000}

func floorName(batch int) string { return fmt.Sprintf("floor, batches of %d", batch) }

// floorVariants are the floor with each of its batches.
func floorVariants(keep bool) (vs []variant, names []string) {
	for _, batch := range floorBatches {
		names = append(names, floorName(batch))
		vs = append(vs, variant{floorName(batch), drainFloor(batch, keep)})
	}
	return vs, names
}

func drainKept() scenario {
	floors, floorNames := floorVariants(true)
	return scenario{
		name: "drain-kept",
		what: "drain of 200,000 waiting events to a null listener, one relay, rows kept as DONE",
		variants: append([]variant{
			{nameOurs, drainOurs(onPgx, tuned())},
			{nameSQL, drainOurs(onSQL, tuned())},
			{nameDefault, drainOurs(onPgx, untouched())},
			{nameRiver, drainRiver},
			{nameWatermill, drainWatermill(offsets)},
		}, floors...),
		judge: func(r results) []row {
			ours := r.figure(nameOurs, rate)
			return []row{
				atLeast("drain, rows kept, against River", ours, r.figure(nameRiver, rate), 3.5),
				atLeast("drain, rows kept, against the floor", ours, r.fastest(floorNames...), 0.8),
				atLeast("drain, untouched configuration, against the tuned one", r.figure(nameDefault, rate), ours, 0.5),
				compared("drain, rows kept, database/sql against pgx", r.figure(nameSQL, rate), ours),
				compared("drain, rows kept, against watermill-sql", ours, r.figure(nameWatermill, rate)),
			}
		},
	}
}

func drainDeleted() scenario {
	floors, floorNames := floorVariants(false)
	return scenario{
		name: "drain-deleted",
		what: "the same, rows deleted at settle",
		variants: append([]variant{
			{nameOurs, drainOurs(onPgx, deleting(tuned()))},
			{nameSQL, drainOurs(onSQL, deleting(tuned()))},
			{nameDefault, drainOurs(onPgx, deleting(untouched()))},
			{nameOagudo, drainOagudo},
			{nameQueue, drainWatermill(queue)},
		}, floors...),
		judge: func(r results) []row {
			ours := r.figure(nameOurs, rate)
			return []row{
				atLeast("drain, rows deleted, against oagudo", ours, r.figure(nameOagudo, rate), 1),
				atLeast("drain, rows deleted, against the floor", ours, r.fastest(floorNames...), 0.8),
				compared("drain, rows deleted, otherwise untouched, against the tuned one", r.figure(nameDefault, rate), ours),
				compared("drain, rows deleted, database/sql against pgx", r.figure(nameSQL, rate), ours),
				compared("drain, rows deleted, against watermill-sql as a queue", ours, r.figure(nameQueue, rate)),
			}
		},
	}
}
