# shellcheck shell=bash
# RabbitMQ: Debian's package. Its own wrappers are passed by, since they start
# the port mapper of Erlang on every interface.

home=/usr/lib/rabbitmq/bin

get() {
	[[ -x $home/rabbitmq-server ]] || apt_install rabbitmq-server
}

start() {
	! server_pid >/dev/null || return 0
	configure
	start_mapper
	# As under systemd, the scripts replace themselves with the server.
	launch env "${environment[@]}" RUNNING_UNDER_SYSTEMD=1 "$home/rabbitmq-server"
	await_server port_open "$port"
}

# configure: writes the settings, and sets $environment. A message of more than
# 4 MiB is refused, so that tests need not send more to see that.
configure() {
	extra_ports
	make_certificate
	cat >"$dir/rabbitmq.conf" <<-EOF
		listeners.tcp.1 = 127.0.0.1:$port
		listeners.ssl.1 = 127.0.0.1:$secure_port
		ssl_options.cacertfile = $dir/tls/ca.pem
		ssl_options.certfile = $dir/tls/server.pem
		ssl_options.keyfile = $dir/tls/server.key
		ssl_options.verify = verify_peer
		ssl_options.fail_if_no_peer_cert = true
		max_message_size = 4194304
		log.console = false
		log.file.level = warning
	EOF
	# A name server that does not answer would hold up the start for a minute.
	cat >"$dir/inetrc" <<-EOF
		{lookup, [file]}.
		{host, {127,0,0,1}, ["localhost", "$(hostname)"]}.
		{host, {0,0,0,0,0,0,0,1}, ["localhost"]}.
	EOF
	: >"$dir/plugins"
	: >"$dir/rabbitmq-env.conf"
	environment=(
		HOME="$dir" ERL_INETRC="$dir/inetrc" ERL_EPMD_ADDRESS=127.0.0.1 ERL_EPMD_PORT="$mapper_port"
		RABBITMQ_NODENAME="outbox-$port@localhost" RABBITMQ_DIST_PORT="$dist_port"
		RABBITMQ_CONF_ENV_FILE="$dir/rabbitmq-env.conf" RABBITMQ_CONFIG_FILE="$dir/rabbitmq.conf"
		RABBITMQ_ENABLED_PLUGINS_FILE="$dir/plugins" RABBITMQ_PID_FILE="$dir/rabbitmq.pid"
		RABBITMQ_MNESIA_BASE="$dir/data" RABBITMQ_LOG_BASE="$dir/logs"
		RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS="-kernel inet_dist_use_interface {127,0,0,1}"
	)
}

# extra_ports: sets $mapper_port and $dist_port, the same at every start.
extra_ports() {
	if [[ ! -e $dir/ports ]]; then
		local port mapper
		free_port
		mapper=$port
		free_port
		echo "$mapper $port" >"$dir/ports"
	fi
	read -r mapper_port dist_port <"$dir/ports"
}

# start_mapper and end_mapper treat the port mapper as a server in a directory of
# its own. It outlives a crash of the server it serves.
start_mapper() {
	local dir=$dir/mapper
	mkdir -p "$dir"
	own "$dir"
	! server_pid >/dev/null || return 0
	launch env "${environment[@]}" epmd
	await_server port_open "$mapper_port"
}
end_mapper() {
	local dir=$dir/mapper
	end_server TERM
}

stop() {
	end_server TERM
	end_mapper
}
crash() { end_server KILL; }
# The account is the one that is there from the start.
secure() { secure_user=guest secure_password_escaped=guest secure_url amqps; }
url() { printf 'amqp://guest:guest@127.0.0.1:%s/\n' "$port"; }
