package console

import (
	"net/http"
	"slices"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/rates"
)

type typesView struct {
	Types     []typeRow
	AllPaused bool
}

func (c *Console) typesPage(k *caller, _ *http.Request) (*view, error) {
	var s admin.Status
	if err := k.get("/api/v1/status", nil, &s); err != nil {
		return nil, err
	}
	return &view{Screen: "types", Title: "Event types", Data: typesView{c.typeRows(s, c.recorder.window()), slices.Contains(s.Paused, "*")}, State: &s}, nil
}

type typeView struct {
	typeRow
	Paused    bool // by itself
	AllPaused bool
	In        []string // instances that claim it
	Hot       float64
	Settings  []Setting
}

func (c *Console) typePage(k *caller, r *http.Request) (*view, error) {
	name := r.URL.Query().Get("type")
	var s admin.Status
	if err := k.get("/api/v1/status", nil, &s); err != nil {
		return nil, err
	}
	w := c.recorder.window()
	d := typeView{typeRow: typeRow{TypeRates: rates.TypeRates{Lane: admin.Lane{Type: name}, State: "unknown"}}, Paused: slices.Contains(s.Paused, name), AllPaused: slices.Contains(s.Paused, "*")}
	for _, row := range c.typeRows(s, w) {
		if row.Type == name {
			d.typeRow = row
		}
	}
	for _, in := range s.Relays {
		if slices.Contains(in.Types, name) {
			d.In = append(d.In, in.Owner)
		}
	}
	f := w.Types[name]
	if f.Delivered > 0 {
		d.Hot = f.Hot / f.Delivered
	}
	if c.cfg.TypeSettings != nil {
		d.Settings = c.cfg.TypeSettings(name)
	}
	return &view{Screen: "type", Nav: "types", Title: "Event type", Data: d, State: &s}, nil
}
