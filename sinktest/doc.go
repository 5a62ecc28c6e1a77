// Package sinktest says what an outbox sink is: whatever passes [Run]. Each
// duty is a [Law], a subtest named as a sentence, and a law that is broken
// tells why it matters.
//
//	func TestSink(t *testing.T) { sinktest.Run(t, open) }
//
//	// open gives a sink and a destination that nothing was sent to yet.
//	func open(t testing.TB) sinktest.Subject {
//		return sinktest.Subject{Sink: sink, Destination: topic, Receive: receive, ...}
//	}
//
// A sink is tested by its answers and by what arrives, on the real server. What
// a subject cannot do (lose its server, refuse a message) leaves out the laws
// that need it, so a subject should be able to do all that its server can.
package sinktest
