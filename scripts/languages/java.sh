# shellcheck shell=bash
# Java 17 or later, with PostgreSQL's JDBC driver.

# Running a source file needs the compiler of a JDK; Kafka's tests install only a
# runtime.
get() {
	need javac default-jdk-headless
	need mvn maven
	fetched=java-$(pinned "$folder/pom.xml")
	cached "$fetched" fetch_jdbc
}

# fetch_jdbc DIRECTORY
fetch_jdbc() {
	say "fetching the JDBC driver"
	quietly mvn -q -B -f "$folder/pom.xml" \
		org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
		-DincludeScope=runtime -DoutputDirectory="$1"
}

program() { java -cp "$cache/$fetched/*" "$folder/PlaceOrder.java"; }
