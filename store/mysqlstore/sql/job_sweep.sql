-- ?1 [job] of each, ?2 age in microseconds.
DELETE j
FROM JSON_TABLE(?1, '$[*]' COLUMNS (job_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) h
STRAIGHT_JOIN outbox_job j FORCE INDEX (PRIMARY) ON j.job_id = h.job_id
WHERE j.ended_at <= UTC_TIMESTAMP(6) - INTERVAL ?2 MICROSECOND
