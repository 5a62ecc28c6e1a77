-- Parameters as in held.sql. Locks and returns the claims that are held and
-- whose rows no other session has locked.
-- include: held_rows
FOR UPDATE SKIP LOCKED
