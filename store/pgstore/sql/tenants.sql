-- $1 lane, $2 the tenant to start after, $3 how many. Skips from tenant to tenant
-- through the index. The first row of a tenant is its earliest.
WITH RECURSIVE tenant(name, due, n) AS (
  (SELECT coalesce(e.tenant_id, '') COLLATE "C", e.available_at <= statement_timestamp(), 1
   FROM outbox_event e
   WHERE e.status IN (0, 2) AND e.event_type = $1::text AND coalesce(e.tenant_id, '') COLLATE "C" > $2::text
   ORDER BY coalesce(e.tenant_id, '') COLLATE "C", e.available_at, e.seq
   LIMIT 1)
  UNION ALL
  SELECT r.name, r.due, t.n + 1
  FROM tenant t
  CROSS JOIN LATERAL (
    SELECT coalesce(e.tenant_id, '') COLLATE "C" AS name, e.available_at <= statement_timestamp() AS due
    FROM outbox_event e
    WHERE e.status IN (0, 2) AND e.event_type = $1::text AND coalesce(e.tenant_id, '') COLLATE "C" > t.name
    ORDER BY coalesce(e.tenant_id, '') COLLATE "C", e.available_at, e.seq
    LIMIT 1) r
  WHERE t.n < $3::int
)
SELECT name, due FROM tenant ORDER BY n
