package relay

import (
	"context"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/relay/core"
)

// wire makes the parts of a relay. Each knows only the parts that it uses.
func wire(store driver.Store, reg *outbox.Registry, cfg Config) *Relay {
	owner := driver.NewOwner(cfg.Name)
	log := cfg.Logger.With("relay", cfg.Name)
	hooks := &cfg.Hooks

	spells, outages, database := &spells{}, &outages{}, &database{}
	reports := &reporter{database: database, spells: spells, log: log, failed: hooks.LoopError}
	unrouted := &unrouted{log: log, advice: cfg.Advice}
	teller := &teller{hooks: cfg.Hooks, log: log, spells: spells, outages: outages, unrouted: unrouted}

	settings := cfg.core()
	steps := &stepper{teller: teller, wakes: newWakes(), tells: settings.Tell, core: core.New(settings), runCtx: context.Background()}
	if n, ok := store.(driver.NotifyStore); ok {
		steps.notifier = NewNotifier(n, log)
	}
	wake := steps.wakes.of
	cfgs := &laneConfigs{base: cfg.Lane, named: cfg.Lanes, others: cfg.LaneFor, log: log}
	routes := &routes{reg: reg, cfgs: cfgs, every: cfg.Unroutable != UnroutableWait, steps: steps}

	classifier := &classifier{routes: routes, unroutable: cfg.Unroutable, log: log}
	delivery := &delivery{
		interceptors: cfg.Interceptors, panics: &panics{log: log, spells: spells}, classifier: classifier, unroutable: unroutableError(cfg.Advice),
	}
	checks := &checks{steps: steps}
	lone := &lone{store: store, owner: owner, lease: cfg.Lease, steps: steps, delivery: delivery, checks: checks, reports: reports}
	staff := &staff{steps: steps, delivery: delivery, classifier: classifier, lone: lone}
	steps.staff = staff
	unrun := &unrun{log: log}
	hot := &hotPath{steps: steps, staff: staff, routes: routes, unrun: unrun, headStart: cfg.HeadStart}

	tenants := &tenants{steps: steps, log: log, required: cfg.fair()}
	tenants.store, _ = store.(driver.FairStore)
	claims := &claims{
		store: store, owner: owner, lease: cfg.Lease, grace: cfg.DrainTimeout / 5,
		tenants: tenants, routes: routes, steps: steps, claimed: hooks.Claimed,
	}
	waiting := &waiting{
		store: store, routes: routes, unrouted: unrouted, poll: wake(core.PollLoop), oldestLag: hooks.OldestLag, unclaimed: hooks.Unclaimed,
	}
	poll := &pollLoop{steps: steps, wake: wake(core.PollLoop), claims: claims, waiting: waiting, reports: reports}
	paused := &pausedLoop{steps: steps}
	paused.store, _ = store.(driver.ControlStore)
	look := &lookLoop{every: cfg.LookInterval, paused: paused, waiting: waiting, reports: reports}
	probe := &probeLoop{steps: steps, wake: wake(core.ProbeLoop), checks: checks}
	expire := &expireLoop{every: cfg.HeadStart / 5, steps: steps}
	groups := &groups{reports: reports}
	groups.store, _ = store.(driver.GroupStore)
	sweep := &sweepLoop{
		store: store, age: cfg.sweptAge(), every: cfg.SweepInterval, batch: cfg.SweepBatch,
		swept: hooks.Swept, groups: groups, reports: reports,
	}
	retention := &retentionLoop{first: cfg.SweepInterval, batch: cfg.SweepBatch, kept: keptBy(store, cfg), reports: reports}
	instance := &instance{owner: owner, version: cfg.Version, reg: reg, outages: outages, busy: &staff.busy, steps: steps}
	announce := &announceLoop{instance: instance, reports: reports, log: log}
	announce.store, _ = store.(driver.InstanceStore)

	settles := &settles{
		store: store, owner: owner, keep: cfg.Delivered != DeleteAtSettle, settled: hooks.Settled, reports: reports, log: log,
	}
	settle := &settleLoop{next: nextSettle, wake: wake(core.SettleLoop), steps: steps, settles: settles}
	beside := &settleLoop{next: nextBeside, wake: wake(core.BesideLoop), steps: steps, settles: settles}
	apart := &settleLoop{next: nextApart, wake: wake(core.ApartLoop), steps: steps, settles: settles}
	hold := &holdLoop{
		store: store, owner: owner, lease: cfg.Lease, every: cfg.holdEvery(),
		steps: steps, wake: wake(core.HoldLoop), reports: reports, renewed: hooks.Renewed,
	}
	take := &takeLoop{
		store: store, owner: owner, lease: cfg.Lease, every: cfg.holdEvery(), steps: steps, wake: wake(core.TakeLoop), reports: reports,
	}
	confirm := &confirmLoop{store: store, timeout: cfg.HeadStart / 3, steps: steps, wake: wake(core.ConfirmLoop), reports: reports}

	shutdown := &shutdown{steps: steps, staff: staff, announce: announce, timeout: cfg.DrainTimeout, log: log}
	r := &Relay{
		owner: owner, hot: hot, unrun: unrun, routes: routes, steps: steps, staff: staff, database: database, tenants: tenants, paused: paused,
		round:  &round{steps: steps, wake: wake(core.PollLoop), look: look, probe: probe, claims: claims, shutdown: shutdown},
		groups: groups, shutdown: shutdown,
		taking:  []loop{poll.run, look.run, paused.run, sweep.run, retention.run, probe.run, expire.run, announce.run},
		holding: []loop{settle.run, beside.run, apart.run, hold.run, take.run, confirm.run},
	}
	for _, w := range cfg.Wakers {
		waker := &wakerLoop{from: w, wake: r.Wake, reports: reports}
		r.taking = append(r.taking, waker.run)
	}
	if cfg.Died != nil {
		settles.deaths = newDeaths(cfg.MaxBytes)
		died := &diedLoop{died: cfg.Died, deaths: settles.deaths, grace: cfg.DrainTimeout, log: log}
		r.holding = append(r.holding, died.run)
	}
	for _, t := range reg.Types() {
		routes.lane(t)
	}
	return r
}
