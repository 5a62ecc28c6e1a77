module github.com/sendoff-go/outbox/bench

go 1.26.0

require (
	github.com/ThreeDotsLabs/watermill v1.5.0
	github.com/ThreeDotsLabs/watermill-sql/v4 v4.1.2
	github.com/jackc/pgx/v5 v5.11.0
	github.com/nats-io/nats.go v1.55.0
	github.com/oagudo/outbox v1.0.1
	github.com/rabbitmq/amqp091-go v1.16.0
	github.com/redis/go-redis/v9 v9.23.0
	github.com/riverqueue/river v0.50.0
	github.com/riverqueue/river/riverdriver/riverpgxv5 v0.50.0
	github.com/sendoff-go/outbox v0.0.0
	github.com/twmb/franz-go v1.22.2
	github.com/twmb/franz-go/pkg/kadm v1.19.0
	modernc.org/sqlite v1.60.0
)

require (
	github.com/cenkalti/backoff/v5 v5.0.2 // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/dustin/go-humanize v1.0.1 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/jackc/pgpassfile v1.0.0 // indirect
	github.com/jackc/pgservicefile v0.0.0-20240606120523-5a60cdf6a761 // indirect
	github.com/jackc/puddle/v2 v2.2.3 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/lib/pq v1.10.9 // indirect
	github.com/lithammer/shortuuid/v3 v3.0.7 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/maypok86/otter/v2 v2.4.0 // indirect
	github.com/nats-io/nkeys v0.4.16 // indirect
	github.com/nats-io/nuid v1.0.1 // indirect
	github.com/ncruces/go-strftime v1.0.0 // indirect
	github.com/oklog/ulid v1.3.1 // indirect
	github.com/oklog/ulid/v2 v2.1.2 // indirect
	github.com/pierrec/lz4/v4 v4.1.33 // indirect
	github.com/pkg/errors v0.9.1 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	github.com/riverqueue/river/riverdriver v0.50.0 // indirect
	github.com/riverqueue/river/rivershared v0.50.0 // indirect
	github.com/riverqueue/river/rivertype v0.50.0 // indirect
	github.com/sony/gobreaker v1.0.0 // indirect
	github.com/tidwall/gjson v1.20.0 // indirect
	github.com/tidwall/match v1.2.0 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	github.com/tidwall/sjson v1.2.5 // indirect
	github.com/twmb/franz-go/pkg/kmsg v1.15.0 // indirect
	go.uber.org/atomic v1.12.0 // indirect
	golang.org/x/crypto v0.57.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	modernc.org/libc v1.77.1 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.12.1 // indirect
)

require github.com/sendoff-go/outbox/store/pgxstore v0.0.0

require github.com/sendoff-go/outbox/sink/kafkasink v0.0.0

require github.com/sendoff-go/outbox/sink/rabbitsink v0.0.0

require github.com/sendoff-go/outbox/sink/natssink v0.0.0

require github.com/sendoff-go/outbox/sink/redissink v0.0.0

require github.com/sendoff-go/outbox/inbox/ottercache v0.0.0

replace github.com/sendoff-go/outbox => ../

replace github.com/sendoff-go/outbox/store/pgxstore => ../store/pgxstore

replace github.com/sendoff-go/outbox/sink/kafkasink => ../sink/kafkasink

replace github.com/sendoff-go/outbox/sink/rabbitsink => ../sink/rabbitsink

replace github.com/sendoff-go/outbox/sink/natssink => ../sink/natssink

replace github.com/sendoff-go/outbox/sink/redissink => ../sink/redissink

replace github.com/sendoff-go/outbox/sink/httpsink => ../sink/httpsink

replace github.com/sendoff-go/outbox/inbox/ottercache => ../inbox/ottercache

replace github.com/sendoff-go/outbox/inbox/rediscache => ../inbox/rediscache
