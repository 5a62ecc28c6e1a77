package kafkasink_test

import (
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/sink/kafkasink"
)

func TestAMissingTopicIsNamedAndNotCreated(t *testing.T) {
	there := newTopic(t, 1, nil)
	s, err := kafkasink.New(kafkasink.Config{Brokers: []string{broker(t)}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if err := s.Inspect(t.Context(), there); err != nil {
		t.Error(err)
	}
	for range 2 { // the first did not create it
		if err := s.Inspect(t.Context(), there+"-not"); err == nil || !strings.Contains(err.Error(), "does not exist") {
			t.Errorf("got %v", err)
		}
	}
}
