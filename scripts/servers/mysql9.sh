# shellcheck shell=bash
# MySQL 9: the machine's own, or the package of Debian's development branch,
# unpacked with all libraries that it needs. The branch moves and cannot be
# pinned, so the tests must be able to do without it.

. "$scripts/lib/mysql.sh"
. "$scripts/lib/sid.sh"

fetched=$cache/mysql-9

extra() { true; }
get() { mysql_installed 9 >/dev/null || cached mysql-9 sid_unpack mysql-server-core; }

start() {
	! server_pid >/dev/null || return 0
	local home lib program=()
	if program=("$(mysql_installed 9)"); then
		program+=(--no-defaults)
	else
		home=$(reachable "$fetched")
		lib=$home/usr/lib/x86_64-linux-gnu
		# Its C library is newer than the machine's, hence its own loader.
		program=("$lib/ld-linux-x86-64.so.2" --library-path "$lib"
			"$home/usr/sbin/mysqld" --no-defaults --basedir="$home/usr"
			--lc-messages-dir="$home/usr/share/mysql"
			--character-sets-dir="$home/usr/share/mysql/charsets"
			--plugin-dir="$home/usr/lib/mysql/plugin")
	fi
	program+=(--secure-file-priv=NULL --mysqlx=OFF)
	[[ -d $dir/data/mysql ]] || mysql_create "${program[@]}"
	mysql_start "${program[@]}" --gtid-mode=ON --enforce-gtid-consistency=ON
}
stop() { mysql_stop; }
crash() { mysql_crash; }
url() { mysql_url; }
