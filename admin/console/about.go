package console

import (
	"net/http"
	"runtime"
	"time"
)

func (c *Console) settingsPage(*caller, *http.Request) (*view, error) {
	text := ""
	if c.cfg.Settings != nil {
		text = c.cfg.Settings()
	}
	return &view{Screen: "settings", Title: "Settings", Data: text, NotLive: true}, nil
}

type aboutView struct {
	Version, Go    string
	Started        time.Time
	Every          time.Duration
	Problem        string // why the figures could not be read
	Masks          []string
	Hidden         bool
	ConsentOver    int64
	SignedIn       time.Duration
	DatabaseAnswer time.Duration
}

func (c *Console) aboutPage(k *caller, _ *http.Request) (*view, error) {
	began := time.Now()
	var out struct{}
	err := k.get("/api/v1/alerts", values("limit", "1"), &out)
	d := aboutView{Version: c.cfg.API.Version, Go: runtime.Version(), Started: c.started, Every: c.cfg.Every, Masks: c.cfg.API.Mask, Hidden: c.cfg.API.HidePayloads, ConsentOver: c.cfg.API.ConsentOver, SignedIn: c.cfg.SignedIn, DatabaseAnswer: time.Since(began)}
	if err != nil {
		d.Problem = err.Error()
	}
	return &view{Screen: "about", Title: "About", Data: d}, nil
}
