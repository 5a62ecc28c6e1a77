package pgstore

import (
	"io/fs"
	"strconv"

	"github.com/sendoff-go/outbox/store/sqlstore"
)

// Config and Store are those of the engine, for drivers that stand on this
// package alone.
type (
	Config = sqlstore.Config
	Store  = sqlstore.Store
)

// Channel names the channel for wake-ups about those tables. It fails only on
// invalid names.
func Channel(t Tables) (string, error) {
	store, err := NewWith(nil, Config{Tables: t})
	if err != nil {
		return "", err
	}
	return store.Channel(), nil
}

// NotifyPayload is what a wake-up for those lanes carries, and ParseNotify reads
// it: nil means any lane.
func NotifyPayload(lanes []string) string { return sqlstore.NotifyPayload(lanes) }

// ParseNotify reads what [NotifyPayload] made.
func ParseNotify(payload string) []string { return sqlstore.ParseNotify(payload) }

// SchemaVersion is the version of the tables that the statements need.
func SchemaVersion() int {
	latest := 0
	files, _ := fs.Glob(files, "migrations/[0-9][0-9][0-9][0-9]_*.up.sql") // the pattern is well formed
	for _, name := range files {
		if n, err := strconv.Atoi(name[len("migrations/"):][:4]); err == nil {
			latest = max(latest, n)
		}
	}
	return latest
}
