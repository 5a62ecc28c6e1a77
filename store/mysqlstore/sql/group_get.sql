-- ?1 group.
-- include: group_columns
WHERE g.group_id = CONVERT(?1 USING ascii)
