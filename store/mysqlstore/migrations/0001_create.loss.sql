-- What somebody still needs: how many, up to a bound, and what to call one and
-- many of them. The lane is null for what is done.

SELECT count(*), 'event that nobody has received', 'events that nobody has received'
FROM (SELECT 1 FROM outbox_event WHERE lane IS NOT NULL LIMIT 10001) e
UNION ALL
SELECT count(*), 'open dead letter', 'open dead letters'
FROM (SELECT 1 FROM outbox_dlq_event WHERE resolved_at IS NULL LIMIT 10001) d
ORDER BY 2;
