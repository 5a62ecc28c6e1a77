package daemon

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/cmd/internal/dburl"
	"github.com/sendoff-go/outbox/observe"
)

// health knows whether the daemon is ready. It is safe for concurrent use.
type health struct {
	mu     sync.Mutex
	reason string // why it is not ready; "" while it works
	db     *dburl.Handle
	away   map[string]string // destinations that are down, and why
	paused map[string]bool   // destinations that a person has paused

	asking sync.Mutex // apart from mu, which the relay's hooks take
	asked  time.Time  // when the database was asked last, and its answer
	answer error
}

// askAgain is how long an answer of the database serves further probes.
const askAgain = time.Second

func newHealth() *health {
	return &health{reason: "starting", away: map[string]string{}, paused: map[string]bool{}}
}

func (h *health) set(reason string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reason = reason
}

func (h *health) connected(db *dburl.Handle) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.db, h.reason = db, ""
}

// hooks follow the destinations.
func (h *health) hooks() observe.Hooks {
	return observe.Hooks{
		Breaker: func(info observe.BreakerInfo) {
			h.mu.Lock()
			defer h.mu.Unlock()
			delete(h.away, info.Target)
			if info.Open && info.Err != nil {
				h.away[info.Target] = strings.Join(strings.Fields(info.Err.Error()), " ")
			}
		},
		Paused: func(info observe.PausedInfo) {
			h.mu.Lock()
			defer h.mu.Unlock()
			delete(h.paused, info.Target)
			if info.Paused {
				h.paused[info.Target] = true
			}
		},
	}
}

// ready reports whether the daemon works, and says more in text. A destination
// that is down does not make it unready: the others go on, and a restart would
// not bring it back.
func (h *health) ready(ctx context.Context) (ok bool, text string) {
	h.mu.Lock()
	reason, db, away, paused := h.reason, h.db, maps.Clone(h.away), maps.Clone(h.paused)
	h.mu.Unlock()
	if reason != "" {
		return false, reason + "\n"
	}
	if err := h.ask(ctx, db); err != nil {
		return false, "the database is unavailable: " + err.Error() + "\n"
	}
	var out strings.Builder
	out.WriteString("ready\n")
	for _, target := range slices.Sorted(maps.Keys(away)) {
		if !paused[target] {
			fmt.Fprintf(&out, "unavailable: %s: %s\n", target, away[target])
		}
	}
	for _, target := range slices.Sorted(maps.Keys(paused)) {
		fmt.Fprintf(&out, "paused: %s\n", target)
	}
	return true, out.String()
}

// ask asks the database whether it is there, once for probes close together.
func (h *health) ask(ctx context.Context, db *dburl.Handle) error {
	h.asking.Lock()
	defer h.asking.Unlock()
	if time.Since(h.asked) > askAgain {
		h.answer = ping(ctx, db)
		h.asked = time.Now()
	}
	return h.answer
}

func ping(ctx context.Context, db *dburl.Handle) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	_, err := db.Text(ctx, "SELECT 1")
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New("no answer within 3s")
	}
	return db.Problem("", err)
}

// handler serves health and metrics.
func (d *Daemon) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, "alive\n")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ok, text := d.health.ready(r.Context())
		if !d.knows(r) { // the rest names servers and their errors
			text = "not ready\n"
			if ok {
				text = "ready\n"
			}
		}
		if ok {
			answer(w, http.StatusOK, text)
		} else {
			answer(w, http.StatusServiceUnavailable, text)
		}
	})
	mux.Handle("GET /metrics", d.known(admin.Viewer, d.metrics.handler()))
	mux.HandleFunc("/api/", d.serveAPI)
	d.serveConsole(mux)
	d.profiling(mux)
	return mux
}

func answer(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	_, _ = io.WriteString(w, text) // the client has gone
}

// serve listens on admin.addr, if there is one, until stop is called.
func (d *Daemon) serve(ctx context.Context) (stop func(), err error) {
	addr := d.config.Admin.Addr
	if addr == "" {
		return func() {}, nil
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("outbox.admin.addr: %w: choose another address, or stop the process that uses it", err)
	}
	certificates, err := serverTLS(d.config.Admin.TLS, d.log)
	if err != nil {
		_ = l.Close() // nobody was told of it
		return nil, fmt.Errorf("outbox.admin.%w", err)
	}
	if certificates != nil {
		l = tls.NewListener(l, certificates)
	}
	var requests sync.WaitGroup
	handler := d.handler()
	counted := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		defer requests.Done()
		handler.ServeHTTP(w, r)
	})
	srv := &http.Server{Handler: counted, ErrorLog: slog.NewLogLogger(d.log.Handler(), slog.LevelWarn), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, MaxHeaderBytes: 16 << 10}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			d.log.Error("outbox: stopped serving health and metrics", "error", err)
		}
	}()
	d.log.Info("outbox: serving /livez, /readyz and /metrics", "addr", l.Addr().String())
	if d.whoever != nil && certificates == nil && !loopback(l.Addr()) {
		d.log.Warn("outbox: credentials come in without encryption: set outbox.admin.tls, or put a proxy with TLS in front of outbox.admin.addr", "addr", l.Addr().String())
	}
	return sync.OnceFunc(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		if err := srv.Shutdown(ctx); err != nil {
			_ = srv.Close() // cuts off requests that still run
		}
		<-done
		requests.Wait() // their contexts have ended
	}), nil
}
