package top

import (
	"fmt"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/sendoff-go/outbox/admin"
)

func TestTheScreenFitsItsTerminal(t *testing.T) {
	v := watched(t)
	for i := range 300 {
		v.Status.Types = append(v.Status.Types, admin.Lane{Type: fmt.Sprintf("a-rather-long-type-of-number-%d", i), Waiting: admin.Count{N: 1}})
	}
	for _, size := range [][2]int{{120, 40}, {80, 24}, {60, 24}, {60, 15}, {40, 12}, {20, 5}, {10, 3}, {200, 60}, {7, 1}} {
		for name, view := range map[string]View{"busy": v, "new": {}, "broken": {Err: errDown}} {
			text := render(view, frame{where: strings.Repeat("a long name ", 30), width: size[0], height: size[1]})
			if w, h := lipgloss.Width(text), lipgloss.Height(text); w > size[0] || h > size[1] {
				t.Errorf("%s: %d by %d in a terminal of %d by %d:\n%s", name, w, h, size[0], size[1], text)
			}
			if last := text[strings.LastIndex(text, "\n")+1:]; !strings.HasPrefix(ansi.Strip(last), "q quit") && size[0] > 6 {
				t.Errorf("%s at %d by %d ends with %q", name, size[0], size[1], last)
			}
		}
	}
}

func TestEverythingIsThereAt120And60Columns(t *testing.T) {
	v := watched(t)
	always := []string{
		"outbox top", "PostgreSQL 15", "12:00:30", "waiting           12,345+  oldest 1m15s, 7 in delivery", "out                  10/s  100% right after commit",
		"failing             2.0/s", "latency p50", "p99", "dead letters           42",
		"● critical  The destination �[2Jbilling is down", "● down      billing for 30 s: connection�refused", "● paused    mail by Ada",
		"InvoiceRequested", "● down", "OrderPlaced", "✓ ok", "▲ unclaimed", "oldest",
		"instance", "shop-1", "v1.2.3", "1h00m", "25%", "q quit   p pause   s sort, now by urgency",
	}
	wide := ansi.Strip(render(v, frame{where: "PostgreSQL 15", width: 120, height: 40}))
	missing(t, wide, always...)
	missing(t, wide, "failing/s", "p50", "out per second", "█████")
	narrow := ansi.Strip(render(v, frame{where: "PostgreSQL 15", width: 60, height: 32}))
	missing(t, narrow, always...)
	for _, gone := range []string{"over", "muted", "fine", "\x1b", "\a"} {
		if strings.Contains(wide, gone) {
			t.Errorf("%q is there:\n%s", gone, wide)
		}
	}
}

func TestWithoutRelaysTheScreenSaysSo(t *testing.T) {
	missing(t, render(View{}, frame{width: 80, height: 24}), "No relay is running")
}

func TestTypesAreSortedAsAskedFor(t *testing.T) {
	v := watched(t)
	for o, want := range map[order]string{byUrgency: "InvoiceRequested", byWaiting: "InvoiceRequested", byOut: "OrderPlaced", byDead: "InvoiceRequested", byName: "InvoiceRequested"} {
		if got := types(v, o)[0].Type; got != want {
			t.Errorf("by %s the first is %q", o, got)
		}
	}
	if got := types(v, byName); got[1].Type != "OrderPlaced" {
		t.Errorf("by name the second is %q", got[1].Type)
	}
}

func TestManyTypesLeaveRoomForTheRest(t *testing.T) {
	v := watched(t)
	for i := range 50 {
		v.Status.Types = append(v.Status.Types, admin.Lane{Type: fmt.Sprintf("t%02d", i), Waiting: admin.Count{N: 1}})
	}
	missing(t, ansi.Strip(render(v, frame{width: 80, height: 40})), "more types", "shop-1", "q quit")
}

func TestDurationsReadWell(t *testing.T) {
	for seconds, want := range map[float64]string{0: "–", 0.5: "500 ms", 9.7: "9.7 s", 59: "59 s", 75: "1m15s", 3720: "1h02m", 400000: "4d"} {
		if got := span(seconds); got != want {
			t.Errorf("%v is %q, expected %q", seconds, got, want)
		}
	}
}
