# shellcheck shell=bash
# Free ports on the loopback interface.

# free_port: sets $port, which nobody else gets in this run: the servers are
# prepared by several processes. The range ends below the one the kernel hands out
# to outgoing connections, so that a crashed server finds its port free again.
free_port() {
	local tries taken=${run%/own.*}/ports
	mkdir -p "$taken"
	for ((tries = 0; tries < 200; tries++)); do
		port=$((20000 + RANDOM % 12000))
		if ! port_open "$port" && mkdir "$taken/$port" 2>/dev/null; then
			return
		fi
	done
	die "no free port between 20000 and 31999"
}

port_open() { (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
