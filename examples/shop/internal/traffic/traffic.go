package traffic

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Config says how many customers there are. Every field except Orders is required.
type Config struct {
	Shop string  // its URL
	Rate float64 // orders per second
	// Orders is how many to place. Default: until the context is done.
	Orders int
}

// Counts is what the shop answered. It may be read while customers run.
type Counts struct{ Placed, Declined, Cancelled, Refused, Failed atomic.Int64 }

// customers is how many orders are placed at once.
const customers = 4

// patience is how long a customer waits for an answer.
const patience = 30 * time.Second

// Run sends customers until there were enough of them or ctx is done, and
// returns when the last one is served.
func Run(ctx context.Context, c Config, counts *Counts) {
	t := &traffic{shop: c.Shop, counts: counts, client: &http.Client{Timeout: patience, Transport: &http.Transport{}}}
	defer t.client.CloseIdleConnections()
	tick := time.NewTicker(time.Duration(float64(time.Second) / c.Rate))
	defer tick.Stop()
	var all sync.WaitGroup
	defer all.Wait()
	free := make(chan struct{}, customers)
	whole := context.WithoutCancel(ctx) // a customer who has begun is served
	for n := 1; c.Orders == 0 || n <= c.Orders; n++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			t.customer(whole, n)
		})
	}
}

type traffic struct {
	shop   string
	counts *Counts
	client *http.Client
}

// customer does what its number says.
func (t *traffic) customer(ctx context.Context, n int) {
	cents := 100 + n%500*10
	if n%15 == 7 {
		cents = 1_000_000 // more than a card can pay
	}
	id := t.place(ctx, fmt.Sprintf("customer %d", n%97), cents)
	if id == "" || n%5 != 3 {
		return
	}
	t.cancel(ctx, id)
	if n%20 == 3 {
		t.cancel(ctx, id) // again, which the shop refuses
	}
}

// place returns the id of the order, or "" if there is none.
func (t *traffic) place(ctx context.Context, customer string, cents int) string {
	body, err := json.Marshal(map[string]any{"customer": customer, "cents": cents})
	if err != nil {
		panic(err) // a string and a number
	}
	status, text := t.request(ctx, http.MethodPost, "/orders", body)
	var order struct {
		ID string `json:"id"`
	}
	switch {
	case status == http.StatusPaymentRequired:
		t.counts.Declined.Add(1)
	case status == http.StatusCreated && json.Unmarshal(text, &order) == nil:
		t.counts.Placed.Add(1)
	default:
		t.counts.Failed.Add(1)
	}
	return order.ID
}

func (t *traffic) cancel(ctx context.Context, id string) {
	switch status, _ := t.request(ctx, http.MethodDelete, "/orders/"+id, nil); status {
	case http.StatusNoContent:
		t.counts.Cancelled.Add(1)
	case http.StatusConflict:
		t.counts.Refused.Add(1)
	default:
		t.counts.Failed.Add(1)
	}
}

// request returns status 0 if there was no answer.
func (t *traffic) request(ctx context.Context, method, path string, body []byte) (status int, answer []byte) {
	req, err := http.NewRequestWithContext(ctx, method, t.shop+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil
	}
	resp, err := t.client.Do(req)
	if err != nil {
		return 0, nil
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err = io.ReadAll(resp.Body)
	if err != nil {
		return 0, nil
	}
	return resp.StatusCode, answer
}
