-- Letters of a batch of [event id, seq].
WHERE d.event_id IN (?1[0]) AND CONCAT(d.event_id, ' ', d.seq) IN (?1[0:2])
