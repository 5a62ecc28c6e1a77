-- What a claim changes: $6 owner, $7 lease in microseconds.
SET locked_by = $6::text,
  locked_until = clock_timestamp() + $7::bigint * interval '1 microsecond',
  claim_no = e.claim_no + 1,
  recovered = e.recovered + (e.locked_by IS NOT NULL)::int
