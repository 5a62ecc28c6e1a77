package core

// rotation holds the events of a lane that wait for a worker: first come, first
// served or, in a fair lane, one of each tenant in turn.
type rotation struct {
	fair     bool
	one      queue // all events, if the lane is not fair
	byTenant map[string]*tenantQueue
	turns    fifo[*tenantQueue] // the tenants that have events
}

type tenantQueue struct {
	queue
	tenant string
}

// of returns the queue of an event's tenant, and whether it is new and has no turn.
func (r *rotation) of(it *Item) (q *tenantQueue, fresh bool) {
	tenant := it.Event.TenantID
	if q = r.byTenant[tenant]; q != nil {
		return q, false
	}
	if r.byTenant == nil {
		r.byTenant = map[string]*tenantQueue{}
	}
	q = &tenantQueue{tenant: tenant}
	r.byTenant[tenant] = q
	return q, true
}

func (r *rotation) push(it *Item) {
	if !r.fair {
		r.one.push(it)
		return
	}
	q, fresh := r.of(it)
	if q.push(it); fresh {
		r.turns.push(q)
	}
}

// pushFront puts an event before the others, in a fair lane before the others of
// its tenant.
func (r *rotation) pushFront(it *Item) {
	if !r.fair {
		r.one.pushFront(it)
		return
	}
	q, fresh := r.of(it)
	if q.pushFront(it); fresh {
		r.turns.pushFront(q)
	}
}

// putBack puts back what was popped last, and so it is next again.
func (r *rotation) putBack(it *Item) {
	if q := r.byTenant[it.Event.TenantID]; q != nil { // others of its tenant are the last in turn
		r.turns.popBack()
		r.turns.pushFront(q)
	}
	r.pushFront(it)
}

// pop takes the next event that is ready, or returns nil.
func (r *rotation) pop() *Item {
	if !r.fair {
		return r.one.pop(isReady)
	}
	if !r.any() {
		return nil
	}
	q := r.turns.front()
	it := q.pop(isReady)
	if r.turns.pop(); q.len() > 0 {
		r.turns.push(q)
	} else {
		delete(r.byTenant, q.tenant)
	}
	return it
}

// any reports whether an event is ready, and drops those that are not.
func (r *rotation) any() bool {
	if !r.fair {
		return r.one.peek(isReady) != nil
	}
	for r.turns.len() > 0 {
		q := r.turns.front()
		if q.peek(isReady) != nil {
			return true
		}
		delete(r.byTenant, q.tenant)
		r.turns.pop()
	}
	return false
}

// empty reports whether nothing is queued, ready or not.
func (r *rotation) empty() bool { return r.one.len() == 0 && r.turns.len() == 0 }
