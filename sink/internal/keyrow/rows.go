package keyrow

import "github.com/sendoff-go/outbox"

// Rows are the messages of a batch, grouped into rows that keep their order:
// those of one key to one destination. A message without a key is a row of its
// own.
type Rows struct {
	Heads []int // the first of each row, in the order of the batch
	After []int // by message: the next of its row, or -1
}

// Of groups the messages that have no error yet. Destination returns where the
// sink sends message i.
func Of(batch []outbox.Message, errs []error, destination func(i int) string) Rows {
	type row struct{ key, destination string }
	r := Rows{Heads: make([]int, 0, len(batch)), After: make([]int, len(batch))}
	last := map[row]int{}
	for i := range batch {
		r.After[i] = -1
		if errs[i] != nil {
			continue
		}
		if batch[i].Key == "" {
			r.Heads = append(r.Heads, i)
			continue
		}
		of := row{batch[i].Key, destination(i)}
		if before, ok := last[of]; ok {
			r.After[before] = i
		} else {
			r.Heads = append(r.Heads, i)
		}
		last[of] = i
	}
	return r
}

// Rounds sends the messages: all that may be in flight together, then those
// behind them, and so on. Send sets the error of each message of the round in
// errs. Messages behind one that will be retried are not sent and get the error
// of [Behind]; after a permanent failure the row goes on.
func (r Rows) Rounds(errs []error, send func(round []int)) {
	for round := r.Heads; len(round) > 0; {
		send(round)
		var next []int
		for _, i := range round {
			after := r.After[i]
			if err := errs[i]; err == nil || outbox.IsPermanent(err) {
				if after >= 0 {
					next = append(next, after)
				}
				continue
			}
			for ; after >= 0; after = r.After[after] {
				errs[after] = Behind(errs[i])
			}
		}
		round = next
	}
}
