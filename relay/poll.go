package relay

import (
	"context"
	"time"

	"github.com/sendoff-go/outbox"
)

// pollLoop claims what the lanes have room for: without a pause while there is
// work, and otherwise at each lane's interval or when woken.
func (r *Relay) pollLoop(ctx context.Context) {
	var wait backoff
	for ctx.Err() == nil {
		wants, delay := r.wants(time.Now())
		if len(wants) == 0 {
			pause(ctx, delay, r.pollWake)
			continue
		}
		if err := r.claim(ctx, wants); err != nil {
			r.loopError(ctx, "claim", err)
			pause(ctx, wait.next(), nil)
			r.recover(ctx)
			continue
		}
		wait.reset()
	}
}

// room is how many more events the lane takes from the poller.
func (l *lane) room() int { return l.cfg.ColdQueue - l.coldWait }

// leastRows and mostRows bound what is asked for at once. Half of the queue is
// left, so that the next claim need not wait until the rows of this one run.
func (l *lane) leastRows() int { return min(l.cfg.Batch, l.cfg.ColdQueue) }
func (l *lane) mostRows() int  { return max(l.leastRows(), l.cfg.ColdQueue/2) }

// threshold is the room that is worth a claim while the lane is behind.
func (l *lane) threshold() int { return max(1, min(l.poll.batch, l.cfg.ColdQueue/2)) }

// headEvery bounds how often a lane is read from its head: at least once a
// second, and as often as one likes if that costs little more than reading on.
func (p *pollState) headEvery() time.Duration {
	if p.headCost <= 3*p.tailCost {
		return 0
	}
	return min(10*p.headCost, time.Second)
}

// fromHead decides where to read on. Behind the position lie late commits,
// retries and expired claims; before it, while the lane drains, only rows that
// are done or held, which may be many.
func (p *pollState) fromHead(now time.Time) bool {
	since := now.Sub(p.lastHead)
	return p.at == outbox.Position{} || since >= time.Second || (!p.full && since >= p.headEvery())
}

// want is what to claim of a lane, and where it will be read from.
type want struct {
	lane *lane
	rows int
	head bool
}

// wants lists what is due, or says how long to wait.
func (r *Relay) wants(now time.Time) (ws []want, wait time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	wait = time.Hour
	if r.unsettled >= r.cfg.MaxUnsettled {
		return nil, 100 * time.Millisecond // woken earlier when there is room
	}
	for _, l := range r.lanes {
		if r.hooks.QueueDepths != nil {
			r.hooks.QueueDepths(outbox.QueueDepthsInfo{Lane: l.name, Hot: l.hotWait, Cold: l.coldWait})
		}
		room, enough := l.allowed()
		trial, away := r.destinations(l)
		if l.paused || away || room <= 0 || (trial > 0 && l.coldWait > 0) {
			continue
		}
		if r.spare(l) <= 0 {
			wait = min(wait, 100*time.Millisecond)
			continue
		}
		p := &l.poll
		switch {
		case p.again && room < enough:
			continue
		case !p.again && now.Before(p.next):
			wait = min(wait, p.next.Sub(now))
			continue
		}
		rows := min(p.batch, room)
		if trial > 0 {
			rows = min(rows, trial)
		}
		ws = append(ws, want{lane: l, rows: rows, head: p.fromHead(now)})
	}
	return ws, wait
}

// destinations says whether all that the lane's events could go to is away, and
// how many events at most to claim while one is on trial (0: no bound).
func (r *Relay) destinations(l *lane) (trial int, away bool) {
	ts := r.reg.Targets(l.name)
	away = len(ts) > 0
	for _, t := range ts {
		b := r.breakerOf(t)
		away = away && (b.opened() || (b.trying() && b.busy))
		if b.trying() {
			trial = max(trial, b.ration())
		}
	}
	return trial, away
}

// schedule sets when to ask again: after the interval, or when a row that was
// put off is due.
func (p *pollState) schedule(now time.Time, interval time.Duration) {
	p.next = now.Add(interval)
	for len(p.due) > 0 && !p.due[0].After(now) {
		p.due = p.due[1:]
	}
	if len(p.due) > 0 && p.due[0].Before(p.next) {
		p.next = p.due[0]
	}
}

