-- About how many rows the event table has.
SELECT greatest(c.reltuples::bigint, coalesce(pg_stat_get_live_tuples(c.oid), 0))
FROM pg_class c WHERE c.oid = to_regclass('outbox_event')
