-- ?1 lane, ?2 the tenant to start after, ?3 how many, ?4 how many rows to read: the
-- tenants among the next rows, as lanes.sql finds lanes.
SELECT s.tenant_id, MIN(s.available_at) <= UTC_TIMESTAMP(6)
FROM (SELECT e.tenant_id, e.available_at
  FROM outbox_event e FORCE INDEX (outbox_event_fair)
  WHERE e.lane = ?1 AND e.tenant_id > ?2
  ORDER BY e.tenant_id, e.available_at, e.seq
  LIMIT ?4) s
GROUP BY s.tenant_id
ORDER BY s.tenant_id
LIMIT ?3
