-- ?1 lane, ?2 the tenant to start after, ?3 how many. Skips from tenant to tenant
-- through the index. The first row of a tenant is its earliest.
WITH RECURSIVE tenant(name) AS (
  SELECT min(coalesce(CAST(tenant_id AS TEXT), '')) FROM outbox_event
  WHERE status IN (0, 2) AND event_type = ?1 AND coalesce(CAST(tenant_id AS TEXT), '') > ?2
  UNION ALL
  SELECT (SELECT min(coalesce(CAST(tenant_id AS TEXT), '')) FROM outbox_event
    WHERE status IN (0, 2) AND event_type = ?1 AND coalesce(CAST(tenant_id AS TEXT), '') > tenant.name)
  FROM tenant WHERE tenant.name IS NOT NULL
  LIMIT ?3
)
SELECT tenant.name, (
  SELECT available_at <= CAST(round(unixepoch('subsec') * 1000) AS INTEGER) FROM outbox_event
  WHERE status IN (0, 2) AND event_type = ?1 AND coalesce(CAST(tenant_id AS TEXT), '') = tenant.name
  ORDER BY available_at, seq LIMIT 1)
FROM tenant
WHERE tenant.name IS NOT NULL
ORDER BY tenant.name
