package pgxstore

import "time"

// Unhurried gives a waker all the time that a busy machine may need to connect
// and to answer.
func Unhurried(w *Waker) *Waker {
	w.patience = 2 * time.Minute
	return w
}
