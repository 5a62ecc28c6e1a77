module github.com/sendoff-go/outbox/admin/oidc

go 1.26.0

require (
	github.com/coreos/go-oidc/v3 v3.21.0
	github.com/sendoff-go/outbox v0.0.0
	github.com/sendoff-go/outbox/admin v0.0.0
	go.uber.org/goleak v1.3.0
)
