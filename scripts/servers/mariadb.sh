# shellcheck shell=bash
# MariaDB: the machine's own, or Debian's package.

. "$scripts/lib/mysql.sh"

# Debian puts servers where an ordinary user's PATH does not look.
PATH=$PATH:/usr/sbin

# The core packages hold the programs without the service that runs them. One
# program that creates the data is with the clients.
get() {
	need mariadbd mariadb-server-core mariadb-client-core
	need my_print_defaults mariadb-client-core
}

start() {
	! server_pid >/dev/null || return 0
	[[ -d $dir/data/mysql ]] || mariadb_create
	mysql_start mariadbd --no-defaults
}
mariadb_create() {
	mysql_tmpdir
	quietly "${unprivileged[@]}" env TMPDIR="$dir/tmp" mariadb-install-db --no-defaults \
		--datadir="$dir/data" --auth-root-authentication-method=normal --skip-test-db
}
stop() { mysql_stop; }
crash() { mysql_crash; }
url() { mysql_url; }
