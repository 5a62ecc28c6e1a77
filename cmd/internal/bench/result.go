package bench

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"
)

// Result is what was measured. The names are part of the command line's
// contract.
type Result struct {
	Events     int64   `json:"events"` // delivered
	Seconds    float64 `json:"seconds"`
	PerSecond  float64 `json:"events_per_second"`
	Lost       int64   `json:"lost"`
	Duplicates int64   `json:"duplicates"`
	P50        float64 `json:"p50_ms"`
	P99        float64 `json:"p99_ms"`
	Max        float64 `json:"max_ms"`
	Waiting    int64   `json:"waiting"` // rows not settled at the end
}

// Sound reports whether every event arrived once, and nothing was left over.
func (r Result) Sound() bool { return r.Lost == 0 && r.Duplicates == 0 && r.Waiting == 0 }

// result counts. It is called after the relays have ended.
func (r *rig) result(ctx context.Context) (Result, error) {
	c := r.ledger.Counts()
	latency := r.ledger.Latency.Snapshot()
	took := time.Duration(r.lastSettled.Load())
	res := Result{
		Events: c.Delivered, Duplicates: c.Duplicates, Seconds: round(took.Seconds(), 6),
		P50: ms(latency.Quantile(0.5)), P99: ms(latency.Quantile(0.99)), Max: ms(latency.Quantile(1)),
	}
	if took > 0 {
		res.PerSecond = round(float64(c.Delivered)/took.Seconds(), 1)
	}
	waiting, err := r.waiting(ctx)
	if err != nil {
		return res, r.db.Problem("count what still waits", err)
	}
	res.Waiting = waiting
	// What waits and was delivered is not missing; what waits and was not is
	// not lost.
	res.Lost = max(c.Written-c.Delivered-waiting, 0)
	return res, nil
}

func (r *rig) waiting(ctx context.Context) (int64, error) {
	text, err := r.db.Text(ctx, "SELECT count(*) FROM "+r.cfg.Event+" WHERE status IN (0, 2)")
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("the database counts %q rows", text)
	}
	return n, nil
}

func ms(d time.Duration) float64 { return round(float64(d)/float64(time.Millisecond), 3) }

func round(f float64, digits int) float64 {
	p := math.Pow10(digits)
	return math.Round(f*p) / p
}

// Print prints a result for people.
func Print(w io.Writer, r Result) {
	fmt.Fprintf(w, "events       %12d   lost %d, duplicates %d, left over %d\n", r.Events, r.Lost, r.Duplicates, r.Waiting)
	fmt.Fprintf(w, "seconds      %12.3f\n", r.Seconds)
	fmt.Fprintf(w, "events/s     %12.0f\n", r.PerSecond)
	fmt.Fprintf(w, "latency p50  %9.3f ms   p99 %.3f ms, max %.3f ms\n", r.P50, r.P99, r.Max)
}
