-- ?1 lane, ?2 rows, ?3 bytes (0: no bound), ?4 and ?5 the position to start
-- after, ?6 owner, ?7 lease, ?8 age. With a bare ?2 as its limit SQLite would
-- prepare the statement again for every lane.
UPDATE outbox_event
SET locked_by = ?6,
  locked_until = CAST(round(unixepoch('subsec') * 1000) AS INTEGER) + ?7 / 1000,
  claim_no = claim_no + 1,
  recovered = recovered + (locked_by IS NOT NULL)
WHERE seq IN (
  SELECT s.seq
  FROM (
    SELECT f.seq, row_number() OVER place AS n, sum(f.size) OVER place AS total
    FROM (
      SELECT e.seq, e.available_at, coalesce(octet_length(e.payload), octet_length(e.payload_bytes), 0) AS size
      FROM outbox_event e
      WHERE e.status IN (0, 2) AND e.event_type = ?1
        AND e.available_at <= CAST(round(unixepoch('subsec') * 1000) AS INTEGER) - ?8 / 1000
        AND (e.available_at, e.seq) > (?4 / 1000, ?5)
        AND (e.locked_until IS NULL OR e.locked_until <= CAST(round(unixepoch('subsec') * 1000) AS INTEGER))
      ORDER BY e.available_at, e.seq
      LIMIT ?2 + 0) f
    WINDOW place AS (ORDER BY f.available_at, f.seq ROWS UNBOUNDED PRECEDING)) s
  WHERE ?3 = 0 OR s.total <= ?3 OR s.n = 1)
RETURNING event_id, seq, claim_no, event_type, aggregate_type, aggregate_id, tenant_id,
  correlation_id, trace_id, payload, payload_bytes, headers, attempts, recovered,
  available_at * 1000,
  iif(typeof(occurred_at) = 'text', CAST(round(unixepoch(occurred_at, 'subsec') * 1000000) AS INTEGER), occurred_at * 1000),
  iif(typeof(created_at) = 'text', CAST(round(unixepoch(created_at, 'subsec') * 1000000) AS INTEGER), created_at * 1000),
  failures
