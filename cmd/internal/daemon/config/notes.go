package config

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// notes say what was set and has no effect here, or what will surprise.
func (c *Config) notes() []string {
	var all []string
	note := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	var reasons []string
	keys := map[string][]string{}
	root.visit(nil, func(path []string, k *key) {
		if at := dotted(path); k.unused != "" && c.Was(at) && !c.hasDefault(path) {
			if keys[k.unused] == nil {
				reasons = append(reasons, k.unused)
			}
			keys[k.unused] = append(keys[k.unused], "outbox."+at)
		}
	})
	for _, why := range reasons {
		note("ignored: %s: %s", strings.Join(keys[why], ", "), why)
	}
	if c.Was("publisher.dlq.enabled") && !c.Publisher.DLQ.Enabled {
		note("ignored: outbox.publisher.dlq.enabled: an event always becomes a dead letter when its last attempt fails, in the same transaction")
	}
	if c.Telemetry.unencrypted() {
		note("outbox.telemetry sends its headers unencrypted: use TLS, unless you trust the network")
	}
	if !c.Publisher.Enabled {
		return all
	}
	if len(c.Publisher.Events) == 0 {
		note("outbox.publisher.events is empty: nothing is sent, and events stay pending")
	}
	told := map[*Sender]bool{}
	for _, name := range slices.Sorted(maps.Keys(c.Publisher.Events)) {
		_, s := c.SenderOf(name)
		topic := c.Publisher.Events[name].Topic
		if s != nil && !told[s] && s.unencrypted() {
			told[s] = true
			note("outbox.%s sends its login and its events unencrypted: use TLS, through tls.enabled or the scheme of the URL, unless you trust the network", c.PathOf(s))
		}
		switch {
		case s == nil:
			note("outbox.publisher.events.%s has no sender, and there is no outbox.publisher.sender either: its events stay pending", name)
		case s.Type == "http" && topic != "" && !strings.HasPrefix(topic, "/") && !strings.Contains(topic, "://"):
			note("outbox.publisher.events.%s.topic is neither a path, which begins with /, nor a URL: its events go to the url of the sender", name)
		}
	}
	return all
}

// hasDefault reports whether a key holds its default, as every key of the example
// does: a note about it would tell of nothing that anybody asked for.
func (c *Config) hasDefault(path []string) bool {
	fresh, own, k := reflect.New(reflect.TypeFor[Config]()).Elem(), reflect.ValueOf(c).Elem(), root
	fill(fresh, root)
	for _, name := range path {
		k = k.find(name)
		fresh, own = fresh.FieldByIndex(k.field), own.FieldByIndex(k.field)
	}
	return reflect.DeepEqual(fresh.Interface(), own.Interface())
}

// SenderOf is the sender of an entry of events, and its name; nil if none is
// configured. The default one is called "default" unless bean-name chooses.
func (c *Config) SenderOf(event string) (name string, s *Sender) {
	p := &c.Publisher
	if e := p.Events[event]; e != nil && e.Sender != "" {
		return e.Sender, p.Senders[e.Sender]
	}
	if p.Sender.BeanName != "" {
		return p.Sender.BeanName, p.Senders[p.Sender.BeanName]
	}
	if p.Sender.Type == "" {
		return "", nil
	}
	return "default", &p.Sender.Sender
}
