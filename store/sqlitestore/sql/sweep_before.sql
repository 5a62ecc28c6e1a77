-- Times that other programs wrote as text become numbers. Text sorts after any
-- number, so the index finds it.
UPDATE outbox_event
SET done_at = coalesce(CAST(round(unixepoch(done_at, 'subsec') * 1000) AS INTEGER), CAST(round(unixepoch('subsec') * 1000) AS INTEGER))
WHERE status = 1 AND done_at >= ''
