-- ?1 job, ?2 action, ?3 spec, ?4 by whom, ?5 note, ?6 matches, ?7 whether there are more, ?8 state.
INSERT INTO outbox_job (job_id, action, spec, actor, note, matches, matches_more, state, created_at, changed_at)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))
