# shellcheck shell=bash
# Redis: the machine's own, or Debian's package. Every write is synced before it
# is acknowledged.

get() { need redis-server redis-server; }

start() {
	! server_pid >/dev/null || return 0
	make_certificate
	launch redis-server --bind 127.0.0.1 --port "$port" --dir "$dir" --daemonize no \
		--appendonly yes --appendfsync always --save '' \
		--tls-port "$secure_port" --tls-cert-file "$dir/tls/server.pem" --tls-key-file "$dir/tls/server.key" \
		--tls-ca-cert-file "$dir/tls/ca.pem" --tls-auth-clients yes \
		--user "$secure_user" on ">$secure_password" '~*' '&*' +@all
	await_server loaded
}

# While it reads its data it accepts connections and answers -LOADING.
loaded() {
	local answer
	{
		exec 3<>"/dev/tcp/127.0.0.1/$port" && printf 'PING\r\n' >&3 &&
			read -r -t 5 answer <&3 && [[ $answer == +PONG* ]]
	} 2>/dev/null
}

stop() { end_server TERM; }
crash() { end_server KILL; }
secure() { secure_url rediss; }
url() { printf 'redis://127.0.0.1:%s/0\n' "$port"; }
