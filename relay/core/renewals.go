package core

import "time"

// renewals is how many rows can be renewed within a sixth of a lease.
type renewals struct {
	can int       // 0: unknown
	at  time.Time // of the last renewal that counted
}

// remembered is how many leases a measurement is valid for: fast lanes renew
// little, and one slow answer must not limit them forever.
const remembered = 8

// known returns the recent measurement; 0: none.
func (r *renewals) known(now time.Time, lease time.Duration) int {
	if Elapsed(r.at, now) > remembered*lease {
		r.can = 0
	}
	return r.can
}

// learn measures a renewal, unless it was too small.
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
