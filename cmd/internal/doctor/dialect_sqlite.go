package doctor

var sqlite = dialect{
	dir: "sqlite", width: 1, // there is one connection
	oldest:  map[string]string{"SQLite": "3.43"},
	explain: "EXPLAIN QUERY PLAN",
	claim:   []any{"doctor", 50, 0, 0, 0, "doctor", 1000000},
	settings: []rule{
		{"journal_mode", not("wal"), Warning, "readers and writers block each other", "PRAGMA journal_mode = WAL, which sqlitestore.Open sets"},
	},
}
