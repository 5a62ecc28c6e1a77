package kafkasink

import (
	"math/rand/v2"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// ClientOptions are the options of a client that is to be [Config].Client; add
// the brokers, credentials and so on. The producer is idempotent and waits for
// all in-sync replicas, and:
//
//   - a record without an answer for 30 s (the limit of a Send) is given up,
//     also on its way to a broker, so that a long outage leaves little behind
//     that is sent after it. The client then takes a new epoch, under which the
//     broker refuses what the old one has still on the way.
//   - records that are handed over together are sent together, unless the client
//     is just sending: the linger is ended by the sink as soon as they are there.
//   - a topic that does not exist is a failure after a few looks.
//   - a connection without an answer is given up after 15 s.
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

// linger is far more than it takes to hand a part of a Send to the client, which
// is told when that is done (see kick) and does not wait any longer.
const linger = time.Second

// backoff stays short, since the relay has a longer one of its own, and the
// first batch after an outage waits for it.
func backoff(fails int) time.Duration {
	d := min(100*time.Millisecond<<min(max(fails-1, 0), 5), time.Second)
	return d/2 + rand.N(d/2)
}
