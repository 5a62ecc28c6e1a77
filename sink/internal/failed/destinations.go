package failed

import (
	"maps"
	"slices"
	"sync"
)

// maxDestinations bounds what a check looks at. Beyond it, earlier ones are
// forgotten: the check may then pass too early, which costs them one more
// failure.
const maxDestinations = 100

// Destinations holds those that could not be reached since the last check that
// passed. The zero value is empty. It is safe for concurrent use.
type Destinations struct {
	mu    sync.Mutex
	names map[string]struct{}
}

// Add adds a destination.
func (d *Destinations) Add(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.names == nil || len(d.names) >= maxDestinations {
		d.names = map[string]struct{}{}
	}
	d.names[name] = struct{}{}
}

// List returns all of them, in any order.
func (d *Destinations) List() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Collect(maps.Keys(d.names))
}

// Remove forgets those that were reached, and keeps those added since.
func (d *Destinations) Remove(names []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, n := range names {
		delete(d.names, n)
	}
}
