// Package e2e contains only the end-to-end fault tests: application rows and
// events in a real database, `outbox relay` as a separate process, a real
// broker, consumers in separate processes, effects in a second database.
// Everything in between is killed, stopped or cut off while events flow.
//
//	scripts/with-servers postgres15 mysql80 kafka rabbitmq -- bash -c 'cd e2e && go test -v .'
//
// Relays and consumers are killed with SIGKILL by the test, consumers also by
// themselves where it hurts: before the commit, and between commit and
// acknowledgement. Each test says in its log what it wrote, what came twice on
// the wire, and how often each process was killed. Servers are stopped, so no
// test is parallel.
//
// The tests are built without the race detector only: they write, and consume, tens of
// thousands of orders, and the programs that are killed run without it anyway.
//
// It is a separate module because it builds and runs the command.
package e2e
