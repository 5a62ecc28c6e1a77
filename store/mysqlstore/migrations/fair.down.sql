DROP INDEX outbox_event_fair ON outbox_event;
