package outbox

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// HandleOption changes the registration of a listener. It is also a
// [RouteOption].
type HandleOption interface {
	RouteOption
	onListener(t *Target)
}

// Otherwise registers a destination for those of its events that no more
// specific registration takes. Without it such an overlap is an error: an event
// has one destination, and nothing would show that the other one gets nothing.
//
//	reg.Handle("order-placed", sendMail)
//	reg.Route("order-*", kafka, outbox.Otherwise()) // gets no order-placed
func Otherwise() HandleOption { return otherwise{} }

type otherwise struct{}

func (otherwise) onListener(t *Target) { t.otherwise = true }
func (otherwise) onRoute(t *Target)    { t.otherwise = true }

// overlaps reports the registrations that lose events to a more specific one
// without being registered with Otherwise.
func (r *Registry) overlaps() (errs []error) {
	var wide alike // a pattern is compared with few others
	losses := map[*Target]*loss{}
	loses := func(w *Target) {
		wide.add(w)
		losses[w] = &loss{of: w}
	}
	for _, p := range r.patterns {
		if !p.otherwise {
			loses(p)
		}
	}
	for _, eventType := range slices.Sorted(maps.Keys(r.ofType)) {
		if t := r.byType[eventType]; t != nil && !t.otherwise {
			loses(t)
		}
	}
	if len(losses) == 0 {
		return nil
	}
	for _, t := range r.patterns {
		wide.taken(losses, t, strconv.Quote(t.pattern), func(w *Target) bool { return t.parsed.compare(w.parsed) < 0 })
	}
	for _, eventType := range slices.Sorted(maps.Keys(r.byType)) {
		t := r.byType[eventType]
		wide.taken(losses, t, strconv.Quote(eventType), func(w *Target) bool { return isPattern(w.pattern) })
	}
	for _, key := range slices.SortedFunc(maps.Keys(r.exact), aggregateType.compare) {
		name := fmt.Sprintf("%q of aggregate %q", key.eventType, key.aggregate)
		wide.taken(losses, r.exact[key], name, func(*Target) bool { return true })
	}
	for _, w := range wide.all {
		if l := losses[w]; len(l.to) > 0 {
			errs = append(errs, fmt.Errorf("%w: %w", ErrRegistry, l))
		}
	}
	return errs
}

// taken notes which of the wide ones lose events to t.
func (a *alike) taken(losses map[*Target]*loss, t *Target, name string, before func(w *Target) bool) {
	for _, w := range a.near(t.parsed) {
		if w.name != t.name && before(w) && w.parsed.meets(t.parsed) {
			losses[w].to = append(losses[w].to, name)
		}
	}
}

// loss is the error of a registration that does not get all the events it names.
type loss struct {
	of *Target
	to []string
}

func (l *loss) Error() string {
	return fmt.Sprintf("%q (%s) does not get the events of %s, which have their own destination, and an event has only one:"+
		" if that is intended, register %q with outbox.Otherwise(); if both should get them, let one listener hand them on",
		l.of.pattern, l.of.name, some(l.to), l.of.pattern)
}

// some names a few of many.
func some(names []string) string {
	const few = 5
	if n := len(names) - few; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), n)
	}
	return strings.Join(names, ", ")
}

func (a aggregateType) compare(b aggregateType) int {
	if c := strings.Compare(a.eventType, b.eventType); c != 0 {
		return c
	}
	return strings.Compare(a.aggregate, b.aggregate)
}
