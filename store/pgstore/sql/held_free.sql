-- Parameters as in held.sql. Locks and returns the claims that are held and
-- whose rows no other session has locked. After that, no outcome of theirs has
-- to wait.
-- include: held
FOR UPDATE SKIP LOCKED
