package demo

import (
	"errors"
	"fmt"

	"github.com/sendoff-go/outbox"
)

// The fate of an order depends on its number alone, so that every run shows
// everything soon, and a test can say what is to come.

// declined orders are not paid: the transaction is rolled back after its event
// was written.
func declined(n int) bool { return n%20 == 7 }

// failures is how often the payment desk fails before it takes an order.
func failures(n int) int {
	if n%6 == 3 {
		return 1 + n/6%3
	}
	return 0
}

// unshippable orders are refused for good.
func unshippable(n int) bool { return n%50 == 20 }

var (
	errDeclined = errors.New("the payment was declined")
	errDesk     = errors.New("the payment desk is busy")
	errAddress  = errors.New("there is no such address")
)

// answer is what the listener of a lane says to a run of an order's event.
func answer(lane string, n, run int) error {
	switch {
	case lane == orderPaid.Type() && run <= failures(n):
		return fmt.Errorf("%w (try %d)", errDesk, run)
	case lane == orderShipped.Type() && unshippable(n):
		return outbox.Permanent(errAddress)
	}
	return nil
}
