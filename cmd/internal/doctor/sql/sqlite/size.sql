-- About how many rows the event table has: rows are numbered without reuse.
SELECT coalesce(max(seq) - min(seq) + 1, 0) FROM outbox_event
