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
		was := b.pause.on
		ds.notePause(b, b.pause.set(ds.paused[b.Name]))
		switch {
		case b.pause.on && !was:
			began = true
		case was && !b.pause.on:
			ds.resumed(b)
		}
	}
	return began
}

// notePause notes the beginning or the end of a pause.
func (ds *Dests) notePause(b *Breaker, news bool) {
	if !news {
		return
	}
	kind := NoteResumed
	if b.pause.on {
		kind = NotePaused
	}
	ds.noteTurn(Note{Kind: kind, Target: b.Name})
}

// resumed lets the events of a destination run again. A destination that was down
// is probed at once, since it was not probed during the pause.
func (ds *Dests) resumed(b *Breaker) {
	if b.isOpen() {
		b.probes.at(ds.now)
		ds.wake(ProbeLoop)
		return
	}
	ds.turned(b, freed, nil)
}

// destPause is whether people have paused a destination.
type destPause struct {
	on, told bool // told: that it is on was noted
	putOff   putOff
}

// set begins or ends a pause, and reports whether that is to be noted, as it is even
// for a destination that first appears during a pause.
func (p *destPause) set(on bool) (news bool) {
	if p.on && !on {
		p.putOff = putOff{}
	}
	news = p.told != on
	p.on, p.told = on, on
	return news
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
