# shellcheck shell=bash
# What the MySQL servers and MariaDB have in common.

# mysql_start PROGRAM [OPTION...]: starts it on data that exist already. Written
# out although they are defaults on some versions: a commit is on disk when it is
# acknowledged, and the binary log can be read as a stream of row changes.
# Unsynced, the kernel has a commit before it is acknowledged. Nothing reads the
# performance schema, which costs a seventh of a server's work.
#
# A killed server leaves its socket's lock behind, and the next one refuses to
# start while the old process is a zombie that nobody has collected yet.
mysql_start() {
	local sync=(--sync-binlog=1 --innodb-flush-log-at-trx-commit=1)
	! unsynced || sync=(--sync-binlog=0 --innodb-flush-log-at-trx-commit=2 --skip-innodb-doublewrite)
	rm -f "$dir/sock" "$dir/sock.lock"
	log_mark
	launch "$@" \
		--datadir="$dir/data" --tmpdir="$dir/tmp" --socket="$dir/sock" --pid-file="$dir/server.pid" \
		--performance-schema=OFF --bind-address=127.0.0.1 --port="$port" --max-connections=300 \
		--server-id=1 --log-bin="$dir/data/binlog" --binlog-format=ROW \
		"${sync[@]}"
	await_server logged 'ready for connections'
}

# mysql_tmpdir: makes the directory of a server's temporary tables. It must be its
# own: a server that starts removes those that it finds.
mysql_tmpdir() {
	mkdir "$dir/tmp"
	own "$dir/tmp"
}

# mysql_create PROGRAM [OPTION...]: creates the data of a MySQL server, with a
# root account that has no password.
mysql_create() {
	mysql_tmpdir
	quietly "${unprivileged[@]}" "$@" --initialize-insecure --datadir="$dir/data" --tmpdir="$dir/tmp"
}

# mysql_installed VERSION: prints the machine's own mysqld if it is of that
# version, or fails. Under AppArmor it could not use a temporary directory.
mysql_installed() {
	local program
	program=$(PATH=$PATH:/usr/sbin command -v mysqld) || return 1
	[[ $("$program" --version) == *" Ver $1."* && ! -e /etc/apparmor.d/usr.sbin.mysqld ]] || return 1
	printf '%s\n' "$program"
}

mysql_stop() { end_server TERM; }
mysql_crash() { end_server KILL; }

mysql_url() { printf 'mysql://root@127.0.0.1:%s/\n' "$port"; }
