package sqlstore

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox/driver"
)

// Tables names the tables of one outbox. A name is made of ASCII letters,
// digits and underscores, at most 48 of them; it may carry a schema of its own
// before a dot. Two outboxes in one schema need eleven names each.
type Tables struct {
	Schema     string // default: the dialect's, "public" on PostgreSQL
	Event      string // default: outbox_event
	DeadLetter string // default: outbox_dlq_event
	DeadGroup  string // default: outbox_dlq_group
	Control    string // default: outbox_control
	Instance   string // default: outbox_instance
	Consumed   string // default: outbox_consumed_event
	Audit      string // default: outbox_audit
	Alert      string // default: outbox_alert
	Job        string // default: outbox_job
	Version    string // default: outbox_schema

	Destination string // default: outbox_destination
}

// The SQL files use the default names, so that they read and run as SQL.
const (
	wordEvent      = "outbox_event"
	wordDeadLetter = "outbox_dlq_event"
	wordDeadGroup  = "outbox_dlq_group"
	wordControl    = "outbox_control"
	wordInstance   = "outbox_instance"
	wordConsumed   = "outbox_consumed_event"
	wordAudit      = "outbox_audit"
	wordAlert      = "outbox_alert"
	wordJob        = "outbox_job"
	wordVersion    = "outbox_schema"

	wordDestination = "outbox_destination"
)

// maxName leaves room in 63 bytes for what index names append.
const maxName = 48

var plainName = regexp.MustCompile(`^[A-Za-z0-9_]+$`)

// naming maps the words of SQL files to the configured names.
type naming struct {
	dialect *Dialect
	tables  map[string]tableName
}

type tableName struct{ schema, table string }

func newNaming(d *Dialect, t Tables) (*naming, error) {
	n := &naming{dialect: d, tables: map[string]tableName{}}
	if t.Schema == "" {
		t.Schema = d.DefaultSchema
	}
	seen := map[tableName]string{}
	for word, name := range map[string]string{
		wordEvent: t.Event, wordDeadLetter: t.DeadLetter, wordDeadGroup: t.DeadGroup, wordControl: t.Control,
		wordInstance: t.Instance, wordConsumed: t.Consumed, wordAudit: t.Audit, wordAlert: t.Alert, wordJob: t.Job, wordVersion: t.Version,
		wordDestination: t.Destination,
	} {
		full, err := parseName(word, name, t.Schema)
		if err != nil {
			return nil, err
		}
		if full.schema != "" && d.NoSchemas {
			return nil, fmt.Errorf("%w: schema %q: %s has no schemas: leave it out", driver.ErrName, full.schema, d.Name)
		}
		if other, taken := seen[full]; taken {
			return nil, fmt.Errorf("%w: %q stands for both %s and %s: give each its own", driver.ErrName, full.table, other, word)
		}
		seen[full] = word
		n.tables[word] = full
	}
	return n, nil
}

func parseName(word, name, schema string) (tableName, error) {
	if name == "" {
		name = word
	}
	if before, after, found := strings.Cut(name, "."); found {
		schema, name = before, after
		if schema == "" {
			return tableName{}, badName(before + "." + after)
		}
	}
	if !plainName.MatchString(name) || len(name) > maxName {
		return tableName{}, badName(name)
	}
	if schema != "" && (!plainName.MatchString(schema) || len(schema) > maxName) {
		return tableName{}, badName(schema)
	}
	return tableName{schema, name}, nil
}

func badName(name string) error {
	return fmt.Errorf("%w: %q: use 1 to %d ASCII letters, digits and underscores, and at most one dot after a schema", driver.ErrName, name, maxName)
}

// schemas returns the schemas of the tables, each once.
func (n *naming) schemas() []string {
	var all []string
	for _, full := range n.tables {
		if full.schema != "" && !slices.Contains(all, full.schema) {
			all = append(all, full.schema)
		}
	}
	slices.Sort(all)
	return all
}

// rewrite puts the configured names into SQL text: in place of tables, of indexes
// named after one, and of tables as strings.
//
// Not with a regular expression: every store rewrites some hundred files when it is
// made, and that would take most of the time.
func (n *naming) rewrite(sql string) string {
	const prefix = "outbox_"
	var out strings.Builder
	done := 0 // what is written
	for at := strings.Index(sql, prefix); at >= 0; {
		end := at
		for end < len(sql) && inWord(sql[end]) {
			end++
		}
		if at == 0 || !inWord(sql[at-1]) {
			quoted := at > done && sql[at-1] == '\'' && end < len(sql) && sql[end] == '\''
			if name, whole := n.renamed(sql[at:end], quoted); whole {
				out.WriteString(sql[done : at-1])
				out.WriteString(name)
				done = end + 1
			} else if name != "" {
				out.WriteString(sql[done:at])
				out.WriteString(name)
				done = end
			}
		}
		next := strings.Index(sql[end:], prefix)
		if next < 0 {
			break
		}
		at = end + next
	}
	out.WriteString(sql[done:])
	return out.String()
}

// renamed returns what stands for a word, or "" if that is the word itself, and
// whether it also stands for the quotes around the word.
func (n *naming) renamed(word string, quoted bool) (name string, whole bool) {
	if full, ok := n.tables[word]; ok {
		if quoted {
			return "'" + n.dialect.Text(full.schema, full.table) + "'", true
		}
		return n.ident(word, full.schema, full.table), false
	}
	for base, full := range n.tables {
		if suffix, ok := strings.CutPrefix(word, base+"_"); ok && suffix != "" && strings.Trim(suffix, "abcdefghijklmnopqrstuvwxyz_") == "" {
			// An index lives in the schema of its table, and its name is
			// given without it.
			return n.ident(word, "", full.table+"_"+suffix), false
		}
	}
	return "", false
}

// inWord reports whether a byte is part of a word of SQL.
func inWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// ident quotes every name but our own: it could be a keyword or depend on its
// case.
func (n *naming) ident(word, schema, name string) string {
	if name != word {
		name = n.dialect.Quote(name)
	}
	if schema == "" {
		return name
	}
	if schema != n.dialect.DefaultSchema {
		schema = n.dialect.Quote(schema)
	}
	return schema + "." + name
}

// Rename puts table names into SQL text that has the default ones, as the
// dialect's own files do, for programs that ask the database about the tables. It
// fails only on invalid names, with [github.com/sendoff-go/outbox/driver.ErrName].
func Rename(d Dialect, t Tables, sql string) (string, error) {
	names, err := newNaming(&d, t)
	if err != nil {
		return "", err
	}
	return names.rewrite(sql), nil
}
