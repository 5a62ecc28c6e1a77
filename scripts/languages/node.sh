# shellcheck shell=bash
# Node.js, with the driver pg.

get() {
	need node nodejs
	need npm npm
	fetched=node-$(pinned "$folder"/package*.json)
	cached "$fetched" fetch_pg
}

# fetch_pg DIRECTORY
fetch_pg() {
	say "fetching pg"
	cp "$folder"/package*.json "$1"
	quietly npm ci --prefix "$1" --ignore-scripts --no-audit --no-fund
}

program() { NODE_PATH=$cache/$fetched/node_modules node "$folder/place-order.js"; }
