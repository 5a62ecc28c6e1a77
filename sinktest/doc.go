// Package sinktest defines what an outbox sink is: whatever passes [Run]. Each
// duty is a [Law], a subtest named as a sentence; a broken law says why it
// matters.
//
//	func TestSink(t *testing.T) { sinktest.Run(t, open) }
//
//	// open returns a sink and a destination that is still empty.
//	func open(t testing.TB) sinktest.Subject {
//		return sinktest.Subject{Sink: sink, Destination: topic, Receive: receive, ...}
//	}
//
// A sink is judged by its answers and by what arrives, on the real server. Laws
// that need something the subject cannot do (lose its server, refuse a message)
// are left out, so a subject should do everything that its server can.
package sinktest
