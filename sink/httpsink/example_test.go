package httpsink_test

import (
	"context"
	"log"
	"net/http"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/sink/httpsink"
)

func ExampleNew() {
	sink, err := httpsink.New(httpsink.Config{
		URL:     "https://example.com/hooks/orders",
		Secrets: []string{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = sink.Close() }()

	registry := outbox.NewRegistry()
	registry.Route("order-*", sink)
	// Output:
}

// URLs that customers register are looked up for each event and must not lead
// into your own network.
func ExampleConfig() {
	sink, err := httpsink.New(httpsink.Config{BlockPrivate: true})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = sink.Close() }()

	hooks := map[string]string{"tenant-1": "https://tenant.example/hook"}
	registry := outbox.NewRegistry()
	registry.Route("*", sink, outbox.ToFunc(func(e outbox.Event) string { return hooks[e.TenantID] }))
	// Output:
}

// A receiver verifies, hands the event to the inbox, and answers 2xx when the
// effect is committed.
func ExampleMessage() {
	receive := func(secret string, consume func(context.Context, outbox.Received) error) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if err := httpsink.Verify(secret, r); err != nil {
				http.Error(w, "signature", http.StatusUnauthorized)
				return
			}
			m, err := httpsink.Message(r)
			if err != nil {
				http.Error(w, "not an event", http.StatusBadRequest)
				return
			}
			if err := consume(r.Context(), m); err != nil {
				http.Error(w, "try again", http.StatusServiceUnavailable)
				return
			}
			w.WriteHeader(http.StatusNoContent)
		}
	}
	_ = receive
	// Output:
}
