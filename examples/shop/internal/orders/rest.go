package orders

import (
	"database/sql"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/examples/shop/internal/events"
)

// Handler is the REST service, with the metrics and the console.
func (s *Service) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", s.post)
	mux.HandleFunc("GET /orders/{id}", s.get)
	mux.HandleFunc("DELETE /orders/{id}", s.delete)
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.metrics, promhttp.HandlerOpts{}))
	mux.Handle("/console/", http.StripPrefix("/console", s.console))
	return mux
}

func (s *Service) post(w http.ResponseWriter, r *http.Request) {
	var o events.Order
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 10_000)).Decode(&o); err != nil || o.Cents <= 0 {
		http.Error(w, `send {"customer": "ann", "cents": 1200}`, http.StatusBadRequest)
		return
	}
	o.ID = outbox.NewID()
	if err := s.Place(r.Context(), o); err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Location", "/orders/"+o.ID)
	answer(w, http.StatusCreated, o)
}

func (s *Service) get(w http.ResponseWriter, r *http.Request) {
	found := struct {
		events.Order
		Status string `json:"status"`
	}{Order: events.Order{ID: r.PathValue("id")}}
	err := s.db.QueryRowContext(r.Context(), `SELECT customer, cents, status FROM orders WHERE id = $1`, found.ID).
		Scan(&found.Customer, &found.Cents, &found.Status)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrUnknown
	}
	if err != nil {
		fail(w, err)
		return
	}
	answer(w, http.StatusOK, found)
}

func (s *Service) delete(w http.ResponseWriter, r *http.Request) {
	if err := s.Cancel(r.Context(), r.PathValue("id")); err != nil {
		fail(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client has gone
}

// fail answers with the status of an error. What the database said stays here.
func fail(w http.ResponseWriter, err error) {
	for known, status := range map[error]int{
		ErrDeclined: http.StatusPaymentRequired,
		ErrUnknown:  http.StatusNotFound,
		ErrEnded:    http.StatusConflict,
	} {
		if errors.Is(err, known) {
			http.Error(w, known.Error(), status)
			return
		}
	}
	http.Error(w, "try again later", http.StatusServiceUnavailable)
}
