# shellcheck shell=bash
# What a file under scripts/servers may rely on, and what it has to define.
#
# It defines
#   get     finds or fetches the program; may be called again at any time
#   start   starts the server in $dir on $port and returns when it is ready;
#           the first start creates the data
#   stop    ends it in good order and returns when it is gone
#   crash   ends it without warning; what it had written to files stays
#   url     prints the URL that the tests are given
# and may define
#   needs   prints the servers that have to run before it
#   extra   succeeds if the tests can do without it
#   secure  prints the URL of a listener on $secure_port that is encrypted and
#           wants a password; the authority to trust is its parameter ca
#
# It is given $name, $variable (the name of the URL's environment variable),
# $run (the directory of the whole run), $dir (its own), $port and $secure_port.

needs() { :; }
extra() { false; }
secure() { :; }

# unsynced: succeeds if a database should not wait for the disk. Its commits then
# survive its own crash, but not the machine's, which no test causes.
unsynced() { [[ -n ${OUTBOX_TEST_UNSYNCED:-} ]]; }

# variable_of NAME: prints the environment variable that holds a server's URL.
variable_of() { printf 'OUTBOX_TEST_%s\n' "${1^^}"; }

# prepare: gives the server its ports, a directory and a control script.
prepare() {
	mkdir -p "$dir"
	free_port
	echo "$port" >"$dir/port"
	free_port
	echo "$port" >"$dir/secure-port"
	own "$dir"
	printf '#!/bin/sh\nexec %q %q %q "$@"\n' "$scripts/server" "$name" "$run" >"$dir/ctl"
	chmod 755 "$dir/ctl"
}

# another: starts one more server of this kind, in a run of its own inside of that
# of with-servers, and prints its control script, its URL and that of its secure listener.
another() {
	local inner
	inner=$(mktemp -d "${run%/own.*}/own.XXXXXX")
	chmod 755 "$inner"
	"$scripts/server" "$name" "$inner" prepare
	"$scripts/server" "$name" "$inner" start >&2
	printf '%s\n' "$inner/$name/ctl"
	"$scripts/server" "$name" "$inner" url
	"$scripts/server" "$name" "$inner" secure
}

# remove: ends a server that another has started, and its run.
remove() {
	[[ $(basename "$run") == own.* ]] || die "$name belongs to with-servers, which removes it"
	crash
	stop # what runs beside it
	rm -rf "$run"
}
