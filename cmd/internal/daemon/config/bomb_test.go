package config

import (
	"fmt"
	"strings"
	"testing"
)

// doubling is a file whose tables each merge the one before twice.
func doubling(levels int, last string) string {
	var out strings.Builder
	out.WriteString("x-0: &a0 {topic: t}\n")
	for i := 1; i <= levels; i++ {
		fmt.Fprintf(&out, "x-%d: &a%d {<<: [*a%d, *a%d]}\n", i, i, i-1, i-1)
	}
	fmt.Fprintf(&out, last, levels)
	return out.String()
}

func TestMergedTablesThatGrowWithoutMeasureAreRefusedAtOnce(t *testing.T) {
	const event = "outbox: {publisher: {sender: {type: log}, events: {e: {<<: *a%d}}}}\n"
	wide := "x-0: &a {"
	for i := range 2000 {
		wide += fmt.Sprintf("h%d: v, ", i)
	}
	wide += "}\noutbox: {publisher: {sender: {type: log}, events: {"
	for i := range 2000 {
		wide += fmt.Sprintf("e%d: {headers: *a}, ", i)
	}
	for name, content := range map[string]string{
		"merged twice each":            doubling(24, event),
		"merged into an unknown table": doubling(24, "outbox: {publisher: {nothing: {<<: *a%d}, events: {<<: *a24}}}\n"),
		"an alias for each":            wide + "}}}\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := Read("outbox.yaml", []byte(content), []string{"OUTBOX_DATABASE_URL=sqlite://x"})
			if err == nil || !strings.Contains(err.Error(), "aliases and merged tables (<<) expand to more than") {
				t.Errorf("got %.300v", err)
			}
			if err != nil && len(err.Error()) > 10_000 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
		})
	}
}

func TestTablesMayBeMergedAsOftenAsPeopleDo(t *testing.T) {
	var events strings.Builder
	for i := range 500 {
		fmt.Fprintf(&events, "e%d: {<<: *a3}, ", i)
	}
	content := doubling(3, "outbox: {publisher: {sender: {type: log}, events: {f: {<<: *a%d}, "+events.String()+"}}}\n")
	c, _, err := Read("outbox.yaml", []byte(content), []string{"OUTBOX_DATABASE_URL=sqlite://x"})
	if err != nil || len(c.Publisher.Events) != 501 || c.Publisher.Events["e499"].Topic != "t" {
		t.Errorf("got %.300v", err)
	}
}
