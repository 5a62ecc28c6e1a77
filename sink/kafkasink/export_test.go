package kafkasink

import "time"

// SetClock is for tests of a machine whose clock is wrong.
func (s *Sink) SetClock(now func() time.Time) { s.now = now }
