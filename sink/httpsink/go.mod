module github.com/sendoff-go/outbox/sink/httpsink

go 1.26.0

require (
	github.com/cloudevents/sdk-go/v2 v2.16.2
	github.com/oklog/ulid/v2 v2.1.2 // indirect
	github.com/standard-webhooks/standard-webhooks/libraries v0.0.1
	go.uber.org/goleak v1.3.0
)

require (
	github.com/json-iterator/go v1.1.12 // indirect
	github.com/modern-go/concurrent v0.0.0-20180306012644-bacd9c7ef1dd // indirect
	github.com/modern-go/reflect2 v1.0.2 // indirect
	go.uber.org/multierr v1.11.0 // indirect
	go.uber.org/zap v1.27.0 // indirect
)

require github.com/sendoff-go/outbox v0.0.0

require go.yaml.in/yaml/v3 v3.0.5 // indirect
