package pgxstore

import (
	"encoding/json"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/internal/stored"
)

// reader turns the rows of one answer into events. It is reused for each
// answer, so reading a row allocates only its texts and its payload.
type reader struct {
	scratch []byte            // the texts of one row
	names   map[string]string // event and aggregate types: there are few
}

// maxNames bounds what a reader remembers.
const maxNames = 1000

// event reads the columns of an event, and returns an error for what cannot be
// read. Other programs INSERT into the table too, so nothing is taken for
// granted except that a json column holds JSON.
func (d *reader) event(r *row, held *driver.Held, e *outbox.Event) (problem error) {
	id := r.text()
	held.Seq, held.ClaimNo = r.integer(), r.integer()
	e.Type = d.name(r.text())
	if aggregate := r.text(); len(aggregate) > 0 {
		e.AggregateType = d.name(aggregate)
	} else {
		e.AggregateType = outbox.GlobalAggregate
	}
	d.texts(
		field{&held.EventID, id}, field{&e.AggregateID, r.text()}, field{&e.TenantID, r.text()},
		field{&e.CorrelationID, r.text()}, field{&e.TraceID, r.text()})
	e.ID = held.EventID
	e.JSON, e.Bytes = json.RawMessage(clone(r.text())), r.data()
	e.Headers, problem = driver.DecodeHeaders(r.text())
	if problem == nil {
		problem = stored.Problem(e)
	}
	return problem
}

// field is a text and where it goes.
type field struct {
	to   *string
	from []byte
}

// texts makes strings of a row's texts, all in one allocation.
func (d *reader) texts(fields ...field) {
	d.scratch = d.scratch[:0]
	for _, f := range fields {
		d.scratch = append(d.scratch, f.from...)
	}
	all := string(d.scratch)
	for _, f := range fields {
		*f.to, all = all[:len(f.from)], all[len(f.from):]
	}
}

// name returns one shared string for a name that occurs in many rows.
func (d *reader) name(b []byte) string {
	if s, ok := d.names[string(b)]; ok { // without an allocation
		return s
	}
	if d.names == nil || len(d.names) >= maxNames {
		d.names = map[string]string{}
	}
	s := string(b)
	d.names[s] = s
	return s
}
