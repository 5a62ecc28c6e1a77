package outbox

// The headers that every message to a [Sink] carries in addition to the event's
// own.
const (
	HeaderEventID       = "outbox_event_id"
	HeaderEventType     = "outbox_event_type"
	HeaderAggregateType = "outbox_aggregate_type"
	HeaderAggregateID   = "outbox_aggregate_id"
	HeaderTenantID      = "outbox_tenant_id"
	HeaderCorrelationID = "outbox_correlation_id"
	HeaderTraceID       = "outbox_trace_id"
)
