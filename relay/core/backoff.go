package core

import "time"

// Backoff is the pause after something failed. It grows from 50 ms to 2 s: short
// enough that a database that came back is noticed within seconds. The zero
// value is no pause.
type Backoff struct{ pause time.Duration }

// Next returns the next pause, twice as long as the last.
func (b *Backoff) Next() time.Duration {
	b.pause = min(max(2*b.pause, 50*time.Millisecond), 2*time.Second)
	return b.pause
}

// Last returns the pause that Next returned last; 0 after Reset.
func (b *Backoff) Last() time.Duration { return b.pause }

// Reset starts over after a success.
func (b *Backoff) Reset() { b.pause = 0 }
