-- What is wrong would be raised again; what people muted is lost.

SELECT count(*), 'muted alert', 'muted alerts'
FROM (SELECT 1 FROM outbox_alert WHERE muted_until IS NOT NULL LIMIT 10001) a;
