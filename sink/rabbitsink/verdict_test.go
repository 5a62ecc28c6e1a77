package rabbitsink

import "testing"

// arriving is a confirmation that arrives between the first check and the
// second.
type arriving struct {
	done  chan struct{}
	ack   bool
	asked int
}

func (a *arriving) question() {
	if a.asked++; a.asked == 2 {
		close(a.done)
	}
}

func (a *arriving) Done() <-chan struct{} {
	a.question()
	return a.done
}

func (a *arriving) Acked() bool {
	a.question()
	select {
	case <-a.done:
		return a.ack
	default:
		return false
	}
}

func TestAnAckAtTheMomentOfTheTimeoutIsNotANack(t *testing.T) {
	if got := verdictOf(&arriving{done: make(chan struct{}), ack: true}); got == nacked {
		t.Error("the broker acknowledged, but it counts as refused")
	}
}

func TestAVerdictIsReadFromTheConfirmation(t *testing.T) {
	closed := make(chan struct{})
	close(closed)
	for want, c := range map[verdict]*arriving{
		pending: {done: make(chan struct{}), asked: 2},
		acked:   {done: closed, ack: true, asked: 2},
		nacked:  {done: closed, asked: 2},
	} {
		if got := verdictOf(c); got != want {
			t.Errorf("verdict %d, expected %d", got, want)
		}
	}
}
