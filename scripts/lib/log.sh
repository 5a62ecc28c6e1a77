# shellcheck shell=bash
# Messages go to stderr: stdout belongs to the command that with-servers runs.

say() { printf '%s\n' "$*" >&2; }
warn() { say "warning: $*"; }
die() {
	say "error: $*"
	exit 1
}

# quietly COMMAND...: shows what the command printed only if it fails.
quietly() {
	local printed
	printed=$("$@" </dev/null 2>&1) || {
		printf '%s\n' "$printed" >&2
		return 1
	}
}
