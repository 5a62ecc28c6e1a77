package core

import "time"

// Paused is what people have paused.
type Paused struct {
	Lanes []string // "*" for all
	Dests []string // by name
	// Asked is when the database was asked. Several loops ask, and an answer that
	// comes after that of a later question counts no more.
	Asked time.Time
}

// pause pauses these destinations, and resumes the others. It reports whether a
// pause has begun.
func (ds *Dests) pause(names []string) (began bool) {
	ds.paused = nameSet(names)
	for _, b := range ds.list {
		was := b.paused
		b.paused = ds.paused[b.Name]
		ds.notePause(b)
		switch {
		case b.paused && !was:
			began = true
		case was && !b.paused:
			ds.resumed(b)
		}
	}
	return began
}

// notePause notes the beginning and the end of a pause, even for a destination
// that first appears during it.
func (ds *Dests) notePause(b *Breaker) {
	if b.toldPaused == b.paused {
		return
	}
	b.toldPaused = b.paused
	kind := NoteResumed
	if b.paused {
		kind = NotePaused
	}
	ds.noteTurn(Note{Kind: kind, Target: b.Name})
}

// resumed lets the events of a destination run again. A destination that was down
// is probed at once, since it was not probed during the pause.
func (ds *Dests) resumed(b *Breaker) {
	b.putOff = putOff{}
	if b.state == open {
		b.next = ds.now
		ds.wake(ProbeLoop)
		return
	}
	ds.turned(b, freed, nil)
}

func nameSet(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}

// putOff decides how long to put off events of a paused destination that were
// claimed together with others of their lane. Where few wait, they must run soon
// after the resume; where many do, claiming and releasing them again and again
// would keep the database busy.
type putOff struct {
	wait time.Duration
	end  time.Time // when the period in which n were put off ends
	n    int
}

const (
	firstPutOff = 500 * time.Millisecond
	lastPutOff  = 15 * time.Second
	// fewPutOff is how many events may come back after the same wait. If there
	// are more, they wait longer.
	fewPutOff = 100
	// spread keeps events from coming back all at once.
	spread = 8
)

func (p *putOff) next(now time.Time) time.Duration {
	if !now.Before(p.end) {
		switch {
		case p.n > fewPutOff:
			p.wait = min(2*p.wait, lastPutOff)
		case p.n < fewPutOff/4:
			p.wait /= 2
		}
		p.wait = max(p.wait, firstPutOff)
		p.n, p.end = 0, now.Add(p.wait)
	}
	p.n++
	return p.wait - p.wait/2*time.Duration(p.n%spread)/spread
}
