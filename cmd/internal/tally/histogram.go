package tally

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// A bucket is a power of two of nanoseconds, split into subBuckets equal parts,
// so what is read from it is at most 1/subBuckets too large. The last power
// begins at nine minutes.
const (
	subBits    = 7
	subBuckets = 1 << subBits
	powers     = 34
)

// Histogram keeps durations in little memory, however many there are. The zero
// value is empty. It is safe for concurrent use.
type Histogram struct {
	counts [powers * subBuckets]atomic.Uint64
	max    atomic.Int64
}

// Add counts one duration; a negative one is 0.
func (h *Histogram) Add(d time.Duration) {
	d = max(d, 0)
	h.counts[bucket(d)].Add(1)
	for {
		m := h.max.Load()
		if int64(d) <= m || h.max.CompareAndSwap(m, int64(d)) {
			return
		}
	}
}

// Max is the longest duration, exactly.
func (h *Histogram) Max() time.Duration { return time.Duration(h.max.Load()) }

// Snapshot copies what was counted so far.
func (h *Histogram) Snapshot() *Snapshot {
	s := &Snapshot{max: h.Max()}
	for i := range h.counts {
		s.counts[i] = h.counts[i].Load()
		s.n += s.counts[i]
	}
	return s
}

// Snapshot is a histogram at one moment.
type Snapshot struct {
	counts [powers * subBuckets]uint64
	n      uint64
	max    time.Duration // of all time, which bounds what a bucket can say
}

// Since is what was added after an earlier snapshot of the same histogram; nil
// stands for an empty one.
func (s *Snapshot) Since(earlier *Snapshot) *Snapshot {
	if earlier == nil {
		return s
	}
	d := &Snapshot{n: s.n - earlier.n, max: s.max}
	for i := range s.counts {
		d.counts[i] = s.counts[i] - earlier.counts[i]
	}
	return d
}

// Add is both together.
func (s *Snapshot) Add(other *Snapshot) *Snapshot {
	sum := &Snapshot{n: s.n + other.n, max: max(s.max, other.max)}
	for i := range s.counts {
		sum.counts[i] = s.counts[i] + other.counts[i]
	}
	return sum
}

// Count is the number of durations.
func (s *Snapshot) Count() uint64 { return s.n }

// Quantile is the duration that a share q of all is not longer than (the
// nearest rank), rounded up by less than one percent; 0 if there are none.
func (s *Snapshot) Quantile(q float64) time.Duration {
	if s.n == 0 {
		return 0
	}
	rank := min(max(uint64(q*float64(s.n)+0.999999), 1), s.n)
	var seen uint64
	for i, c := range s.counts {
		if seen += c; seen >= rank {
			return min(upper(i), s.max)
		}
	}
	return s.max
}

// bucket is where a duration is counted. Those below subBuckets nanoseconds
// have buckets of one nanosecond.
func bucket(d time.Duration) int {
	n := uint64(d)
	if n < subBuckets {
		return int(n)
	}
	power := bits.Len64(n) - subBits // 1 for [subBuckets, 2*subBuckets)
	i := power*subBuckets + int(n>>(power-1)) - subBuckets
	return min(i, powers*subBuckets-1)
}

// upper is the longest duration that is counted in a bucket.
func upper(i int) time.Duration {
	power, sub := i/subBuckets, i%subBuckets
	if power == 0 {
		return time.Duration(sub)
	}
	return time.Duration((uint64(subBuckets+sub+1) << (power - 1)) - 1)
}
