package daemon

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/alert"
	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/sink/httpsink"
)

// webhook sends alerts as HTTP requests.
type webhook struct{ sink *httpsink.Sink }

// openWebhook is nil if none is configured.
func openWebhook(c config.Alerts) (*webhook, error) {
	if !c.Enabled || c.Webhook.URL == "" {
		return nil, nil
	}
	to := httpsink.Config{URL: c.Webhook.URL}
	if c.Webhook.Secret != "" {
		to.Secrets = []string{c.Webhook.Secret}
	}
	s, err := httpsink.New(to)
	if err != nil {
		return nil, err
	}
	return &webhook{s}, nil
}

// Notify implements [alert.Notifier].
func (w *webhook) Notify(ctx context.Context, n alert.Notification) error {
	text, err := json.Marshal(struct {
		Kind  alert.Kind  `json:"kind"`
		Alert admin.Alert `json:"alert"`
	}{n.Kind, admin.AlertsOf([]driver.Alert{n.Alert})[0]})
	if err != nil {
		return err
	}
	e := outbox.Event{ID: n.ID, Type: "outbox.alert." + string(n.Kind), JSON: text}
	m := outbox.Message{Event: e, Destination: e.Type, ByType: true, Headers: map[string]string{outbox.HeaderEventID: e.ID, outbox.HeaderEventType: e.Type}}
	for _, err := range w.sink.Send(ctx, []outbox.Message{m}) {
		if err != nil {
			return fmt.Errorf("outbox.alerts.webhook: %w", err)
		}
	}
	return nil
}

func (w *webhook) close() error {
	if w == nil {
		return nil
	}
	return w.sink.Close()
}

// watcher is nil if nobody asked for alerts.
func (d *Daemon) watcher(db *dburl.Handle) (*alert.Watcher, error) {
	c := d.config.Alerts
	if !c.Enabled {
		return nil, nil
	}
	to := []alert.Notifier{alert.Log(d.log)}
	if d.webhook != nil {
		to = append(to, d.webhook)
	}
	rules := alert.Rules{
		OldestWaiting: c.OldestWaiting.Std(), DeadLetters: c.DeadLetters, DeadLettersWindow: c.DeadLettersWindow.Std(),
		NoRelay: c.NoRelayFor.Std(), Unclaimed: c.UnclaimedFor.Std(), DestinationDown: c.DownFor.Std(),
	}
	for name, threshold := range map[string]time.Duration{
		alert.OldestWaiting: rules.OldestWaiting, alert.DeadLetters: time.Duration(rules.DeadLetters),
		alert.NoRelay: rules.NoRelay, alert.Unclaimed: rules.Unclaimed, alert.DestinationDown: rules.DestinationDown,
	} {
		if threshold == 0 { // here it means off, in the library the default
			rules.Off = append(rules.Off, name)
		}
	}
	return alert.New(alert.Config{
		Store: db.Store, Rules: rules, Interval: c.Interval.Std(), Repeat: c.Repeat.Std(), Notifiers: to, Logger: d.log,
	})
}
