package demo

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	tea "charm.land/bubbletea/v2"

	"github.com/sendoff-go/outbox/cmd/internal/tally"
)

func busy() State {
	lane := func(name string) Lane {
		return Lane{
			Name:      name,
			Counts:    tally.Counts{Written: 1234567, Delivered: 1234000, Retried: 99999, GaveUp: 12345, RolledBack: 4321, Hot: 1200000},
			WriteRate: 12345.6, DeliverRate: 9.9, P50: 123 * time.Microsecond, P99: 4567 * time.Millisecond, Max: time.Minute,
		}
	}
	st := State{Phase: Placing, Console: "http://127.0.0.1:9465", Elapsed: 75 * time.Second, Total: lane("")}
	for _, name := range types {
		st.Lanes = append(st.Lanes, lane(name))
	}
	for i := range 200 {
		st.PerSecond = append(st.PerSecond, int64(i*i%97))
	}
	for i := range 30 {
		st.Notes = append(st.Notes, Note{Kind: NoteKind(i % 5), Text: fmt.Sprintf("note %d: %s", i, strings.Repeat("long ", 40))})
	}
	return st
}

func TestTheViewFitsItsTerminal(t *testing.T) {
	where := "PostgreSQL 15.18, " + strings.Repeat("file /a/very/long/path", 10)
	for _, size := range [][2]int{{80, 24}, {100, 30}, {200, 60}, {40, 12}, {10, 3}} {
		for name, st := range map[string]State{"busy": busy(), "new": {Phase: Starting}} {
			view := render(st, where, size[0], size[1])
			if w, h := lipgloss.Width(view), lipgloss.Height(view); w > size[0] || h > size[1] {
				t.Errorf("%s: the view is %d by %d in a terminal of %d by %d", name, w, h, size[0], size[1])
			}
		}
	}
}

func TestTheHintHowToEndSurvivesASmallTerminal(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {60, 24}, {60, 15}, {60, 10}, {40, 12}, {30, 4}, {26, 1}} {
		for phase, want := range map[Phase]string{Placing: "q or Ctrl-C ends the demo", Draining: "q ends at once"} {
			st := busy()
			st.Phase = phase
			view := strings.TrimRight(ansi.Strip(render(st, "SQLite", size[0], size[1])), " \n")
			if last := view[strings.LastIndex(view, "\n")+1:]; !strings.HasPrefix(last, want) {
				t.Errorf("%s at %d by %d ends with %q, expected %q", phase, size[0], size[1], last, want)
			}
		}
	}
}

func TestANarrowTerminalShowsWholeColumns(t *testing.T) {
	view := ansi.Strip(render(busy(), "SQLite", 60, 24))
	for _, want := range []string{"p50 0.12 ms", "p99 4,567 ms", "no duplicates", "waiting retried dead"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is missing in\n%s", want, view)
		}
	}
}

func TestEverythingIsThereAt80By24(t *testing.T) {
	view := ansi.Strip(render(busy(), "SQLite, file /tmp/shop.db", 80, 24))
	for _, want := range []string{
		"outbox demo", "01:15", "/tmp/shop.db", "written", "1,234,567", "12,346/s", "waiting", "retried", "dead", "rolled back",
		"p50 0.12 ms", "p99 4,567 ms", "OrderPlaced", "OrderPaid", "OrderShipped", "MailRequested", "InvoiceRequested 1,234,567", "note 29", "q or Ctrl-C",
	} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is missing in\n%s", want, view)
		}
	}
}

func TestTheAddressOfTheConsoleIsOnEveryTerminal(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {80, 24}, {60, 24}, {60, 15}, {40, 12}} {
		view := ansi.Strip(render(busy(), "SQLite", size[0], size[1]))
		if !strings.Contains(view, "console  http://127.0.0.1:9465") {
			t.Errorf("it is missing at %d by %d:\n%s", size[0], size[1], view)
		}
	}
	st := busy()
	st.Console = ""
	if view := ansi.Strip(render(st, "SQLite", 80, 24)); strings.Contains(view, "console") {
		t.Errorf("there is none:\n%s", view)
	}
}

func TestWhatSomebodyAskedForIsShownAsSuch(t *testing.T) {
	st := busy()
	st.Total.Repeated = 12
	if view := ansi.Strip(render(st, "", 80, 24)); !strings.Contains(view, "no duplicates, 12 again on request") {
		t.Error(view)
	}
}

func TestDuplicatesAreShown(t *testing.T) {
	st := busy()
	st.Total.Duplicates = 3
	if view := ansi.Strip(render(st, "", 80, 24)); !strings.Contains(view, "3 twice") {
		t.Error(view)
	}
}

func TestTheFirstKeyStopsTheShopAndTheSecondTheWait(t *testing.T) {
	stopped := false
	d := New(openFile(t), Config{})
	var m tea.Model = model{demo: d, stop: func() { stopped = true }}
	press := func(key rune, mod tea.KeyMod) { m, _ = m.Update(tea.KeyPressMsg{Code: key, Mod: mod}) }
	press('x', 0)
	if stopped {
		t.Fatal("any key stops the shop")
	}
	press('q', 0)
	if !stopped || d.isAbandoned() {
		t.Fatalf("after q: stopped %v, abandoned %v", stopped, d.isAbandoned())
	}
	press('c', tea.ModCtrl)
	if !d.isAbandoned() {
		t.Error("the second key does not end the wait")
	}
}

func TestProgressTellsOfTrouble(t *testing.T) {
	d := New(openFile(t), Config{})
	d.notes.failedTx(errors.New("the database is down"))
	st := d.State()
	if st.Failed != 1 || st.Troubles != 1 || len(st.Notes) != 1 || st.Notes[0].Kind != Trouble {
		t.Errorf("got %+v", st)
	}
	if text := line(st); !strings.Contains(text, "written 0") {
		t.Error(text)
	}
}
