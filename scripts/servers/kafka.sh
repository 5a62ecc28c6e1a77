# shellcheck shell=bash
# Apache Kafka, one node that is broker and controller, from the jars that are
# published to Maven.

version=4.3.1
fetched=$cache/kafka-$version

get() {
	need java default-jre-headless
	cached "kafka-$version" fetch_kafka
}

# fetch_kafka DIRECTORY: copies the broker and all that it depends on.
fetch_kafka() {
	need mvn maven
	say "fetching kafka $version"
	cat >"$1/pom.xml" <<-EOF
		<project>
		  <modelVersion>4.0.0</modelVersion>
		  <groupId>outbox.test</groupId>
		  <artifactId>kafka</artifactId>
		  <version>1</version>
		  <dependencies>
		    <dependency>
		      <groupId>org.apache.kafka</groupId>
		      <artifactId>kafka_2.13</artifactId>
		      <version>$version</version>
		    </dependency>
		    <dependency>
		      <groupId>org.slf4j</groupId>
		      <artifactId>slf4j-simple</artifactId>
		      <version>1.7.36</version>
		    </dependency>
		  </dependencies>
		</project>
	EOF
	quietly mvn -q -B -f "$1/pom.xml" \
		org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
		-DincludeScope=runtime -DoutputDirectory="$1/lib"
}

# Clients are told the advertised listener, so it names the port that they were
# given. The controller has a port of its own, which must stay the same: it is
# written into the data.
start() {
	! server_pid >/dev/null || return 0
	local home java
	home=$(reachable "$fetched")
	java=(java -Xms256m -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$home/lib/*")
	[[ -e $dir/server.properties ]] || kafka_create "${java[@]}"
	log_mark
	launch "${java[@]}" kafka.Kafka "$dir/server.properties"
	await_server logged 'Kafka Server started'
}

# kafka_create JAVA...: writes the configuration and formats the data directory.
# A record is on disk when it is acknowledged.
kafka_create() {
	local client=$port controller mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512
	make_certificate
	free_port
	controller=$port port=$client
	cat >"$dir/server.properties" <<-EOF
		process.roles=broker,controller
		node.id=1
		controller.quorum.voters=1@127.0.0.1:$controller
		controller.listener.names=CONTROLLER
		listeners=PLAINTEXT://127.0.0.1:$port,SECURE://127.0.0.1:$secure_port,CONTROLLER://127.0.0.1:$controller
		advertised.listeners=PLAINTEXT://127.0.0.1:$port,SECURE://127.0.0.1:$secure_port
		listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SECURE:SASL_SSL,CONTROLLER:PLAINTEXT
		listener.name.secure.ssl.keystore.type=PEM
		listener.name.secure.ssl.keystore.location=$dir/tls/both.pem
		listener.name.secure.ssl.truststore.type=PEM
		listener.name.secure.ssl.truststore.location=$dir/tls/ca.pem
		listener.name.secure.ssl.client.auth=required
		listener.name.secure.sasl.enabled.mechanisms=$mechanisms
		listener.name.secure.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required user_$secure_user="$secure_password";
		listener.name.secure.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
		listener.name.secure.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
		log.dirs=$dir/data
		log.flush.interval.messages=1
		num.partitions=1
		auto.create.topics.enable=false
		offsets.topic.replication.factor=1
		offsets.topic.num.partitions=1
		transaction.state.log.replication.factor=1
		transaction.state.log.min.isr=1
		transaction.state.log.num.partitions=1
		share.coordinator.state.topic.replication.factor=1
		share.coordinator.state.topic.min.isr=1
		group.initial.rebalance.delay.ms=0
	EOF
	quietly "${unprivileged[@]}" "$@" kafka.tools.StorageTool format \
		-t kafka-of-outbox-tests0 -c "$dir/server.properties" \
		--add-scram "SCRAM-SHA-256=[name=$secure_user,password=$secure_password]" \
		--add-scram "SCRAM-SHA-512=[name=$secure_user,password=$secure_password]"
}

stop() { end_server TERM; }
crash() { end_server KILL; }
secure() { secure_url kafka; }
url() { printf 'kafka://127.0.0.1:%s\n' "$port"; }
