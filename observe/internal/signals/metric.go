package signals

// Metric describes a metric. Its name is the one that Prometheus has for it.
type Metric struct {
	Name, Help string
	Labels     []string // at most two
}

// The counters.
var (
	Sent         = &Metric{"outbox_events_rate_total", "Attempts to deliver an event, by result.", []string{"event_type", "status"}}
	Internal     = &Metric{"outbox_events_by_type_rate_total", "Events recovered from a crashed relay, rows cleaned up, moves to the dead letters.", []string{"type"}}
	Letters      = &Metric{"outbox_dlq_events_rate_total", "Events that became dead letters.", []string{"event_type", "status"}}
	Consumed     = &Metric{"consumed_outbox_events_total", "Consumed events, by what became of them.", []string{"type"}}
	LoopErrors   = &Metric{"outbox_loop_errors_total", "Failures of background loops, which try again.", []string{"loop"}}
	Written      = &Metric{"outbox_entries_written_total", "Events that were committed.", []string{"event_type"}}
	Delivered    = &Metric{"outbox_entries_delivered_total", "Events that were delivered.", []string{"event_type"}}
	Failed       = &Metric{"outbox_entries_failed_total", "Events that were given up.", []string{"event_type"}}
	HotEnqueued  = &Metric{"outbox_hot_enqueued_total", "Events that entered a hot queue.", []string{"event_type"}}
	HotDropped   = &Metric{"outbox_hot_dropped_total", "Events that a full hot queue left to the poller.", []string{"event_type"}}
	ColdEnqueued = &Metric{"outbox_cold_enqueued_total", "Claimed events that entered a cold queue.", []string{"event_type"}}
)

// Counters are all of them.
var Counters = []*Metric{Sent, Internal, Letters, Consumed, LoopErrors, Written, Delivered, Failed, HotEnqueued, HotDropped, ColdEnqueued}

// The histograms, of seconds.
var (
	Took    = &Metric{"outbox_publish_duration_seconds", "Duration of a delivery, counted for each of its events.", []string{"event_type"}}
	Latency = &Metric{"outbox_delivery_latency_seconds", "From the INSERT (hot) or the claim (cold) to the end of the delivery.", []string{"event_type", "path"}}
	Age     = &Metric{"outbox_commit_to_delivery_seconds", "From when an event was written, or became due, to the end of its delivery.", []string{"event_type", "destination"}}
)

// Histograms are all of them.
var Histograms = []*Metric{Took, Latency, Age}

// Buckets are the bounds of their buckets, from 1 ms to 1 min.
var Buckets = []float64{0.001, 0.004, 0.016, 0.064, 0.256, 1.024, 4.096, 16.384, 65.536}

// The gauges.
var (
	Down         = &Metric{"outbox_destinations_down", "Destinations that are unavailable now, without those that are paused.", nil}
	Paused       = &Metric{"outbox_destinations_paused", "Destinations that a person has paused.", nil}
	Depth        = &Metric{"outbox_queue_depth", "Events that wait in memory, at the last claim.", []string{"event_type", "queue"}}
	Lag          = &Metric{"outbox_oldest_event_lag_seconds", "How long the oldest due event has been waiting; other stands for types that the configuration does not name.", []string{"event_type"}}
	Total        = &Metric{"outbox_events", "Events that are waiting or being delivered, counted up to a bound.", nil}
	ByStatus     = &Metric{"outbox_events_by_status", "The same by status.", []string{"status"}}
	ByType       = &Metric{"outbox_events_by_event_type_and_status", "The same by type and status.", []string{"event_type", "status"}}
	Dead         = &Metric{"outbox_dlq_events", "Open dead letters, counted up to a bound.", nil}
	DeadByStatus = &Metric{"outbox_dlq_events_by_status", "The same by status.", []string{"status"}}
	DeadByType   = &Metric{"outbox_dlq_events_by_event_type_and_status", "The same by type and status.", []string{"event_type", "status"}}
	Bounded      = &Metric{"outbox_count_bounded", "1 if counting stopped at its bound, so that there are more.", []string{"of"}}
	Oldest       = &Metric{"outbox_oldest_due_seconds", "How long the earliest due event of all types has waited, as the database has it.", nil}
)

// Gauges are all of them.
var Gauges = []*Metric{Down, Paused, Depth, Lag, Total, ByStatus, ByType, Dead, DeadByStatus, DeadByType, Bounded, Oldest}
