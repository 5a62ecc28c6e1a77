package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/store/sqlstore"
)

func (a *app) migrateSQL() *cobra.Command {
	var tables sqlstore.Tables
	var dialect, database, format string
	var version int
	var fair bool
	cmd := &cobra.Command{
		Use:   "sql",
		Short: "Print the SQL of the migrations, for goose, another tool or by hand",
		Long: `Prints what "outbox migrate up" would run, for those who migrate with another
tool. The scripts record themselves in the table of versions, so the outbox
recognises the tables no matter which tool ran them. Goose wants one file per
version: print them one by one with --version.

The scripts create the tables from scratch. Only "outbox migrate up --adopt"
upgrades a table that another program made.

With --fair it prints only the index that fair-by-tenant needs, which belongs to no
version of the tables. On PostgreSQL, run it outside of a transaction.

--dialect names the dialect, or --database does by its URL, which is not opened: for
TiDB, whose URLs are those of MySQL, give --dialect tidb.`,
		Example: `  outbox migrate sql --dialect postgres | psql -1 -v ON_ERROR_STOP=1 shop
  outbox migrate sql --dialect mysql --format goose --version 1 > 0001_outbox.sql`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if fair && (cmd.Flags().Changed("format") || cmd.Flags().Changed("version")) {
				return usagef("--fair does not go with --format and --version: leave them out")
			}
			if dialect == "" && database != "" {
				dialect, _, _ = strings.Cut(database, ":")
			}
			d, err := dialectOf(dialect)
			if err != nil {
				return err
			}
			if fair {
				return a.fairSQL(d, tables)
			}
			scripts, err := sqlstore.MigrationSQL(d, tables)
			if err != nil {
				return usageError(err.Error())
			}
			if version != 0 {
				scripts = slices.DeleteFunc(scripts, func(m sqlstore.MigrationScript) bool { return m.Version != version })
			}
			if len(scripts) == 0 {
				return usagef("there is no version %d: leave out --version to see all", version)
			}
			write, ok := formats[format]
			if !ok {
				return usagef("--format is %q: must be plain or goose", format)
			}
			for _, m := range scripts {
				write(a.stdout, m)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&dialect, "dialect", "", strings.Join(dialects(), ", ")+" (required, unless --database is given)")
	cmd.Flags().StringVar(&database, "database", "", "`URL` whose scheme names the dialect")
	cmd.Flags().StringVar(&format, "format", "plain", "`format`: plain, or goose, with its annotations and down migrations")
	cmd.Flags().IntVar(&version, "version", 0, "print this `version` alone (default all)")
	cmd.Flags().BoolVar(&fair, "fair", false, "print the index that fair-by-tenant needs instead")
	cmd.Flags().StringVar(&tables.Schema, "schema", "", "`name` of the schema that holds the tables (default public on PostgreSQL)")
	tableFlags(cmd.Flags(), &tables)
	values(cmd, "dialect", dialects()...)
	values(cmd, "format", slices.Sorted(maps.Keys(formats))...)
	return cmd
}

// fairSQL prints the statement of migrate up --fair.
func (a *app) fairSQL(d sqlstore.Dialect, tables sqlstore.Tables) error {
	text, err := sqlstore.FairSQL(d, tables)
	if err != nil {
		return usageError(err.Error())
	}
	fmt.Fprint(a.stdout, text)
	return nil
}

// dialects are the usual schemes of the drivers, each once, and what else may be
// behind them.
func dialects() []string {
	var all []string
	for _, d := range drivers {
		if !slices.Contains(all, d.Schemes[0]) {
			all = append(all, d.Schemes[0])
			all = append(all, slices.Sorted(maps.Keys(d.Others))...)
		}
	}
	return all
}

// dialectOf returns the dialect of a scheme, or one with a name of its own.
func dialectOf(name string) (sqlstore.Dialect, error) {
	for _, d := range drivers {
		if slices.Contains(d.Schemes, name) {
			return d.Dialect(), nil
		}
		if other, found := d.Others[name]; found {
			return other(), nil
		}
	}
	return sqlstore.Dialect{}, usagef("--dialect is %q: must be one of %s", name, strings.Join(dialects(), ", "))
}

var formats = map[string]func(io.Writer, sqlstore.MigrationScript){
	"plain": func(w io.Writer, m sqlstore.MigrationScript) {
		fmt.Fprintf(w, "-- version %d: %s\n\n%s\n", m.Version, m.Name, m.Up)
	},
	"goose": func(w io.Writer, m sqlstore.MigrationScript) {
		fmt.Fprintf(w, "-- +goose Up\n-- outbox, version %d: %s\n%s\n-- +goose Down\n%s\n", m.Version, m.Name, annotated(m.Up), annotated(m.Down))
	},
}

// annotated marks statements with semicolons inside, which goose would cut. A
// statement ends with a semicolon before an empty line.
func annotated(script string) string {
	var out strings.Builder
	for statement := range strings.SplitSeq(strings.TrimSuffix(script, ";\n"), ";\n\n") {
		if strings.Contains(statement, ";") {
			fmt.Fprintf(&out, "-- +goose StatementBegin\n%s;\n-- +goose StatementEnd\n\n", statement)
		} else {
			fmt.Fprintf(&out, "%s;\n\n", statement)
		}
	}
	return out.String()
}
