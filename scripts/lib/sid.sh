# shellcheck shell=bash
# Packages of Debian's development branch, unpacked and not installed.

# sid_unpack PACKAGE DIRECTORY: unpacks the package, and all that it depends on,
# into DIRECTORY. apt gets a state of its own and an empty list of installed
# packages, so it fetches every library and changes nothing on the machine.
sid_unpack() {
	local package=$1 directory=$2 mirror state deb
	mirror=$(debian_mirror)
	[[ -n $mirror ]] || die "no Debian mirror among this machine's package sources"
	state=$directory/.apt
	mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
	: >"$state/status"
	printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s sid main\n' "$mirror" >"$state/sources.list"
	local apt=(apt-get -qq -o Dir::Etc::sourcelist="$state/sources.list" -o Dir::Etc::sourceparts=/dev/null
		-o Dir::State::lists="$state/lists" -o Dir::Cache="$state/cache" -o Dir::State::status="$state/status"
		-o Acquire::Languages=none -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false
		-o APT::Sandbox::User="$(id -un)" -o Debug::NoLocking=1)
	say "fetching $package"
	quietly "${apt[@]}" update
	quietly "${apt[@]}" -y --no-install-recommends --download-only install "$package"
	for deb in "$state"/cache/archives/*.deb; do
		dpkg -x "$deb" "$directory"
	done
	rm -r "$state"
}

# The machine's own sources name the mirror that it can reach.
debian_mirror() {
	command -v apt-get >/dev/null || return 0
	# shellcheck disable=SC2016 # apt's own variables
	apt-get indextargets --format '$(REPO_URI)|$(LABEL)' 'Identifier: Packages' 2>/dev/null |
		awk -F'|' '$2 == "Debian" { print $1; exit }'
}
