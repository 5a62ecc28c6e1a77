package rabbitsink

// confirmation is the client's future for one published message.
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
// pending, so it checks first whether the confirmation has arrived: in the
// other order, an acknowledgement that arrives between the two checks would
// pass for a refusal.
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
