# A comment of the form "target: ## what it does" is shown by make help.

SHELL := bash
.DEFAULT_GOAL := help

# Packages tested side by side: tests that need a server wait more than they work.
PARALLEL ?= 6
TIMEOUT ?= 45m

.PHONY: help
help: ## Show this list
	@awk -F ': ## ' '/^[a-z-]+: ## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build every package, and the binary into bin/
	go build work
	go build -o bin/outbox ./cmd/outbox

# The databases of the tests do not wait for the disk: where others use it too, a
# commit can take seconds, and leases and deadlines are a test's, not the disk's.

.PHONY: test
test: ## Run all tests on all servers with the race detector; none may be skipped
	OUTBOX_TEST_REQUIRE=1 OUTBOX_TEST_UNSYNCED=1 scripts/with-servers all -- \
		scripts/gotest -race -count=1 -p $(PARALLEL) -timeout $(TIMEOUT)

.PHONY: test-tidb
test-tidb: ## Build TiDB, once, in about 15 minutes, and run the tests on it; make test runs them then
	OUTBOX_TEST_BUILD_TIDB=1 OUTBOX_TEST_REQUIRE=1 scripts/with-servers tidb kafka hazelcast -- bash -c \
		'go test -count=1 -timeout $(TIMEOUT) ./store/tidbstore && \
		go test -count=1 -timeout $(TIMEOUT) -run "TiDB|TestAHealthyOutboxHasNoFindings/tidb" \
			./cmd/internal/dburl ./cmd/internal/doctor ./e2e'

.PHONY: test-fast
test-fast: ## Run the short tests on PostgreSQL 15 and SQLite
	OUTBOX_TEST_UNSYNCED=1 scripts/with-servers postgres15 -- scripts/gotest -short -p 5 -timeout 5m

.PHONY: examples
examples: ## Vet and test the examples, on PostgreSQL 15
	cd examples && go vet ./... && ../scripts/with-servers postgres15 -- go test ./...

# For example make shop SHOP='-for 30s -rate 100'.
SHOP ?=

.PHONY: shop
shop: ## Run the example shop on PostgreSQL 15 and Kafka; go run ./examples/shop needs neither
	scripts/with-servers postgres15 kafka -- bash -c \
		'go run ./examples/shop -postgres "$$OUTBOX_TEST_POSTGRES15" -kafka "$$OUTBOX_TEST_KAFKA" $(SHOP)'

# For example make bench BENCH='-scale 0.1 -only drain'.
BENCH ?=

.PHONY: bench
bench: ## Run the benchmarks on PostgreSQL 15 and the brokers; they take hours
	cd bench && GOWORK=off ../scripts/with-servers postgres15 kafka rabbitmq nats redis -- go run . $(BENCH)

.PHONY: dashboard
dashboard: ## Evaluate the dashboard on the metrics of a running daemon, and test the alert rules
	scripts/rules
	cd internal/dashtest && GOWORK=off go test -count=1 ./...

# For example make sim SIM='-seed 2085 -trace', which replays one schedule.
SIM ?=

.PHONY: sim
sim: ## Simulate relays, one seed after the other, until a law is violated
	go run ./internal/tools/sim $(SIM)

.PHONY: docs
docs: ## Serve the documentation on http://127.0.0.1:8000, or on the port in PORT
	scripts/docs serve

.PHONY: docs-check
docs-check: ## Build the site of the documentation; a broken link is a failure
	scripts/docs check

.PHONY: lint
lint: ## Run the linters on every module
	scripts/lint

.PHONY: check
check: ## Run the checks that cost seconds: gofmt and go vet
	scripts/check

.PHONY: tidy
tidy: ## Run go mod tidy on every module
	scripts/tidy

.PHONY: fmt
fmt: ## Format the Go code
	gofmt -w .

.PHONY: clean
clean: ## Remove what was built; fetched servers stay in the cache
	rm -rf bin
	go clean -testcache
