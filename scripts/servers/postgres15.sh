# shellcheck shell=bash
# PostgreSQL 15, the oldest version that is supported: Debian's package.

. "$scripts/lib/postgres.sh"

get() { postgres_home 15 >/dev/null || apt_install postgresql-15; }
start() { postgres_start "$(postgres_home 15)"; }
stop() { postgres_stop; }
crash() { postgres_crash; }
url() { postgres_url; }
