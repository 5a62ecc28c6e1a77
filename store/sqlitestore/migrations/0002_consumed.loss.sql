-- What consumers would do again if the event came again.

SELECT count(*), 'event id that a consumer has had, without which it would take effect again',
  'event ids that consumers have had, without which they would take effect again'
FROM (SELECT 1 FROM outbox_consumed_event LIMIT 10001) c;
