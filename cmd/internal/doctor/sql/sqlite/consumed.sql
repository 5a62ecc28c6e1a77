-- The time of a consumed id, and how many seconds ago the earliest event that is
-- not delivered yet was written: among the first thousand of the index.
SELECT (SELECT g.consumed_at FROM outbox_consumed_event g LIMIT 1),
  (SELECT unixepoch('subsec') - min(iif(typeof(f.created_at) = 'text', unixepoch(f.created_at, 'subsec'), f.created_at / 1000.0))
    FROM (SELECT e.created_at FROM outbox_event e WHERE e.status IN (0, 2) LIMIT 1000) f)
