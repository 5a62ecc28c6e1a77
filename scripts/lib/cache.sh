# shellcheck shell=bash
# What was fetched or built once and serves every later run.

cache=${XDG_CACHE_HOME:-${HOME:?set HOME or XDG_CACHE_HOME}/.cache}/outbox-test

# cached NAME COMMAND...: makes sure that $cache/NAME exists. COMMAND gets the
# path of an empty directory to fill as its last argument. The name appears only
# when COMMAND has succeeded, so an interrupted run leaves nothing half-made, and
# the lock keeps two runs from fetching the same thing.
cached() {
	local name=$1
	shift
	[[ ! -d $cache/$name ]] || return 0
	mkdir -p "$cache"
	(
		flock 9
		[[ ! -d $cache/$name ]] || exit 0
		rm -rf "$cache/$name".part.*
		part=$(mktemp -d "$cache/$name.part.XXXXXX")
		trap 'rm -rf "$part"' EXIT
		"$@" "$part"
		chmod 755 "$part"
		mv -T "$part" "$cache/$name"
	) 9>"$cache/$name.lock"
}
