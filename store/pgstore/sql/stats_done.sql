-- $1 where to stop counting.
SELECT count(*) FROM (SELECT FROM outbox_event e WHERE e.status = 1 LIMIT $1::int) s
