# shellcheck shell=bash
# Free ports on the loopback interface.

declare -A ports_taken=()

# free_port: sets $port. The range ends below the one the kernel hands out to
# outgoing connections, so that a crashed server finds its port free again.
free_port() {
	local tries
	for ((tries = 0; tries < 200; tries++)); do
		port=$((20000 + RANDOM % 12000))
		if [[ -z ${ports_taken[$port]:-} ]] && ! port_open "$port"; then
			ports_taken[$port]=1
			return
		fi
	done
	die "no free port between 20000 and 31999"
}

port_open() { (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
