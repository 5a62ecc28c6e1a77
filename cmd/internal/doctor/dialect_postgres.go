package doctor

var postgres = dialect{
	dir: "postgres", width: 4,
	oldest:  map[string]string{"PostgreSQL": "13"},
	explain: "EXPLAIN",
	claim:   []any{"{doctor}", "{50}", "{0}", "{-infinity}", "{0}", "doctor", "1000000"},
	settings: []rule{
		{"in_recovery", is("t", "true"), Failure, "this server is a replica", "connect to the primary, for example with target_session_attrs=read-write in the URL"},
		{"default_transaction_read_only", is("on"), Failure, "transactions are read-only", "ALTER ROLE ... RESET default_transaction_read_only, or connect to the primary"},
		{"fsync", is("off"), Warning, "a crash of the server can lose or corrupt everything", "set fsync = on"},
		{"synchronous_commit", is("off"), Warning, "a crash of the server loses the latest commits, and events are delivered again", "set synchronous_commit = on for this role"},
		{"autovacuum", is("off"), Warning, "nothing removes dead row versions", "set autovacuum = on"},
		{"track_counts", is("off"), Warning, "autovacuum has no statistics to act on", "set track_counts = on"},
	},
	timeouts: []rule{
		{"statement_timeout", shorter(5000), Warning, "is shorter than a migration, a dead-letter job or a busy write may take; relays set their own", ""},
		{"lock_timeout", shorter(1000), Warning, "makes a write or a migration that waits for a lock fail soon; relays set their own", ""},
		{"idle_in_transaction_session_timeout", shorter(1000), Warning, "ends transactions of applications after a short pause", ""},
		{"transaction_timeout", shorter(5000), Warning, "ends transactions that take longer", ""},
		{"idle_session_timeout", shorter(60_000), Warning, "closes connections of the pool, and the one that waits for NOTIFY", ""},
	},
	role: "ALTER ROLE ... SET %s = 0, or to a longer time, for the roles of the outbox",
}
