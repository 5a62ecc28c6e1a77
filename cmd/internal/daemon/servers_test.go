package daemon

import (
	"slices"
	"testing"

	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/internal/testenv"
)

func TestConsumerGroupsAreFoundAndCleanedUpOnEveryServer(t *testing.T) {
	for _, server := range []string{testenv.Postgres15, testenv.MySQL80, testenv.MariaDB} {
		t.Run(server, func(t *testing.T) {
			c, _, err := config.Read("", nil, []string{
				"OUTBOX_DATABASE_URL=" + testenv.Database(t, server), "OUTBOX_CONSUMER_ENABLED=true", "OUTBOX_TABLES_CONSUMED=ConsumedIds",
			})
			if err != nil {
				t.Fatal(err)
			}
			c.Consumer.CleanUp.TTL = 0
			d, err := New(c, Options{Drivers: drivers, Database: patient})
			if err != nil {
				t.Fatal(err)
			}
			db, err := d.open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = db.Close() }()
			clean := d.cleaner(db)
			want := []string{"Billing", "billing", "it's-\"\\", "mail/eu"}
			for _, group := range want {
				for _, id := range []string{"1", "2"} {
					if err := db.Exec(t.Context(), "INSERT INTO "+db.Table("ConsumedIds")+" (consumer_group, event_id) VALUES (?, ?)", group, id); err != nil {
						t.Fatal(err)
					}
				}
			}
			groups, err := clean.groups(t.Context())
			if slices.Sort(groups); err != nil || !slices.Equal(groups, want) {
				t.Errorf("got %q, %v", groups, err)
			}
			for _, group := range want[1:] {
				if err := clean.forget(t.Context(), group); err != nil {
					t.Error(err)
				}
			}
			if groups, err = clean.groups(t.Context()); err != nil || !slices.Equal(groups, want[:1]) {
				t.Errorf("left are %q, %v", groups, err)
			}
		})
	}
}
