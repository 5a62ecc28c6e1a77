-- ?1 age, ?2 how many to look at. The earliest ones are found by their number: an
-- index by time would be for this alone.
DELETE FROM outbox_audit
WHERE audit_id IN (SELECT audit_id FROM outbox_audit ORDER BY audit_id LIMIT ?2)
  AND acted_at <= CAST(round(unixepoch('subsec') * 1000) AS INTEGER) - ?1 / 1000
