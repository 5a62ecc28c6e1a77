-- What the row waits for.
CASE e.status WHEN 1 THEN 'done' WHEN 3 THEN 'dead'
  ELSE iif(e.locked_until > CAST(round(unixepoch('subsec') * 1000) AS INTEGER), 'held', 'waiting') END
