package outbox

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/sendoff-go/outbox/internal/masked"
)

// Registry decides where events go. One event has one destination, found in
// this order: the exact (aggregate type, event type), the event type alone,
// which matches any aggregate, then the pattern with the most literal
// characters; among equals, the one with more [classes], and then with more
// question marks. Two registrations that match equally are an error, which
// [Registry.Err] reports and a relay refuses to start with. So is one that
// loses some of its events to a more specific one, unless it is registered with
// [Otherwise]. It is safe for concurrent use.
type Registry struct {
	mu       sync.RWMutex
	exact    map[aggregateType]*Target
	ofType   map[string][]*Target // the same, by event type
	byType   map[string]*Target
	patterns []*Target // the more specific first
	index    patternIndex
	sinks    []Sink
	names    map[place]string
	errs     []error
}

type aggregateType struct{ aggregate, eventType string }

// place is a destination of a sink, which is identified by its index. Computed
// destinations belong to their route alone.
type place struct {
	sink               int
	destination, route string
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry {
	return &Registry{exact: map[aggregateType]*Target{}, ofType: map[string][]*Target{}, byType: map[string]*Target{}, names: map[place]string{}}
}

// Handle registers a listener for an event type of any aggregate.
func (r *Registry) Handle(eventType string, l Listener, opts ...HandleOption) {
	r.handle(&Target{pattern: eventType, single: l}, opts)
}

// HandleAggregate registers a listener for an event type of one aggregate type.
func (r *Registry) HandleAggregate(aggregate, eventType string, l Listener) {
	r.add(aggregate, &Target{pattern: eventType, single: l})
}

// HandleBatch registers a batch listener for an event type of any aggregate.
func (r *Registry) HandleBatch(eventType string, l BatchListener, opts ...HandleOption) {
	r.handle(&Target{pattern: eventType, batch: l}, opts)
}

func (r *Registry) handle(t *Target, opts []HandleOption) {
	for _, o := range opts {
		if o != nil {
			o.onListener(t)
		}
	}
	r.add("", t)
}

// Route sends events of a type to a sink. The type may be a pattern of
// path.Match, for example "order-*" or "*".
func (r *Registry) Route(pattern string, s Sink, opts ...RouteOption) {
	t := &Target{pattern: pattern}
	if s != nil {
		t.route = newRoute(s)
		for _, o := range opts {
			if o != nil {
				o.onRoute(t)
			}
		}
	}
	r.add("", t)
}

func (r *Registry) add(aggregate string, t *Target) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.place(aggregate, t); err != nil {
		r.errs = append(r.errs, fmt.Errorf("%w: %w", ErrRegistry, err))
	}
}

func (r *Registry) place(aggregate string, t *Target) error {
	if t.pattern == "" {
		return errors.New("a registration names no event type: name one, or \"*\" in a route")
	}
	if t.single == nil && t.batch == nil && t.route == nil {
		return fmt.Errorf("the registration for %q has a nil listener or sink", t.pattern)
	}
	t.name = r.targetName(aggregate, t)
	t.describe()
	if isPattern(t.pattern) {
		if t.route == nil {
			return fmt.Errorf("the listener for %q would never be called: a listener takes one event type by its full name, and only Route takes patterns", t.pattern)
		}
		return r.placePattern(t)
	}
	t.parsed = literal(t.pattern)
	if aggregate != "" {
		key := aggregateType{aggregate, t.pattern}
		if r.exact[key] != nil {
			return fmt.Errorf("two destinations for event type %q of aggregate %q: keep one; for several, let one listener call them", t.pattern, aggregate)
		}
		r.exact[key] = t
		r.ofType[t.pattern] = append(r.ofType[t.pattern], t)
		return nil
	}
	if r.byType[t.pattern] != nil {
		return fmt.Errorf("two destinations for event type %q: keep one; for several, let one listener call them", t.pattern)
	}
	r.byType[t.pattern] = t
	return nil
}

