-- Parameters as in wait_limit.sql, whose limits it sets too. Sent with BEGIN by
-- drivers that can send several statements at once.
--
-- The rest makes a statement keep the plan of its first use. Planning a claim
-- costs as much as claiming twenty rows. A plan made while the table is empty
-- must not be a sequential scan, since it is kept until the next ANALYZE. A
-- generic plan has a high estimated cost, and from about 350,000 waiting rows
-- on the server would compile it with JIT for every claim: 80 ms each.
SELECT set_config('lock_timeout', $1::bigint::text, true),
  set_config('statement_timeout', $2::bigint::text, true),
  set_config('idle_in_transaction_session_timeout', $2::bigint::text, true),
  CASE WHEN current_setting('transaction_timeout', true) IS NOT NULL THEN set_config('transaction_timeout', '0', true) END,
  set_config('plan_cache_mode', 'force_generic_plan', true),
  set_config('jit', 'off', true),
  set_config('enable_seqscan', 'off', true),
  set_config('enable_bitmapscan', 'off', true)
