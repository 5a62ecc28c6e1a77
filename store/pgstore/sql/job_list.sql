-- $1 state, $2 action, $3 the job to start before, or an empty string, $4 the last one to
-- look at, $5 how many. The first two are empty for any.
-- include: job_columns
WHERE ($3::text = '' OR j.job_id < $3::text) AND j.job_id >= $4::text
  AND ($1::text = '' OR j.state = $1::text)
  AND ($2::text = '' OR j.action = $2::text)
ORDER BY j.job_id DESC
LIMIT $5::int
