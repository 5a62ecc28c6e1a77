-- $1 owner. Also deletes instances not seen for a day.
DELETE FROM outbox_instance
WHERE owner = $1::text OR seen_at < clock_timestamp() - interval '1 day'
