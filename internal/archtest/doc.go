// Package archtest tests the architecture of the project: which package may
// import which, how long a file may be, and that every package has a package
// comment.
package archtest
