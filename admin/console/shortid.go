package console

// shortID is an id for a table: its beginning and its end, since ids that were
// made one after the other begin alike.
func shortID(id string) string {
	if r := []rune(id); len(r) > 16 {
		return string(r[:6]) + "…" + string(r[len(r)-6:])
	}
	return id
}
