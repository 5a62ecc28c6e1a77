package sqlstore

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// migration is one step of the schema, read from the dialect's files.
type migration struct {
	version  int
	name     string
	up, down []string
	loss     []string // queries that count what a down migration would lose
}

var migrationFile = regexp.MustCompile(`^(\d{4})_(\w+)\.(up|down|loss)\.sql$`)

// migrations reads the numbered files, in order. An unreadable file is a bug in
// the dialect's package.
func (n *naming) migrations() []migration {
	entries, err := fs.ReadDir(n.dialect.SQL, "migrations")
	if err != nil {
		panic(fmt.Sprintf("sqlstore: dialect %s: %v", n.dialect.Name, err))
	}
	var all []migration
	for _, e := range entries {
		m := migrationFile.FindStringSubmatch(e.Name())
		if m == nil {
			continue
		}
		version, _ := strconv.Atoi(m[1])
		i := slices.IndexFunc(all, func(o migration) bool { return o.version == version })
		if i < 0 {
			i = len(all)
			all = append(all, migration{version: version, name: m[2]})
		}
		switch statements := n.statements(e.Name()); m[3] {
		case "up":
			all[i].up = statements
		case "down":
			all[i].down = statements
		case "loss":
			all[i].loss = statements
		}
	}
	slices.SortFunc(all, func(a, b migration) int { return a.version - b.version })
	return all
}

// statements reads a file of migrations/. A statement ends with a semicolon
// before an empty line. Bodies of functions and triggers have no empty line
// after a semicolon, so they need no parser.
func (n *naming) statements(file string) []string {
	text, err := fs.ReadFile(n.dialect.SQL, "migrations/"+file)
	if err != nil {
		return nil // adopting needs a file before, after, or both
	}
	var all []string
	for _, statement := range strings.Split(n.rewrite(string(text))+"\n", ";\n\n") {
		statement = strings.TrimSpace(withoutComments(statement))
		if statement = strings.TrimSuffix(statement, ";"); statement != "" {
			all = append(all, statement)
		}
	}
	return all
}
