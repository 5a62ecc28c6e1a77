# shellcheck shell=bash
# Chromium without a window, for the tests of the console: Debian's package of the
# shell that cannot have one, which takes two thirds of the processor, with the fonts
# of both languages.

get() {
	need chromium-headless-shell chromium-headless-shell fonts-dejavu-core fonts-noto-cjk
	[[ -n $(find /usr/share/fonts -iname '*cjk*' -print -quit 2>/dev/null) ]] || apt_install fonts-dejavu-core fonts-noto-cjk
}

# Without a sandbox: it shows only pages of the tests, and root cannot have one.
start() {
	! server_pid >/dev/null || return 0
	# Debian's script on the path waits for the program, which would not end with it.
	local shell=/usr/lib/chromium/chromium-headless-shell
	[[ -x $shell ]] || shell=chromium-headless-shell
	launch env HOME="$dir" "$shell" --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-extensions \
		--disable-background-networking --disable-component-update --disable-sync --no-first-run --no-default-browser-check \
		--hide-scrollbars --mute-audio --remote-debugging-address=127.0.0.1 --remote-debugging-port="$port" \
		--user-data-dir="$dir/profile" about:blank
	await_server listens
}

# listens: it answers on its port.
listens() {
	local answer
	{
		exec 3<>"/dev/tcp/127.0.0.1/$port" &&
			printf 'GET /json/version HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n' >&3 &&
			read -r -t 5 answer <&3 && [[ $answer == *200* ]]
	} 2>/dev/null
}

stop() { end_server TERM; }
crash() { end_server KILL; }
url() { printf 'http://127.0.0.1:%s\n' "$port"; }
