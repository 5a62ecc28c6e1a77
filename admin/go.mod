module github.com/sendoff-go/outbox/admin

go 1.26.0

require (
	github.com/danielgtaylor/huma/v2 v2.38.0
	github.com/sendoff-go/outbox v0.0.0
	go.uber.org/goleak v1.3.0
)

require (
	github.com/oklog/ulid/v2 v2.1.2 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
)
