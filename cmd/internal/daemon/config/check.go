package config

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sendoff-go/outbox"
)

// minConsumedTTL is below what any broker takes to deliver again after a
// consumer's restart.
const minConsumedTTL = time.Minute

// check is what no single key can tell.
func (l *loader) check() {
	c := l.config
	if c.Database.URL == "" && !l.problems.within([]string{"outbox", "database"}) {
		l.wrong("database.url", "is missing: set it, or %s, for example to postgres://user:password@localhost:5432/shop", Twin("outbox", "database", "url"))
	} else if c.Database.URL != "" && !strings.Contains(c.Database.URL, "://") {
		l.wrong("database.url", "is not a URL: write postgres://user:password@localhost:5432/shop, mysql://... or sqlite://shop.db")
	}
	if !c.Publisher.Enabled && !c.Consumer.Enabled && !c.Alerts.Enabled {
		l.wrong("publisher.enabled", "is false, and so is outbox.consumer.enabled, which leaves nothing to do: set one of them to true")
	}
	if when := c.Consumer.CleanUp; c.Consumer.Enabled && when.Enabled && when.TTL.Std() < minConsumedTTL {
		l.wrong("consumer.clean-up.ttl", "is %s: an event that is redelivered later takes effect again. Keep ids for longer than the broker may redeliver and dead letters may wait, at least %s; to keep them forever set outbox.consumer.clean-up.enabled to false", when.TTL, Duration(minConsumedTTL))
	}
	if c.Admin.Addr != "" {
		if _, _, err := net.SplitHostPort(c.Admin.Addr); err != nil {
			l.wrong("admin.addr", "%q is not host:port: write 127.0.0.1:9464, or :9464 for all addresses", maskAddress(c.Admin.Addr))
		}
	}
	l.checkAdmin()
	l.checkTelemetry()
	l.checkAlerts()
	l.checkTables()
	l.checkSenders()
	l.checkEvents()
}

// wrong reports a problem with the key of a path, where it was set.
func (l *loader) wrong(at, format string, args ...any) {
	l.problems = append(l.problems, l.config.Wrong(at, " "+format, args...))
}

var tableName = regexp.MustCompile(`^([A-Za-z0-9_]{1,48}\.)?[A-Za-z0-9_]{1,48}$`)

func (l *loader) checkTables() {
	t, seen := l.config.Tables, map[string]string{}
	for _, n := range [][2]string{
		{"event", t.Event}, {"dead-letter", t.DeadLetter}, {"dead-group", t.DeadGroup}, {"control", t.Control}, {"instance", t.Instance},
		{"consumed", t.Consumed}, {"audit", t.Audit}, {"alert", t.Alert}, {"destination", t.Destination}, {"version", t.Version},
	} {
		key, name := "tables."+n[0], n[1]
		switch {
		case !tableName.MatchString(name):
			l.wrong(key, "%q: use 1 to 48 ASCII letters, digits and underscores, and at most one dot after a schema", name)
		case seen[name] != "":
			l.wrong(key, "%q is also the name of %s: give each table its own name", name, seen[name])
		}
		seen[name] = "outbox." + key
	}
	if t.Schema != "" && (!tableName.MatchString(t.Schema) || strings.Contains(t.Schema, ".")) {
		l.wrong("tables.schema", "%q: use 1 to 48 ASCII letters, digits and underscores", t.Schema)
	}
}

func (l *loader) checkSenders() {
	p := l.config.Publisher
	names := slices.Sorted(maps.Keys(p.Senders))
	for _, name := range names {
		l.checkSender([]string{"publisher", "senders", name}, p.Senders[name])
	}
	named, bean := p.Senders[p.Sender.BeanName], p.Sender.BeanName
	switch {
	case bean == "":
		if l.touched("publisher.sender") {
			l.checkSender([]string{"publisher", "sender"}, &p.Sender.Sender)
		}
	case named == nil:
		l.wrong("publisher.sender.bean-name", "%q is not an entry of outbox.publisher.senders%s", bean, meant(bean, names))
	case l.beside("bean-name", "type", "emergency-timeout"):
	case p.Sender.Type != "" && named.Type != "" && p.Sender.Type != named.Type:
		l.wrong("publisher.sender.type", "is %s, but bean-name chooses the sender %s of type %s: make them the same, or leave out type", p.Sender.Type, bean, named.Type)
	}
}

