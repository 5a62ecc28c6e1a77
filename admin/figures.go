package admin

import "github.com/sendoff-go/outbox/driver"

// Figures says what a relay is doing, and what it has done since it started. The
// difference between two answers gives its rates.
type Figures struct {
	Workers int           `json:"workers" doc:"Events or batches that it may run at once."`
	Running int           `json:"running" doc:"Events that it runs now."`
	Held    int           `json:"held" doc:"Events that it has in memory."`
	Busy    float64       `json:"busy_seconds" doc:"Total time that its workers have spent running events."`
	Types   []TypeFigures `json:"types" doc:"At most 200: those with the most deliveries."`
}

// TypeFigures says what a relay has done with the events of one type.
type TypeFigures struct {
	Type      string      `json:"type"`
	Delivered int64       `json:"delivered"`
	Hot       int64       `json:"hot" doc:"How many of them were delivered right after their commit."`
	Failed    int64       `json:"failed" doc:"Attempts."`
	Dead      int64       `json:"dead"`
	Ages      []AgeBucket `json:"ages" doc:"How long the delivered events took from commit to delivery. Empty buckets are left out."`
}

// AgeBucket counts the events whose age is below its bound, but not below the bound
// of the previous bucket, even if that one is left out.
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
