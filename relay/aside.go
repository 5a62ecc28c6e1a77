package relay

import "context"

// setAside keeps outcomes that could not be written in time. A row that
// somebody has locked holds up everything in its statement, so they are tried
// again apart from the others and in halves, until it is alone.
func (r *Relay) setAside(batch []*item) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, it := range batch {
		it.state = decided // its lease is renewed meanwhile
	}
	half := (len(batch) + 1) / 2
	r.aside = append(r.aside, batch[:half])
	if half < len(batch) {
		r.aside = append(r.aside, batch[half:])
	}
	r.asideWake.signal()
}

// asideLoop writes what was set aside. What fails again comes back to it.
func (r *Relay) asideLoop(ctx context.Context) {
	var wait backoff
	for {
		r.mu.Lock()
		batches := r.aside
		r.aside = nil
		r.mu.Unlock()
		if ctx.Err() != nil {
			for _, batch := range batches {
				r.abandon(batch)
			}
			return
		}
		for _, batch := range batches {
			r.settleBatch(ctx, batch)
		}
		if len(batches) > 0 {
			pause(ctx, wait.next(), nil)
			continue
		}
		wait.reset()
		select {
		case <-r.asideWake:
		case <-ctx.Done():
		}
	}
}
