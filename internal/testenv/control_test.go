package testenv

import (
	"net"
	"net/url"
	"testing"
)

func TestACrashedServerComesBackWithWhatWasCommitted(t *testing.T) {
	for _, name := range []string{Postgres15, Postgres18, MySQL80, MySQL9, MariaDB} {
		t.Run(name, func(t *testing.T) {
			server := Control(t, name)
			address := Database(t, name)
			run(t, address, "CREATE TABLE thing (id int PRIMARY KEY)")
			run(t, address, "INSERT INTO thing VALUES (1)")

			server.Crash()
			if attempt(t.Context(), address, "SELECT 1") == nil {
				t.Fatal("the server answers after a crash")
			}
			server.Start()
			if attempt(t.Context(), address, "INSERT INTO thing VALUES (1)") == nil {
				t.Error("the committed row is gone")
			}
			server.Restart()
			run(t, address, "INSERT INTO thing VALUES (2)")
		})
	}
}

func TestAServerOfATestsOwnIsNobodyElses(t *testing.T) {
	for _, name := range []string{Postgres15, MySQL80, MariaDB} {
		t.Run(name, func(t *testing.T) {
			shared := Database(t, name)
			var own string
			t.Run("while it is stopped", func(t *testing.T) {
				server := Control(t, name)
				own = Database(t, name)
				run(t, own, "SELECT 1")
				server.Stop()
				if attempt(t.Context(), own, "SELECT 1") == nil {
					t.Error("it answers after it was stopped")
				}
				run(t, shared, "SELECT 1")
			})
			if attempt(t.Context(), own, "SELECT 1") == nil {
				t.Error("it answers after its test")
			}
			run(t, Database(t, name), "SELECT 1")
		})
	}
}

// The program that a server was started with may be a script that runs another.
func TestAServerThatWasStoppedIsGone(t *testing.T) {
	for _, name := range []string{"chromium", Redis, NATS} {
		t.Run(name, func(t *testing.T) {
			server := Control(t, name)
			address := Must(url.Parse(URL(t, name))).Host
			if err := dial(address); err != nil {
				t.Fatal(err)
			}
			server.Stop()
			if dial(address) == nil {
				t.Error("it answers after it was stopped")
			}
		})
	}
}

func dial(address string) error {
	conn, err := net.Dial("tcp", address)
	if err == nil {
		err = conn.Close()
	}
	return err
}
