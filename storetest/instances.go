package storetest

import (
	"reflect"
	"slices"
	"time"

	"github.com/sendoff-go/outbox/driver"
)

func instanceLaws[Tx any]() []Law[Tx] {
	return []Law[Tx]{
		{
			Name:  "instances are listed from their announcement to their withdrawal",
			Why:   "people and doctor ask what is running",
			Check: check(instancesAreListed[Tx]),
		},
	}
}

// instances is the power that the law of this file is about.
func (k *kit[Tx]) instances() driver.InstanceStore { return k.Store.(driver.InstanceStore) }

func instancesAreListed[Tx any](k *kit[Tx]) {
	a, b := driver.NewOwner("a"), driver.NewOwner("b")
	in := driver.Instance{Owner: a, Version: "1.2.3", Lanes: []string{"x", "a,b", "語 \""}, Destinations: []driver.InstanceDestination{
		{Name: "a#0:語 \"", Down: 90 * time.Second, Reason: "dial: \"refused\""}, {Name: "b", Lanes: []string{"x", "a,b"}},
	}, Figures: driver.Figures{Workers: 4, Running: 2, Held: 7, Busy: time.Hour, Types: []driver.TypeFigures{
		{Type: "x", Delivered: 1 << 40, Hot: 5, Failed: 3, Dead: 1, Ages: driver.Ages{0: 2, 40: 1 << 40}},
	}}}
	k.must(k.instances().Announce(k.ctx, in))
	k.must(k.instances().Announce(k.ctx, driver.Instance{Owner: b}))
	first := k.instance(a)
	if first.Version != in.Version || !slices.Equal(first.Lanes, in.Lanes) || !reflect.DeepEqual(first.Destinations, in.Destinations) || !reflect.DeepEqual(first.Figures, in.Figures) || first.StartedAt.IsZero() || first.SeenAt.Before(first.StartedAt) {
		k.Errorf("%+v, announced was %+v", first, in)
	}
	in.Lanes, in.Destinations = []string{"y"}, in.Destinations[1:]
	in.Figures.Types = []driver.TypeFigures{{Type: "y", Delivered: 1}}
	k.eventually("a later announcement is seen", func() bool {
		k.must(k.instances().Announce(k.ctx, in))
		return k.instance(a).SeenAt.After(first.SeenAt)
	})
	if again := k.instance(a); !again.StartedAt.Equal(first.StartedAt) || !slices.Equal(again.Lanes, in.Lanes) || !reflect.DeepEqual(again.Destinations, in.Destinations) || !reflect.DeepEqual(again.Figures, in.Figures) {
		k.Errorf("%+v after a second announcement of %+v, which started at %s", again, in, first.StartedAt)
	}
	for range 2 { // withdrawing twice is no error
		k.must(k.instances().Withdraw(k.ctx, a))
	}
	ins, err := k.client(1).(driver.InstanceStore).Instances(k.ctx)
	k.must(err)
	if len(ins) != 1 || ins[0].Owner != b || len(ins[0].Lanes)+len(ins[0].Destinations) != 0 {
		k.Errorf("%+v, expected only the one that did not withdraw", ins)
	}
}

func (k *kit[Tx]) instance(owner driver.Owner) driver.Instance {
	k.Helper()
	ins, err := k.client(1).(driver.InstanceStore).Instances(k.ctx)
	k.must(err)
	i := slices.IndexFunc(ins, func(in driver.Instance) bool { return in.Owner == owner })
	if i < 0 {
		k.Fatalf("%s is not among %+v", owner, ins)
	}
	return ins[i]
}
