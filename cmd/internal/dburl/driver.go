package dburl

import (
	"context"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/store/sqlstore"
)

// Driver is one way to open the databases of some URL schemes.
type Driver struct {
	// Schemes are the URL schemes, the usual one first.
	Schemes []string
	// Name tells apart the drivers of one scheme. Of those that a program
	// lists, the first is the default.
	Name string
	// Example is a URL for error messages.
	Example string
	// Dialect is the SQL that the database speaks.
	Dialect func() sqlstore.Dialect
	// Others are the dialects of other servers behind the same URLs, by name.
	// Open asks the server; nothing else can tell.
	Others map[string]func() sqlstore.Dialect
	// Parse says what is wrong with a URL, without asking the database.
	Parse func(url string) error
	// Open opens the database. The URL has one of the schemes.
	Open func(ctx context.Context, url string, o Options) (*Handle, error)
	// Kind says what an error of the database's driver is about, and Other if
	// it cannot tell. The advice may be empty for the kind's usual one.
	Kind func(error) (k Kind, advice string)
}

// Options say how to open a database. The zero value is the default.
type Options struct {
	// Driver is the name of a driver. Default: the first one of the scheme.
	Driver string
	// Tables names the tables.
	Tables sqlstore.Tables
	// Conns is the number of connections that may be open at once. Default 8;
	// SQLite always has one.
	Conns int
	// StatementTimeout bounds a relay's statement. Default: the store's.
	StatementTimeout time.Duration
	// ConnectTimeout is how long the database may take to answer for the first
	// time. Default 10 s.
	ConnectTimeout time.Duration
	// Create makes a database file that does not exist. Servers do not care.
	Create bool
}

const defaultConns = 8

// find is the driver for a scheme, by name if one is given.
func find(drivers []Driver, scheme, name string) (Driver, error) {
	var schemes, names []string
	for _, d := range drivers {
		schemes = append(schemes, d.Schemes[0])
		if !slices.Contains(d.Schemes, scheme) {
			continue
		}
		if name == "" || name == d.Name {
			return d, nil
		}
		names = append(names, d.Name)
	}
	if names != nil {
		return Driver{}, usage("%s databases have no driver %q: choose %s", scheme, name, list(names))
	}
	return Driver{}, usage("unknown database scheme %q: use %s, for example %s", scheme, list(slices.Compact(schemes)), drivers[0].Example)
}
