package doctor

// dialect is what the doctor knows of one kind of database.
type dialect struct {
	dir   string // of its questions
	like  string // the directory of those that it has not; "": none
	width int    // checks at once
	// oldest is the oldest version that can work, by product.
	oldest map[string]string

	explain string // asks for a plan without executing
	claim   []any  // arguments of the claim, in the order of their use
	noIndex string // in the error about an index that a statement names and that is missing

	settings []rule
	timeouts []rule
	// role describes how to change a timeout.
	role string
}

// rule is what to think of a setting.
type rule struct {
	name  string
	wrong func(value string) bool
	state State
	why   string
	do    string
}

var dialects = map[string]dialect{"PostgreSQL": postgres, "MySQL": mysql, "TiDB": tidb, "SQLite": sqlite}

var postgres = dialect{
	dir: "postgres", width: 4,
	oldest:  map[string]string{"PostgreSQL": "13"},
	explain: "EXPLAIN",
	claim:   []any{"{doctor}", "{50}", "{0}", "{-infinity}", "{0}", "doctor", "1000000", "0"},
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

var mysql = dialect{
	dir: "mysql", width: 4,
	oldest:  map[string]string{"MySQL": "8.0.13", "MariaDB": "10.6"},
	explain: "EXPLAIN FORMAT=TRADITIONAL",
	claim:   []any{0, "doctor", 0, "0001-01-01 00:00:00", 0, "0001-01-01 00:00:00", 50},
	noIndex: "1176",
	settings: []rule{
		{"read_only", is("ON", "1", "NO_LOCK", "NO_LOCK_NO_ADMIN"), Failure, "this server is a replica, or was made read-only", "connect to the primary"},
		{"binlog_format", is("STATEMENT"), Failure, "the statements of relays are unsafe for statement-based replication", "SET GLOBAL binlog_format = 'ROW'"},
		{"sql_mode", lacks("STRICT_TRANS_TABLES", "STRICT_ALL_TABLES", "TRADITIONAL"), Warning, "without strict mode, text that is too long is cut silently, and an event id may change", "add STRICT_TRANS_TABLES to sql_mode"},
		{"sql_mode", has("NO_BACKSLASH_ESCAPES"), Warning, "applications that escape text themselves write other payloads than they mean to", "remove NO_BACKSLASH_ESCAPES from sql_mode, or use parameters"},
		{"innodb_flush_log_at_trx_commit", is("0", "2"), Warning, "a crash loses the latest commits, and events are delivered again", "SET GLOBAL innodb_flush_log_at_trx_commit = 1"},
		{"transaction_isolation", is("SERIALIZABLE"), Warning, "reads of applications lock what relays want to claim; relays themselves use READ COMMITTED", "use READ-COMMITTED or REPEATABLE-READ for applications"},
		{"transaction_isolation", is("READ-UNCOMMITTED"), Warning, "applications see events that may be rolled back; relays themselves use READ COMMITTED", "use READ-COMMITTED or REPEATABLE-READ for applications"},
		{"max_allowed_packet", below(1 << 20), Warning, "larger payloads and batches are refused", "raise max_allowed_packet to 16M or more"},
	},
	timeouts: []rule{
		{"innodb_lock_wait_timeout", shorter(1000), Warning, "makes writes fail that wait for a locked row; relays set their own", ""},
		{"lock_wait_timeout", shorter(1000), Warning, "makes statements fail soon while a migration runs", ""},
		{"wait_timeout", shorter(60_000), Warning, "closes connections of the pool while they are idle", ""},
		{"max_execution_time", shorter(5000), Warning, "ends reads that take longer; relays set their own", ""},
		{"max_statement_time", shorter(5000), Warning, "ends statements that take longer; relays set their own", ""},
	},
	role: "raise %s for the sessions of the outbox, in the server's configuration or as a parameter of the URL",
}

var tidb = dialect{
	dir: "tidb", like: "mysql", width: 4,
	oldest:  map[string]string{"TiDB": "8.4"},
	explain: "EXPLAIN",
	claim:   mysql.claim,
	noIndex: "1176",
	settings: []rule{
		{"tidb_restricted_read_only", is("ON", "1"), Failure, "this cluster was made read-only", "SET GLOBAL tidb_restricted_read_only = OFF, or connect to another"},
		{"sql_mode", lacks("STRICT_TRANS_TABLES", "STRICT_ALL_TABLES", "TRADITIONAL"), Warning, "without strict mode, text that is too long is cut silently, and an event id may change", "add STRICT_TRANS_TABLES to sql_mode"},
		{"time_zone", not("UTC"), Warning, "programs that INSERT events without available_at and created_at write local times, and the events are late or early by that much", "SET GLOBAL time_zone = '+00:00', or give both times in every INSERT; the Go library does"},
	},
	timeouts: mysql.timeouts,
	role:     mysql.role,
}

var sqlite = dialect{
	dir: "sqlite", width: 1, // there is one connection
	oldest:  map[string]string{"SQLite": "3.43"},
	explain: "EXPLAIN QUERY PLAN",
	claim:   []any{"doctor", 50, 0, 0, 0, "doctor", 1000000, 0},
	settings: []rule{
		{"journal_mode", not("wal"), Warning, "readers and writers block each other", "PRAGMA journal_mode = WAL, which sqlitestore.Open sets"},
	},
}
