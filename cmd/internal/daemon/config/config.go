package config

import (
	"cmp"
	"fmt"
	"strings"
)

// Config is what stands under `outbox:`. It is not changed after [Load].
type Config struct {
	InstanceName string `yaml:"instance-name" doc:"Readable part of the owner of claims. Empty: host name and process id."`
	ThreadPool   int    `yaml:"thread-pool-size" default:"0" min:"0" max:"1000" doc:"Batches of one event type that are sent at once. 0: the number of processors, at most 5."`

	DrainTimeout Duration `yaml:"drain-timeout" default:"5s" min:"1ms" doc:"How long a shutdown may take to finish what was begun."`
	Lease        Duration `yaml:"lease" default:"15s" min:"100ms" doc:"How long a claim holds without being renewed: a dead daemon's events come back after that."`

	Database  Database  `yaml:"database" doc:"Where the events are."`
	Tables    Tables    `yaml:"tables" doc:"The tables of the outbox."`
	Publisher Publisher `yaml:"publisher" doc:"Takes events from the table and sends them."`
	Consumer  Consumer  `yaml:"consumer" doc:"Looks after the table of consumed ids. The consuming itself is done by the applications."`
	Admin     Admin     `yaml:"admin" doc:"Health and metrics over HTTP."`
	Log       Log       `yaml:"log" doc:"The log, on standard error."`

	source  string           // the file
	origins map[string]Place // of every key that was set, by its dotted path
}

// Database is `outbox.database`.
type Database struct {
	URL         string `yaml:"url" url:"true" example:"${OUTBOX_DB:-sqlite://outbox.db}" doc:"Required. postgres://, mysql:// or sqlite:// followed by user:password@host:port/name, or by a file."`
	Driver      string `yaml:"driver" enum:"pgx,sql" doc:"For PostgreSQL: pgx, its own interface, or sql, database/sql. Empty: pgx."`
	Connections int    `yaml:"connections" default:"8" min:"1" max:"10000" doc:"Connections that may be open at once. SQLite always has one."`
	Notify      bool   `yaml:"notify" default:"true" doc:"Wake up at once through PostgreSQL's LISTEN when a writer sends NOTIFY. Other databases have none."`
	ListenURL   string `yaml:"listen-url" url:"true" doc:"Connection for LISTEN that leads past a pooler. Empty: url."`
}

// Tables is `outbox.tables`.
type Tables struct {
	AutoCreate bool   `yaml:"auto-create" default:"true" doc:"Create and upgrade the tables at start. false: run outbox migrate up."`
	Schema     string `yaml:"schema" doc:"Schema of the tables. Empty: public on PostgreSQL, the URL's database on MySQL."`
	Event      string `yaml:"event" default:"outbox_event" doc:"Table of events."`
	DeadLetter string `yaml:"dead-letter" default:"outbox_dlq_event" doc:"Table of dead letters."`
	Control    string `yaml:"control" default:"outbox_control" doc:"Table of what is paused."`
	Instance   string `yaml:"instance" default:"outbox_instance" doc:"Table of running daemons and relays."`
	Consumed   string `yaml:"consumed" default:"outbox_consumed_event" doc:"Table of the ids that consumers have had."`
	Version    string `yaml:"version" default:"outbox_schema" doc:"Table of applied migrations."`
}

// Admin is `outbox.admin`.
type Admin struct {
	Addr string `yaml:"addr" example:"127.0.0.1:9464" doc:"Address that serves /livez, /readyz and /metrics. Empty, the default: none."`
}

// Log is `outbox.log`.
type Log struct {
	Level  string `yaml:"level" default:"info" enum:"debug,info,warn,error" doc:"The least important messages that are logged."`
	Format string `yaml:"format" default:"text" enum:"text,json" doc:"One line of key=value, or one JSON object, per message."`
}

// Consumer is `outbox.consumer`.
type Consumer struct {
	Enabled bool     `yaml:"enabled" default:"false" doc:"Clean up the ids that consumers have recorded in this database."`
	Groups  []string `yaml:"groups" doc:"Consumer groups whose ids are cleaned up. Empty: all that the table has, also those of Go consumers that keep theirs longer."`
	CleanUp CleanUp  `yaml:"clean-up" doc:"Deletes ids past their age."`
	Cache   Cache    `yaml:"cache" doc:"Belongs to the consuming applications: accepted, and of no effect here."`
}

// Cache is `outbox.consumer.cache`.
type Cache struct {
	Enabled   bool   `yaml:"enabled" default:"false" unused:"the applications that consume have the cache, on exactly when one is given"`
	CacheName string `yaml:"cache-name" unused:"the applications that consume have the cache, on exactly when one is given"`
}

// Was reports whether the key of that dotted path, for example
// "publisher.dlq.enabled", was set by file or environment.
func (c *Config) Was(path string) bool {
	_, set := c.origins[path]
	return set
}

// Wrong is a problem with the key of a dotted path: where it was set, its path,
// and then the text.
func (c *Config) Wrong(at, format string, args ...any) Problem {
	place, set := c.origins[at]
	for table := at; !set && strings.Contains(table, "."); {
		table = table[:strings.LastIndex(table, ".")]
		place, set = c.origins[table]
	}
	if !set {
		place = Place{Source: cmp.Or(c.source, "environment")}
	}
	return Problem{Place: place, Text: "outbox." + at + fmt.Sprintf(format, args...)}
}

// PathOf is the dotted path of a sender.
func (c *Config) PathOf(s *Sender) string {
	for name, other := range c.Publisher.Senders {
		if s == other {
			return dotted([]string{"publisher", "senders", name})
		}
	}
	return "publisher.sender"
}
