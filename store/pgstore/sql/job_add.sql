-- $1 job, $2 action, $3 spec, $4 by whom, $5 note, $6 matches, $7 whether there are more, $8 state.
INSERT INTO outbox_job (job_id, action, spec, actor, note, matches, matches_more, state)
VALUES ($1::text, $2::text, $3::text, $4::text, $5::text, $6::bigint, $7::boolean, $8::text)
