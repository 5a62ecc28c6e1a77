package demo

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/console"
)

// DefaultConsole is where the console is served if that address is free.
const DefaultConsole = "127.0.0.1:9465"

// Listen opens an address for the console. It must be a loopback address, since the
// console has no login. If [DefaultConsole] is taken, it opens another
// port.
func Listen(address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%q is not an address: write it as %s, or none for no console", address, DefaultConsole)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("%q is open to others, and the console of the demo has no login: use %s", address, DefaultConsole)
	}
	l, err := net.Listen("tcp", address)
	if err != nil && address == DefaultConsole {
		l, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		return nil, fmt.Errorf("the console cannot be served: %w: choose another address, or none", err)
	}
	return l, nil
}

// ConsoleURL is where the console is; "" if there is none.
func (d *Demo) ConsoleURL() string {
	if d.cfg.Console == nil {
		return ""
	}
	return "http://" + d.cfg.Console.Addr().String()
}

// closeConsole closes the address, even if nothing was served there.
func (d *Demo) closeConsole() {
	if d.cfg.Console != nil {
		_ = d.cfg.Console.Close() // the server has usually closed it
	}
}

// serve serves the console and the REST API, until ctx is done and stop was called.
func (d *Demo) serve(ctx context.Context) (stop func(), err error) {
	l := d.cfg.Console
	if l == nil {
		return func() {}, nil
	}
	mux, pages, err := d.handlers(ctx)
	if err != nil {
		return nil, err
	}
	var running sync.WaitGroup
	srv := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			running.Add(1)
			defer running.Done()
			mux.ServeHTTP(w, r)
		}),
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, MaxHeaderBytes: 16 << 10,
	}
	var loops sync.WaitGroup
	loops.Go(func() { pages.Run(ctx) })
	loops.Go(func() {
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			d.notes.add(Trouble, "the console is no longer served: %v", err)
		}
	})
	return func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		if srv.Shutdown(ctx) != nil {
			_ = srv.Close() // cuts off requests that still run
		}
		loops.Wait()
		running.Wait() // their contexts have ended
	}, nil
}

// handlers returns the console at /console/ and the REST API at /api/, as the daemon
// has them.
func (d *Demo) handlers(ctx context.Context) (http.Handler, *console.Console, error) {
	api := admin.Config{Store: d.db.Store, Auth: admin.AnyoneHere(admin.Admin), Version: d.cfg.Version, Logger: quiet}
	rest, err := admin.New(api)
	if err != nil {
		return nil, nil, err
	}
	pages, err := console.New(console.Config{
		API: api, Name: "demo", Database: d.db.Name(ctx),
		Settings: d.settings, TypeSettings: typeSettings,
	})
	if err != nil {
		return nil, nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/api/", rest)
	mux.Handle("/console/", http.StripPrefix("/console", pages))
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "./console/")
		w.WriteHeader(http.StatusSeeOther)
	})
	return mux, pages, nil
}

// settings returns the settings in force, for the console.
func (d *Demo) settings() string {
	return fmt.Sprintf(`demo:
  orders-per-second: %g
  mail-attempts: %d
  accounting: down for 12 s of every minute
  delivered: kept for 24 h
  events: %s
`, d.cfg.Rate, mailAttempts, d.cfg.Events)
}

func typeSettings(eventType string) []console.Setting {
	attempts, to := "25", "a listener in this process"
	switch eventType {
	case mailRequested.Type():
		attempts = fmt.Sprint(mailAttempts)
	case invoiceRequested.Type():
		to = "accounting, which is down for 12 s of every minute"
	}
	return []console.Setting{{Name: "receiver", Value: to}, {Name: "attempts", Value: attempts}, {Name: "retry", Value: "after 200 ms, doubled up to 2 s"}}
}
