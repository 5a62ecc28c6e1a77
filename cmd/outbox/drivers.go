package main

import "github.com/sendoff-go/outbox/cmd/internal/dburl"

// drivers are the databases that this binary knows. Of those with one scheme
// the first is the default.
var drivers = []dburl.Driver{
	dburl.PGX(),
	dburl.PostgresSQL(),
	dburl.MySQL(),
	dburl.SQLite(),
}
