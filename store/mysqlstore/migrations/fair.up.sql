-- The index of fair claims. It is no version of the schema: only those have it who
-- asked for it. A claim changes none of its columns.

CREATE INDEX outbox_event_fair ON outbox_event (lane, tenant_id, available_at, seq);
