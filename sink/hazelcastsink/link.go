package hazelcastsink

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/hazelcast/hazelcast-go-client"
)

// link keeps a client connected, from the first use on. It knows whether there
// is a connection, which the client does not tell: without one, the client
// holds a message back until it has one again, and nobody would know whether it
// was sent.
type link struct {
	cfg   Config
	stuck time.Duration   // that of the constant, but in tests
	ctx   context.Context // ends with Close
	stop  context.CancelFunc
	once  sync.Once
	done  chan struct{} // closed when run has ended

	mu      sync.Mutex
	why     error      // why there is no connection
	log     *clientLog // of the current client
	client  *hazelcast.Client
	up      bool          // as the current client said last
	said    int           // how often a client has said something
	session *session      // while there is a connection
	changed chan struct{} // closed and replaced when session changes
}

// session is a time in which the client was connected.
type session struct {
	client *hazelcast.Client
	ctx    context.Context // ends with the connection
	end    context.CancelFunc
}

var errNotYet = errors.New("the first attempt to connect has not ended")

func newLink(cfg Config) *link {
	l := &link{cfg: cfg, stuck: stuck, done: make(chan struct{}), changed: make(chan struct{}), why: errNotYet}
	l.ctx, l.stop = context.WithCancel(context.Background())
	return l
}

// await returns the session, which it waits for if need be. Its error means
// that there is none.
func (l *link) await(ctx context.Context) (*session, error) {
	l.once.Do(func() { go l.run() })
	ctx, cancel := context.WithTimeout(ctx, l.cfg.DialTimeout)
	defer cancel()
	for {
		l.mu.Lock()
		s, changed := l.session, l.changed
		l.mu.Unlock()
		switch {
		case l.ctx.Err() != nil:
			return nil, errClosed
		case ctx.Err() != nil:
			return nil, l.away(ctx)
		case s != nil:
			return s, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
		case <-l.ctx.Done():
		}
	}
}

// away says why there is no connection.
func (l *link) away(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.session != nil {
		return fmt.Errorf("hazelcastsink: not sent: %w", context.Cause(ctx))
	}
	why := l.why
	if l.log != nil {
		if err := l.log.err(); err != nil {
			why = err
		}
	}
	return fmt.Errorf("hazelcastsink: no connection to the cluster: %w", explain(why))
}

// run connects until Close, and replaces a client that got stuck.
func (l *link) run() {
	defer close(l.done)
	wait, limit := 100*time.Millisecond, l.stuck
	for l.ctx.Err() == nil {
		if err := l.probe(); err != nil {
			l.blame(err)
			l.sleep(wait)
			wait = min(2*wait, time.Second)
			continue
		}
		client := l.start(limit)
		if client == nil {
			l.sleep(limit / 15)
			limit = min(2*limit, 20*l.stuck)
			continue
		}
		wait, limit = 100*time.Millisecond, l.stuck
		l.watch(client)
		l.replace(nil, nil)
		shutdown(client)
	}
}

// probe finds out whether anybody listens at one of the addresses, and is
// trusted. A client that is told to give up before it was connected leaves a
// goroutine behind, so none is started for nothing, and its handshakes have no
// time limit.
func (l *link) probe() error {
	var why error
	for _, a := range l.cfg.Addresses {
		conn, err := l.dial(a)
		switch {
		case err == nil:
			_ = conn.Close()
			return nil
		case why == nil:
			why = err
		default:
			why = fmt.Errorf("%w; %w", why, err)
		}
	}
	return why
}

func (l *link) dial(address string) (net.Conn, error) {
	d := &net.Dialer{Timeout: l.cfg.DialTimeout}
	if l.cfg.TLS == nil {
		return d.DialContext(l.ctx, "tcp", address)
	}
	return (&tls.Dialer{NetDialer: d, Config: l.cfg.TLS}).DialContext(l.ctx, "tcp", address)
}

// stuck is how long a client may do nothing without a connection: it waits
// forever for the answer to a handshake.
const stuck = 15 * time.Second

// start starts a client; nil if it did nothing for that long, or at Close. A
// client that never was connected cannot be ended, and leaves a goroutine.
func (l *link) start(limit time.Duration) *hazelcast.Client {
	log := &clientLog{to: l.cfg.Logger}
	l.replace(nil, log)
	addresses := slices.Clone(l.cfg.Addresses)
	rand.Shuffle(len(addresses), func(i, j int) { addresses[i], addresses[j] = addresses[j], addresses[i] })
	cfg := l.cfg.client(log, addresses, func(up bool) { l.tell(log, up) })
	ctx, cancel := context.WithCancel(l.ctx)
	defer cancel()
	started := make(chan *hazelcast.Client, 1)
	go func() {
		client, err := hazelcast.StartNewClientWithConfig(ctx, cfg)
		if err != nil {
			l.blame(err)
		}
		started <- client
	}()
	begun := time.Now()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case client := <-started:
			if client != nil {
				l.replace(client, log)
			}
			return client
		case <-tick.C:
			if since := time.Now().Add(-limit); since.Before(begun) || !log.silent(since) {
				continue
			}
		case <-l.ctx.Done():
		}
		cancel()
		go func() { // it may not notice for a while
			if client := <-started; client != nil {
				shutdown(client)
			}
		}()
		return nil
	}
}

// watch returns when the client has to be replaced, or at Close.
func (l *link) watch(client *hazelcast.Client) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	lastUp := time.Now()
	for client.Running() {
		select {
		case <-l.ctx.Done():
			return
		case now := <-tick.C:
			l.mu.Lock()
			log, up, said := l.log, l.session != nil, l.said
			l.mu.Unlock()
			if !up && ping(l.ctx, client, time.Second) == nil { // it may reconnect and not say so
				l.assume(said)
				up = true
			}
			if up {
				lastUp = now
			} else if since := now.Add(-l.stuck); lastUp.Before(since) && log.silent(since) {
				return
			}
		}
	}
}

func (l *link) sleep(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-l.ctx.Done():
	}
}
