module github.com/sendoff-go/outbox/inbox/ottercache

go 1.26.0

require (
	github.com/maypok86/otter/v2 v2.4.0
	github.com/oklog/ulid/v2 v2.1.2 // indirect
	go.uber.org/goleak v1.3.0
	pgregory.net/rapid v1.3.0 // indirect
)

require github.com/sendoff-go/outbox v0.0.0
