package demo

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sendoff-go/outbox"
)

// The fate of an order depends on its number, so that every run shows everything
// soon, and tests know what to expect. An event is refused because of its payload, so
// that a person can correct it.

// declined orders are not paid: the transaction is rolled back after its events
// were written.
func declined(n int) bool { return n%20 == 7 }

// failures is how often the payment desk fails before it takes an order.
func failures(n int) int {
	if n%6 == 3 {
		return 1 + n/6%3
	}
	return 0
}

// unshippable orders have no address, and are refused for good.
func unshippable(n int) bool { return n%50 == 20 }

// mailed orders are confirmed by mail, and invoiced ones have an invoice.
func mailed(n int) bool   { return n%2 == 0 }
func invoiced(n int) bool { return n%4 == 1 }

// misaddressed mails are refused for good, and those with an unknown template until
// they have no attempts left.
func misaddressed(n int) bool    { return n%100 == 10 }
func unknownTemplate(n int) bool { return n%100 == 24 }

// mailAttempts is how often a mail is tried.
const mailAttempts = 3

var (
	errDeclined = errors.New("the payment was declined")
	errDesk     = errors.New("the payment desk is busy")
	errAddress  = errors.New("there is no such address")
	errMailbox  = errors.New("550 5.1.1 mailbox unavailable")
	errTemplate = errors.New("the mail service has no such template")
)

// pay returns the payment desk's answer to a run of an order's event.
func pay(o order, run int) error {
	if run <= failures(o.Number) {
		return fmt.Errorf("%w (try %d)", errDesk, run)
	}
	return nil
}

// ship returns the warehouse's answer.
func ship(o order) error {
	if o.Address == nil || o.Address.Street == "" {
		return outbox.Permanent(errAddress)
	}
	return nil
}

// send returns the mail service's answer.
func send(m mail) error {
	switch {
	case !strings.Contains(m.To, "@"):
		return outbox.Permanent(errMailbox)
	case m.Template != "order-confirmation":
		return errTemplate
	}
	return nil
}
