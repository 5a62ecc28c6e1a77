-- Times that other programs wrote as text become numbers.
UPDATE outbox_event
SET available_at = CAST(round(unixepoch(available_at, 'subsec') * 1000) AS INTEGER)
WHERE status IN (0, 2) AND typeof(available_at) = 'text'
