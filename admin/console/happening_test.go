package console

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox/admin"
)

func TestTheBatchesOfAJobAreOneEntry(t *testing.T) {
	at := time.Now()
	entry := func(ago time.Duration, by, action, note string, on ...string) admin.AuditEntry {
		return admin.AuditEntry{At: at.Add(-ago), By: by, Action: action, Note: note, Subjects: on}
	}
	got := joined([]admin.AuditEntry{
		entry(0, "ada", "job end", "", "job-1"),
		entry(1*time.Second, "ada", "replay", "lost", "e-4", "e-3"),
		entry(2*time.Second, "ada", "replay", "lost", "e-2"),
		entry(40*time.Second, "ada", "replay", "lost", "e-1"),
		entry(50*time.Second, "bob", "replay", "lost", "e-0"),
		entry(51*time.Second, "bob", "resolve", "lost", "e-0"),
		entry(52*time.Second, "bob", "resolve", "another reason", "e-0"),
		entry(5*time.Minute, "bob", "resolve", "another reason", "e-0"),
	})
	if len(got) != 5 {
		t.Fatalf("%d entries: %v", len(got), got)
	}
	if first := got[0]; len(first.Subjects) != 4 || !first.At.Equal(at.Add(-40*time.Second)) {
		t.Errorf("the first has %v, %s ago", first.Subjects, at.Sub(first.At))
	}
}

func TestABatchOfAJobIsFoundBetweenWhatOthersDid(t *testing.T) {
	at := time.Now()
	entry := func(ago time.Duration, job, action string, on ...string) admin.AuditEntry {
		return admin.AuditEntry{At: at.Add(-ago), By: "ada", Action: action, Job: job, Subjects: on}
	}
	got := joined([]admin.AuditEntry{
		entry(1*time.Second, "job-1", "retry", "e-6"),
		entry(2*time.Second, "", "edit", "e-9"),
		entry(3*time.Second, "job-2", "retry", "e-5"),
		entry(4*time.Second, "", "retry", "e-8"),
		entry(5*time.Second, "job-1", "retry", "e-3", "e-2"),
		entry(5*time.Minute, "job-1", "retry", "e-1"),
	})
	if len(got) != 4 {
		t.Fatalf("%d entries: %v", len(got), got)
	}
	if first := got[0]; len(first.Subjects) != 4 || !first.At.Equal(at.Add(-5*time.Minute)) {
		t.Errorf("the first job has %v, %s ago", first.Subjects, at.Sub(first.At))
	}
}

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
