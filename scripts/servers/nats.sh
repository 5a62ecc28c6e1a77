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

# One port takes plain clients without a name and encrypted ones with a password.
# A server that knows a token can know no users, so that is one of its own.
start() {
	local home
	home=$(reachable "$fetched")
	make_certificate
	start_nats "$port" "$dir/tls" <<-EOF
		authorization {
		  users: [{user: anyone, password: anyone}, {user: "$secure_user", password: "$secure_password"}]
		}
		no_auth_user: anyone
		allow_non_tls: true
	EOF
	local tls=$dir/tls dir=$dir/token
	mkdir -p "$dir"
	own "$dir"
	start_nats "$secure_port" "$tls" <<-EOF
		authorization { token: "$token" }
	EOF
}

token=t0ken

# start_nats PORT CERTIFICATES: with the settings of the standard input. A
# message is on disk when it is acknowledged.
start_nats() {
	! server_pid >/dev/null || return 0
	cat >"$dir/nats.conf"
	cat >>"$dir/nats.conf" <<-EOF
		listen: "127.0.0.1:$1"
		server_name: outbox-test
		max_payload: 2MB
		jetstream {
		  store_dir: "$dir/data"
		  sync_interval: always
		}
		tls { cert_file: "$2/server.pem", key_file: "$2/server.key", ca_file: "$2/ca.pem", verify: true }
	EOF
	log_mark
	launch "$home/nats-server" -c "$dir/nats.conf"
	await_server logged 'Server is ready'
}

stop() {
	end_server TERM
	local dir=$dir/token
	end_server TERM
}
crash() { end_server KILL; }
secure() { secure_url tls "$port" "token=$token&token-port=$secure_port&program=$fetched/nats-server"; }
url() { printf 'nats://127.0.0.1:%s\n' "$port"; }
