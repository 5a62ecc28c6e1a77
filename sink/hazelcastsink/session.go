package hazelcastsink

import (
	"context"
	"time"

	"github.com/hazelcast/hazelcast-go-client"
)

// tell notes what the client with that log said about its connection. An
// earlier client is not listened to.
func (l *link) tell(log *clientLog, up bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.log == log {
		l.up = up
		l.said++
		l.settle()
	}
}

// assume takes the client for connected, unless one has said something since.
func (l *link) assume(said int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.said == said {
		l.up = true
		l.settle()
	}
}

// replace makes another client the current one, or none.
func (l *link) replace(client *hazelcast.Client, log *clientLog) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.log != log {
		l.up = false
	}
	l.client, l.log = client, log
	l.settle()
}

// blame notes why there is no connection.
func (l *link) blame(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.why = err
}

// settle begins or ends the session. The caller holds the lock. A client says
// that it is connected before its start has returned it.
func (l *link) settle() {
	connected := l.client != nil && l.up
	if connected == (l.session != nil) {
		return
	}
	if connected {
		ctx, cancel := context.WithCancel(l.ctx)
		l.session = &session{client: l.client, ctx: ctx, end: cancel}
	} else {
		l.session.end()
		l.session = nil
	}
	close(l.changed)
	l.changed = make(chan struct{})
}

// close ends the client, and reports whether it ended in time.
func (l *link) close() bool {
	l.stop()
	l.once.Do(func() { close(l.done) }) // never used
	t := time.NewTimer(2 * shutdownLimit)
	defer t.Stop()
	select {
	case <-l.done:
		return true
	case <-t.C:
		return false
	}
}

// shutdownLimit is how long a client may take to end. It can deadlock when its
// connection is lost at the same moment.
const shutdownLimit = 5 * time.Second

func shutdown(client *hazelcast.Client) {
	ended := make(chan struct{})
	ctx, cancel := context.WithTimeout(context.Background(), shutdownLimit)
	go func() {
		defer close(ended)
		defer cancel()
		_ = client.Shutdown(ctx)
	}()
	t := time.NewTimer(shutdownLimit)
	defer t.Stop()
	select {
	case <-ended:
	case <-t.C:
	}
}

// ping asks the cluster something that changes nothing. The client has no
// smaller question.
func ping(ctx context.Context, client *hazelcast.Client, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	_, err := client.GetDistributedObjectsInfo(ctx)
	return err
}
