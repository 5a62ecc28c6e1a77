package testenv

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Control starts a server that belongs to the test, which may stop and start
// it: from here on [URL], [Database] and [Secure] with that name mean this one.
// The test must not be parallel. When it ends, the server is gone.
//
// It needs programs that scripts/with-servers has fetched. Without it the test
// is skipped, or fails if [Require] says so.
func Control(t testing.TB, name string) *Server {
	t.Helper()
	URL(t, name)
	shared := os.Getenv(variable(name) + "_CTL")
	if shared == "" {
		miss(t, "%s was not started by scripts/with-servers, which would start another one for this test: unset %s", name, variable(name))
	}
	out, err := control(shared, "another")
	if err != nil {
		t.Fatalf("cannot start another %s: %v", name, err)
	}
	answer := strings.Split(strings.TrimSpace(out), "\n")
	s := &Server{t: t, name: name, script: answer[0]}
	t.Cleanup(func() {
		if _, err := control(s.script, "remove"); err != nil {
			t.Errorf("cannot remove %s: %v", name, err)
		}
	})
	t.Setenv(variable(name)+"_CTL", s.script)
	t.Setenv(variable(name), answer[1])
	t.Setenv(variable(name)+"_SECURE", strings.Join(answer[2:], ""))
	return s
}

// OwnPooler leads to a PostgreSQL database through a PgBouncer that belongs to the
// test, see [Control]. A test that cuts connections needs one: PgBouncer 1.18, which
// Debian 12 has, ends when a client has sent a cancel request and goes away before
// that is carried out.
func OwnPooler(t testing.TB, database string) string {
	t.Helper()
	Control(t, PgBouncer)
	to, err := url.Parse(URL(t, PgBouncer))
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = to.Host
	return u.String()
}

// Server is a server that the test has control of, from [Control].
//
// Its methods return when the server is in the new state, fail the test if it
// does not get there, and must be called from the test's own goroutine.
type Server struct {
	t      testing.TB
	name   string
	script string
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
	if _, err := control(s.script, action); err != nil {
		s.t.Fatalf("cannot %s %s: %v", action, s.name, err)
	}
}

// control calls the control script of a server.
func control(script, action string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	var stderr strings.Builder
	cmd := exec.CommandContext(ctx, script, action)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, stderr.String())
	}
	return string(out), nil
}
