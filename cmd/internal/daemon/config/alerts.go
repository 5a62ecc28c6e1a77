package config

import "net/url"

// Alerts is `outbox.alerts`.
type Alerts struct {
	Enabled           bool     `yaml:"enabled" default:"false" doc:"Watch the outbox, and write alerts to the log."`
	Interval          Duration `yaml:"interval" default:"15s" min:"1s" doc:"Time between two checks. The same in all daemons of an outbox: an alert that none has seen for three of them is resolved."`
	Repeat            Duration `yaml:"repeat" default:"4h" min:"1m" doc:"Time between two notifications of an open alert."`
	OldestWaiting     Duration `yaml:"oldest-waiting" default:"5m" doc:"Alert if an event has been due for this long. 0: off."`
	DeadLetters       int      `yaml:"dead-letters" default:"10" min:"0" doc:"Alert if this many of the open dead letters died within dead-letters-window. 0: off."`
	DeadLettersWindow Duration `yaml:"dead-letters-window" default:"15m" min:"1s" doc:"The time in which dead letters are counted."`
	NoRelayFor        Duration `yaml:"no-relay-for" default:"1m" doc:"Alert if no relay is alive for this long. 0: off."`
	UnclaimedFor      Duration `yaml:"unclaimed-for" default:"2m" doc:"Alert if an event of a type that no relay knows has been due for this long. 0: off."`
	DownFor           Duration `yaml:"destination-down-for" default:"2m" doc:"Alert if a relay sees a destination down for this long, unless it is paused. 0: off."`
	Webhook           Webhook  `yaml:"webhook" doc:"Sends alerts as HTTP requests too."`
}

// Webhook is `outbox.alerts.webhook`.
type Webhook struct {
	URL    string `yaml:"url" url:"true" doc:"Where alerts are sent. Empty: nowhere."`
	Secret string `yaml:"secret" secret:"true" doc:"Signs the requests as Standard Webhooks asks: base64, with or without whsec_ before it. Empty: they are not signed."`
}

func (l *loader) checkAlerts() {
	hook := l.config.Alerts.Webhook
	if hook.URL == "" || l.problems.within([]string{"outbox", "alerts", "webhook", "url"}) {
		return
	}
	if u, err := url.Parse(hook.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		l.wrong("alerts.webhook.url", "is not a URL with the scheme http or https: write https://host/path")
	}
}
