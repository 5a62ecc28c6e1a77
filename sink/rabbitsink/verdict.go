package rabbitsink

// confirmation is the client's promise of an answer to one publishing.
type confirmation interface {
	Done() <-chan struct{}
	Acked() bool
}

// verdict is what the broker has said about a message.
type verdict uint8

const (
	pending verdict = iota // nothing yet
	acked
	nacked
)

// verdictOf reads a confirmation. One that is not acknowledged may just be
// pending, so whether it has come is asked first: asked last, an acknowledgement
// that comes between the two questions would pass for a refusal.
func verdictOf(c confirmation) verdict {
	select {
	case <-c.Done():
	default:
		return pending
	}
	if c.Acked() {
		return acked
	}
	return nacked
}
