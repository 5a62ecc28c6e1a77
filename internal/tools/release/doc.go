// Release makes what the modules of this repository are once they are tagged: a
// module proxy in a directory, in which they require each other at one version.
//
//	go run ./internal/tools/release -version v0.1.0 -proxy DIR
//
// A build that has only that proxy for them shows that each stands alone. With
// -tags it prints the names of the tags in place of that.
package main
