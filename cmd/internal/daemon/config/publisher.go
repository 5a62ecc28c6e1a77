package config

// Publisher is `outbox.publisher`.
type Publisher struct {
	Enabled    bool   `yaml:"enabled" default:"true" doc:"Take and send events."`
	Unroutable string `yaml:"unroutable" default:"ignore" enum:"ignore,retry,dead" doc:"Events of types that events does not name: ignore leaves them pending and reports them, retry counts an attempt, dead gives them up. The last two take every type in the table."`
	MaxBytes   Size   `yaml:"max-bytes" default:"64MB" min:"1" doc:"Payload bytes held in memory, all event types together."`

	Sender   DefaultSender      `yaml:"sender" doc:"Where events go that name no sender."`
	Senders  map[string]*Sender `yaml:"senders" entry:"name" doc:"More senders, by name. An event chooses one with sender, and sender.bean-name may."`
	Defaults Lane               `yaml:"defaults" doc:"Settings of every event type."`
	Events   map[string]*Event  `yaml:"events" entry:"event type" doc:"The event types that are taken: a name, or a pattern such as order-*. A quoted * is every type without a slash, */* every type with one."`

	StuckRecovery StuckRecovery `yaml:"stuck-recovery" doc:"Bounds a send. Nothing has to be recovered: a dead daemon's claims end by themselves, after lease."`
	DLQ           DLQ           `yaml:"dlq" doc:"The dead letters. An event moves there in the same transaction that counts its last attempt."`
	CleanUp       CleanUp       `yaml:"clean-up" doc:"Deletes delivered events past their age."`
	Metrics       Metrics       `yaml:"metrics" doc:"Metrics of the events."`
}

// Lane is `outbox.publisher.defaults`, and part of every event.
type Lane struct {
	BatchSize     int      `yaml:"batch-size" default:"50" min:"1" max:"100000" doc:"Rows taken at once, and events in one send. While a type is behind, more rows are taken, up to queue-capacity."`
	QueueCapacity int      `yaml:"queue-capacity" default:"1000" min:"1" max:"1000000" doc:"Events of one type that wait in memory."`
	InitialDelay  Duration `yaml:"initial-delay" default:"0s" doc:"Wait after the start before the first look."`
	FixedDelay    Duration `yaml:"fixed-delay" default:"2s" min:"1ms" doc:"Pause between two looks while there is nothing to do."`
	MaxRetries    int      `yaml:"max-retries" default:"3" min:"0" max:"1000000" doc:"Retries after the first attempt before an event is a dead letter: n is n + 1 attempts. An outage of the broker spends none."`
	Backoff       Backoff  `yaml:"backoff" doc:"How long to wait before a retry."`
}

// Backoff is `backoff`.
type Backoff struct {
	Enabled    bool     `yaml:"enabled" default:"true" doc:"Waits grow: delay * multiplier^k, with k from 0. false: delay each time."`
	Delay      Duration `yaml:"delay" default:"10s" doc:"The first wait."`
	Multiplier float64  `yaml:"multiplier" default:"3" min:"1" doc:"Factor from one wait to the next."`
	MaxDelay   Duration `yaml:"max-delay" default:"0s" doc:"The longest wait. 0: no cap."`
	Jitter     float64  `yaml:"jitter" default:"0" min:"0" max:"1" doc:"Spreads a wait evenly between 1-j and 1+j times itself. 0: none."`
}

// Event is one entry of `outbox.publisher.events`. What it leaves out is as in
// `defaults`.
type Event struct {
	Topic   string            `yaml:"topic" destination:"true" example:"orders" doc:"Topic, exchange, subject, stream or path. Empty: the event type."`
	Sender  string            `yaml:"sender" doc:"Name of an entry of senders. Empty: sender."`
	Key     string            `yaml:"key" doc:"What keeps messages in order, such as Kafka's key: aggregate-id, aggregate-type, event-id, event-type, tenant-id, correlation-id, header:NAME or none. Empty: aggregate-id."`
	Headers map[string]string `yaml:"headers" secret:"true" doc:"Headers of every message. The event's own of the same name count before them."`
	Lane
}

// StuckRecovery is `outbox.publisher.stuck-recovery`.
type StuckRecovery struct {
	BatchSize    int      `yaml:"batch-size" default:"100" min:"1" unused:"claims end by themselves"`
	MaxBatchTime Duration `yaml:"max-batch-processing-time" default:"300s" min:"1ms" doc:"Deadline of one batch: a send that takes longer is cancelled, and its events are sent again."`
	InitialDelay Duration `yaml:"initial-delay" default:"0s" unused:"claims end by themselves"`
	FixedDelay   Duration `yaml:"fixed-delay" default:"1800s" unused:"claims end by themselves"`
}

// DLQ is `outbox.publisher.dlq`.
type DLQ struct {
	Enabled          bool     `yaml:"enabled" default:"true" doc:"Always on. false is accepted and has no effect: a failed event must not stay where nobody looks."`
	BatchSize        int      `yaml:"batch-size" default:"100" min:"1" unused:"a dead event moves when its last attempt is settled, and back when a person says so"`
	ToInitialDelay   Duration `yaml:"transfer-to-initial-delay" default:"0s" unused:"a dead event moves when its last attempt is settled"`
	ToFixedDelay     Duration `yaml:"transfer-to-fixed-delay" default:"900s" unused:"a dead event moves when its last attempt is settled"`
	FromInitialDelay Duration `yaml:"transfer-from-initial-delay" default:"0s" unused:"a replay moves the event at once"`
	FromFixedDelay   Duration `yaml:"transfer-from-fixed-delay" default:"3600s" unused:"a replay moves the event at once"`
	Metrics          Metrics  `yaml:"metrics" doc:"Metrics of the dead letters."`
}

// CleanUp is `clean-up`.
type CleanUp struct {
	Enabled      bool     `yaml:"enabled" default:"true" doc:"false: rows are kept for ever."`
	BatchSize    int      `yaml:"batch-size" default:"100" min:"1" max:"100000" doc:"Rows deleted at once. After a full batch the next follows without a pause."`
	TTL          Duration `yaml:"ttl" default:"24h" doc:"Age at which a row is deleted."`
	InitialDelay Duration `yaml:"initial-delay" default:"0s" doc:"Wait after the start before the first look."`
	FixedDelay   Duration `yaml:"fixed-delay" default:"5s" min:"1ms" doc:"Pause between two looks."`
}

// Metrics is `metrics`.
type Metrics struct {
	Gauge Gauge `yaml:"gauge" doc:"Numbers that are counted in the database."`
}

// Gauge is `metrics.gauge`.
type Gauge struct {
	Enabled bool       `yaml:"enabled" default:"false" doc:"Count rows for /metrics."`
	Cache   GaugeCache `yaml:"cache" doc:"Counted numbers are kept."`
}

// GaugeCache is `metrics.gauge.cache`.
type GaugeCache struct {
	TTLs []Duration `yaml:"ttls" default:"60s,60s,60s" len:"3" doc:"How long: the total, by status, by type and status. All are counted at once, so the shortest counts."`
}
