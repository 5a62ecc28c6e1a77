package consolebench_test

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/testenv"
)

//go:embed testdata/*.sql
var statements embed.FS

// failures are the attempts of an event; # is its number.
const failures = `[{"at":"2026-01-31T12:00:00Z","took":120000000,"owner":"relay-1/4bf92f3577b34da6a3ce929d0e0e4736","attempt":1,"destination":"kafka-topic-1","error":"gateway 7 refused order #","class":"failed"},` +
	`{"at":"2026-01-31T12:00:10Z","took":120000000,"owner":"relay-2/4bf92f3577b34da6a3ce929d0e0e4736","attempt":2,"destination":"kafka-topic-1","error":"gateway 7 refused order #","class":"failed"},` +
	`{"at":"2026-01-31T12:00:30Z","took":120000000,"owner":"relay-1/4bf92f3577b34da6a3ce929d0e0e4736","attempt":3,"destination":"kafka-topic-1","error":"gateway 7 refused order #","class":"failed"}]`

var drivers = []dburl.Driver{dburl.PGX(), dburl.MySQL()}

// fill writes this many events, and as many dead letters.
func fill(b *testing.B, url, server string, rows int) {
	b.Helper()
	db, err := dburl.Open(b.Context(), drivers, url, dburl.Options{Create: true, StatementTimeout: 20 * time.Minute})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = db.Close() }() // what it wrote is committed
	if err := db.Schema.Migrate(b.Context()); err != nil {
		b.Fatal(err)
	}
	file := "testdata/postgres.sql"
	if server == testenv.MySQL80 {
		file = "testdata/mysql.sql"
	}
	text, err := statements.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	for statement := range strings.SplitSeq(strings.TrimSpace(string(text)), ";\n") {
		statement = strings.NewReplacer(":rows", strconv.Itoa(rows), ":failures", failures).Replace(strings.TrimSuffix(statement, ";"))
		if err := db.Exec(b.Context(), statement); err != nil {
			b.Fatalf("%.200s: %v", statement, err)
		}
	}
}

func typeName(i int) string { return fmt.Sprintf("type-%02d", i) }

// announce does what three relays do every few seconds: they deliver 18 of the 20
// types to four destinations, of which one is down.
func announce(b *testing.B, db *dburl.Handle, owners []driver.Owner) {
	b.Helper()
	for _, owner := range owners {
		in := driver.Instance{Owner: owner, Version: "1.0.0", Figures: driver.Figures{Workers: 16, Running: 3, Busy: time.Hour}}
		for i := range 18 {
			in.Lanes = append(in.Lanes, typeName(i))
			f := driver.TypeFigures{Type: typeName(i), Delivered: 40_000, Hot: 30_000, Failed: 60, Dead: 20}
			for j := range f.Ages {
				f.Ages[j] = 500
			}
			in.Figures.Types = append(in.Figures.Types, f)
		}
		for i := range 4 {
			d := driver.InstanceDestination{Name: fmt.Sprint("kafka#0:topic-", i)}
			for j := i; j < 18; j += 4 {
				d.Lanes = append(d.Lanes, typeName(j))
			}
			if i == 3 {
				d.Down, d.Reason = 5*time.Minute, "dial tcp 10.0.0.7:9092: connect: connection refused"
			}
			in.Destinations = append(in.Destinations, d)
		}
		if err := db.Store.Announce(b.Context(), in); err != nil {
			b.Fatal(err)
		}
	}
}
