package dialecttest

import (
	"fmt"
	"slices"
	"strings"
)

// foreignTable makes an event table as another program may have it, with the
// given columns instead of those of the same name, or after them. A bare name
// omits its column. A DATE is a time on every database.
func foreignTable(columns ...string) string {
	all := []string{
		"event_id VARCHAR(36) PRIMARY KEY", "event_type VARCHAR(128)", "payload VARCHAR(2000)",
		"status INT", "attempts INT DEFAULT 0", "available_at DATE", "created_at DATE",
	}
	return fmt.Sprintf("CREATE TABLE outbox_event (%s)", strings.Join(replaced(all, " ", columns), ", "))
}

// foreignRow writes an event into it, with the given values instead of those of
// a new one: "status = 7".
func foreignRow(values ...string) string {
	all := []string{
		"event_id = 'a'", "event_type = 'OrderPlaced'", "payload = '{}'", "status = 0",
		"available_at = '2024-02-29'", "created_at = '2024-02-29'",
	}
	var names, set []string
	for _, v := range replaced(all, " = ", values) {
		name, value, _ := strings.Cut(v, " = ")
		names, set = append(names, name), append(set, value)
	}
	return fmt.Sprintf("INSERT INTO outbox_event (%s) VALUES (%s)", strings.Join(names, ", "), strings.Join(set, ", "))
}

// replaced puts each element of with in place of the one with the same name, or
// at the end.
func replaced(all []string, after string, with []string) []string {
	for _, w := range with {
		name, rest, _ := strings.Cut(w, after)
		i := slices.IndexFunc(all, func(old string) bool { return strings.HasPrefix(old, name+after) })
		switch {
		case i < 0:
			all = append(all, w)
		case rest == "":
			all = slices.Delete(all, i, i+1)
		default:
			all[i] = w
		}
	}
	return all
}
