package testenv

import "testing"

func TestACrashedServerComesBackWithWhatWasCommitted(t *testing.T) {
	for _, name := range []string{Postgres15, Postgres18, MySQL80, MySQL9, MariaDB} {
		t.Run(name, func(t *testing.T) {
			address := Database(t, name)
			server := Control(t, name)
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

func TestAServerIsStartedAgainAfterTheTest(t *testing.T) {
	for _, name := range []string{Postgres15, MySQL80, MariaDB} {
		t.Run(name, func(t *testing.T) {
			address := Database(t, name)
			t.Run("control first, so that the database outlives it", func(t *testing.T) {
				Control(t, name).Stop()
				if attempt(t.Context(), address, "SELECT 1") == nil {
					t.Fatal("the server answers after it was stopped")
				}
			})
			run(t, address, "SELECT 1")
			t.Run("database last, so that it is dropped first", func(t *testing.T) {
				server := Control(t, name)
				Database(t, name)
				server.Stop()
			})
		})
	}
}
