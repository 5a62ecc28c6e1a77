-- What the row waits for.
CASE e.status WHEN 1 THEN 'done' WHEN 3 THEN 'dead'
  ELSE CASE WHEN e.locked_until > clock_timestamp() THEN 'held' ELSE 'waiting' END END
