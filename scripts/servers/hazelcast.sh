# shellcheck shell=bash
# Hazelcast, one member, from the jar that is published to Maven. A member that
# is started with OUTBOX_TEST_HAZELCAST_JOIN, the URL of another one, joins its
# cluster; any other is a cluster of its own.

version=5.5.0
fetched=$cache/hazelcast-$version

# The tests run a listener from its source, which takes a JDK.
get() {
	need javac default-jdk-headless
	cached "hazelcast-$version" fetch_hazelcast
}

# fetch_hazelcast DIRECTORY: one jar is the member and the client for Java.
fetch_hazelcast() {
	need mvn maven
	say "fetching hazelcast $version"
	cat >"$1/pom.xml" <<-EOF
		<project>
		  <modelVersion>4.0.0</modelVersion>
		  <groupId>outbox.test</groupId>
		  <artifactId>hazelcast</artifactId>
		  <version>1</version>
		  <dependencies>
		    <dependency>
		      <groupId>com.hazelcast</groupId>
		      <artifactId>hazelcast</artifactId>
		      <version>$version</version>
		    </dependency>
		  </dependencies>
		</project>
	EOF
	quietly mvn -q -B -f "$1/pom.xml" \
		org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
		-DincludeScope=runtime -DoutputDirectory="$1/lib"
}

# The shutdown hook is graceful: a member that is stopped hands its data over,
# one that crashes does not.
start() {
	! server_pid >/dev/null || return 0
	local home
	home=$(reachable "$fetched")
	[[ -e $dir/hazelcast.yaml ]] || hazelcast_create
	log_mark
	launch java -Xms64m -Xmx384m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
		--add-modules java.se --add-exports java.base/jdk.internal.ref=ALL-UNNAMED \
		--add-opens java.base/java.lang=ALL-UNNAMED --add-opens java.base/sun.nio.ch=ALL-UNNAMED \
		--add-opens java.management/sun.management=ALL-UNNAMED \
		--add-opens jdk.management/com.sun.management.internal=ALL-UNNAMED \
		-Dhazelcast.config="$dir/hazelcast.yaml" -cp "$home/lib/*" com.hazelcast.core.server.HazelcastMemberStarter
	await_server logged 'is STARTED'
}

# The ring buffer of a reliable topic is configured by the name of the topic. One
# that keeps its items for an hour can be full.
hazelcast_create() {
	local join=${OUTBOX_TEST_HAZELCAST_JOIN:-}
	join=${join#*://}
	join=${join%%\?*}
	cat >"$dir/hazelcast.yaml" <<-EOF
		hazelcast:
		  cluster-name: outbox
		  properties:
		    hazelcast.phone.home.enabled: false
		    hazelcast.socket.bind.any: false
		    hazelcast.logging.type: jdk
		    hazelcast.shutdownhook.policy: GRACEFUL
		    hazelcast.graceful.shutdown.max.wait: 20
		    hazelcast.operation.thread.count: 2
		    hazelcast.event.thread.count: 2
		  network:
		    port:
		      port: $port
		      auto-increment: false
		    interfaces:
		      enabled: true
		      interfaces: [127.0.0.1]
		    join:
		      auto-detection:
		        enabled: false
		      multicast:
		        enabled: false
		      tcp-ip:
		        enabled: true
		        member-list: ["${join:-127.0.0.1:$port}"]
		  ringbuffer:
		    "full-*":
		      capacity: 10
		      time-to-live-seconds: 3600
	EOF
	own "$dir/hazelcast.yaml"
}

stop() { end_server TERM; }
crash() { end_server KILL; }
url() { printf 'hazelcast://127.0.0.1:%s?lib=%s\n' "$port" "$fetched/lib"; }
