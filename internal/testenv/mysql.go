package testenv

import (
	"context"
	"database/sql"
	"net/url"
	"testing"

	"github.com/go-sql-driver/mysql"
)

// MySQLDSN turns the mysql:// URL of a server or database into what the driver
// github.com/go-sql-driver/mysql takes instead. Parameters in the URL are passed
// on as they are.
func MySQLDSN(t testing.TB, address string) string {
	t.Helper()
	dsn, err := mysqlDSN(address)
	if err != nil {
		t.Fatal(err)
	}
	return dsn
}

func mysqlDSN(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	config := mysql.NewConfig()
	config.User = u.User.Username()
	config.Passwd, _ = u.User.Password()
	config.Net = "tcp"
	config.Addr = u.Host
	if len(u.Path) > 1 {
		config.DBName = u.Path[1:]
	}
	dsn := config.FormatDSN()
	if u.RawQuery != "" {
		dsn += "?" + u.RawQuery
	}
	return dsn, nil
}

// mysqlServer creates and drops databases on MySQL and MariaDB.
type mysqlServer struct{ url string }

func (m mysqlServer) create(ctx context.Context, database string) error {
	return m.execute(ctx, "CREATE DATABASE "+database+" CHARACTER SET utf8mb4")
}

func (m mysqlServer) drop(ctx context.Context, database string) error {
	return m.execute(ctx, "DROP DATABASE "+database)
}

func (m mysqlServer) execute(ctx context.Context, statement string) error {
	dsn, err := mysqlDSN(m.url)
	if err != nil {
		return err
	}
	db, err := sql.Open("mysql", dsn)
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, statement)
	if closeErr := db.Close(); err == nil {
		err = closeErr
	}
	return err
}
