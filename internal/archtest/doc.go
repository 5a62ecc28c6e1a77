// Package archtest tests the architecture of the project: which package may
// import which, how long a file may be, that every package has a package comment,
// and that the relay's core stays pure and its types keep their own fields.
package archtest
