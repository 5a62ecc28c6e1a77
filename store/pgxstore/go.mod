module github.com/sendoff-go/outbox/store/pgxstore

go 1.26.0

require (
	github.com/go-sql-driver/mysql v1.10.1 // indirect
	github.com/jackc/pgx/v5 v5.11.0
	github.com/oklog/ulid/v2 v2.1.2 // indirect
	go.uber.org/goleak v1.3.0 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)

require (
	filippo.io/edwards25519 v1.2.0 // indirect
	github.com/jackc/pgpassfile v1.0.0 // indirect
	github.com/jackc/pgservicefile v0.0.0-20240606120523-5a60cdf6a761 // indirect
	github.com/jackc/puddle/v2 v2.2.2 // indirect
	golang.org/x/sync v0.23.0 // indirect
	golang.org/x/text v0.42.0 // indirect
)

require github.com/sendoff-go/outbox v0.0.0

require go.yaml.in/yaml/v3 v3.0.5 // indirect
