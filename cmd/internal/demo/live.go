package demo

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Live runs a demo with a view of it on a terminal. The first q or Ctrl-C stops
// the shop, a second one the wait for the last events. When it returns, the
// terminal is as it was.
func Live(ctx context.Context, d *Demo, in io.Reader, out io.Writer, where string) (Summary, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	m := model{demo: d, stop: stop, where: where, state: d.State()}
	// Signals are the caller's, who ends ctx.
	p := tea.NewProgram(m, tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler())
	type result struct {
		sum Summary
		err error
	}
	defer secondSignal(d.Abandon)()
	results := make(chan result, 1)
	go func() {
		sum, err := d.Run(ctx)
		results <- result{sum, err}
		p.Quit()
	}()
	_, viewErr := p.Run()
	if viewErr != nil { // no view: the demo ends too
		stop()
		d.Abandon()
	}
	r := <-results
	return r.sum, errors.Join(r.err, viewErr)
}

// secondSignal calls f at the second signal, which would otherwise end the
// process and leave the terminal in disorder. The caller handles the first.
func secondSignal(f func()) (stop func()) {
	signals, done := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for n := 1; ; n++ {
			select {
			case <-signals:
			case <-done:
				return
			}
			if n > 1 {
				f()
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

// model is the view's state.
type model struct {
	demo          *Demo
	stop          context.CancelFunc
	stopped       bool
	where         string
	state         State
	width, height int
}

// refresh is how often the view looks at the demo.
const refresh = 200 * time.Millisecond

type tickMsg struct{}

func tick() tea.Cmd { return tea.Tick(refresh, func(time.Time) tea.Msg { return tickMsg{} }) }

// Init implements [tea.Model].
func (m model) Init() tea.Cmd { return tick() }

// Update implements [tea.Model].
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tickMsg:
		m.state = m.demo.State()
		return m, tick()
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		switch msg.String() {
		case "q", "ctrl+c", "esc":
			if m.stopped {
				m.demo.Abandon()
			}
			m.stopped = true
			m.stop()
		}
	}
	return m, nil
}

// View implements [tea.Model].
func (m model) View() tea.View {
	v := tea.NewView(render(m.state, m.where, m.width, m.height))
	v.AltScreen = true
	v.WindowTitle = "outbox demo"
	return v
}
