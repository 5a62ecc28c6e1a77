package admin

import "github.com/sendoff-go/outbox/driver"

// Figures is what a relay does, and what it did since it started. Two answers say
// how fast it is.
type Figures struct {
	Workers int           `json:"workers" doc:"Events or batches that it may run at once."`
	Running int           `json:"running" doc:"Events that it runs now."`
	Held    int           `json:"held" doc:"Events that it has in memory."`
	Busy    float64       `json:"busy_seconds" doc:"How long its workers have run events, added up."`
	Types   []TypeFigures `json:"types" doc:"At most 200, those that have delivered most."`
}

// TypeFigures is what a relay did with the events of one type.
type TypeFigures struct {
	Type      string      `json:"type"`
	Delivered int64       `json:"delivered"`
	Hot       int64       `json:"hot" doc:"Of those delivered, right after their commit."`
	Failed    int64       `json:"failed" doc:"Attempts."`
	Dead      int64       `json:"dead"`
	Ages      []AgeBucket `json:"ages" doc:"Of those delivered, from commit to delivery. Buckets without events are left out."`
}

// AgeBucket is how many events had an age below a bound, and not below that of the
// bucket before, listed or not.
type AgeBucket struct {
	Below float64 `json:"below_seconds"`
	N     int64   `json:"n"`
}

func figuresOf(f driver.Figures) Figures {
	out := Figures{Workers: f.Workers, Running: f.Running, Held: f.Held, Busy: f.Busy.Seconds(), Types: []TypeFigures{}}
	for _, t := range f.Types {
		one := TypeFigures{Type: t.Type, Delivered: t.Delivered, Hot: t.Hot, Failed: t.Failed, Dead: t.Dead, Ages: []AgeBucket{}}
		for i, n := range t.Ages {
			if n > 0 {
				_, below := driver.AgeBounds(i)
				one.Ages = append(one.Ages, AgeBucket{below.Seconds(), n})
			}
		}
		out.Types = append(out.Types, one)
	}
	return out
}
