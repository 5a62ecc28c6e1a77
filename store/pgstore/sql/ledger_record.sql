-- $1 event ids in byte order, $2 group. Returns those that are new.
--
-- It waits for another transaction that is writing the same id. Writing in one
-- order avoids deadlock. In a transaction that sees an older snapshot, an id
-- that was committed since is a serialization failure, not a guess.
INSERT INTO outbox_consumed_event (consumer_group, event_id)
SELECT $2::text, n.event_id FROM unnest($1::text[]) WITH ORDINALITY AS n(event_id, ord)
ORDER BY n.ord
ON CONFLICT (consumer_group, event_id) DO NOTHING
RETURNING event_id, true
