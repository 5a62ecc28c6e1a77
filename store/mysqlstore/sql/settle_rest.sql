-- ?1 [event id, seq, claim number, kind (2 retry, 4 release), attempts, delay in
-- microseconds, error, failures] of each row, ?2 owner. MySQL, unlike MariaDB,
-- reads a null there as text.
-- which: held_lock
UPDATE JSON_TABLE(?1, '$[*]' COLUMNS (
  event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]', seq BIGINT PATH '$[1]', claim_no BIGINT PATH '$[2]',
  kind INT PATH '$[3]', attempts INT PATH '$[4]', delay BIGINT PATH '$[5]',
  reason LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$[6]',
  failures LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin PATH '$[7]')) h
STRAIGHT_JOIN outbox_event e FORCE INDEX (PRIMARY) ON e.seq = h.seq
SET e.status = IF(h.kind = 2, 2, e.status),
  e.attempts = h.attempts,
  e.available_at = IF(h.kind = 2 OR h.delay > 0, UTC_TIMESTAMP(6) + INTERVAL h.delay MICROSECOND, e.available_at),
  e.last_error = IF(h.kind = 2, h.reason, e.last_error),
  e.failures = IF(h.kind = 2 OR h.failures <> 'null', h.failures, e.failures),
  e.locked_by = NULL, e.locked_until = NULL, e.claim_no = e.claim_no + 1, e.recovered = 0
WHERE e.event_id = h.event_id AND e.claim_no = h.claim_no
  AND e.locked_by <=> IF(h.claim_no > 0, ?2, NULL)
  AND e.status IN (0, 2)
