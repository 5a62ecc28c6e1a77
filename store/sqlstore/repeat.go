package sqlstore

import "strings"

// union joins copies of a query, each of which takes the next arguments, of
// which it has width.
func (q Query) union(copies, width int) Query {
	return q.repeat(0, copies, width, "\nUNION ALL\n")
}

// values repeats what stands after VALUES, for as many rows.
func (q Query) values(rows, width int) Query {
	const word = "VALUES"
	return q.repeat(strings.LastIndex(q.SQL, word)+len(word), rows, width, ",")
}

func (q Query) repeat(from, copies, width int, separator string) Query {
	parts := make([]string, copies)
	order := make([]int, 0, copies*len(q.order))
	for i := range parts {
		parts[i] = q.SQL[from:]
		for _, n := range q.order {
			order = append(order, i*width+n)
		}
	}
	return Query{SQL: q.SQL[:from] + strings.Join(parts, separator), order: order}
}
