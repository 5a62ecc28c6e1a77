-- ?1 how many, as in sweep_foreign_dead.sql.
DELETE FROM outbox_event
WHERE seq IN (SELECT seq FROM outbox_event WHERE status = 3 ORDER BY seq LIMIT ?1)
