package hazelcaststore

import (
	"testing"

	"github.com/sendoff-go/outbox/store/memstore"
	"github.com/sendoff-go/outbox/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, subject, oracle)
}

func subject(t testing.TB) storetest.Subject[*Tx] {
	s := fresh(t, Config{})
	return storetest.Subject[*Tx]{
		Store:  s,
		Client: func(t testing.TB) storetest.Store[*Tx] { return newStore(t, connect(t), s.cfg) },
		Expire: s.expire,
	}
}

func oracle(testing.TB) storetest.Subject[*memstore.Tx] {
	s := memstore.New(memstore.Config{})
	return storetest.Subject[*memstore.Tx]{Store: s, Expire: s.Expire}
}
