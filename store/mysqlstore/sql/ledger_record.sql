-- ?1 [event id] of each, in byte order, ?2 group, ?3 token. It waits for
-- another transaction that is writing the same id.
--
-- IGNORE skips more than duplicates, so the values were checked before, and
-- ledger_fresh.sql must find every id that was not inserted.
INSERT IGNORE INTO outbox_consumed_event (consumer_group, event_id, consumed_at, token)
SELECT ?2, h.event_id, UTC_TIMESTAMP(6), ?3
FROM JSON_TABLE(?1, '$[*]' COLUMNS (event_id VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin PATH '$[0]')) h
