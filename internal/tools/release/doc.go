// Release makes a module proxy in a directory, with the modules of this
// repository as they will be once tagged: they require each other at one
// version.
//
//	go run ./internal/tools/release -version v0.1.0 -proxy DIR
//
// A build that gets them only from that proxy shows that each works on its own.
// With -tags it prints the names of the tags instead.
package main
