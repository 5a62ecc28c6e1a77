-- $1 job, $2 owner, $3 lease in microseconds.
UPDATE outbox_job
SET turn = turn + 1, owner = $2::text, held_until = clock_timestamp() + $3::bigint * interval '1 microsecond', changed_at = clock_timestamp()
WHERE job_id = $1::text
