package bench

import (
	"fmt"
	"io"
)

// Print prints a result for people.
func Print(w io.Writer, r Result) {
	fmt.Fprintf(w, "events       %12d   lost %d, duplicates %d, left over %d\n", r.Events, r.Lost, r.Duplicates, r.Waiting)
	fmt.Fprintf(w, "seconds      %12.3f\n", r.Seconds)
	fmt.Fprintf(w, "events/s     %12.0f\n", r.PerSecond)
	fmt.Fprintf(w, "latency p50  %9.3f ms   p99 %.3f ms, max %.3f ms\n", r.P50, r.P99, r.Max)
}
