package kafkasink

import (
	"math/rand/v2"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// ClientOptions returns the options for a client that becomes [Config].Client;
// add the brokers, credentials and so on. The producer is idempotent and waits
// for all in-sync replicas, and:
//
//   - the client gives up a record without an answer after 30 s (the limit of a
//     Send), even in flight, so that little is left to send after a long
//     outage. The client then starts a new epoch, in which the broker refuses
//     what the old one still has in flight.
//   - records that are handed over together are sent together, unless the
//     client is already sending: the sink ends the linger as soon as it has
//     handed them over.
//   - a topic that does not exist is a failure after a few lookups.
//   - the client gives up a connection without an answer after 15 s.
func ClientOptions() []kgo.Opt {
	return []kgo.Opt{
		kgo.RequiredAcks(kgo.AllISRAcks()),
		kgo.AllowIdempotentProduceCancellation(),
		kgo.RecordDeliveryTimeout(defaultTimeout),
		kgo.MaxBufferedRecords(100_000),
		kgo.MaxBufferedBytes(256 << 20),
		kgo.UnknownTopicRetries(2),
		kgo.ProducerLinger(linger),
		kgo.ProduceRequestTimeout(10 * time.Second),
		kgo.RequestTimeoutOverhead(answerTimeout),
		kgo.MetadataMinAge(500 * time.Millisecond),
		kgo.RetryBackoffFn(backoff),
	}
}

// linger is far longer than it takes to hand part of a Send to the client; the
// sink ends it early (see kick).
const linger = time.Second

// backoff stays short: the relay has a longer one of its own, and the first
// batch after an outage waits for this one.
func backoff(fails int) time.Duration {
	d := min(100*time.Millisecond<<min(max(fails-1, 0), 5), time.Second)
	return d/2 + rand.N(d/2)
}
