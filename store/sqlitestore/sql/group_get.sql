-- ?1 group.
-- include: group_columns
WHERE g.group_id = ?1
