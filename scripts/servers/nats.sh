# shellcheck shell=bash
# NATS with JetStream, built from its Go module.

version=v2.15.2
fetched=$cache/nats-server-$version

get() {
	need go golang-go
	cached "nats-server-$version" build_nats
}

# build_nats DIRECTORY: outside of this module, whose go.mod must not name it.
build_nats() {
	say "building nats-server $version"
	(cd / && GOBIN=$1 GOFLAGS='' quietly go install "github.com/nats-io/nats-server/v2@$version")
}

# A message is on disk when it is acknowledged.
start() {
	! server_pid >/dev/null || return 0
	local home
	home=$(reachable "$fetched")
	cat >"$dir/nats.conf" <<-EOF
		listen: "127.0.0.1:$port"
		server_name: outbox-test
		max_payload: 2MB
		jetstream {
		  store_dir: "$dir/data"
		  sync_interval: always
		}
	EOF
	log_mark
	launch "$home/nats-server" -c "$dir/nats.conf"
	await_server logged 'Server is ready'
}
stop() { end_server TERM; }
crash() { end_server KILL; }
url() { printf 'nats://127.0.0.1:%s\n' "$port"; }
