package sqlstore

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A database that reads no JSON as a table gets a batch spelled out in the text
// of the statement: [Dialect.Spelled]. Its files may say where in two ways. The
// JSON_TABLE of other dialects becomes a derived table with a SELECT for each
// row. ?1[2] becomes the list of that column's values, and ?1[0:3] the list of the
// first three values of each row, joined by spaces: a list in IN costs such
// databases a tenth of what a derived table does.
var (
	jsonTable  = regexp.MustCompile(`(?s)JSON_TABLE\(\?1, '\$\[\*\]' COLUMNS \((.*?'\$\[\d+\]')\)\)`)
	jsonColumn = regexp.MustCompile(`(\w+) (\w+)[^']*? PATH '\$\[(\d+)\]'`)
	spellable  = regexp.MustCompile(jsonTable.String() + `|\?1\[(\d+(?::\d+)?)\]|\?(\d+)`)
)

// piece is some text of a statement and what follows it: an argument, or the
// batch spelled out.
type piece struct {
	text  string
	arg   int // from 0; -1: none
	batch func(b Batch, add func(v any) string) string
}

// spelledPieces returns the pieces of a statement, or nil if it takes no batch.
func spelledPieces(sql string) (pieces []piece) {
	end, takes := 0, false
	for _, m := range spellable.FindAllStringSubmatchIndex(sql, -1) {
		p := piece{text: sql[end:m[0]], arg: -1}
		end = m[1]
		switch {
		case m[2] >= 0:
			p.batch, takes = derivedTable(sql[m[2]:m[3]]), true
		case m[4] >= 0:
			p.batch, takes = valueList(sql[m[4]:m[5]]), true
		default:
			n, _ := strconv.Atoi(sql[m[6]:m[7]])
			p.arg = n - 1
		}
		pieces = append(pieces, p)
	}
	if !takes {
		return nil
	}
	return append(pieces, piece{text: sql[end:], arg: -1})
}

// spell makes the text and the arguments of a statement, whose first argument is
// the batch.
func (q Query) spell(b Batch, args []any) (string, []any) {
	var text strings.Builder
	var used []any
	add := func(v any) string {
		switch v := v.(type) {
		case nil:
			return "NULL"
		case int64: // as text: servers allow for 65535 arguments
			return strconv.FormatInt(v, 10)
		}
		used = append(used, v)
		return "?"
	}
	for _, p := range q.pieces {
		text.WriteString(p.text)
		switch {
		case p.batch != nil:
			text.WriteString(p.batch(b, add))
		case p.arg >= 0:
			used = append(used, args[p.arg-1])
			text.WriteByte('?')
		}
	}
	return text.String(), used
}

// anyText is text of any length. TiDB makes a column of texts in a UNION as long as
// one of them, not the longest, and refuses the others, unless a length is given.
const anyText = "CHAR(4294967295)"

// derivedTable spells a batch as a table of those columns. The first row says
// what they are called and of what type they are.
func derivedTable(columns string) func(b Batch, add func(v any) string) string {
	type column struct {
		name, cast string
		n          int
	}
	var all []column
	for _, m := range jsonColumn.FindAllStringSubmatch(columns, -1) {
		n, _ := strconv.Atoi(m[3])
		cast := anyText
		if strings.HasSuffix(m[2], "INT") {
			cast = "SIGNED"
		}
		all = append(all, column{m[1], cast, n})
	}
	return func(b Batch, add func(v any) string) string {
		var text strings.Builder
		text.WriteByte('(')
		if b.Rows() == 0 {
			text.WriteString("SELECT")
			for j, c := range all {
				fmt.Fprintf(&text, "%s CAST(NULL AS %s) AS %s", strings.Repeat(",", min(j, 1)), c.cast, c.name)
			}
			text.WriteString(" WHERE FALSE")
		}
		for i := range b.Rows() {
			if i > 0 {
				text.WriteString(" UNION ALL ")
			}
			text.WriteString("SELECT ")
			for j, c := range all {
				if j > 0 {
					text.WriteString(", ")
				}
				if value := add(b[c.n][i]); i == 0 {
					fmt.Fprintf(&text, "CAST(%s AS %s) AS %s", value, c.cast, c.name)
				} else {
					text.WriteString(value)
				}
			}
		}
		text.WriteByte(')')
		return text.String()
	}
}

// valueList spells the values of a column, or of some columns of a row as one.
func valueList(columns string) func(b Batch, add func(v any) string) string {
	from, to, several := strings.Cut(columns, ":")
	first, _ := strconv.Atoi(from)
	end, _ := strconv.Atoi(to)
	return func(b Batch, add func(v any) string) string {
		if b.Rows() == 0 {
			return "NULL" // which nothing is equal to
		}
		values := make([]string, b.Rows())
		for i := range values {
			if !several {
				values[i] = add(b[first][i])
				continue
			}
			var parts []string
			for _, column := range b[first:end] {
				parts = append(parts, fmt.Sprint(column[i]))
			}
			values[i] = add(strings.Join(parts, " "))
		}
		return strings.Join(values, ", ")
	}
}
