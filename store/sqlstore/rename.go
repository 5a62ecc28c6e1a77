package sqlstore

// Rename puts table names into SQL text that has the default ones, as the
// dialect's own files do, for programs that ask the database about the tables. It
// fails only on invalid names, with [github.com/sendoff-go/outbox/driver.ErrName].
func Rename(d Dialect, t Tables, sql string) (string, error) {
	names, err := newNaming(&d, t)
	if err != nil {
		return "", err
	}
	return names.rewrite(sql), nil
}
