-- The time, in microseconds since 1970.
SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
