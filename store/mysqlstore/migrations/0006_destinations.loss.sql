-- Destinations that are paused would go on.

SELECT count(*), 'paused destination', 'paused destinations'
FROM (SELECT 1 FROM outbox_destination WHERE paused LIMIT 10001) d;
