-- ?1 by whom, ?2 action, ?3 subjects as a JSON array, ?4 note.
INSERT INTO outbox_audit (acted_at, actor, action, subjects, note)
VALUES (UTC_TIMESTAMP(6), ?1, ?2, ?3, ?4)
