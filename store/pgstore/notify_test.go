package pgstore_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/store/pgstore"
)

func TestNotifyWakesWhoListens(t *testing.T) {
	address := testenv.Database(t, testenv.Postgres15)
	store := migrated(t, openDB(t, address))
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := conn.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	channel, err := pgstore.Channel(pgstore.Tables{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), "LISTEN "+pgx.Identifier{channel}.Sanitize()); err != nil {
		t.Fatal(err)
	}
	want := []string{"OrderPlaced", `a "quoted" läne`}
	if err := store.Notify(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	got, err := conn.WaitForNotification(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if lanes := pgstore.ParseNotify(got.Payload); !slices.Equal(lanes, want) {
		t.Errorf("woken for %v, expected %v", lanes, want)
	}
}

func TestAWakeUpThatIsTooLongIsForAnyLane(t *testing.T) {
	for name, lanes := range map[string][]string{
		"none": nil,
		"many": slices.Repeat([]string{strings.Repeat("x", 128)}, 100),
	} {
		if p := pgstore.NotifyPayload(lanes); p != "" || pgstore.ParseNotify(p) != nil {
			t.Errorf("%s: payload of %d bytes, expected none", name, len(p))
		}
	}
}

func TestEachOutboxHasAChannelOfItsOwn(t *testing.T) {
	seen := map[string]bool{}
	long := strings.Repeat("x", 47)
	for _, tables := range []pgstore.Tables{
		{}, {Schema: "ops"}, {Event: "other"}, {Schema: long, Event: long}, {Schema: long, Event: long + "y"},
	} {
		c, err := pgstore.Channel(tables)
		if err != nil || len(c) > 63 || seen[c] {
			t.Errorf("%+v has channel %q, error %v", tables, c, err)
		}
		seen[c] = true
	}
	if _, err := pgstore.Channel(pgstore.Tables{Event: "a b"}); err == nil {
		t.Error("an invalid name has a channel")
	}
}
