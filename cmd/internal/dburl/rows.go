package dburl

import (
	"context"
	"database/sql"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sendoff-go/outbox/store/sqlstore"
)

// Row is one row of an answer, each column as text. NULL is "".
type Row []string

// Rows runs a query and returns its whole answer as text. Parameters are written
// as ? or as the database has them. It is for answers of a few rows.
func (h *Handle) Rows(ctx context.Context, query string, args ...any) ([]Row, error) {
	return h.rows(ctx, query, args...)
}

// Dialect is the SQL that the database speaks.
func (h *Handle) Dialect() sqlstore.Dialect { return h.driver.Dialect() }

// Tables are the names that the handle was opened with.
func (h *Handle) Tables() sqlstore.Tables { return h.tables }

// pgxRows uses the text protocol, so that any type comes as text.
func pgxRows(p *pgxpool.Pool) func(ctx context.Context, query string, args ...any) ([]Row, error) {
	return func(ctx context.Context, query string, args ...any) ([]Row, error) {
		rows, err := p.Query(ctx, numbered(query), append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...)
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(rows, func(row pgx.CollectableRow) (Row, error) {
			var out Row
			for _, value := range row.RawValues() {
				out = append(out, string(value))
			}
			return out, nil
		})
	}
}

// sqlRows is for database/sql.
func sqlRows(db *sql.DB, params func(string) string) func(ctx context.Context, query string, args ...any) ([]Row, error) {
	return func(ctx context.Context, query string, args ...any) (all []Row, err error) {
		rows, err := db.QueryContext(ctx, params(query), args...)
		if err != nil {
			return nil, err
		}
		defer func() { _ = rows.Close() }() // Err is asked
		columns, err := rows.Columns()
		if err != nil {
			return nil, err
		}
		values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		for rows.Next() {
			if err := rows.Scan(into...); err != nil {
				return nil, err
			}
			row := make(Row, len(values))
			for i, v := range values {
				row[i] = v.String
			}
			all = append(all, row)
		}
		return all, rows.Err()
	}
}
