// Package testenv gives the tests of this repository their servers.
//
// scripts/with-servers starts the servers and passes their URLs on in the
// environment; make test does that for all of them. A test asks for what it
// needs by name:
//
//	url := testenv.Database(t, testenv.Postgres15) // a database of its own
//
// Without the server the test is skipped, with a reason that says how to get it.
// Under OUTBOX_TEST_REQUIRE=1, which make test sets, it fails instead.
//
// Tests share the servers, even across packages. A test that stops a server
// gets its own from [Control].
package testenv
