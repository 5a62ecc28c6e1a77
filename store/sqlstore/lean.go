package sqlstore

import (
	"slices"
	"strings"
)

// lean leaves out the conditions whose arguments are all empty or null, where
// parameters are positional: MySQL and MariaDB would read the row even for a
// condition that is always true, because its column might be needed. Each condition
// is a line that begins with AND.
func (q Query) lean(args []any) Query {
	if q.order == nil {
		return q
	}
	out := Query{order: []int{}}
	var text strings.Builder
	at := 0
	for line := range strings.Lines(q.SQL) {
		named := q.order[at : at+strings.Count(line, "?")]
		at += len(named)
		given := slices.ContainsFunc(named, func(i int) bool { return args[i] != nil && args[i] != "" })
		if strings.HasPrefix(strings.TrimSpace(line), "AND (") && len(named) > 0 && !given {
			continue
		}
		text.WriteString(line)
		out.order = append(out.order, named...)
	}
	out.SQL = text.String()
	return out
}
