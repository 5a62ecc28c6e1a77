-- ?1 by whom, ?2 action, ?3 subjects as a JSON array, ?4 note.
INSERT INTO outbox_audit (actor, action, subjects, note)
VALUES (?1, ?2, ?3, ?4)
