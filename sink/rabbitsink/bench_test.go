package rabbitsink

import (
	"testing"

	"github.com/sendoff-go/outbox"
)

func BenchmarkSend(b *testing.B) {
	broker := dialBroker(b)
	exchange := broker.exchange()
	broker.consume(broker.queue(exchange, "#", nil))
	s := open(b, Config{URL: broker.url})
	var batch []outbox.Message
	for range 500 {
		batch = append(batch, message(exchange, "a"))
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range s.Send(b.Context(), batch) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N*len(batch))/b.Elapsed().Seconds(), "events/s")
}
