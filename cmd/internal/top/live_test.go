package top

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
)

func TestKeysPauseSortAndEnd(t *testing.T) {
	reads := 0
	var m tea.Model = model{read: func() tea.Msg { reads++; return viewMsg(View{Known: true}) }}
	press := func(key rune, mod tea.KeyMod) (cmd tea.Cmd) {
		m, cmd = m.Update(tea.KeyPressMsg{Code: key, Mod: mod})
		return cmd
	}
	if press('x', 0); m.(model).paused || m.(model).order != byUrgency {
		t.Error("any key does something")
	}
	for _, want := range []order{byWaiting, byOut, byDead, byName, byUrgency} {
		if press('s', 0); m.(model).order != want {
			t.Errorf("sorted by %s, expected %s", m.(model).order, want)
		}
	}
	press('p', 0)
	m, _ = m.Update(tickMsg{})
	if m.(model).reading {
		t.Error("it reads while it is paused")
	}
	if m, _ = m.Update(viewMsg(View{Known: true})); m.(model).view.Known {
		t.Error("what was being read replaces what stands still")
	}
	press('p', 0)
	m, _ = m.Update(tickMsg{})
	if !m.(model).reading {
		t.Error("it does not go on")
	}
	if m, _ = m.Update(viewMsg(View{Known: true})); m.(model).reading || !m.(model).view.Known {
		t.Error("what was read is not shown")
	}
	for key, mod := range map[rune]tea.KeyMod{'q': 0, 'c': tea.ModCtrl, tea.KeyEscape: 0} {
		if cmd := press(key, mod); cmd == nil || cmd() != (tea.QuitMsg{}) {
			t.Errorf("%q does not end it", key)
		}
	}
}

func TestTheScreenFollowsTheSizeOfTheTerminal(t *testing.T) {
	var m tea.Model = model{view: watched(t), where: "here"}
	for _, width := range []int{60, 120} {
		m, _ = m.Update(tea.WindowSizeMsg{Width: width, Height: 30})
		text := m.View().Content
		if has := strings.Contains(text, "failing/s"); has != (width == 120) {
			t.Errorf("at %d columns:\n%s", width, text)
		}
	}
}

func TestAnOutageIsShownUntilItIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shop{start: time.Now()}
		w := &watch{from: s}
		for range 10 {
			w.look(t.Context())
			<-time.After(Refresh)
		}
		before := w.look(t.Context())
		s.fail(errDown)
		v := w.look(t.Context())
		if !errors.Is(v.Err, errDown) || v.At != before.At || v.Status.Dead.N != 42 {
			t.Errorf("got %v of %s", v.Err, v.At)
		}
		missing(t, render(v, frame{width: 120, height: 30}), "cannot be read, trying again: read the state of the outbox: the database is down", "OrderPlaced")
		s.fail(nil)
		<-time.After(Refresh)
		if v = w.look(t.Context()); v.Err != nil || v.At == before.At {
			t.Errorf("it does not come back: %v", v.Err)
		}
	})
}

func TestWithoutATerminalTheScreenIsPrintedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shop{start: time.Now()}
		var out strings.Builder
		if err := Plain(t.Context(), s, &out, "here"); err != nil {
			t.Fatal(err)
		}
		missing(t, out.String(), "outbox top", "here", "out                  10/s", "InvoiceRequested", "shop-1")
		if strings.Contains(out.String(), "\x1b") || strings.Contains(out.String(), "q quit") || strings.Contains(out.String(), " \n") {
			t.Errorf("%q", out.String())
		}
		if took := time.Since(s.start); took < 5*time.Second || took > measure {
			t.Errorf("it measured for %s", took)
		}
		s.fail(errDown)
		if err := Plain(t.Context(), s, io.Discard, ""); !errors.Is(err, errDown) {
			t.Errorf("got %v", err)
		}
	})
}

// locked is a screen that is safe for concurrent use.
type locked struct {
	mu sync.Mutex
	bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.Write(p)
}

func TestTheScreenEndsWithItsContextAndReadsNoMore(t *testing.T) {
	s := &shop{start: time.Now()}
	ctx, cancel := context.WithCancel(t.Context())
	in, keys := io.Pipe()
	defer func() { _ = keys.Close() }()
	ended := make(chan error, 1)
	go func() { ended <- Live(ctx, s, in, &locked{}, "here") }()
	for s.read() < 2 { // that of the first refresh
		<-time.After(10 * time.Millisecond)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	s.fail(errDown)
	if err := Live(t.Context(), s, in, &locked{}, "here"); !errors.Is(err, errDown) {
		t.Errorf("got %v", err)
	}
}
