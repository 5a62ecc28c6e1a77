-- ?1 [job] of each, ?2 age in microseconds.
DELETE j FROM outbox_job j FORCE INDEX (PRIMARY)
WHERE j.job_id IN (?1[0])
  AND j.ended_at <= UTC_TIMESTAMP(6) - INTERVAL ?2 MICROSECOND
