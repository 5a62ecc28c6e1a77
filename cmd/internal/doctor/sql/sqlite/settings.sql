SELECT 'journal_mode', journal_mode FROM pragma_journal_mode
