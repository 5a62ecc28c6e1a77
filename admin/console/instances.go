package console

import (
	"net/http"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/rates"
)

type instanceRow struct {
	admin.Relay
	Name    string
	Busy    float64 // share of its workers, NaN if it is not known
	Out     float64 // a second
	Failing float64
}

func (c *Console) instancesPage(k *caller, _ *http.Request) (*view, error) {
	var s admin.Status
	if err := k.get("/api/v1/status", nil, &s); err != nil {
		return nil, err
	}
	known := c.recorder.each()
	rows := make([]instanceRow, len(s.Relays))
	for i, in := range s.Relays {
		rows[i] = instanceRow{Relay: in, Name: name(in.Owner)}
		if w, ok := known[in.Owner]; ok {
			for _, f := range w.Rates {
				rows[i].Out += f.Delivered
				rows[i].Failing += f.Failed
			}
			if in.Figures.Workers > 0 {
				rows[i].Busy = min(w.Busy/float64(in.Figures.Workers), 1)
			}
		}
	}
	return &view{Screen: "instances", Title: "Instances", Data: rows, State: &s}, nil
}

// each returns the relays as they were last read.
func (r *recorder) each() map[string]rates.Relay {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.meter.Relays()
}

type consumersView struct {
	Groups []admin.ConsumerGroup
	Next   string
}

func (c *Console) consumersPage(k *caller, r *http.Request) (*view, error) {
	const limit = 50
	var p admin.ConsumerPage
	if err := k.get("/api/v1/consumer-groups", values("after", r.URL.Query().Get("after"), "limit", itoa(limit)), &p); err != nil {
		return nil, err
	}
	d := consumersView{Groups: p.Groups}
	if n := len(p.Groups); n == limit {
		d.Next = p.Groups[n-1].Name
	}
	return &view{Screen: "consumers", Title: "Consumers", Data: d}, nil
}
