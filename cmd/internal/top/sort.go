package top

import (
	"cmp"
	"slices"

	"github.com/sendoff-go/outbox/admin/rates"
)

// order is how event types are sorted.
type order int

const (
	byUrgency order = iota
	byWaiting
	byOut
	byDead
	byName
)

var orderNames = [...]string{"urgency", "waiting", "out", "dead", "name"}

func (o order) String() string { return orderNames[o] }

// next returns the order after this one.
func (o order) next() order { return (o + 1) % order(len(orderNames)) }

// types returns the event types of a view in some order.
func types(v View, o order) []rates.TypeRates {
	all := rates.ByType(v.Status, v.Now) // the most urgent first
	slices.SortStableFunc(all, func(a, b rates.TypeRates) int {
		switch o {
		case byWaiting:
			return cmp.Compare(b.Waiting.N, a.Waiting.N)
		case byOut:
			return cmp.Compare(b.Out, a.Out)
		case byDead:
			return cmp.Compare(b.Dead.N, a.Dead.N)
		case byName:
			return cmp.Compare(a.Type, b.Type)
		case byUrgency:
		}
		return 0
	})
	return all
}
