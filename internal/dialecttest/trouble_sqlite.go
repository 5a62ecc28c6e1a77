package dialecttest

// SQLiteTrouble is what a file can have: no connection that falls silent, and no
// users.
func SQLiteTrouble() (t Trouble) {
	for _, change := range []string{"INSERT", "UPDATE", "DELETE"} {
		t.Refuse = append(t.Refuse, "CREATE TRIGGER refuse_"+change+" BEFORE "+change+" ON outbox_event BEGIN SELECT RAISE(ABORT, 'refused'); END")
		t.Allow = append(t.Allow, "DROP TRIGGER refuse_"+change)
	}
	t.LockTable, t.UnlockTable = "BEGIN IMMEDIATE", "ROLLBACK"
	return t
}
