-- What the row waits for.
CASE e.status WHEN 1 THEN 'done' WHEN 3 THEN 'dead' ELSE IF(e.locked_until > UTC_TIMESTAMP(6), 'held', 'waiting') END
