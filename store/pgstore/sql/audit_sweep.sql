-- $1 entries, $2 age in microseconds.
DELETE FROM outbox_audit
WHERE audit_id = ANY ($1::bigint[]) AND acted_at <= clock_timestamp() - $2::bigint * interval '1 microsecond'
