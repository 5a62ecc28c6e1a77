package natssink_test

import (
	"context"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/sink/natssink"
)

// BenchmarkSend sends batches of 500 from several workers.
func BenchmarkSend(b *testing.B) {
	const size = 500
	subject := newSubject(b, nil)
	s := open(b, natssink.Config{})
	b.ReportAllocs()
	b.SetParallelism(2)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			ms := make([]outbox.Message, size)
			for i := range ms {
				ms[i] = message(subject, string(make([]byte, 200)))
			}
			for _, err := range s.Send(context.Background(), ms) {
				if err != nil {
					b.Error(err)
				}
			}
		}
	})
	b.ReportMetric(float64(b.N*size)/b.Elapsed().Seconds(), "msg/s")
}
