-- $1 lane, $2 tenant, $3 aggregate id, $4 status, $5 written after, $6 written
-- before, $7 the id to start after, $8 the last one to look at, $9 headers that it
-- leaves out, $10 how many.
-- include: event_columns
-- include: event_where
ORDER BY e.event_id DESC
LIMIT $10::int
