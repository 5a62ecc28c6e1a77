-- ?1 [event id, seq or 0, 1 if it must be open] of each letter, ?2 note or null, ?3 by
-- whom.
-- which: dlq_lock
UPDATE (
  SELECT *
  FROM JSON_TABLE(?1, '$[*]' COLUMNS (
    event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]', seq BIGINT PATH '$[1]', open INT PATH '$[2]')) t) h
STRAIGHT_JOIN outbox_dlq_event d FORCE INDEX (PRIMARY) ON d.event_id = h.event_id AND (h.seq = 0 OR d.seq = h.seq)
SET d.note = ?2, d.noted_by = ?3, d.noted_at = UTC_TIMESTAMP(6)
WHERE h.open = 0 OR d.resolved_at IS NULL
