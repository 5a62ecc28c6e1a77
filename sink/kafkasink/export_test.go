package kafkasink

import "time"

// SetClock simulates a machine whose clock is wrong.
func (s *Sink) SetClock(now func() time.Time) { s.now = now }
