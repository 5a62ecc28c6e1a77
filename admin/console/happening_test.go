package console

import (
	"testing"
	"time"
)

func TestAnEntryKeepsItsKeyWhileItsTextChanges(t *testing.T) {
	at := time.Now()
	alert := func(text string) happening { return happening{At: at, Text: "Alert: %s", Args: []any{text}} }
	before := entriesOf([]happening{alert("down for 5s"), alert("another"), {At: at, Text: "Over: %s"}})
	after := entriesOf([]happening{alert("down for 7s"), alert("another"), {At: at, Text: "Over: %s"}})
	keys := map[string]bool{}
	for i := range before {
		if before[i].Key != after[i].Key {
			t.Errorf("entry %d is %s, and was %s", i, after[i].Key, before[i].Key)
		}
		keys[before[i].Key] = true
	}
	if len(keys) != 3 {
		t.Errorf("three entries have the keys %v", keys)
	}
}
