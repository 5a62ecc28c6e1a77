package sqlstore

import (
	"fmt"
	"strings"
)

// MigrationScript is one step of the schema as SQL text, for those who migrate
// with goose, atlas or by hand.
type MigrationScript struct {
	Version  int
	Name     string
	Up, Down string
}

// MigrationSQL gives the steps of a dialect with those table names in them, in
// order. They record themselves in the version table, so that a store finds
// what it needs whoever ran them. It fails only on invalid names.
func MigrationSQL(d Dialect, t Tables) ([]MigrationScript, error) {
	names, err := newNaming(&d, t)
	if err != nil {
		return nil, err
	}
	create := loadQueries(&d, names).SchemaCreate.SQL
	var scripts []MigrationScript
	for i, m := range names.migrations() {
		up, down := m.up, m.down
		if i == 0 {
			up = append([]string{create}, up...)
		}
		up = append(up, names.rewrite(fmt.Sprintf("INSERT INTO %s (version, name) VALUES (%d, '%s')", wordVersion, m.version, m.name)))
		down = append(down, names.rewrite(fmt.Sprintf("DELETE FROM %s WHERE version = %d", wordVersion, m.version)))
		scripts = append(scripts, MigrationScript{m.version, m.name, script(up), script(down)})
	}
	return scripts, nil
}

func script(statements []string) string {
	return strings.Join(statements, ";\n\n") + ";\n"
}

// SchemaVersion is the version that this program needs of a dialect's tables.
func SchemaVersion(d Dialect) int {
	all := (&naming{dialect: &d}).migrations()
	return all[len(all)-1].version
}
