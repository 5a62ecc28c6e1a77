package config

// Publisher is `outbox.publisher`.
type Publisher struct {
	Enabled    bool   `yaml:"enabled" default:"true" doc:"Send events."`
	Unroutable string `yaml:"unroutable" default:"ignore" enum:"ignore,retry,dead" doc:"Events whose type is not in events: ignore leaves them pending and reports them, retry counts a failed attempt, dead makes them dead letters. The last two claim every type in the table."`
	MaxBytes   Size   `yaml:"max-bytes" default:"64MB" min:"1" doc:"Payload bytes held in memory, all event types together."`

	Sender   DefaultSender      `yaml:"sender" doc:"The sender of events that name none."`
	Senders  map[string]*Sender `yaml:"senders" entry:"name" doc:"More senders, by name. An event selects one with sender, and the default sender with bean-name."`
	Defaults Lane               `yaml:"defaults" doc:"Settings of every event type."`
	Events   map[string]*Event  `yaml:"events" entry:"event type" doc:"The event types to send: a name, or a pattern such as order-*. A quoted * matches every type without a slash, */* every type with one."`

	StuckRecovery StuckRecovery `yaml:"stuck-recovery" doc:"Limits the duration of a send. Recovery itself needs no settings: the claims of a crashed daemon expire after lease."`
	DLQ           DLQ           `yaml:"dlq" doc:"The dead letters. An event becomes one in the transaction that counts its last failed attempt."`
	CleanUp       CleanUp       `yaml:"clean-up" doc:"Deletes delivered events older than ttl."`
	Metrics       Metrics       `yaml:"metrics" doc:"Metrics of the events."`
}

// Lane is `outbox.publisher.defaults`, and part of every event.
type Lane struct {
	BatchSize     int      `yaml:"batch-size" default:"50" min:"1" max:"100000" doc:"Rows claimed at once, and events in one send. While a type has a backlog, more rows are claimed, up to queue-capacity."`
	QueueCapacity int      `yaml:"queue-capacity" default:"1000" min:"1" max:"1000000" doc:"Events of one type that are held in memory."`
	InitialDelay  Duration `yaml:"initial-delay" default:"0s" doc:"Delay between startup and the first poll."`
	FixedDelay    Duration `yaml:"fixed-delay" default:"2s" min:"1ms" doc:"Pause between polls while there is nothing to do."`
	MaxRetries    int      `yaml:"max-retries" default:"3" min:"0" max:"1000000" doc:"Retries after the first attempt before an event becomes a dead letter: n means n + 1 attempts. An outage of the broker does not count."`
	FairByTenant  bool     `yaml:"fair-by-tenant" default:"false" doc:"Divide the type among its tenants, so that the backlog of one does not delay the others. It needs an index: run outbox migrate up --fair first."`
	Backoff       Backoff  `yaml:"backoff" doc:"The backoff before a retry."`
}

// Backoff is `backoff`.
type Backoff struct {
	Enabled    bool     `yaml:"enabled" default:"true" doc:"Exponential backoff: delay * multiplier^k, with k from 0. false: delay each time."`
	Delay      Duration `yaml:"delay" default:"10s" doc:"The first backoff."`
	Multiplier float64  `yaml:"multiplier" default:"3" min:"1" doc:"Factor from one backoff to the next."`
	MaxDelay   Duration `yaml:"max-delay" default:"0s" doc:"The longest backoff. 0: no limit."`
	Jitter     float64  `yaml:"jitter" default:"0" min:"0" max:"1" doc:"Spreads a backoff evenly between 1-j and 1+j times its length. 0: none."`
}

// Event is one entry of `outbox.publisher.events`. What it leaves out is as in
// `defaults`.
type Event struct {
	Topic   string            `yaml:"topic" destination:"true" example:"orders" doc:"Topic, exchange, subject, stream or path. Empty: the event type."`
	Sender  string            `yaml:"sender" doc:"Name of an entry of senders. Empty: the default sender."`
	Key     string            `yaml:"key" doc:"The key that keeps messages in order, such as Kafka's record key: aggregate-id, aggregate-type, event-id, event-type, tenant-id, correlation-id, header:NAME or none. Empty: aggregate-id."`
	Headers map[string]string `yaml:"headers" secret:"true" doc:"Headers of every message. A header of the event with the same name wins."`
	Lane
}

// StuckRecovery is `outbox.publisher.stuck-recovery`.
type StuckRecovery struct {
	BatchSize    int      `yaml:"batch-size" default:"100" min:"1" unused:"claims expire by themselves"`
	MaxBatchTime Duration `yaml:"max-batch-processing-time" default:"300s" min:"1ms" doc:"Timeout of one batch: a send that takes longer is cancelled, and its events are sent again."`
	InitialDelay Duration `yaml:"initial-delay" default:"0s" unused:"claims expire by themselves"`
	FixedDelay   Duration `yaml:"fixed-delay" default:"1800s" unused:"claims expire by themselves"`
}

// DLQ is `outbox.publisher.dlq`.
type DLQ struct {
	Enabled          bool     `yaml:"enabled" default:"true" doc:"Always on. false is accepted and ignored: a failed event must not stay where nobody looks."`
	BatchSize        int      `yaml:"batch-size" default:"100" min:"1" unused:"an event becomes a dead letter when its last attempt fails, and a replay moves it back at once"`
	ToInitialDelay   Duration `yaml:"transfer-to-initial-delay" default:"0s" unused:"an event becomes a dead letter when its last attempt fails"`
	ToFixedDelay     Duration `yaml:"transfer-to-fixed-delay" default:"900s" unused:"an event becomes a dead letter when its last attempt fails"`
	FromInitialDelay Duration `yaml:"transfer-from-initial-delay" default:"0s" unused:"a replay moves the event at once"`
	FromFixedDelay   Duration `yaml:"transfer-from-fixed-delay" default:"3600s" unused:"a replay moves the event at once"`
	ResolvedTTL      Duration `yaml:"resolved-ttl" default:"30d" doc:"How long resolved dead letters are kept. 0: forever."`
	Metrics          Metrics  `yaml:"metrics" doc:"Metrics of the dead letters."`
}

// CleanUp is `clean-up`.
type CleanUp struct {
	Enabled      bool     `yaml:"enabled" default:"true" doc:"false: keep rows forever."`
	BatchSize    int      `yaml:"batch-size" default:"100" min:"1" max:"100000" doc:"Rows deleted at once. A full batch is followed by the next without a pause."`
	TTL          Duration `yaml:"ttl" default:"24h" doc:"Age at which a row is deleted."`
	InitialDelay Duration `yaml:"initial-delay" default:"0s" doc:"Delay between startup and the first poll."`
	FixedDelay   Duration `yaml:"fixed-delay" default:"5s" min:"1ms" doc:"Pause between polls."`
}

// Metrics is `metrics`.
type Metrics struct {
	Gauge Gauge `yaml:"gauge" doc:"Gauges that are counted in the database."`
}

// Gauge is `metrics.gauge`.
type Gauge struct {
	Enabled bool       `yaml:"enabled" default:"false" doc:"Count rows for /metrics."`
	Cache   GaugeCache `yaml:"cache" doc:"Cache of the counted numbers."`
}

// GaugeCache is `metrics.gauge.cache`.
type GaugeCache struct {
	TTLs []Duration `yaml:"ttls" default:"60s,60s,60s" len:"3" doc:"How long to keep the total, the numbers by status, and those by type and status. All are counted at once, so the shortest applies."`
}
