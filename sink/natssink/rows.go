package natssink

import "github.com/sendoff-go/outbox"

// rows are the messages of a batch, sorted by key and subject.
type rows struct {
	subjects []string // of the messages; the batch is the caller's again when the Send has gone
	heads    []int    // the first of each row
	after    []int    // by message: the next of its row, or -1
}

func newRows(batch []outbox.Message, errs []error) *rows {
	type row struct{ key, subject string }
	r := &rows{subjects: make([]string, len(batch)), heads: make([]int, 0, len(batch)), after: make([]int, len(batch))}
	last := map[row]int{}
	for i := range batch {
		r.after[i], r.subjects[i] = -1, batch[i].Destination
		if errs[i] != nil {
			continue
		}
		key := row{batch[i].Key, batch[i].Destination}
		if before, ok := last[key]; ok && key.key != "" {
			r.after[before] = i
		} else {
			r.heads = append(r.heads, i)
		}
		if key.key != "" {
			last[key] = i
		}
	}
	return r
}
