# shellcheck shell=bash
# TiDB with the store that is built into it, one node. It has no release that can
# be fetched, and takes a quarter of an hour to build: the tests use it where it
# was built before, by make test-tidb.

revision=20251126154744-e4e814fdc0af
fetched=$cache/tidb-server-${revision#*-}

# building: succeeds if it is to be built where it was not.
building() { [[ -n ${OUTBOX_TEST_BUILD_TIDB:-} ]]; }

extra() { ! building; }

get() {
	if building; then
		need go golang-go
		cached "tidb-server-${revision#*-}" build_tidb
	elif [[ ! -x $fetched/tidb-server ]]; then
		say "tidb is not built: make test-tidb builds it, in about 15 minutes, and runs its tests"
		return 1
	fi
}

# build_tidb DIRECTORY: from a copy of the module, because its go.mod replaces a
# module by a directory that the module does not have.
build_tidb() {
	local source=$1/source
	say "building tidb-server ${revision#*-}; this takes about 15 minutes"
	cp -r "$(module_directory "github.com/pingcap/tidb@v1.1.0-beta.0.$revision")" "$source"
	chmod -R u+w "$source"
	rm -rf "$source/pkg/parser"
	cp -r "$(module_directory "github.com/pingcap/tidb/pkg/parser@v0.0.0-$revision")" "$source/pkg/parser"
	chmod -R u+w "$source"
	(cd "$source" && GOWORK=off GOFLAGS='' quietly go build -ldflags='-s -w' -o "$1/tidb-server" ./cmd/tidb-server)
	rm -rf "$source"
}

# module_directory MODULE@VERSION: downloads it, and prints where it is.
module_directory() {
	(cd / && GOWORK=off GOFLAGS='' go mod download -json "$1") | sed -n 's/^\t"Dir": "\(.*\)",\{0,1\}$/\1/p'
}

# Its store keeps everything in memory, and in a file that no other server reads:
# after a crash the data is gone.
start() {
	! server_pid >/dev/null || return 0
	local home
	home=$(reachable "$fetched")
	cat >"$dir/tidb.toml" <<-EOF
		host = "127.0.0.1"
		port = $port
		store = "unistore"
		path = "$dir/data"
		socket = "$dir/sock"
		temp-dir = "$dir/tmp"
		[log]
		level = "warn"
		slow-query-file = "$dir/slow.log"
		[status]
		status-host = "127.0.0.1"
		status-port = $secure_port
	EOF
	own "$dir/tidb.toml"
	launch "$home/tidb-server" -config "$dir/tidb.toml"
	await_server port_open "$port"
}

stop() { end_server TERM; }
crash() { end_server KILL; }
url() { printf 'mysql://root@127.0.0.1:%s/\n' "$port"; }
