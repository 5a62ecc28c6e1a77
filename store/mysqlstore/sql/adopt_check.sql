-- Statements that look for rows of the event table that could not be kept. Each
-- returns what is wrong and what to do about it, or nothing. They skip the
-- values of a column whose type is wrong: an ENUM compares as a number. Every
-- statement is whole, because GROUP_CONCAT would cut a long one off.
WITH has AS (
  SELECT c.column_name AS name, LOWER(c.data_type) AS type, c.is_nullable = 'NO' AS needed, c.character_maximum_length AS fits
  FROM information_schema.columns c
  WHERE c.table_schema = IF(LOCATE('.', 'outbox_event'), SUBSTRING_INDEX('outbox_event', '.', 1), DATABASE())
    AND c.table_name = SUBSTRING_INDEX('outbox_event', '.', -1)
), class AS (
  SELECT 'status' AS word, ' tinyint smallint mediumint int bigint decimal ' AS types,
    'make it a TINYINT of 0 (new), 1 (done), 2 (retry) and 3 (dead)' AS advice
  UNION ALL SELECT 'count', ' tinyint smallint mediumint int bigint decimal ', 'make it an INT'
  UNION ALL SELECT 'time', ' datetime timestamp date ', 'make it a DATETIME(6) in UTC'
  UNION ALL SELECT 'id', ' char varchar uuid tinyint smallint mediumint int bigint ', 'make it a VARCHAR'
  UNION ALL SELECT 'text', ' char varchar tinytext text mediumtext longtext enum uuid tinyint smallint mediumint int bigint ', 'make it a VARCHAR'
  UNION ALL SELECT 'JSON', ' json char varchar tinytext text mediumtext longtext ',
    'make it JSON or LONGTEXT; a payload that is not JSON belongs into payload_bytes, beside a payload that is null'
  UNION ALL SELECT 'bytes', ' binary varbinary tinyblob blob mediumblob longblob ', 'make it a LONGBLOB, or rename it'
), wanted AS (
  SELECT 1 AS n, 'event_id' AS name, 'id' AS word, 36 AS longest
  UNION ALL SELECT 2, 'event_type', 'text', NULL
  UNION ALL SELECT 3, 'aggregate_type', 'text', 64
  UNION ALL SELECT 4, 'aggregate_id', 'text', 128
  UNION ALL SELECT 5, 'tenant_id', 'text', 64
  UNION ALL SELECT 6, 'correlation_id', 'text', 128
  UNION ALL SELECT 7, 'trace_id', 'text', 128
  UNION ALL SELECT 8, 'payload', 'JSON', NULL
  UNION ALL SELECT 9, 'payload_bytes', 'bytes', NULL
  UNION ALL SELECT 10, 'headers', 'JSON', NULL
  UNION ALL SELECT 11, 'status', 'status', NULL
  UNION ALL SELECT 12, 'attempts', 'count', NULL
  UNION ALL SELECT 13, 'available_at', 'time', NULL
  UNION ALL SELECT 14, 'occurred_at', 'time', NULL
  UNION ALL SELECT 15, 'created_at', 'time', NULL
  UNION ALL SELECT 16, 'done_at', 'time', NULL
  UNION ALL SELECT 17, 'last_error', 'text', 16383
  UNION ALL SELECT 18, 'locked_by', 'text', 128
), found AS (
  SELECT w.n, w.name, w.word, w.longest, h.type, h.needed, h.fits, c.advice, LOCATE(CONCAT(' ', h.type, ' '), c.types) > 0 AS fitting
  FROM wanted w JOIN has h ON h.name = w.name JOIN class c ON c.word = w.word
), wrong AS (
  SELECT n, name, CONCAT('is of type ', type, ', whose values have no certain meaning here') AS problem,
    IF(word IN ('JSON', 'bytes'), 'CONCAT(''event '', event_id)', name) AS example, 'TRUE' AS matches, advice
  FROM found WHERE NOT fitting
  UNION ALL
  SELECT n, name, CONCAT('has more than ', longest, ' characters'), name, CONCAT('CHAR_LENGTH(', name, ') > ', longest), 'shorten it'
  FROM found WHERE fitting AND longest < fits
  UNION ALL
  SELECT n, name, 'has characters beyond ASCII', name, 'LENGTH(CONVERT(event_id USING utf8mb4)) > CHAR_LENGTH(event_id)', 'give the events other ids'
  FROM found WHERE fitting AND name = 'event_id' AND fits IS NOT NULL
  UNION ALL
  SELECT n, name, 'is null, empty or has more than 128 characters', name,
    'event_type IS NULL OR CHAR_LENGTH(event_type) NOT BETWEEN 1 AND 128', 'give the events a type, or delete them'
  FROM found WHERE fitting AND name = 'event_type'
  UNION ALL
  SELECT n, name, 'has values without a meaning here', name, 'status IS NULL OR status NOT IN (0, 1, 2, 3)',
    'set them to 0 (new), 1 (done), 2 (retry) or 3 (dead)'
  FROM found WHERE fitting AND name = 'status'
  UNION ALL
  SELECT n, name, 'has values that are no number of attempts', name,
    'attempts < 0 OR attempts >= 2147483647 OR attempts <> FLOOR(attempts)', 'set them to the number of failed attempts, or to 0'
  FROM found WHERE fitting AND name = 'attempts'
  UNION ALL
  -- A claim looks for times from the year 1 on.
  SELECT n, name, 'has times with a year, month or day of zero', name,
    CONCAT('CAST(', name, ' AS CHAR) LIKE ''0000-%'' OR CAST(', name, ' AS CHAR) LIKE ''____-00-%'' OR CAST(', name, ' AS CHAR) LIKE ''____-__-00%'''),
    'set them to a time, or to NULL'
  FROM found WHERE fitting AND word = 'time'
  UNION ALL
  SELECT p.n, p.name, IF(b.name IS NULL, 'is null', 'and payload_bytes are both null or both set'), 'CONCAT(''event '', event_id)',
    IF(b.name IS NULL, 'payload IS NULL', '(payload IS NULL) = (payload_bytes IS NULL)'),
    'set exactly one of payload and payload_bytes, or delete the events'
  FROM found p LEFT JOIN found b ON b.name = 'payload_bytes'
  WHERE p.name = 'payload' AND p.fitting AND COALESCE(b.fitting, TRUE) AND NOT (p.needed AND b.name IS NULL)
)
SELECT CONCAT('SELECT CONCAT(''its column ', name, ' ', problem, ' (rows: '', COUNT(*), IF(COUNT(*) > 0, CONCAT('', such as '', ',
  'COALESCE(LEFT(MIN(CAST(', example, ' AS CHAR)), 60), ''NULL'')), ''''), ''): ', advice, ''') FROM outbox_event WHERE ', matches,
  IF(matches = 'TRUE', '', ' HAVING COUNT(*) > 0'))
FROM wrong ORDER BY n
