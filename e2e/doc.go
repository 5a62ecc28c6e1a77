// Package e2e has the end-to-end fault tests, and nothing else: business rows
// and events in a real database, `outbox relay` as a process of its own, a real
// broker, consumers in processes of their own, effects in a second database.
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
// It is a module of its own because it builds and drives the command; it needs
// nothing that the library does not.
package e2e
