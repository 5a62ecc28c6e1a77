package natssink

import "sync"

// maxStreams bounds the subjects that are remembered.
const maxStreams = 1000

// streams holds the subjects that a stream has answered for on this connection.
type streams struct {
	mu       sync.RWMutex
	subjects map[string]struct{}
}

func (s *streams) has(subject string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := s.subjects[subject]
	return ok
}

func (s *streams) add(subject string) {
	if s.has(subject) { // fast path: this runs for every message
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.subjects == nil || len(s.subjects) >= maxStreams {
		s.subjects = map[string]struct{}{}
	}
	s.subjects[subject] = struct{}{}
}

func (s *streams) remove(subject string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.subjects, subject)
}

func (s *streams) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.subjects)
}
