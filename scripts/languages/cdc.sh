# shellcheck shell=bash
# Debezium, in a process of Java 17 or later. No daemon delivers here: Debezium
# reads the table.

get() {
	need javac default-jdk-headless
	need mvn maven
	fetched=cdc-$(pinned "$folder/pom.xml")
	cached "$fetched" fetch_debezium
}

# fetch_debezium DIRECTORY
fetch_debezium() {
	say "fetching Debezium"
	quietly mvn -q -B -f "$folder/pom.xml" \
		org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
		-DincludeScope=runtime -DoutputDirectory="$1"
}

# An order that is placed before Debezium starts is in its first snapshot of the
# table, a later one in the log.
deliver() {
	(cd "$folder/../.." && go build -buildvcs=false -o "$work/place" ./examples/cdc/place)
	[[ $DATABASE_URL != "${OUTBOX_TEST_POSTGRES15:-}" ]] || log_logically
	"$work/place" 4712:5000 4711:12
	java -Dorg.slf4j.simpleLogger.defaultLogLevel=warn -cp "$cache/$fetched/*" "$folder/ReadOutbox.java" \
		"$folder/connector.json" >"$work/records" 2>"$work/log" &
	background=$!
	await_record 1
	"$work/place" 4713:30
	await_record 2
	kill -s TERM "$background"
	wait "$background" || true # 143, since a signal ends Java
	background=''
	say "what Debezium would write to Kafka:"
	cat "$work/records"
}

# await_record N: waits until Debezium has read that many.
await_record() {
	within 180 read_or_ended "$1"
	((records >= $1)) || {
		cat "$work/log" >&2
		die "Debezium did not read the event; its log is above"
	}
}

read_or_ended() {
	records=$(grep -c '^topic: ' "$work/records" || true)
	((records >= $1)) || ! kill -0 "$background" 2>/dev/null
}

# log_logically: a server that with-servers has started writes what a reader of
# its log needs from its next start on.
log_logically() {
	local ctl=${OUTBOX_TEST_POSTGRES15_CTL:?the server was not started by with-servers: set DATABASE_URL instead, and wal_level to logical}
	grep -q '^wal_level' "${ctl%/ctl}/data/postgresql.conf" || {
		printf 'wal_level = logical\n' >>"${ctl%/ctl}/data/postgresql.conf"
		"$ctl" restart
	}
}
