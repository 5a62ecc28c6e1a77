package screen_test

import (
	"math"
	"testing"
	"time"

	"charm.land/lipgloss/v2"

	"github.com/sendoff-go/outbox/cmd/internal/screen"
)

func TestNumbersReadWell(t *testing.T) {
	for got, want := range map[string]string{
		screen.Count(0): "0", screen.Count(999): "999", screen.Count(1000): "1,000", screen.Count(1234567): "1,234,567", screen.Count(-1500): "-1,500",
		screen.Rate(0): "0.0", screen.Rate(9.94): "9.9", screen.Rate(9.96): "10", screen.Rate(12345.6): "12,346",
		screen.Millis(123 * time.Microsecond): "0.12 ms", screen.Millis(12345 * time.Microsecond): "12.3 ms", screen.Millis(1234 * time.Millisecond): "1,234 ms", screen.Millis(12345 * time.Millisecond): "12 s",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestBarsAreAsManyAsFit(t *testing.T) {
	if got := screen.Bars([]int64{9, 0, 1, 4, 8}, 4); got != " ▁▄█" {
		t.Errorf("got %q", got)
	}
	if got := screen.Bars([]float64{math.NaN(), 0.5, 100}, 10); got != " ▁█" {
		t.Errorf("got %q", got)
	}
	if got := screen.Bars([]int64{1, 2}, -1); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestCellsHaveTheirWidth(t *testing.T) {
	for _, text := range []string{"", "short", "much too long for a cell", "注文が確定されました"} {
		for _, width := range []int{8, -8, 1} {
			if got := screen.Pad(text, width); lipgloss.Width(got) != max(width, -width) {
				t.Errorf("%q in %d is %q", text, width, got)
			}
		}
	}
	if got := screen.Pad("a", -3) + screen.Pad("b", 3); got != "a    b" {
		t.Errorf("got %q", got)
	}
}

func TestStoredTextCannotSteerATerminal(t *testing.T) {
	if got := screen.Printable("a\x1b[2J\nb\u202e"); got != "a\ufffd[2J\ufffdb\ufffd" {
		t.Errorf("got %q", got)
	}
}
