package kafkasink_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/internal/faultproxy"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/sink/kafkasink"
)

func TestRecordsOfOneKeyGoToOnePartitionAndOthersAreSpread(t *testing.T) {
	topic := newTopic(t, 6, nil)
	s := open(t, kafkasink.Config{})
	var ms []outbox.Message
	for i := range 120 {
		ms = append(ms, message(topic, fmt.Sprint("order-", i%12), "x"))
	}
	mustSend(t, s, ms...)
	partitionOf, used := map[string]int32{}, map[int32]bool{}
	for _, r := range consume(t, topic).records(len(ms), patience) {
		used[r.Partition] = true
		if p, ok := partitionOf[string(r.Key)]; ok && p != r.Partition {
			t.Errorf("key %s went to partitions %d and %d", r.Key, p, r.Partition)
		}
		partitionOf[string(r.Key)] = r.Partition
	}
	if len(partitionOf) != 12 || len(used) < 2 {
		t.Errorf("%d keys in %d partitions", len(partitionOf), len(used))
	}
}

func TestAMessageWithoutAKeyIsARecordWithoutAKey(t *testing.T) {
	topic := newTopic(t, 1, nil)
	mustSend(t, open(t, kafkasink.Config{}), message(topic, "", "x"))
	if r := consume(t, topic).records(1, patience); len(r) != 1 || r[0].Key != nil {
		t.Errorf("records %v", r)
	}
}

func TestTheProducerIsIdempotent(t *testing.T) {
	topic := newTopic(t, 1, nil)
	mustSend(t, open(t, kafkasink.Config{}), message(topic, "k", "x"))
	if r := consume(t, topic).records(1, patience); len(r) != 1 || r[0].ProducerID < 0 {
		t.Errorf("the record has no producer id: %v", r)
	}
}

// A topic's limit may be lower than the client's. The broker then refuses a
// whole batch, though each record would have been small enough.
func TestABatchThatTheTopicRefusesIsSentInParts(t *testing.T) {
	topic := newTopic(t, 1, map[string]string{"max.message.bytes": "20000", "compression.type": "uncompressed"})
	s := open(t, kafkasink.Config{})
	var ms []outbox.Message
	for i := range 60 {
		ms = append(ms, message(topic, "k", noise(1500, i)))
	}
	ms[30] = message(topic, "k", noise(30_000, 30))
	for i, err := range send(t, s, ms...) {
		switch {
		case i == 30:
			if !outbox.IsPermanent(err) {
				t.Errorf("the large one: %v", err)
			}
			contains(t, err, "30000 bytes")
		case err != nil:
			t.Errorf("message %d is small enough: %v", i, err)
		}
	}
	if got := consume(t, topic).records(59, patience); len(got) != 59 {
		t.Errorf("%d records arrived, expected 59", len(got))
	}
}

// noise returns text that does not compress.
func noise(n, seed int) string {
	var b strings.Builder
	x := uint64(seed)*2654435761 + 1
	for b.Len() < n {
		x = x*6364136223846793005 + 1442695040888963407
		b.WriteByte(byte(x >> 56))
	}
	return b.String()
}

// Records of several sends share a batch, which the broker refuses as a whole.
func TestARefusedRecordDoesNotFailThoseOfOtherSends(t *testing.T) {
	topic := newTopic(t, 1, map[string]string{"max.message.bytes": "20000"})
	s := open(t, kafkasink.Config{})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 5 {
				ms := []outbox.Message{message(topic, "k", "small"), message(topic, "k", noise(30_000, i)), message(topic, "k", "small")}
				if i%2 == 0 {
					ms = ms[:1]
				}
				for j, err := range send(t, s, ms...) {
					if (j == 1) != outbox.IsPermanent(err) || j != 1 && err != nil {
						t.Errorf("message %d: %v", j, err)
					}
				}
			}
		})
	}
	wg.Wait()
}

// The client fails all records of a partition when the context of one ends.
func TestACancelledSendDoesNotFailTheOthers(t *testing.T) {
	topic := newTopic(t, 1, nil)
	s := open(t, kafkasink.Config{})
	stop := make(chan struct{})
	var cancelled sync.WaitGroup
	for range 4 {
		cancelled.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
				_ = s.Send(ctx, []outbox.Message{message(topic, "k", "cancelled")})
				cancel()
			}
		})
	}
	for range 50 {
		mustSend(t, s, message(topic, "k", "x"), message(topic, "k", "y"))
	}
	close(stop)
	cancelled.Wait()
}

func TestAnUnknownTopicSaysWhatToDoAndWorksOnceItIsThere(t *testing.T) {
	s := open(t, kafkasink.Config{})
	topic := fmt.Sprintf("later-%d", time.Now().UnixNano())
	m := message(topic, "k", "x")
	err := send(t, s, m)[0]
	if outbox.IsPermanent(err) || outbox.IsUnavailable(err) {
		t.Errorf("a missing topic is a failure that counts: %v", err)
	}
	contains(t, err, "create it")
	createTopic(t, topic, 1, nil)
	eventually(t, "the new topic is found", func() bool { return send(t, s, m)[0] == nil })
}

