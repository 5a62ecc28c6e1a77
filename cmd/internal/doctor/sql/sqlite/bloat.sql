-- Free pages of the file.
SELECT 'the file', 'bytes', (p.page_count - f.freelist_count) * s.page_size, f.freelist_count * s.page_size, '', 'VACUUM in a quiet time: it rewrites the file, and needs as much room again'
FROM pragma_page_count p, pragma_freelist_count f, pragma_page_size s
