-- ?1 age in microseconds, ?2 how many. Jobs that have waited for consent for longer.
-- include: job_columns
WHERE j.state = 'waiting' AND j.created_at <= CAST(round(unixepoch('subsec') * 1000) AS INTEGER) - ?1 / 1000
ORDER BY j.job_id
LIMIT ?2
