-- Rows and bytes of the event table. Like the planner, it assumes as many rows
-- per page as at the last ANALYZE, or guesses if there was none.
SELECT CASE WHEN c.reltuples >= 0 AND c.relpages > 0
    THEN (c.reltuples / c.relpages * (pg_relation_size(c.oid) / current_setting('block_size')::int))::bigint
    ELSE pg_relation_size(c.oid) / 250 END,
  pg_total_relation_size(c.oid)
FROM pg_class c
WHERE c.oid = to_regclass('outbox_event')
