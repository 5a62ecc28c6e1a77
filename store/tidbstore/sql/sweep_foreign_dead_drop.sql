-- ?1 [seq] of each row.
DELETE FROM outbox_event WHERE seq IN (?1[0]) AND status = 3
