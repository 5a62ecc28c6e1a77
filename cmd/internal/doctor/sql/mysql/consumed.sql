-- The time of a consumed id, and how many seconds ago the earliest event that is
-- not delivered yet was written: among the first thousand of the table.
SELECT (SELECT g.consumed_at FROM outbox_consumed_event g LIMIT 1),
  (SELECT TIMESTAMPDIFF(SECOND, MIN(f.created_at), UTC_TIMESTAMP(6))
    FROM (SELECT e.created_at FROM outbox_event e WHERE e.lane > '' LIMIT 1000) f)