// claim takes rows and hands them to their lanes.
func (r *Relay) claim(ctx context.Context, ws []want) error {
	req := outbox.ClaimRequest{Owner: r.owner, Lease: r.cfg.Lease, Wants: make([]outbox.Want, len(ws))}
	r.mu.Lock()
	for i, w := range ws {
		p := &w.lane.poll
		share := max(min(r.spare(w.lane), (r.cfg.MaxBytes-r.bytes)/len(ws)), laneBytes-w.lane.bytes)
		req.Wants[i] = outbox.Want{Lane: w.lane.name, Rows: w.rows, Bytes: share}
		if p.avgSize > 0 { // what would not fit is not even looked at
			req.Wants[i].Rows = min(w.rows, max(share/p.avgSize, 1))
		}
		if !w.head {
			req.Wants[i].After = p.at
		}
		p.schedule(time.Now(), w.lane.cfg.Interval) // a wake-up from here on counts
	}
	r.mu.Unlock()
	claimCtx, cancel := r.outlast(ctx)
	defer cancel()
	start := time.Now()
	rows, err := r.store.Claim(claimCtx, req)
	took := time.Since(start)
	if r.hooks.Claimed != nil {
		r.hooks.Claimed(outbox.StatementInfo{Rows: len(rows), Took: took, Err: err})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		for _, w := range ws {
			w.lane.poll.next = time.Time{}
		}
		return err
	}
	r.accept(rows, start)
	if ctx.Err() != nil {
		r.giveBackQueued(func(it *item) bool { return it.leaseFrom.Equal(start) })
		return nil
	}
	r.learn(ws, req.Wants, rows, start, took)
	for _, w := range ws {
		r.dispatch(w.lane)
	}
	return nil
}

// outlast is a context for a claim. A claim that is broken off may have been
// made all the same, and its rows would be nobody's for a lease; so it gets a
// part of the drain timeout to come to its end.
func (r *Relay) outlast(ctx context.Context) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		defer cancel()
		pause(longer, r.cfg.DrainTimeout/5, nil)
	})
	return longer, func() { stop(); cancel() }
}

// accept takes claimed rows into memory.
func (r *Relay) accept(rows []outbox.Claimed, start time.Time) {
	cold, recovered := map[*lane]int{}, map[*lane]int{}
	items := make([]item, len(rows))
	for i := range rows {
		c, it := &rows[i], &items[i]
		l := r.lane(c.Event.Type)
		if l == nil { // unasked for; its lease will end
			continue
		}
		*it = item{
			held: c.Held, locator: c.Locator, event: &c.Event, lane: l, attempts: c.Attempts, recovered: c.Recovered,
			failures: c.Failures, problem: c.Problem, createdAt: c.CreatedAt, size: c.Event.Size(), since: start,
			leaseFrom: start, leaseFor: r.cfg.Lease,
		}
		it.target = r.reg.Lookup(c.Event.AggregateType, c.Event.Type)
		it.breaker = r.breakerOf(it.target)
		cold[l]++
		if c.Recovered > 0 {
			recovered[l]++
		}
		r.enter(it)
		if r.tried != nil { // a round tries each event once
			if r.tried[c.EventID] && r.held[c.EventID] == it {
				r.giveBack(it, 0)
			}
			r.tried[c.EventID] = true
		}
	}
	report(r.hooks.ColdEnqueued, cold)
	report(r.hooks.Recovered, recovered)
}

func report(f func(outbox.QueueInfo), n map[*lane]int) {
	if f == nil {
		return
	}
	for l, n := range n {
		f(outbox.QueueInfo{Lane: l.name, N: n})
	}
}

// learn adapts the batch and the position of each lane to what was found.
func (r *Relay) learn(ws []want, asked []outbox.Want, rows []outbox.Claimed, start time.Time, took time.Duration) {
	i := 0
	byLane := make(map[string][]outbox.Claimed, len(ws))
	for i < len(rows) {
		j := i
		for j < len(rows) && rows[j].Event.Type == rows[i].Event.Type {
			j++
		}
		byLane[rows[i].Event.Type] = rows[i:j]
		i = j
	}
	for k, w := range ws {
		p, found := &w.lane.poll, byLane[w.lane.name]
		size := 0
		for i := range found {
			size += len(found[i].Event.Payload())
		}
		if len(found) > 0 {
			p.avgSize = (p.avgSize + size/len(found) + 1) / 2
		}
		p.again = len(found) > 0
		p.full = len(found) >= asked[k].Rows || size+p.avgSize > asked[k].Bytes
		if p.full {
			p.batch = min(2*p.batch, w.lane.mostRows())
		} else {
			p.batch = max(p.batch/2, w.lane.leastRows())
		}
		if len(found) > 0 {
			if last := found[len(found)-1].Position; p.full || after(last, p.at) {
				p.at = last
			}
		}
		if w.head {
			p.lastHead, p.headCost = start, took
		} else if p.tailCost = took; !p.again { // nothing ahead: look behind soon
			if head := p.lastHead.Add(p.headEvery()); head.Before(p.next) {
				p.next = head
			}
		}
	}
}

func after(a, b outbox.Position) bool {
	return a.AvailableAt.After(b.AvailableAt) || (a.AvailableAt.Equal(b.AvailableAt) && a.Seq > b.Seq)
}

// recover comes before the first claim after an outage: what is held is
// renewed and settled first, so that it is not claimed as somebody else's.
func (r *Relay) recover(ctx context.Context) {
	var wait backoff
	for ctx.Err() == nil {
		r.mu.Lock()
		held := make([]*item, 0, len(r.held))
		for _, it := range r.held {
			if it.held.ClaimNo > 0 && it.state != settling {
				held = append(held, it)
			}
		}
		failing := r.failing
		r.mu.Unlock()
		if err := r.renew(ctx, held); err == nil && !failing {
			return
		}
		pause(ctx, wait.next(), nil)
	}
}