func (r *Registry) placePattern(t *Target) error {
	if _, err := path.Match(t.pattern, ""); err != nil {
		return fmt.Errorf("route pattern %q: %w", t.pattern, err)
	}
	t.parsed = parsePattern(t.pattern)
	switch p := r.index.conflict(t); {
	case p == nil:
	case p.pattern == t.pattern:
		return fmt.Errorf("two routes for the pattern %q: keep one", t.pattern)
	default:
		return fmt.Errorf("the patterns %q and %q match some event types equally: make one of them longer, or name those types", p.pattern, t.pattern)
	}
	r.index.add(t)
	at := sort.Search(len(r.patterns), func(i int) bool { return t.parsed.compare(r.patterns[i].parsed) < 0 })
	r.patterns = slices.Insert(r.patterns, at, t)
	return nil
}

// targetName is the same for routes to one destination of one sink, which
// therefore share a breaker. A sink with a String method is named by it. Where
// the name of the destination hides a part of it, the first pattern
// distinguishes it. A route with computed destinations shares them with no other.
func (r *Registry) targetName(aggregate string, t *Target) string {
	if t.route == nil {
		if aggregate != "" {
			return "listener:" + quoted(aggregate) + "/" + quoted(t.pattern)
		}
		return "listener:" + quoted(t.pattern)
	}
	s := t.route.sink
	i := slices.IndexFunc(r.sinks, func(other Sink) bool {
		return reflect.ValueOf(s).Comparable() && reflect.ValueOf(other).Comparable() && s == other
	})
	if i < 0 {
		i = len(r.sinks)
		r.sinks = append(r.sinks, s)
	}
	at := place{sink: i, destination: t.route.destination(Event{Type: t.pattern})}
	if t.route.kind == computed {
		at.route = t.pattern
	}
	if r.names[at] != "" {
		return r.names[at]
	}
	kind := sinkKind(s)
	if named, ok := s.(fmt.Stringer); ok {
		kind = named.String()
	}
	shown := masked.Name(at.destination)
	if shown != at.destination || t.route.kind == computed {
		shown += " (" + t.pattern + ")"
	}
	r.names[at] = fmt.Sprintf("%s#%d:%s", kind, i, shown)
	return r.names[at]
}

// sinkKind is memsink for a *memsink.Sink.
func sinkKind(s Sink) string {
	return strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%T", s), "*"), ".Sink")
}

// quoted quotes a part of a name that has a slash, which separates parts.
func quoted(part string) string {
	if strings.Contains(part, "/") {
		return strconv.Quote(part)
	}
	return part
}

// Err reports everything that is wrong with the registrations, or nil.
func (r *Registry) Err() error {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return errors.Join(append(slices.Clip(r.errs), r.overlaps()...)...)
}

// Lookup returns the destination of an event, or nil.
func (r *Registry) Lookup(aggregate, eventType string) *Target {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if t := r.exact[aggregateType{aggregate, eventType}]; t != nil {
		return t
	}
	if t := r.byType[eventType]; t != nil {
		return t
	}
	return r.match(eventType)
}

func (r *Registry) match(eventType string) *Target {
	for _, t := range r.patterns {
		if ok, _ := path.Match(t.pattern, eventType); ok {
			return t
		}
	}
	return nil
}

// Targets lists the destinations that events of that type may have, depending
// on their aggregate.
func (r *Registry) Targets(eventType string) []*Target {
	r.mu.RLock()
	defer r.mu.RUnlock()
	ts := slices.Clone(r.ofType[eventType])
	if t := r.byType[eventType]; t != nil {
		return append(ts, t)
	}
	if t := r.match(eventType); t != nil {
		ts = append(ts, t)
	}
	return ts
}

// Types lists the event types that are registered by name, sorted.
func (r *Registry) Types() []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	set := map[string]bool{}
	for t := range r.ofType {
		set[t] = true
	}
	for k := range r.byType {
		set[k] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// Patterns lists the destinations that are registered for a pattern, the more
// specific first.
func (r *Registry) Patterns() []*Target {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Clone(r.patterns)
}

// Covers reports whether events of that type have a destination here, for at
// least one aggregate type.
func (r *Registry) Covers(eventType string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.byType[eventType] != nil || r.match(eventType) != nil {
		return true
	}
	return len(r.ofType[eventType]) > 0
}
