module github.com/sendoff-go/outbox/admin/oidc

go 1.26.0

require (
	github.com/coreos/go-oidc/v3 v3.21.0
	github.com/sendoff-go/outbox v0.0.0
	github.com/sendoff-go/outbox/admin v0.0.0
	go.uber.org/goleak v1.3.0
	golang.org/x/oauth2 v0.36.0
)

require (
	github.com/danielgtaylor/huma/v2 v2.38.0 // indirect
	github.com/go-jose/go-jose/v4 v4.1.4 // indirect
	github.com/oklog/ulid/v2 v2.1.2 // indirect
)
