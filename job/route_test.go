package job_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/memkit"
	"github.com/sendoff-go/outbox/job"
	"github.com/sendoff-go/outbox/store/memstore"
)

// announce says where events go, as a relay does.
func announce(t *testing.T, store *memstore.Store, relay driver.Owner, to ...driver.InstanceDestination) {
	t.Helper()
	if err := store.Announce(t.Context(), driver.Instance{Owner: relay, Destinations: to}); err != nil {
		t.Fatal(err)
	}
}

func to(name string, lanes ...string) driver.InstanceDestination {
	return driver.InstanceDestination{Name: name, Lanes: lanes}
}

// routed is a store with delivered events of these types, two of each.
func routed(t *testing.T, types ...string) *memstore.Store {
	t.Helper()
	store := memstore.New(memstore.Config{})
	for _, one := range types {
		memkit.Write(t, store, some(one, 2)...)
		memkit.Settle(t, store, one, driver.Outcome{Kind: driver.Done}, true)
	}
	return store
}

// waits lists the types of the events that wait, sorted.
func waits(t *testing.T, store *memstore.Store) (types []string) {
	t.Helper()
	es, _, err := store.ListEvents(t.Context(), driver.EventFilter{Status: driver.EventWaiting}, nil, 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range es {
		types = append(types, e.Event.Type)
	}
	slices.Sort(types)
	return types
}

func TestAReplayByDestinationTakesTheTypesThatGoThere(t *testing.T) {
	store := routed(t, "a", "b", "c", "d")
	announce(t, store, "one", to("orders", "b", "a"), to("mails", "c"))
	announce(t, store, "two", to("orders", "b", "d"))
	spec := job.Spec{Action: job.Replay, Filter: job.Filter{Destination: "orders"}}
	n, err := job.Count(t.Context(), store, spec)
	if err != nil || n.N != 6 {
		t.Errorf("counted %+v, error %v; want two of each of three types", n, err)
	}
	j := run(t, store, spec)
	if j.State != driver.JobDone || j.Matches != n || j.Applied != 6 {
		t.Errorf("%+v, want what was counted", j)
	}
	if got := waits(t, store); !slices.Equal(got, []string{"a", "a", "b", "b", "d", "d"}) {
		t.Errorf("%v wait", got)
	}
	log, _, err := store.ListAudit(t.Context(), driver.AuditFilter{}, 0, 100)
	if err != nil || len(log) == 0 {
		t.Fatal(err)
	}
	first := strings.Join(log[len(log)-1].Subjects, " ")
	if !strings.Contains(first, `"destination":"orders"`) || !strings.Contains(first, `"types":["a","b","d"]`) {
		t.Errorf("the audit log says %s, want the destination and its types", first)
	}
}

func TestAReplayKeepsTheTypesThatItWasStartedWith(t *testing.T) {
	store := routed(t, "a", "b")
	announce(t, store, "one", to("orders", "a"), to("mails", "b"))
	j := start(t, store, job.Spec{Action: job.Replay, Filter: job.Filter{Destination: "orders"}})
	announce(t, store, "one", to("orders", "b"), to("mails", "a"))
	if spec, err := job.SpecOf(j); err != nil || !slices.Equal(spec.Types, []string{"a"}) {
		t.Errorf("stored %v, error %v", spec.Types, err)
	}
	j, err := runner(t, store).RunJob(t.Context(), j.ID, nil)
	if got := waits(t, store); err != nil || j.Applied != 2 || !slices.Equal(got, []string{"a", "a"}) {
		t.Errorf("%+v, %v wait, error %v", j, got, err)
	}
}

func TestAReplayIsRefusedOnceOtherTypesGoThere(t *testing.T) {
	store := routed(t, "a", "b")
	announce(t, store, "one", to("orders", "a"))
	spec := job.Spec{Action: job.Replay, Filter: job.Filter{Destination: "orders"}}
	route, err := job.RouteOf(t.Context(), store, spec)
	if err != nil || !slices.Equal(route.Types, []string{"a"}) || len(route.Elsewhere) > 0 {
		t.Fatalf("%+v, error %v", route, err)
	}
	spec.Types = route.Types
	announce(t, store, "one", to("orders", "a", "b"))
	if _, err := job.Start(t.Context(), store, spec, ann); !errors.Is(err, job.ErrRerouted) {
		t.Errorf("error %v; what was confirmed is not what would be done", err)
	}
	if js, _, err := store.ListJobs(t.Context(), driver.JobFilter{}, "", 1); err != nil || len(js) > 0 {
		t.Errorf("%+v was started, error %v", js, err)
	}
}

func TestARouteSaysWhereItsTypesGoBesides(t *testing.T) {
	store := routed(t, "a", "b")
	announce(t, store, "old", to("orders", "a", "b"))
	announce(t, store, "new", to("mails", "b"), to("others", "b", "c"), to("apart", "c"))
	route, err := job.RouteOf(t.Context(), store, job.Spec{Action: job.Replay, Filter: job.Filter{Destination: "orders"}})
	if err != nil || !slices.Equal(route.Elsewhere, []string{"mails", "others"}) {
		t.Errorf("%+v, error %v", route, err)
	}
	route, err = job.RouteOf(t.Context(), store, job.Spec{Action: job.Replay, Filter: job.Filter{Destination: "orders", Type: "a"}})
	if err != nil || !slices.Equal(route.Types, []string{"a"}) || len(route.Elsewhere) > 0 {
		t.Errorf("%+v, error %v; want only the type that was named", route, err)
	}
}

func TestADestinationThatNobodyCanResolveSaysWhatToDo(t *testing.T) {
	open := to("hooks", "a")
	open.More = true
	for name, c := range map[string]struct {
		there  []driver.InstanceDestination
		filter job.Filter
		says   string
	}{
		"no relay":          {nil, job.Filter{Destination: "orders"}, "no relay runs"},
		"another name":      {[]driver.InstanceDestination{to("mails", "a")}, job.Filter{Destination: "orders"}, `no running relay has the destination "orders"`},
		"a pattern":         {[]driver.InstanceDestination{open}, job.Filter{Destination: "hooks"}, "a pattern leads there or there are too many: add a type, one of \"a\""},
		"no type":           {[]driver.InstanceDestination{to("orders")}, job.Filter{Destination: "orders"}, "choose by type instead"},
		"now elsewhere":     {[]driver.InstanceDestination{to("orders", "b"), to("mails", "a")}, job.Filter{Destination: "orders", Type: "a"}, `go to "orders", but to "mails": leave the destination out`},
		"not met as yet":    {[]driver.InstanceDestination{open}, job.Filter{Destination: "hooks", Type: "z"}, "leave the destination out"},
		"a type of another": {[]driver.InstanceDestination{to("orders", "b")}, job.Filter{Destination: "orders", Type: "a"}, "leave the destination out"},
	} {
		store := routed(t, "a", "b")
		if c.there != nil {
			announce(t, store, "one", c.there...)
		}
		spec := job.Spec{Action: job.Replay, Filter: c.filter}
		_, counted := job.Count(t.Context(), store, spec)
		_, started := job.Start(t.Context(), store, spec, ann)
		for _, err := range []error{counted, started} {
			if !errors.Is(err, job.ErrSpec) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: error %v", name, err)
			}
		}
		if got := waits(t, store); len(got) > 0 {
			t.Errorf("%s: %v wait", name, got)
		}
	}
}

func TestATypeIsReplayedToADestinationOfAPattern(t *testing.T) {
	store := routed(t, "a", "b")
	open := to("hooks", "a", "b")
	open.More = true
	announce(t, store, "one", open)
	j := run(t, store, job.Spec{Action: job.Replay, Filter: job.Filter{Destination: "hooks", Type: "b"}})
	if got := waits(t, store); j.Applied != 2 || !slices.Equal(got, []string{"b", "b"}) {
		t.Errorf("%+v, %v wait", j, got)
	}
}
