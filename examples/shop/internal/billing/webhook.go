package billing

import (
	"errors"
	"net/http"

	"github.com/sendoff-go/outbox/sink/httpsink"
)

// Webhook takes events as package httpsink sends them. It answers with 204 when
// the effect is committed.
func (b *Billing) Webhook() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /events", func(w http.ResponseWriter, r *http.Request) {
		m, err := httpsink.Message(r)
		if err != nil {
			http.Error(w, "this is not an event", http.StatusBadRequest)
			return
		}
		switch err := b.Consume(r.Context(), m); {
		case err == nil:
			w.WriteHeader(http.StatusNoContent)
		case errors.Is(err, ErrAway):
			http.Error(w, "try again", http.StatusServiceUnavailable)
		default:
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	return mux
}
