-- Changes nothing, but takes the write lock: a transaction that reads first and
-- writes later fails at once if another one wrote in between.
DELETE FROM outbox_control WHERE 0
