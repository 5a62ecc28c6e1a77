package driver

// Delivered is what is known about the delivery of an event.
type Delivered string

// What may be known.
const (
	DeliveredNo    Delivered = "no"
	DeliveredMaybe Delivered = "maybe" // an answer was lost: the consumer may have it
	DeliveredYes   Delivered = "yes"
)

// Delivered says whether the letter's event may have been delivered. A letter
// without a history says maybe: another program gave it up, or the history was
// erased.
func (l *DeadLetter) Delivered() Delivered {
	if len(l.Failures) == 0 || MaybeDelivered(l.Failures) {
		return DeliveredMaybe
	}
	return DeliveredNo
}

// Class is that of the failure for which the event was given up; "" if the
// history does not tell.
func (l *DeadLetter) Class() FailureClass {
	if len(l.Failures) == 0 {
		return ""
	}
	return l.Failures[len(l.Failures)-1].Class
}

// Delivered says whether the event was delivered, as far as the row tells. An
// event under a claim may be: its relay works on it, or disappeared.
func (e *StoredEvent) Delivered() Delivered {
	switch {
	case e.Status == EventDone:
		return DeliveredYes
	case !e.LockedUntil.IsZero(), e.Status == EventDead && len(e.Failures) == 0, MaybeDelivered(e.Failures):
		return DeliveredMaybe
	}
	return DeliveredNo
}
