package natssink_test

import (
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/sink/natssink"
)

func TestASubjectWithoutAStreamIsNamed(t *testing.T) {
	there := newSubject(t, nil)
	s, err := natssink.New(natssink.Config{URL: "nats://" + server(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if err := s.Inspect(t.Context(), there); err != nil {
		t.Error(err)
	}
	if err := s.Inspect(t.Context(), there+"-not"); err == nil || !strings.Contains(err.Error(), "no stream takes subject") {
		t.Errorf("got %v", err)
	}
}
