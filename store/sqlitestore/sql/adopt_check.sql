-- Statements that look for rows of the event table that could not be kept. Each
-- returns what is wrong and what to do about it, or nothing. A column may hold
-- anything here, whatever its type says.
--
-- Text is a time if it begins with a date: SQLite also takes numbers, which are
-- days, and the word now. Numbers are milliseconds, like those that writers
-- will write; from 1973 to 5138 they cannot be confused with another unit.
WITH old AS (SELECT lower(name) AS name, upper(type) AS type FROM pragma_table_info('outbox_event')),
  wrong (name, problem, condition, advice) AS (
    SELECT 'status', 'is of type ' || type || ', which makes text of numbers', '1', 'make it an INTEGER of 0 (new), 1 (done), 2 (retry) and 3 (dead)'
    FROM old WHERE name = 'status' AND type NOT LIKE '%INT%' AND (type LIKE '%CHAR%' OR type LIKE '%CLOB%' OR type LIKE '%TEXT%')
    UNION ALL
    SELECT 'status', 'has values without a meaning here', 'typeof(status) NOT IN (''integer'', ''real'') OR status NOT IN (0, 1, 2, 3)',
      'set them to 0 (new), 1 (done), 2 (retry) or 3 (dead)'
    FROM old WHERE name = 'status' AND (type LIKE '%INT%' OR NOT (type LIKE '%CHAR%' OR type LIKE '%CLOB%' OR type LIKE '%TEXT%'))
    UNION ALL
    SELECT 'event_id', 'is null, bytes or has more than 36 characters', 'typeof(event_id) NOT IN (''text'', ''integer'') OR length(event_id) > 36',
      'give the events other ids'
    UNION ALL
    SELECT 'event_type', 'is null, empty, bytes or has more than 128 characters',
      'typeof(event_type) <> ''text'' OR length(event_type) NOT BETWEEN 1 AND 128', 'give the events a type, or delete them'
    UNION ALL
    SELECT 'attempts', 'has values that are no number of attempts',
      'attempts IS NOT NULL AND (typeof(attempts) <> ''integer'' OR attempts < 0 OR attempts >= 2147483647)',
      'set them to the number of failed attempts, or to 0'
    UNION ALL
    SELECT name, 'has times that cannot be read', 'CASE typeof(' || name || ') WHEN ''null'' THEN 0 WHEN ''text'' THEN ' ||
      name || ' NOT GLOB ''[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'' OR unixepoch(CASE WHEN ' ||
      name || ' GLOB ''????-??-?? ??:??:??* [-+][0-9][0-9][0-9][0-9] *'' THEN substr(' || name || ', 1, 10 + instr(substr(' || name || ', 12), '' '')) || substr(' ||
      name || ', 12 + instr(substr(' || name || ', 12), '' ''), 3) || '':'' || substr(' || name || ', 15 + instr(substr(' || name || ', 12), '' ''), 2) ELSE ' ||
      name || ' END) IS NULL WHEN ''blob'' THEN 1 ELSE ' || name || ' <> 0 AND ' || name || ' NOT BETWEEN 100000000000 AND 99999999999999 END',
      'make them milliseconds since 1970, or text like 2026-01-31 12:00:00 in UTC, and let writers do the same'
    FROM old WHERE name IN ('available_at', 'occurred_at', 'created_at', 'done_at')
    UNION ALL
    SELECT 'payload', iif(EXISTS (SELECT 1 FROM old WHERE name = 'payload_bytes'), 'and payload_bytes are both null or both set', 'is null'),
      iif(EXISTS (SELECT 1 FROM old WHERE name = 'payload_bytes'), '(payload IS NULL) = (payload_bytes IS NULL)', 'payload IS NULL'),
      'set exactly one of payload and payload_bytes, or delete the events')
SELECT 'SELECT ''its column ' || name || ' ' || replace(problem, '''', '''''') || ' (rows: '' || count(*) || iif(count(*) > 0, '', such as '' || substr(' ||
  iif(name = 'payload', '''event '' || min(event_id)', 'coalesce(iif(typeof(min(' || name || ')) = ''blob'', quote(min(' || name || ')), min(' || name || ')), ''NULL'')') ||
  ', 1, 60), '''') || ''): ' || advice || ''' FROM outbox_event WHERE ' || condition || iif(condition = '1', '', ' HAVING count(*) > 0')
FROM wrong WHERE name IN (SELECT name FROM old)
