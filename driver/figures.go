package driver

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"time"
)

// Figures says what a relay has done since it started, and what it is doing, for
// operators.
type Figures struct {
	Workers int `json:"workers"` // events or batches that it may run at once
	Running int `json:"running"` // events that it runs now
	Held    int `json:"held"`    // events that it has in memory
	// Busy is the total time that its workers have spent running events.
	Busy time.Duration `json:"busy"`
	// Types are at most [MaxInstanceTypes]: those with the most deliveries.
	Types []TypeFigures `json:"types,omitempty"`
}

// MaxInstanceTypes bounds the event types for which a relay announces figures.
const MaxInstanceTypes = 200

// TypeFigures says what a relay has done with the events of one type.
type TypeFigures struct {
	Type      string `json:"type"`
	Delivered int64  `json:"delivered"`
	Hot       int64  `json:"hot,omitempty"`    // delivered right after their commit
	Failed    int64  `json:"failed,omitempty"` // attempts
	Dead      int64  `json:"dead,omitempty"`
	Ages      Ages   `json:"ages"` // of the delivered events, from commit to delivery
}

// ageBuckets reach from 125 µs to 73 hours.
const ageBuckets = 64

// Ages is a histogram of durations. Each bucket is half as wide as the shortest
// duration in it, so that a percentile is off by a quarter at most. Empty buckets
// are not encoded.
type Ages [ageBuckets]int64

// firstAge is the end of the first bucket.
const firstAge = 125 * time.Microsecond

// AgeBucket returns the bucket of a duration.
func AgeBucket(d time.Duration) int {
	if d < firstAge {
		return 0
	}
	n := uint64(d / firstAge)
	doubled := bits.Len64(n) - 1 // firstAge << doubled <= d
	half := 0
	if d >= firstAge<<doubled+firstAge<<doubled/2 {
		half = 1
	}
	return min(1+2*doubled+half, ageBuckets-1)
}

// AgeBounds returns the shortest duration in a bucket, and the first beyond it.
func AgeBounds(bucket int) (from, to time.Duration) {
	start := func(b int) time.Duration {
		if b == 0 {
			return 0
		}
		d := firstAge << ((b - 1) / 2)
		if (b-1)%2 == 1 {
			d += d / 2
		}
		return d
	}
	return start(bucket), start(bucket + 1)
}

// MarshalJSON implements [json.Marshaler]: an array of [bucket, count].
func (a Ages) MarshalJSON() ([]byte, error) {
	pairs := [][2]int64{}
	for i, n := range a {
		if n != 0 {
			pairs = append(pairs, [2]int64{int64(i), n})
		}
	}
	return json.Marshal(pairs)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (a *Ages) UnmarshalJSON(text []byte) error {
	var pairs [][2]int64
	if err := json.Unmarshal(text, &pairs); err != nil {
		return err
	}
	*a = Ages{}
	for _, p := range pairs {
		if p[0] < 0 || p[0] >= ageBuckets {
			return fmt.Errorf("driver: there is no bucket %d of ages", p[0])
		}
		a[p[0]] = p[1]
	}
	return nil
}

// Percentile estimates the age below which a share p of the events lies, such as
// 0.99; 0 if there are no events.
func (a *Ages) Percentile(p float64) time.Duration {
	total := int64(0)
	for _, n := range a {
		total += n
	}
	if total == 0 {
		return 0
	}
	rank, below := p*float64(total), 0.0
	for i, n := range a {
		if n > 0 && below+float64(n) >= rank {
			from, to := AgeBounds(i)
			return from + time.Duration(float64(to-from)*max(rank-below, 0)/float64(n))
		}
		below += float64(n)
	}
	return 0
}
