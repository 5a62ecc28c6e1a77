package dburl

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver

	"github.com/sendoff-go/outbox/store/sqlitestore"
	"github.com/sendoff-go/outbox/store/sqlstore"
)

// SQLite opens sqlite://path, relative or absolute: sqlite://shop.db,
// sqlite://data/shop.db, sqlite:///var/lib/shop.db.
func SQLite() Driver {
	return Driver{
		Schemes: []string{"sqlite"},
		Name:    "sql",
		Example: "sqlite://shop.db",
		Dialect: sqlitestore.Dialect,
		Parse: func(url string) error {
			_, _, err := sqlitePath(url)
			return err
		},
		Open: openSQLite,
		Kind: sqliteKind,
	}
}

func openSQLite(_ context.Context, address string, o Options) (*Handle, error) {
	path, query, err := sqlitePath(address)
	if err != nil {
		return nil, err
	}
	if err := checkFile(path, o.Create); err != nil {
		return nil, err
	}
	uri := "file:" + (&url.URL{Path: path}).EscapedPath()
	if query != "" {
		uri += "?" + query
	}
	db, err := sqlitestore.Open("sqlite", uri)
	if err != nil {
		return nil, err
	}
	store, err := sqlitestore.New(db, sqlstore.Config{Tables: o.Tables, StatementTimeout: o.StatementTimeout})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Handle{
		Store:    store,
		Schema:   store,
		writer:   writerOf(store, execTx(asIs)),
		consumer: consumerOf(store, execTx(asIs)),
		pool:     poolOf(db, asIs),
		version:  "SELECT sqlite_version()",
	}, nil
}

// sqlitePath is the file of a URL. It is no host and path: a relative path
// would lose its first part to the host.
func sqlitePath(address string) (path, query string, err error) {
	_, rest, _ := strings.Cut(address, "://")
	path, query, _ = strings.Cut(rest, "?")
	path, err = url.PathUnescape(path)
	if err != nil {
		return "", "", usage("the path in the database URL is invalid: %s; write %% as %%25", err)
	}
	switch {
	case path == "":
		return "", "", usage("the database URL names no file: write sqlite://shop.db, or sqlite:///var/lib/shop.db for an absolute path")
	case strings.Contains(path, ":memory:"):
		return "", "", usage("an in-memory database would vanish when this command ends: name a file, for example sqlite://shop.db")
	}
	return filepath.ToSlash(filepath.Clean(path)), query, nil
}

// checkFile says in words what SQLite has one code for.
func checkFile(path string, create bool) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !create:
		return &Problem{Kind: Down, Err: errors.New("there is no database file " + path), Advice: "correct the path, or create it with `outbox migrate up`"}
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			return &Problem{Kind: Down, Err: errors.New("there is no folder " + filepath.Dir(path)), Advice: "create it, or correct the path"}
		}
		return nil
	case errors.Is(err, fs.ErrPermission):
		return &Problem{Kind: Refused, Err: err, Advice: "grant this user permission to read and write it"}
	case err == nil && info.IsDir():
		return &Problem{Kind: Usage, Err: errors.New(path + " is a folder"), Advice: "name a file in it, for example sqlite://" + path + "/shop.db"}
	}
	return nil // SQLite will say what else is wrong
}

// SQLite's result codes.
const (
	sqlitePerm     = 3
	sqliteBusy     = 5
	sqliteReadOnly = 8
	sqliteNotADB   = 26
)

func sqliteKind(err error) (Kind, string) {
	var coded interface{ Code() int }
	if !errors.As(err, &coded) {
		return Other, ""
	}
	switch coded.Code() & 0xff {
	case sqlitePerm, sqliteReadOnly:
		return Refused, "grant this user permission to write the file and its folder"
	case sqliteNotADB:
		return Usage, "name another file, or one that does not exist yet"
	case sqliteBusy:
		return Down, "another process holds the lock on the file: wait for it, or stop it"
	}
	return Other, ""
}
