package doctor

var mysql = dialect{
	dir: "mysql", width: 4,
	oldest:  map[string]string{"MySQL": "8.0.13", "MariaDB": "10.6"},
	explain: "EXPLAIN FORMAT=TRADITIONAL",
	claim:   []any{0, "doctor", "0001-01-01 00:00:00", 0, "0001-01-01 00:00:00", 50},
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
