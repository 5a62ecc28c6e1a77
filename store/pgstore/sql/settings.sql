-- Parameters as in wait_limit.sql, whose limits it sets too. Sent with BEGIN, by
-- drivers that can send several statements at once.
--
-- The rest makes a statement keep the plan of its first use. Planning a claim
-- anew costs as much as claiming twenty rows; and a plan that was made while the
-- table was empty must not be one that reads all of it, since it is kept until
-- the next ANALYZE. Such a plan looks dear, since it is for any limits, and from
-- some 350,000 waiting rows on the server would compile it to machine code for
-- every claim: 80 ms each.
SELECT set_config('lock_timeout', $1::bigint::text, true),
  set_config('statement_timeout', $2::bigint::text, true),
  set_config('idle_in_transaction_session_timeout', $2::bigint::text, true),
  CASE WHEN current_setting('transaction_timeout', true) IS NOT NULL THEN set_config('transaction_timeout', '0', true) END,
  set_config('plan_cache_mode', 'force_generic_plan', true),
  set_config('jit', 'off', true),
  set_config('enable_seqscan', 'off', true),
  set_config('enable_bitmapscan', 'off', true)
