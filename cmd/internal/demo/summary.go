package demo

import (
	"time"

	"github.com/sendoff-go/outbox/cmd/internal/tally"
)

// Summary is what came of a demo. The names are part of the command line's
// contract.
type Summary struct {
	Written    int64   `json:"written"`
	Delivered  int64   `json:"delivered"`
	Retried    int64   `json:"retried"`
	Dead       int64   `json:"dead"`
	Lost       int64   `json:"lost"`
	Duplicates int64   `json:"duplicates"`
	P50        float64 `json:"p50_ms"`
	P99        float64 `json:"p99_ms"`
	Max        float64 `json:"max_ms"`
	// Waiting were not delivered in time and are still in the table.
	Waiting int64 `json:"waiting"`
	// Repeated counts deliveries that somebody asked for again, in the console or
	// on the command line.
	Repeated int64 `json:"repeated"`
	// Deleted counts events whose dead letters somebody deleted.
	Deleted int64 `json:"deleted"`
	// Failed are business transactions.
	Failed     int64   `json:"failed"`
	RolledBack int64   `json:"rolled_back"`
	Phantoms   int64   `json:"phantoms"`
	Seconds    float64 `json:"seconds"`
	// Outage says that the database was down: what was under way then may
	// arrive twice.
	Outage bool `json:"outage"`
	// Abandoned says that somebody did not want to wait for the last events.
	Abandoned bool `json:"-"`
	// Paused says that somebody has paused event types, whose events wait.
	Paused bool `json:"-"`
}

func (d *Demo) summary() Summary {
	var st State
	d.notes.read(&st)
	c := d.books.counts(nil)
	all := &tally.Snapshot{}
	for name, l := range d.books.ledgers {
		if hasListener(name) {
			all = all.Add(l.Latency.Snapshot())
		}
	}
	return Summary{
		Written: c.Written, Delivered: c.Delivered, Retried: c.Retried, Duplicates: c.Duplicates, Repeated: c.Repeated,
		RolledBack: c.RolledBack, Phantoms: c.Phantoms, Failed: int64(st.Failed), Outage: st.Troubles > 0, Abandoned: d.isAbandoned(), Paused: len(d.paused) > 0,
		P50: ms(all.Quantile(0.5)), P99: ms(all.Quantile(0.99)), Max: ms(all.Quantile(1)),
	}
}

// Sound reports whether the outbox kept its word: nothing is lost or seen
// without a commit, and nothing comes twice unless something failed.
func (s Summary) Sound() bool {
	return s.Lost == 0 && s.Phantoms == 0 && (s.Duplicates == 0 || s.Outage)
}

// ms is a duration in milliseconds, to the microsecond.
func ms(d time.Duration) float64 {
	return float64(d.Round(time.Microsecond)) / float64(time.Millisecond)
}
