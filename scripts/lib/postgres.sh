# shellcheck shell=bash
# What the PostgreSQL servers have in common.

# postgres_home MAJOR: prints where the machine has that version, or fails.
postgres_home() {
	local home on_path
	on_path=$(readlink -f "$(command -v postgres || echo /)")
	for home in "/usr/lib/postgresql/$1" "/usr/pgsql-$1" "${on_path%/bin/postgres}"; do
		if [[ -x $home/bin/initdb && $("$home/bin/postgres" --version) =~ \ $1\. ]]; then
			printf '%s\n' "$home"
			return
		fi
	done
	return 1
}

# postgres_start HOME
postgres_start() {
	! server_pid >/dev/null || return 0
	local home
	home=$(reachable "$1")
	[[ -e $dir/data/PG_VERSION ]] || postgres_create "$home"
	launch "$home/bin/postgres" -D "$dir/data"
	await_server postgres_ready
}

# Tests that look at plans forbid scans, which makes queries expensive enough to be
# compiled for a table of ten rows.
postgres_create() {
	quietly "${unprivileged[@]}" "$1/bin/initdb" -D "$dir/data" -U postgres \
		--auth=trust -E UTF8 --locale=C.UTF-8
	cat >>"$dir/data/postgresql.conf" <<-EOF
		listen_addresses = '127.0.0.1'
		port = $port
		unix_socket_directories = '$dir'
		max_connections = 200
		jit = off
	EOF
	! unsynced || printf 'fsync = off\n' >>"$dir/data/postgresql.conf"
	# One role needs its password, for tests of logins that are refused.
	cat >"$dir/data/pg_hba.conf" <<-EOF
		host all outbox_password 127.0.0.1/32 scram-sha-256
		local all all trust
		host all all 127.0.0.1/32 trust
		host replication all 127.0.0.1/32 trust
	EOF
}

# The eighth line of the pid file is what pg_ctl -w looks at. The first must be
# the new server's id: a crash leaves the old file behind.
postgres_ready() {
	local lines
	mapfile -t lines 2>/dev/null <"$dir/data/postmaster.pid" || return 1
	[[ ${lines[0]:-} == "$(server_pid)" && ${lines[7]:-} == ready* ]]
}

# INT is the fast shutdown, QUIT the immediate one: no checkpoint, so that the
# next start has to recover from the log, as after a crash.
postgres_stop() { end_server INT; }
postgres_crash() { end_server QUIT; }

postgres_url() { printf 'postgres://postgres@127.0.0.1:%s/postgres?sslmode=disable\n' "$port"; }