// beside reports keys of the sender other than those allowed, which would be
// ignored because bean-name chooses another sender.
func (l *loader) beside(allowed ...string) (found bool) {
	for _, k := range root.find("publisher").find("sender").keys {
		at := "publisher.sender." + k.name
		if !slices.Contains(allowed, k.name) && (l.config.Was(at) || l.touched(at)) {
			l.wrong(at, "would be ignored because bean-name chooses another sender: move it to that entry of senders")
			found = true
		}
	}
	return found
}

func (l *loader) touched(table string) bool {
	for at := range l.config.origins {
		if strings.HasPrefix(at, table+".") {
			return true
		}
	}
	return false
}

func (l *loader) checkEvents() {
	p := l.config.Publisher
	senders := slices.Sorted(maps.Keys(p.Senders))
	routes := outbox.NewRegistry()
	for _, name := range slices.Sorted(maps.Keys(p.Events)) {
		at := dotted([]string{"publisher", "events", name})
		if _, err := path.Match(name, ""); err != nil {
			l.wrong(at, "is not a valid pattern: close the [, or write \\[ for the character itself")
		} else if err := routed(routes, name); err != nil {
			l.problems = append(l.problems, l.config.Wrong(at, ": %v", err))
		}
		if n := utf8.RuneCountInString(name); n > outbox.MaxTypeLength {
			l.wrong(at, "has %d characters: an event type has at most %d", n, outbox.MaxTypeLength)
		}
		l.checkKey(at, p.Events[name].Key)
		l.checkHeaders(at, name)
		if s := p.Events[name].Sender; s != "" && p.Senders[s] == nil {
			l.wrong(at+".sender", "%q is not an entry of outbox.publisher.senders%s", s, meant(s, senders))
		}
	}
}

// checkHeaders reports headers of an event that the webhook refuses, because its
// sender has them for every request.
func (l *loader) checkHeaders(at, event string) {
	_, s := l.config.SenderOf(event)
	if s == nil || s.Type != "http" {
		return
	}
	taken := map[string]bool{"authorization": s.Username != "" || s.Password != ""}
	for name := range s.Headers {
		taken[strings.ToLower(name)] = true
	}
	for _, name := range slices.Sorted(maps.Keys(l.config.Publisher.Events[event].Headers)) {
		if taken[strings.ToLower(name)] {
			l.wrong(at+".headers."+name, "is also a header of its sender, which sends it with every request: remove one of them")
		}
	}
}

// routed is what a registry has against one more pattern.
func routed(routes *outbox.Registry, pattern string) error {
	before := len(complaints(routes))
	routes.Route(pattern, anySink{}, outbox.Otherwise())
	errs := complaints(routes)
	if len(errs) == before {
		return nil
	}
	return errors.New(strings.TrimPrefix(errs[len(errs)-1].Error(), outbox.ErrRegistry.Error()+": "))
}

// complaints are the errors of a registry one by one. Their texts are not made:
// there may be thousands of them, and all are asked for with each pattern.
func complaints(routes *outbox.Registry) []error {
	var all interface{ Unwrap() []error }
	if !errors.As(routes.Err(), &all) {
		return nil
	}
	return all.Unwrap()
}

// anySink is a sink that nothing is sent to.
type anySink struct{}

// Send implements [outbox.Sink].
func (anySink) Send(context.Context, []outbox.Message) []error { return nil }

// Keys are what a message's key can be taken from, beside header:NAME.
var Keys = []string{"aggregate-id", "aggregate-type", "event-id", "event-type", "tenant-id", "correlation-id", "none"}

func (l *loader) checkKey(at, key string) {
	header, ofHeader := strings.CutPrefix(key, "header:")
	switch {
	case key == "" || slices.Contains(Keys, key):
	case ofHeader && header == "":
		l.wrong(at+".key", "%q names no header: write header:NAME", key)
	case !ofHeader:
		l.wrong(at+".key", "%q: use header:NAME or one of %s", key, strings.Join(Keys, ", "))
	}
}

func meant(name string, names []string) string {
	if near := nearest(name, names); near != "" {
		return fmt.Sprintf(": did you mean %s?", near)
	}
	if len(names) == 0 {
		return ", which is empty: add it there"
	}
	return ", which has " + strings.Join(names, ", ")
}
