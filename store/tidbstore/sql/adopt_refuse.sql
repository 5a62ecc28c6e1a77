-- What keeps the event table from being adopted, and what to do about it.
SELECT 'TiDB can neither change the primary key of a table nor add stored columns to it: rename it, migrate, and copy what is pending' AS what
