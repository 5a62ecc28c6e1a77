package top

import (
	"context"
	"io"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Refresh is how often the outbox is read.
const Refresh = 2 * time.Second

// Live shows an outbox on a terminal until q, Ctrl-C or the end of ctx. where names
// the outbox for people. When it returns, the terminal is as it was. It fails if the
// outbox cannot be read at the start; later the screen says so and tries again.
func Live(ctx context.Context, from Source, in io.Reader, out io.Writer, where string) error {
	w := &watch{from: from}
	view := w.look(ctx)
	if ctx.Err() != nil {
		return nil
	}
	if view.Err != nil {
		return view.Err
	}
	ctx, stop := context.WithCancel(ctx)
	m := model{view: view, where: where, read: func() tea.Msg { return viewMsg(w.look(ctx)) }}
	// The caller handles signals, and ends ctx.
	p := tea.NewProgram(m, tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler())
	var ticking sync.WaitGroup
	ticking.Go(func() { refresh(ctx, p) })
	_, err := p.Run()
	stop()
	ticking.Wait()
	w.wait() // the caller closes the source
	return err
}

// refresh tells the program when to read again, and to quit when ctx is done.
func refresh(ctx context.Context, p *tea.Program) {
	tick := time.NewTicker(Refresh)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			p.Send(tickMsg{})
		case <-ctx.Done():
			p.Quit()
			return
		}
	}
}

// model is the screen's state.
type model struct {
	view          View
	where         string
	order         order
	paused        bool
	reading       bool // at most one at a time
	width, height int
	read          tea.Cmd
}

type (
	tickMsg struct{}
	viewMsg View
)

// Init implements [tea.Model].
func (m model) Init() tea.Cmd { return nil }

// Update implements [tea.Model].
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tickMsg:
		if !m.paused && !m.reading {
			m.reading = true
			return m, m.read
		}
	case viewMsg:
		m.reading = false
		if !m.paused {
			m.view = View(msg)
		}
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		switch msg.String() {
		case "q", "ctrl+c", "esc":
			return m, tea.Quit
		case "p", "space":
			m.paused = !m.paused
		case "s":
			m.order = m.order.next()
		}
	}
	return m, nil
}

// View implements [tea.Model].
func (m model) View() tea.View {
	v := tea.NewView(render(m.view, frame{where: m.where, order: m.order, paused: m.paused, width: m.width, height: m.height}))
	v.AltScreen = true
	v.WindowTitle = "outbox top"
	return v
}
