package kafkasink_test

import (
	"fmt"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/sink/kafkasink"
)

// oneKey returns n numbered messages of one key.
func oneKey(topic string, n int) []outbox.Message {
	ms := make([]outbox.Message, n)
	for i := range ms {
		ms[i] = message(topic, "k", fmt.Sprint(i))
	}
	return ms
}

func inOrder(t *testing.T, topic string, want []string) {
	t.Helper()
	got := settled(t, topic, len(want))
	if len(got) != len(want) {
		t.Errorf("%d records, expected %d", len(got), len(want))
	}
	for i, r := range got[:min(len(got), len(want))] {
		if string(r.Value) != want[i] {
			t.Fatalf("record %d is %.20s, expected %.20s", i, r.Value, want[i])
		}
	}
}

func TestASendLargerThanTheBufferOfTheClientKeepsItsOrder(t *testing.T) {
	for name, limit := range map[string]kgo.Opt{"records": kgo.MaxBufferedRecords(10), "bytes": kgo.MaxBufferedBytes(2000)} {
		t.Run(name, func(t *testing.T) {
			client, err := kgo.NewClient(append(kafkasink.ClientOptions(), kgo.SeedBrokers(broker(t)), limit)...)
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			s, err := kafkasink.New(kafkasink.Config{Client: client})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			topic := newTopic(t, 1, nil)
			ms := oneKey(topic, 2000)
			mustSend(t, s, ms...)
			var want []string
			for i := range ms {
				want = append(want, fmt.Sprint(i))
			}
			inOrder(t, topic, want)
		})
	}
}
