DROP INDEX IF EXISTS outbox_event_fair;
