package core

import "time"

// Config is the part of the relay's settings that a Core needs.
type Config struct {
	Lease, HeadStart, Margin time.Duration

	MaxBytes, MaxHeld, MaxUnsettled int

	SettleBatch  int
	SettleLinger time.Duration

	// Unroutable is what happens to events without a destination.
	Unroutable Unroutable
	// Tell makes every outcome wait for [Decisions.Told].
	Tell bool
	// KeepDead keeps a dead event until its outcome is written.
	KeepDead bool
	// TellHot asks for a note of each event that enters a hot queue.
	TellHot bool
}

// Unroutable is what happens to events without a destination.
type Unroutable int

// The values of [Config.Unroutable].
const (
	UnroutableWait  Unroutable = iota // left to another relay
	UnroutableRetry                   // a failed attempt
	UnroutableDead                    // given up at once
)

// Phase is the stage of the relay between its start and its end.
type Phase uint8

// The phases.
const (
	Resting  Phase = iota
	Working        // takes, runs and settles
	Draining       // takes nothing new, finishes what it has
	Stopping       // starts nothing
)

// base is what all parts of a core share.
type base struct {
	cfg   Config
	phase Phase

	// These belong to the current step.
	now   time.Time
	fx    *Effects
	dirty []*Lane // may have something to start
}

func (b *base) note(n Note) { b.fx.Notes = append(b.fx.Notes, n) }

func (b *base) noteTurn(n Note) { b.fx.Turns = append(b.fx.Turns, n) }

func (b *base) wake(l Loops) { b.fx.Wake |= l }

// touch makes the end of the step check the lane.
func (b *base) touch(l *Lane) {
	if l.mark() {
		b.dirty = append(b.dirty, l)
	}
}

// nextTouched takes one of those lanes, or returns nil.
func (b *base) nextTouched() *Lane {
	if len(b.dirty) == 0 {
		return nil
	}
	l := b.dirty[len(b.dirty)-1]
	b.dirty = b.dirty[:len(b.dirty)-1]
	l.unmark()
	return l
}

// starts reports whether waiting events may start.
func (b *base) starts() bool { return b.phase == Working || b.phase == Draining }
