# shellcheck shell=bash
# Processes that outlive the shell that starts them, and are ended by their id.

# launch COMMAND...: starts a server in a session of its own, so that Ctrl-C
# reaches the tests and not the server. setsid and setpriv replace themselves
# with the command, so $! is the server's own id.
launch() {
	setsid "${unprivileged[@]}" "$@" </dev/null >>"$dir/log" 2>&1 &
	echo "$! $(born $!)" >"$dir/pid"
}

# server_pid: prints the id of this server's process, or fails if it does not
# run. After a crash the id may belong to someone else, who was born later.
server_pid() {
	local pid birth
	read -r pid birth 2>/dev/null <"$dir/pid" || return 1
	[[ -n $birth && $(born "$pid") == "$birth" ]] || return 1
	printf '%s\n' "$pid"
}

# born PID: prints when the process was started, in the kernel's ticks, or
# nothing if it is not alive. A zombie, which waits for its parent, is not.
born() {
	local stat
	stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
	# The name in parentheses may hold spaces; the state is the first field after.
	read -ra stat <<<"${stat##*) }"
	[[ ${stat[0]} == [ZX] ]] || printf '%s\n' "${stat[19]}"
}

# end_server SIGNAL [SECONDS]: ends this server and waits until it is gone.
end_server() {
	local pid
	pid=$(server_pid) || return 0
	kill -s "$1" "$pid" 2>/dev/null || return 0
	within "${2:-60}" gone && return 0
	warn "$name did not stop on SIG$1, killing it"
	kill -s KILL "$pid" 2>/dev/null || return 0
	within 20 gone
}

gone() { ! server_pid >/dev/null; }

# within SECONDS COMMAND...: repeats the command until it succeeds.
within() {
	local until=$((SECONDS + $1))
	shift
	until "$@"; do
		((SECONDS < until)) || return 1
		sleep 0.05
	done
}

# await_server COMMAND...: waits until a server that was launched is ready, and
# shows the end of its log if it is not.
await_server() {
	within 240 settled "$@"
	if ! server_pid >/dev/null || ! "$@"; then
		say "$name did not start; its log ends:"
		tail -n 20 "$dir/log" >&2
		return 1
	fi
}

settled() { gone || "$@"; }

# log_mark and logged PATTERN: whether the log has the pattern since the mark. A
# restarted server appends to the same log. Not as a pipeline: grep ends at the
# first match, and tail, which then cannot write on, would make it a failure.
log_mark() { mark=$(stat -c %s "$dir/log" 2>/dev/null || echo 0); }
logged() { grep -q -- "$1" < <(tail -c "+$((mark + 1))" "$dir/log" 2>/dev/null); }

# descendants PID: prints the ids of all processes below PID. cat passes over
# those that end while it reads.
descendants() {
	cat /proc/[0-9]*/status 2>/dev/null | awk -v top="$1" '
		$1 == "Pid:" { pid = $2 }
		$1 == "PPid:" { children[$2] = children[$2] " " pid }
		function walk(parent, n, list, i) {
			n = split(children[parent], list, " ")
			for (i = 1; i <= n; i++) {
				print list[i]
				walk(list[i])
			}
		}
		END { walk(top) }'
}
