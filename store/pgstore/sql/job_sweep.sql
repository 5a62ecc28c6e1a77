-- $1 age in microseconds, $2 how many.
DELETE FROM outbox_job
WHERE job_id = ANY (ARRAY(
  SELECT job_id FROM outbox_job
  WHERE ended_at <= clock_timestamp() - $1::bigint * interval '1 microsecond'
  ORDER BY ended_at LIMIT $2::int FOR UPDATE SKIP LOCKED))
