package core

import "slices"

// statements are what was sent to the database or to a destination and has no answer
// yet.
type statements struct {
	*world
	sent []statement
}

type statement struct {
	name   string
	answer func(lost bool)
}

// send notes a statement that was sent. The answer comes at any time, or is lost.
func (s *statements) send(name string, answer func(lost bool)) {
	s.sent = append(s.sent, statement{name, answer})
}

// busy reports whether one of that name has no answer yet: each loop sends one at a
// time.
func (s *statements) busy(name string) bool {
	return slices.ContainsFunc(s.sent, func(sent statement) bool { return sent.name == name })
}

func (s *statements) answerAny() {
	if len(s.sent) > 0 {
		s.answer(s.rand.IntN(len(s.sent)), !s.calm && s.oneIn(6))
	}
}

func (s *statements) answer(i int, lost bool) {
	one := s.sent[i]
	s.sent = slices.Delete(s.sent, i, i+1)
	if lost {
		s.say("no answer to %s", one.name)
	}
	one.answer(lost)
}

// answerAll answers these and the ones that follow from the answers.
func (s *statements) answerAll(lost bool) {
	for len(s.sent) > 0 {
		s.answer(0, lost)
	}
}
