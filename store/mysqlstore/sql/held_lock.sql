-- Parameters as in held.sql. Returns the claims that are held, and locks their
-- rows.
-- include: held_rows
FOR UPDATE
