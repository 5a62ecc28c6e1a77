-- $1 event ids. Returns those that the outbox has.
SELECT event_id FROM outbox_event WHERE event_id = ANY ($1::text[])
