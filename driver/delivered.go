package driver

// Delivered says what is known about the delivery of an event.
type Delivered string

// The values of Delivered.
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

// Class returns the class of the failure that made the relay give the event up;
// "" if the history does not say.
func (l *DeadLetter) Class() FailureClass {
	if len(l.Failures) == 0 {
		return ""
	}
	return l.Failures[len(l.Failures)-1].Class
}

// Delivered says whether the event was delivered, as far as the row shows. A
// claimed event may have been: its relay is working on it, or has disappeared.
func (e *StoredEvent) Delivered() Delivered {
	switch {
	case e.Status == EventDone:
		return DeliveredYes
	case !e.LockedUntil.IsZero(), e.Status == EventDead && len(e.Failures) == 0, MaybeDelivered(e.Failures):
		return DeliveredMaybe
	}
	return DeliveredNo
}
