package relay

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ErrStillRunning is returned by Run and RunOnce when listeners or sinks have
// not returned although their context has ended and the drain timeout is over.
// They keep running in the background. Their events are left to their leases,
// and delivered again.
var ErrStillRunning = errors.New("relay: deliveries are still running although their context has ended")

// stillRunning returns that error for the number of runs of each type, or nil
// if there are none.
func stillRunning(types map[string]int) error {
	if len(types) == 0 {
		return nil
	}
	names := make([]string, 0, len(types))
	for _, name := range slices.Sorted(maps.Keys(types)) {
		names = append(names, fmt.Sprintf("%d of %s", types[name], name))
	}
	return fmt.Errorf("%w: %s: their events will be delivered again; return when the context ends, or raise DrainTimeout", ErrStillRunning, strings.Join(names, ", "))
}
