# shellcheck shell=bash
# PgBouncer in transaction mode, in front of PostgreSQL 15.

. "$scripts/lib/postgres.sh"

PATH=$PATH:/usr/sbin

needs() { echo postgres15; }
get() { need pgbouncer pgbouncer; }

start() {
	! server_pid >/dev/null || return 0
	configure
	launch pgbouncer "$dir/pgbouncer.ini"
	await_server port_open "$port"
}

# Every database of the server behind it can be reached, as one user: tests
# create databases of their own. Retrying after a second instead of fifteen lets
# a test restart that server without waiting.
configure() {
	local server=${OUTBOX_TEST_POSTGRES15:?pgbouncer needs postgres15}
	[[ $server =~ ^postgres(ql)?://(([^:@/]+)(:([^@/]*))?@)?([^:/?]+)(:([0-9]+))?/ ]] ||
		die "OUTBOX_TEST_POSTGRES15 is not of the form postgres://user:password@host:port/database"
	cat >"$dir/pgbouncer.ini" <<-EOF
		[databases]
		* = host=${BASH_REMATCH[6]} port=${BASH_REMATCH[8]:-5432} user=${BASH_REMATCH[3]:-postgres} ${BASH_REMATCH[5]:+password=${BASH_REMATCH[5]}}

		[pgbouncer]
		listen_addr = 127.0.0.1
		listen_port = $port
		unix_socket_dir =
		auth_type = any
		pool_mode = transaction
		max_client_conn = 1000
		default_pool_size = 20
		server_login_retry = 1
		ignore_startup_parameters = extra_float_digits
	EOF
}

# INT waits for running queries, TERM does not.
stop() { end_server TERM; }
crash() { end_server KILL; }
url() { postgres_url; }
