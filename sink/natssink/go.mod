module github.com/sendoff-go/outbox/sink/natssink

go 1.26.0

require (
	github.com/go-sql-driver/mysql v1.10.1 // indirect
	github.com/jackc/pgx/v5 v5.11.0 // indirect
	github.com/nats-io/nats.go v1.55.0
	github.com/oklog/ulid/v2 v2.1.2 // indirect
	go.uber.org/goleak v1.3.0
)

require (
	filippo.io/edwards25519 v1.2.0 // indirect
	github.com/jackc/pgpassfile v1.0.0 // indirect
	github.com/jackc/pgservicefile v0.0.0-20240606120523-5a60cdf6a761 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/nats-io/nkeys v0.4.16
	github.com/nats-io/nuid v1.0.1 // indirect
	golang.org/x/crypto v0.57.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	golang.org/x/text v0.42.0 // indirect
)

require github.com/sendoff-go/outbox v0.0.0

require go.yaml.in/yaml/v3 v3.0.5 // indirect
