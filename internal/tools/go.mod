module github.com/sendoff-go/outbox/internal/tools

go 1.26.0

require (
	github.com/sendoff-go/outbox v0.0.0
	golang.org/x/mod v0.42.0
)

require github.com/oklog/ulid/v2 v2.1.2 // indirect
