-- Rows and bytes of the event table: as many rows on a page as when it was last
-- analysed, as the planner has it, or a guess where it never was.
SELECT CASE WHEN c.reltuples >= 0 AND c.relpages > 0
    THEN (c.reltuples / c.relpages * (pg_relation_size(c.oid) / current_setting('block_size')::int))::bigint
    ELSE pg_relation_size(c.oid) / 250 END,
  pg_total_relation_size(c.oid)
FROM pg_class c
WHERE c.oid = to_regclass('outbox_event')
