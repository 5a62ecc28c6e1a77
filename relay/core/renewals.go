package core

import "time"

// renewals is how many rows can be renewed within a sixth of a lease.
type renewals struct {
	can int       // 0: unknown
	at  time.Time // of the last renewal that told
}

// remembered is for how many leases a renewal tells something: lanes that are
// fast renew little, and one slow answer must not bound them for ever.
const remembered = 8

// known is what the renewals of late have told; 0: nothing.
func (r *renewals) known(now time.Time, lease time.Duration) int {
	if Elapsed(r.at, now) > remembered*lease {
		r.can = 0
	}
	return r.can
}

// learn takes note of a renewal, unless it was too small to tell.
func (r *renewals) learn(now time.Time, lease time.Duration, rows int, took time.Duration) {
	if rows < 100 || took <= 0 {
		return
	}
	can := int(float64(rows) * float64(lease/6) / float64(took))
	if known := r.known(now, lease); known > 0 {
		can = (3*known + can) / 4
	}
	r.can, r.at = can, now
}
