package testenv

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// Control lets the test stop and start the server, as the only user of all
// servers: it waits until the tests of other packages make room. The test must not
// be parallel. When it ends, the server is started again.
//
// Only servers that scripts/with-servers has started can be controlled. Otherwise
// the test is skipped, or fails if [Require] says so.
func Control(t testing.TB, name string) *Server {
	t.Helper()
	URL(t, name)
	if os.Getenv(variable(name)+"_CTL") == "" {
		miss(t, "%s was not started by scripts/with-servers and cannot be stopped: unset %s", name, variable(name))
	}
	controlServers(t)
	s := &Server{t: t, name: name}
	t.Cleanup(s.Start)
	return s
}

// Server is a server that the test has control of, from [Control].
//
// Its methods return when the server is in the new state, fail the test if that
// does not come about, and must be called from the test's own goroutine.
type Server struct {
	t    testing.TB
	name string
}

// Stop ends the server in good order.
func (s *Server) Stop() { s.t.Helper(); s.do("stop") }

// Crash ends the server as a power cut would: the next start has to recover.
func (s *Server) Crash() { s.t.Helper(); s.do("crash") }

// Start starts the server, on the same port and data. It does nothing if the
// server runs.
func (s *Server) Start() { s.t.Helper(); s.do("start") }

// Restart is Stop and Start.
func (s *Server) Restart() { s.t.Helper(); s.do("restart") }

func (s *Server) do(action string) {
	s.t.Helper()
	if err := command(s.name, action); err != nil {
		s.t.Fatalf("cannot %s %s: %v", action, s.name, err)
	}
}

// command calls the control script of a server.
func command(name, action string) error {
	script := os.Getenv(variable(name) + "_CTL")
	if script == "" {
		return fmt.Errorf("no control script for %s", name)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, script, action).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}
