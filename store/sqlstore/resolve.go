package sqlstore

// Resolved is a dialect with table names put into it, for a driver that runs
// the statements without this engine.
type Resolved struct {
	Queries Queries
	// Schema and Table are the event table's names, unquoted.
	Schema, Table string
}

// Resolve puts table names into a dialect's statements. It fails only on
// invalid names, with [github.com/sendoff-go/driver.ErrName].
func Resolve(d Dialect, t Tables) (Resolved, error) {
	names, err := newNaming(&d, t)
	if err != nil {
		return Resolved{}, err
	}
	event := names.tables[wordEvent]
	return Resolved{Queries: loadQueries(&d, names), Schema: event.schema, Table: event.table}, nil
}
