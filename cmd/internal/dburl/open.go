package dburl

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// connectTimeout is the default of [Options.ConnectTimeout].
const connectTimeout = 10 * time.Second

// Check says what is wrong with a URL and the name of a driver, without asking
// the database. Its errors are those of [Open].
func Check(drivers []Driver, address, driver string) error {
	d, err := choose(drivers, address, driver)
	if err != nil {
		return err
	}
	return d.problem("", d.Parse(address))
}

func choose(drivers []Driver, address, driver string) (Driver, error) {
	scheme, _, found := strings.Cut(address, "://")
	if !found {
		return Driver{}, usage("the database must be a URL such as %s", list(examples(drivers)))
	}
	return find(drivers, scheme, driver)
}

// Open opens a database and makes sure that it answers. Its errors are
// [*Problem]s and never show a password.
func Open(ctx context.Context, drivers []Driver, address string, o Options) (*Handle, error) {
	d, err := choose(drivers, address, o.Driver)
	if err != nil {
		return nil, err
	}
	if o.Conns <= 0 {
		o.Conns = defaultConns
	}
	if o.ConnectTimeout <= 0 {
		o.ConnectTimeout = connectTimeout
	}
	h, err := d.Open(ctx, address, o)
	if err != nil {
		return nil, d.problem("", err)
	}
	if h.detected != nil {
		d.Dialect = func() sqlstore.Dialect { return *h.detected }
	}
	h.driver, h.tables = d, o.Tables
	limited, cancel := context.WithTimeout(ctx, o.ConnectTimeout)
	defer cancel()
	if err := h.ping(limited); err != nil {
		_ = h.Close() // err says why
		if ctx.Err() == nil && limited.Err() != nil {
			err = errors.Join(outbox.ErrStoreDown, errors.New("no answer within "+o.ConnectTimeout.String()))
		}
		return nil, d.problem("", err)
	}
	return h, nil
}

func examples(drivers []Driver) []string {
	var all []string
	for _, d := range drivers {
		if len(all) == 0 || all[len(all)-1] != d.Example {
			all = append(all, d.Example)
		}
	}
	return all
}

// parse is url.Parse with an error that shows nothing of the URL. Even the
// reason would: of a password with a slash it quotes the beginning as a port.
func parse(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, usage("the database URL is invalid: check host and port, and escape special characters in a password: %%40 for @, %%3A for :, %%2F for / and %%25 for %%")
	}
	return u, nil
}

// list is "a, b or c".
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
