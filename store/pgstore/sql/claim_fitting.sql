-- The end of claim.sql and claim_tenant.sql: the rows that fit into the bytes of
-- their want. The running total of the sizes is computed only if the rows of a want
-- do not all fit.
), fits AS MATERIALIZED (
  SELECT coalesce(bool_and(t.max_bytes = 0 OR t.total <= t.max_bytes), true) AS every
  FROM (SELECT f.max_bytes, sum(f.size) AS total FROM found f GROUP BY f.want, f.max_bytes) t
), fitting AS (
  SELECT f.event_id FROM found f WHERE (SELECT every FROM fits)
  UNION ALL
  SELECT s.event_id
  FROM (
    SELECT f.event_id, f.max_bytes, row_number() OVER line AS n, sum(f.size) OVER line AS total
    FROM found f
    WHERE NOT (SELECT every FROM fits)
    WINDOW line AS (PARTITION BY f.want ORDER BY f.available_at, f.seq ROWS UNBOUNDED PRECEDING)) s
  WHERE s.max_bytes = 0 OR s.total <= s.max_bytes OR s.n = 1
)
