package storetest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox/driver"
)

// Power is something that a store may be able to do in addition to its two
// halves. Its laws run if the store under test has it.
type Power string

// The powers, by the names of their interfaces. A [driver.Ledger] is one too;
// its laws are package inboxtest.
const (
	DeadLetters Power = "driver.DeadLetterStore"
	Groups      Power = "driver.GroupStore" // of a store with dead letters
	Events      Power = "driver.EventStore"
	Alerts      Power = "driver.AlertStore"
	Jobs        Power = "driver.JobStore"
	Replays     Power = "driver.ReplayStore"
	Erase       Power = "driver.EraseStore"
	Consumers   Power = "driver.ConsumerStore" // of a store that is a ledger
	Stats       Power = "driver.StatsStore"
	Control     Power = "driver.ControlStore"
	Audit       Power = "driver.AuditStore"
	Instances   Power = "driver.InstanceStore"
	Expiring    Power = "driver.ExpiringStore"
	Fair        Power = "driver.FairStore"
	Notify      Power = "driver.NotifyStore"
	NotifyIn    Power = "driver.TxNotifyStore"
	// Waker is a power of the subject: what listens is seldom the store itself.
	Waker Power = "driver.Waker"
)

// has reports whether the subject has the power; every one has "".
func has[Tx any](s Subject[Tx], p Power) bool {
	ok := p == ""
	switch p {
	case DeadLetters:
		_, ok = s.Store.(driver.DeadLetterStore)
	case Groups:
		_, ok = s.Store.(driver.GroupStore)
		ok = ok && has(s, DeadLetters)
	case Events:
		_, ok = s.Store.(driver.EventStore)
	case Alerts:
		_, ok = s.Store.(driver.AlertStore)
	case Jobs:
		_, ok = s.Store.(driver.JobStore)
	case Replays:
		_, ok = s.Store.(driver.ReplayStore)
	case Erase:
		_, ok = s.Store.(driver.EraseStore)
	case Consumers:
		_, ok = s.Store.(driver.ConsumerStore)
	case Stats:
		_, ok = s.Store.(driver.StatsStore)
	case Control:
		_, ok = s.Store.(driver.ControlStore)
	case Audit:
		_, ok = s.Store.(driver.AuditStore)
	case Instances:
		_, ok = s.Store.(driver.InstanceStore)
	case Expiring:
		_, ok = s.Store.(driver.ExpiringStore)
	case Fair:
		_, ok = s.Store.(driver.FairStore)
	case Notify:
		_, ok = s.Store.(driver.NotifyStore)
	case NotifyIn:
		_, ok = s.Store.(driver.TxNotifyStore[Tx])
	case Waker:
		ok = s.Waker != nil
	}
	return ok
}

// inventory says which laws are tested and which are not, so that nobody
// believes that more were.
func inventory[Tx any](laws []Law[Tx], s Subject[Tx]) string {
	var found, missing, left []string
	for _, l := range laws {
		if !l.applies(s) {
			left = append(left, l.Name)
		}
		if p := string(l.Power); p != "" && has(s, l.Power) && !slices.Contains(found, p) {
			found = append(found, p)
		} else if p != "" && !has(s, l.Power) && !slices.Contains(missing, p) {
			missing = append(missing, p)
		}
	}
	text := fmt.Sprintf("powers found: %s\npowers not found: %s\nlaws tested: %d of %d", enumerate(found), enumerate(missing), len(laws)-len(left), len(laws))
	if len(left) > 0 {
		text += "\nlaws left out, because the subject lacks a power or a function:\n\t" + strings.Join(left, "\n\t")
	}
	return text
}

func enumerate(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
