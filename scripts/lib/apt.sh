# shellcheck shell=bash
# Debian packages, for what the machine does not have yet.

# apt_install PACKAGE...: installs them, or says what a person has to do.
apt_install() {
	if ((EUID != 0)) || ! command -v apt-get >/dev/null; then
		die "missing: $*. Install it (on Debian, as root: apt-get install $*)${variable:+, or set $variable to the URL of a server of your own}."
	fi
	say "installing $*"
	mkdir -p "$cache"
	(
		flock 9
		apt_update_once
		keep_services_stopped
		trap let_services_start EXIT
		export DEBIAN_FRONTEND=noninteractive
		quietly apt-get -qq -y -o DPkg::Lock::Timeout=300 --no-install-recommends install "$@"
	) 9>"$cache/apt.lock"
}

# need COMMAND PACKAGE...: installs the packages if the command is not there.
need() {
	command -v "$1" >/dev/null || apt_install "${@:2}"
}

# Package lists go stale within days, so a run that installs something refreshes
# them; the marker makes that once for a run of with-servers.
apt_update_once() {
	local marker=${run:+$run/apt-updated}
	[[ -z $marker || ! -e $marker ]] || return 0
	quietly apt-get -qq update
	[[ -z $marker ]] || : >"$marker"
}

policy=/usr/sbin/policy-rc.d

# A freshly installed server package would start its own service. Exit code 101
# of policy-rc.d forbids that. A policy that is there already is put back after.
keep_services_stopped() {
	[[ ! -e $policy ]] || mv "$policy" "$policy.outbox-test"
	printf '#!/bin/sh\nexit 101\n' >"$policy"
	chmod 755 "$policy"
}

let_services_start() {
	rm -f "$policy"
	[[ ! -e $policy.outbox-test ]] || mv "$policy.outbox-test" "$policy"
}