func TestARecreatedTopicIsFound(t *testing.T) {
	topic := newTopic(t, 1, nil)
	s := open(t, kafkasink.Config{})
	mustSend(t, s, message(topic, "k", "x"))
	administer(t, func(ctx context.Context, adm *kadm.Client) error {
		_, err := adm.DeleteTopic(ctx, topic)
		return err
	})
	eventually(t, "the topic is gone", func() bool { return send(t, s, message(topic, "k", "x"))[0] != nil })
	createTopic(t, topic, 1, nil)
	eventually(t, "the topic is found again", func() bool { return send(t, s, message(topic, "k", "x"))[0] == nil })
}

func TestAnInvalidTopicNameIsPermanent(t *testing.T) {
	s := open(t, kafkasink.Config{Brokers: []string{"127.0.0.1:1"}})
	for _, topic := range []string{"", ".", "..", "order placed", "a/b", "é", strings.Repeat("a", 250)} {
		err := send(t, s, message(topic, "k", "x"))[0]
		if !outbox.IsPermanent(err) {
			t.Errorf("topic %q: %v", topic, err)
		}
		contains(t, err, "outbox.To")
	}
}

func TestARestartOfTheBrokerLosesNothing(t *testing.T) {
	server := testenv.Control(t, testenv.Kafka)
	topic := newTopic(t, 3, nil)
	s := open(t, kafkasink.Config{Timeout: 3 * time.Second})
	var sent []outbox.Message
	batch := func() (ms []outbox.Message) {
		for i := range 10 {
			ms = append(ms, message(topic, fmt.Sprint("key-", i), "x"))
		}
		return ms
	}
	deliver := func() bool {
		for _, m := range batch() {
			if err := send(t, s, m)[0]; err == nil {
				sent = append(sent, m)
			} else if !outbox.IsUnavailable(err) {
				t.Errorf("an outage counted as an attempt: %v", err)
			}
		}
		return len(sent) > 0
	}
	deliver()
	server.Crash()
	for _, err := range send(t, s, batch()...) {
		if !outbox.IsUnavailable(err) {
			t.Errorf("while the broker was down: %v", err)
		}
	}
	if s.Check(t.Context()) == nil {
		t.Error("the check passed while the broker was down")
	}
	server.Start()
	eventually(t, "the check passes", func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		return s.Check(ctx) == nil
	})
	before := len(sent)
	eventually(t, "the broker takes messages again", func() bool { deliver(); return len(sent) > before })
	arrived := map[string]bool{}
	c := consume(t, topic)
	eventually(t, "what was acknowledged has arrived", func() bool {
		for _, r := range c.records(len(sent), time.Second) {
			arrived[kafkasink.Message(r).EventID] = true
		}
		for _, m := range sent {
			if !arrived[m.Event.ID] {
				return false
			}
		}
		return true
	})
}

func TestASinkLeavesTheCallersClientOpen(t *testing.T) {
	topic := newTopic(t, 1, nil)
	client, err := kgo.NewClient(append(kafkasink.ClientOptions(), kgo.SeedBrokers(broker(t)))...)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	s, err := kafkasink.New(kafkasink.Config{Client: client})
	if err != nil {
		t.Fatal(err)
	}
	mustSend(t, s, message(topic, "k", "x"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := client.ProduceSync(t.Context(), &kgo.Record{Topic: topic, Value: []byte("own")}).FirstErr(); err != nil {
		t.Errorf("the client was closed: %v", err)
	}
	if err := send(t, s, message(topic, "k", "x"))[0]; !outbox.IsUnavailable(err) {
		t.Errorf("a send after Close: %v", err)
	}
}

func TestACheckLooksAtTheLeadersOfTopicsThatFailed(t *testing.T) {
	topic := newTopic(t, 3, nil)
	p := faultproxy.New(t, broker(t))
	s := open(t, kafkasink.Config{Dial: through(p)})
	mustSend(t, s, message(topic, "k", "x"))
	p.Hang()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := s.Send(ctx, []outbox.Message{message(topic, "k", "x")})[0]; !outbox.IsUnavailable(err) {
		t.Fatal(err)
	}
	p.Pass()
	eventually(t, "the check passes", func() bool { return s.Check(t.Context()) == nil })
	mustSend(t, s, message(topic, "k", "x"))
}

func TestARecordWithoutHeadersHasNoEventID(t *testing.T) {
	m := kafkasink.Message(&kgo.Record{Value: []byte("x")})
	if m.EventID != "" || m.EventType != "" || string(m.Payload) != "x" {
		t.Errorf("got %+v", m)
	}
}
