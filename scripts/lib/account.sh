# shellcheck shell=bash
# Database servers refuse to run as root. Started by root they run as nobody,
# which exists everywhere; started by anyone else they run as that user.

unprivileged=()
if ((EUID == 0)); then
	unprivileged=(setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups --)
fi

# own PATH...: gives the paths to the account that the servers run as.
own() {
	((EUID != 0)) || chown nobody "$@"
}

# reachable DIRECTORY: prints the directory, or, if the servers' account may not
# read it, a copy: root's cache lies in a home that is closed to others. On one
# file system the copy is made of hard links and costs nothing.
reachable() {
	if "${unprivileged[@]}" test -r "$1"; then
		printf '%s\n' "$1"
		return
	fi
	local copy=$dir/program
	[[ -d $copy ]] || cp -al "$1" "$copy" 2>/dev/null || {
		rm -rf "$copy"
		cp -a "$1" "$copy"
	}
	printf '%s\n' "$copy"
}
