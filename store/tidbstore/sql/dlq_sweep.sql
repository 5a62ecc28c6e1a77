-- ?1 [event id, seq] of each letter, ?2 age in microseconds.
DELETE d FROM outbox_dlq_event d FORCE INDEX (PRIMARY)
-- include: dlq_where_key
  AND d.resolved_at <= UTC_TIMESTAMP(6) - INTERVAL ?2 MICROSECOND
