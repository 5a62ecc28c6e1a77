package core

// stalled are lanes that start nothing more until an outcome is written.
type stalled struct{ lanes []*Lane }

func (s *stalled) any() bool { return len(s.lanes) > 0 }

func (s *stalled) add(l *Lane) {
	if l.stall(true) {
		s.lanes = append(s.lanes, l)
	}
}

// take returns all of them, and lets them go on.
func (s *stalled) take() []*Lane {
	lanes := s.lanes
	s.lanes = nil
	for _, l := range lanes {
		l.stall(false)
	}
	return lanes
}
