-- Parameters as in ledger_record.sql, after which each id is there. A read that
-- locks sees what was committed, a plain one only what the transaction saw when it
-- began; there are no shared locks.
SELECT e.event_id, COALESCE(e.token = ?3, 0)
FROM outbox_consumed_event e
WHERE e.consumer_group = ?2 AND e.event_id IN (?1[0])
FOR UPDATE
