package natssink

import (
	"context"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// link follows the state of the connection.
type link struct {
	nc      *nats.Conn
	dialer  *dialer // nil on the caller's connection
	changes chan nats.Status
	wg      sync.WaitGroup

	mu sync.Mutex
	up chan struct{} // closed while connected
}

// watch calls lost whenever the connection is lost.
func watch(nc *nats.Conn, d *dialer, lost func()) *link {
	l := &link{nc: nc, dialer: d, up: make(chan struct{}), changes: nc.StatusChanged(nats.CONNECTED, nats.DISCONNECTED, nats.RECONNECTING, nats.CLOSED)}
	if nc.IsConnected() {
		close(l.up)
	}
	l.wg.Go(func() {
		for range l.changes { // read the state itself, since a notification may have been dropped
			if l.look() {
				continue
			}
			lost()
		}
	})
	return l
}

// look notes whether there is a connection.
func (l *link) look() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	connected := l.nc.IsConnected()
	select {
	case <-l.up:
		if !connected {
			l.up = make(chan struct{})
		}
	default:
		if connected {
			close(l.up)
		}
	}
	return connected
}

// wait waits for a connection, but no longer than patience.
func (l *link) wait(ctx context.Context, patience time.Duration, closed <-chan struct{}) error {
	l.mu.Lock()
	up := l.up
	l.mu.Unlock()
	select {
	case <-up:
		return nil
	default:
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-up:
		return nil
	case <-closed:
		return errClosed
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return l.away()
	}
}

func (l *link) close() {
	l.nc.RemoveStatusListener(l.changes)
	l.wg.Wait()
}
