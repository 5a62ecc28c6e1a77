-- What consumers would do again if the event came again.

SELECT count(*), 'id of a consumed event, which takes effect again if it is delivered again',
  'ids of consumed events, which take effect again if they are delivered again'
FROM (SELECT 1 FROM outbox_consumed_event LIMIT 10001) c;
