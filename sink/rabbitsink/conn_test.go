package rabbitsink

import "testing"

func TestTheConnectionHasTheNameOfTheClient(t *testing.T) {
	for id, want := range map[string]string{"": "outbox", "shop-relay": "shop-relay"} {
		s, err := New(Config{URL: "amqp://localhost:1", ClientID: id})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.amqpConfig(nil).Properties["connection_name"]; got != want {
			t.Errorf("%q is called %v, want %s", id, got, want)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
