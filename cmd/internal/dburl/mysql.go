package dburl

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sendoff-go/outbox/store/mysqlstore"
	"github.com/sendoff-go/outbox/store/sqlstore"
	"github.com/sendoff-go/outbox/store/tidbstore"
)

// MySQL opens mysql://user:password@host:port/database?parameter=value on MySQL,
// MariaDB and TiDB; the server says which it is. The parameters are those of github.com/go-sql-driver/mysql.
func MySQL() Driver {
	return Driver{
		Schemes: []string{"mysql", "mariadb"},
		Name:    "sql",
		Example: "mysql://user:password@localhost:3306/shop",
		Dialect: mysqlstore.Dialect,
		Others:  map[string]func() sqlstore.Dialect{"tidb": tidbstore.Dialect},
		Parse: func(url string) error {
			_, err := mysqlConnector(url)
			return err
		},
		Open: openMySQL,
		Kind: mysqlKind,
	}
}

func openMySQL(ctx context.Context, address string, o Options) (*Handle, error) {
	connector, err := mysqlConnector(address)
	if err != nil {
		return nil, err
	}
	if _, err := sqlstore.Rename(mysqlstore.Dialect(), o.Tables, ""); err != nil {
		return nil, err // of names, without a word to the server
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(o.Conns)
	db.SetMaxIdleConns(o.Conns)
	dialect, err := detectMySQL(ctx, db, o.ConnectTimeout)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	store, err := sqlstore.New(db, dialect, sqlstore.Config{Tables: o.Tables, StatementTimeout: o.StatementTimeout})
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Handle{
		Store:    store,
		Schema:   store,
		detected: &dialect,
		writer:   writerOf(store, execTx(asIs)),
		consumer: consumerOf(store, execTx(asIs)),
		pool:     poolOf(db, asIs),
		version:  dialect.Probe,
		name: func(version string) string {
			if strings.Contains(version, "MariaDB") {
				return "MariaDB"
			}
			return dialect.Name
		},
	}, nil
}

func mysqlConnector(address string) (driver.Connector, error) {
	c, err := mysqlConfig(address)
	if err != nil {
		return nil, err
	}
	connector, err := mysql.NewConnector(c)
	if err != nil {
		return nil, &Problem{Kind: Usage, Err: err}
	}
	return connector, nil
}

// detectMySQL tells TiDB, which claims in another way, from the others.
func detectMySQL(ctx context.Context, db *sql.DB, within time.Duration) (sqlstore.Dialect, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	return sqlstore.Detect(ctx, db, mysqlstore.Dialect(), tidbstore.Dialect())
}

func mysqlConfig(address string) (*mysql.Config, error) {
	u, err := parse(address)
	if err != nil {
		return nil, err
	}
	c, err := mysql.ParseDSN("/?" + u.RawQuery)
	if err != nil {
		return nil, &Problem{Kind: Usage, Err: err, Advice: "correct the parameters of the database URL"}
	}
	c.Net, c.Addr = "tcp", net.JoinHostPort(orElse(u.Hostname(), "127.0.0.1"), orElse(u.Port(), "3306"))
	c.User = u.User.Username()
	c.Passwd, _ = u.User.Password()
	if c.DBName = strings.TrimPrefix(u.Path, "/"); c.DBName == "" {
		return nil, usage("the database URL names no database: write it like mysql://user:password@localhost:3306/shop")
	}
	if !hasParameter(u, "interpolateParams") {
		c.InterpolateParams = true // one round trip for a statement, not two
	}
	c.Logger = &mysql.NopLogger{} // what it would print is in the errors
	return c, nil
}

func hasParameter(u *url.URL, name string) bool { return u.Query().Has(name) }

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// The servers' error numbers.
const (
	mysqlNoAccessToDatabase = 1044
	mysqlNoLogin            = 1045
	mysqlNoDatabase         = 1049
	mysqlTooMany            = 1040
	mysqlNoCommand          = 1142
	mysqlNoColumn           = 1143
	mysqlNoPrivilege        = 1227
	mysqlNoCreate           = 1370
)

func mysqlKind(err error) (Kind, string) {
	var answer *mysql.MySQLError
	if errors.As(err, &answer) {
		switch answer.Number {
		case mysqlNoLogin:
			return Refused, "check user and password in the URL"
		case mysqlNoAccessToDatabase, mysqlNoCommand, mysqlNoColumn, mysqlNoPrivilege, mysqlNoCreate:
			return Refused, ""
		case mysqlNoDatabase:
			return Down, "create it, or correct the name in the URL"
		case mysqlTooMany:
			return Down, ""
		}
		return Other, ""
	}
	if errors.Is(err, mysql.ErrInvalidConn) {
		return Down, ""
	}
	return Other, ""
}
