-- ?1 [job] of each. Locks and returns those that no other session has locked.
SELECT j.job_id
FROM (SELECT * FROM JSON_TABLE(?1, '$[*]' COLUMNS (job_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) t) h
STRAIGHT_JOIN outbox_job j FORCE INDEX (PRIMARY) ON j.job_id = h.job_id
FOR UPDATE SKIP LOCKED
