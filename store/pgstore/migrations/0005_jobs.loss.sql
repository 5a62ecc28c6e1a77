-- What a job has not done yet stays undone; what it did is in the audit log.

SELECT count(*), 'job that has not ended', 'jobs that have not ended'
FROM (SELECT 1 FROM outbox_job WHERE ended_at IS NULL LIMIT 10001) j;
