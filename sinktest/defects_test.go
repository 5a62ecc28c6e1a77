package sinktest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// defect is a fault that a driver could have, and the law that must notice it.
type defect struct {
	name, law string
	make      func(f *fake)
}

var errPlain = errors.New("failed")

func defects() []defect {
	return slices.Concat(answerDefects(), exactDefects(), orderDefects(), failureDefects(), secretDefects(), outageDefects(), lossDefects(), certaintyDefects(), endDefects())
}

// answering changes the answers.
func answering(g func(i int, m outbox.Message, err error) error) func(*fake) {
	return func(f *fake) { f.answer = g }
}

// arriving changes what arrives.
func arriving(g func(m outbox.Message) outbox.Message) func(*fake) {
	return func(f *fake) { f.arrive = func(m outbox.Message) { f.put(g(m)) } }
}

// payload changes the bytes.
func payload(g func(b []byte) []byte) func(*fake) {
	return arriving(func(m outbox.Message) outbox.Message {
		m.Event.Bytes, m.Event.JSON = g(m.Payload()), nil
		return m
	})
}

// header changes each header.
func header(g func(name, value string) (string, string)) func(*fake) {
	return arriving(func(m outbox.Message) outbox.Message {
		changed := map[string]string{}
		for name, value := range m.Headers {
			if name, value = g(name, value); name != "" {
				changed[name] = value
			}
		}
		m.Headers = changed
		return m
	})
}

func answerDefects() []defect {
	return []defect{
		{"an empty batch is an error", "an empty batch is a no-op", func(f *fake) {
			f.send = func(ctx context.Context, batch []outbox.Message) []error {
				if len(batch) == 0 {
					return []error{errPlain}
				}
				return f.deliver(ctx, batch)
			}
		}},
		{"the last answer is missing", "what was sent once arrives once", func(f *fake) {
			f.send = func(ctx context.Context, batch []outbox.Message) []error {
				return f.deliver(ctx, batch)[:max(len(batch)-1, 1)]
			}
		}},
		{"the hundredth is dropped", "what was sent once arrives once", func(f *fake) {
			n := 0
			f.arrive = func(m outbox.Message) {
				if n++; n != 100 {
					f.put(m)
				}
			}
		}},
		{"the second arrives twice", "what was sent once arrives once", func(f *fake) {
			f.arrive = func(m outbox.Message) {
				f.put(m)
				if len(f.arrivals) == 2 {
					f.arrivals = append(f.arrivals, arrival(m))
				}
			}
		}},
		{"a batch has the limit of a message", "a batch may be much larger than a message", func(f *fake) {
			f.send = func(ctx context.Context, batch []outbox.Message) []error {
				n := 0
				for _, m := range batch {
					n += len(m.Payload())
				}
				if n > outbox.MaxPayload {
					return slices.Repeat([]error{errPlain}, len(batch))
				}
				return f.deliver(ctx, batch)
			}
		}},
		{"a send during another is lost", "sends may run at the same time", func(f *fake) {
			var busy sync.Mutex
			met := make(chan struct{})
			meet := sync.OnceFunc(func() { close(met) })
			f.send = func(ctx context.Context, batch []outbox.Message) []error {
				if !busy.TryLock() {
					meet()
					return nil
				}
				defer busy.Unlock()
				select { // the first one waits for another
				case <-met:
				case <-ctx.Done():
				}
				return f.deliver(ctx, batch)
			}
		}},
		{"a replay is dropped as a duplicate", "a replay arrives even if the event arrived before", func(f *fake) {
			f.same = func(m outbox.Message) string { return m.Event.ID + string(m.Payload()) }
		}},
		{"the event id alone is compared", "two events that share an id both arrive", func(f *fake) {
			f.same = func(m outbox.Message) string { return m.Event.ID }
		}},
		{"the client keeps the caller's buffers", "the caller may reuse its buffers when Send has returned", func(f *fake) {
			f.arrive = func(m outbox.Message) {
				a := arrival(m)
				a.Payload = m.Payload()
				f.arrivals = append(f.arrivals, a)
			}
		}},
		{"the client keeps the caller's headers", "the caller may reuse its buffers when Send has returned", func(f *fake) {
			f.arrive = func(m outbox.Message) {
				a := arrival(m)
				a.Headers = m.Headers
				f.arrivals = append(f.arrivals, a)
			}
		}},
	}
}

func exactDefects() []defect {
	return []defect{
		{"JSON is reformatted", "bytes arrive byte for byte", payload(func(b []byte) []byte {
			var out bytes.Buffer
			if json.Compact(&out, b) != nil {
				return b
			}
			return out.Bytes()
		})},
		{"bytes are converted to UTF-8", "bytes arrive byte for byte", payload(func(b []byte) []byte { return bytes.ToValidUTF8(b, []byte("?")) })},
		{"line ends are trimmed", "bytes arrive byte for byte", payload(func(b []byte) []byte { return bytes.TrimRight(b, "\n") })},
		{"the client's limit is lower", "the largest payload arrives", answering(func(_ int, m outbox.Message, err error) error {
			if len(m.Payload()) > 1_000_000 {
				return outbox.Permanent(errPlain)
			}
			return err
		})},
		{"names are lower-cased", "headers arrive unchanged", header(func(n, v string) (string, string) { return strings.ToLower(n), v })},
		{"empty headers are dropped", "headers arrive unchanged", header(func(n, v string) (string, string) {
			if v == "" {
				return "", ""
			}
			return n, v
		})},
		{"values are converted to ASCII", "headers arrive unchanged", header(func(n, v string) (string, string) {
			return n, strings.ToValidUTF8(strings.ReplaceAll(v, "é", "?"), "?")
		})},
		{"the trace context is dropped", "every message says what it is", header(func(n, v string) (string, string) {
			if strings.HasPrefix(n, "trace") {
				return "", ""
			}
			return n, v
		})},
		{"the tenant is dropped", "every message says what it is", header(func(n, v string) (string, string) {
			if n == outbox.HeaderTenantID {
				return "", ""
			}
			return n, v
		})},
		{"line breaks become spaces", "a header that cannot be carried is refused, not changed",
			header(func(n, v string) (string, string) { return n, strings.ReplaceAll(v, "\n", " ") })},
		{"values are trimmed", "a header that cannot be carried is refused, not changed",
			header(func(n, v string) (string, string) { return n, strings.TrimSpace(v) })},
		{"a wrong header is retried forever", "a header that cannot be carried is refused, not changed",
			answering(func(_ int, m outbox.Message, err error) error {
				if _, ok := m.Headers["newline"]; ok {
					return outbox.Unavailable(errPlain)
				}
				return err
			})},
	}
}

func orderDefects() []defect {
	return []defect{
		{"a batch is sent backwards", "messages of one key arrive in order", func(f *fake) {
			f.send = func(ctx context.Context, batch []outbox.Message) []error {
				batch = slices.Clone(batch)
				slices.Reverse(batch)
				return f.deliver(ctx, batch)
			}
		}},
		{"the latest comes first", "batches sent one after the other arrive in that order", func(f *fake) {
			f.arrive = func(m outbox.Message) { f.arrivals = slices.Insert(f.arrivals, 0, arrival(m)) }
		}},
		{"the rest of a key goes on after a refusal", "messages behind a refused one of their key are not sent and spend no attempt", func(f *fake) { f.overtakes = true }},
		{"the rest of a batch goes on after a failure", "a connection cut within a batch keeps the order of a key", func(f *fake) { f.overtakes = true }},
	}
}

func failureDefects() []defect {
	large := func(m outbox.Message) bool { return len(m.Payload()) >= fakeTooLarge }
	// spread gives one message's answer to the whole batch.
	spread := func(bad func(m outbox.Message) bool) func(*fake) {
		return func(f *fake) {
			f.send = func(ctx context.Context, batch []outbox.Message) []error {
				errs := f.deliver(ctx, batch)
				if i := slices.IndexFunc(batch, bad); i >= 0 {
					return slices.Repeat(errs[i:i+1], len(batch))
				}
				return errs
			}
		}
	}
	return []defect{
		{"a large message is retried", "a message that is too large is permanent, and the answer says its size", answering(func(_ int, m outbox.Message, err error) error {
			if large(m) {
				return errPlain
			}
			return err
		})},
		{"a large message is refused without a size", "a message that is too large is permanent, and the answer says its size", answering(func(_ int, m outbox.Message, err error) error {
			if large(m) {
				return outbox.Permanent(errPlain)
			}
			return err
		})},
		{"a large message fails its batch", "a message that is too large fails alone", spread(large)},
		{"a message without a queue is acknowledged", "a message that cannot be routed is a failure, and the answer names the destination", answering(func(_ int, m outbox.Message, err error) error {
			if m.Destination == fakeUnroutable {
				return nil
			}
			return err
		})},
		{"a message without a queue is an outage", "a message that cannot be routed is a failure, and the answer names the destination", answering(func(_ int, m outbox.Message, err error) error {
			if m.Destination == fakeUnroutable {
				return outbox.Unavailable(err)
			}
			return err
		})},
		{"a wrong destination fails its batch", "a message that cannot be routed fails alone",
			spread(func(m outbox.Message) bool { return m.Destination == fakeUnroutable })},
	}
}

// unmarked fails in that mode without blaming the destination.
func unmarked(mode string, as func(error) error) func(*fake) {
	return func(f *fake) {
		f.answer = func(_ int, _ outbox.Message, err error) error {
			f.mu.Lock()
			defer f.mu.Unlock()
			if err != nil && f.mode == mode {
				return as(errors.Unwrap(err))
			}
			return err
		}
	}
}

func same(err error) error { return err }

// broken stays broken once it has been in that state.
func broken(state func(f *fake) bool) func(*fake) {
	return func(f *fake) {
		once := false
		f.send = func(ctx context.Context, batch []outbox.Message) []error {
			f.mu.Lock()
			once = once || state(f)
			f.mu.Unlock()
			if once {
				return slices.Repeat([]error{outbox.Unavailable(errPlain)}, len(batch))
			}
			return f.deliver(ctx, batch)
		}
	}
}

// deaf waits for a hanging server and ignores its context.
func deaf(f *fake) {
	f.send = func(ctx context.Context, batch []outbox.Message) []error {
		errs := f.deliver(ctx, batch)
		f.mu.Lock()
		hangs := f.mode == "hang"
		f.mu.Unlock()
		if hangs {
			<-f.quit
		}
		return errs
	}
}

func outageDefects() []defect {
	return []defect{
		{"a cancelled send counts", "a cancelled context ends a Send at once", answering(func(_ int, _ outbox.Message, err error) error {
			if errors.Is(err, context.Canceled) {
				return context.Canceled
			}
			return err
		})},
		{"a cancelled send goes on", "a waiting Send ends when its context is cancelled", deaf},
		{"the sink has no limit of its own", "a Send without a deadline ends by the sink's own limit", deaf},
		{"an outage counts", "a server that is down is unavailable, and its return needs no new sink", unmarked("refuse", same)},
		{"an outage is permanent", "a server that is down is unavailable, and its return needs no new sink", unmarked("refuse", outbox.Permanent)},
		{"an outage lasts forever", "a server that is down is unavailable, and its return needs no new sink", broken(func(f *fake) bool { return f.mode == "refuse" })},
		{"the first connection must succeed", "a sink may be opened while its server is down", broken(func(f *fake) bool { return f.mode == "refuse" })},
		{"a timeout counts", "a server that hangs is unavailable by the end of the context", unmarked("hang", same)},
		{"a server that hangs holds the worker", "a server that hangs is unavailable by the end of the context", deaf},
		{"a handshake has no limit", "a server that hangs from the beginning is unavailable too", deaf},
		{"a cut connection is never replaced", "a connection that was cut while idle is replaced", broken(func(f *fake) bool { return f.budget == 0 })},
		{"a cut connection counts", "a connection that was cut while idle is replaced", answering(func(_ int, _ outbox.Message, err error) error {
			if outbox.IsUnavailable(err) {
				return errPlain
			}
			return err
		})},
	}
}

func lossDefects() []defect {
	optimist := answering(func(_ int, _ outbox.Message, err error) error {
		if outbox.IsUnavailable(err) {
			return nil
		}
		return err
	})
	return []defect{
		{"written to the socket is delivered", "a connection cut within a batch loses nothing silently", optimist},
		{"the client does not wait for an acknowledgement", "a message whose acknowledgement is lost is not delivered", optimist},
		{"the client retries what was not answered", "one Send delivers a message once, even if its answer is lost", func(f *fake) {
			f.arrive = func(m outbox.Message) {
				f.put(m)
				f.mu.Lock()
				defer f.mu.Unlock()
				if f.mode == "mute" {
					f.arrivals = append(f.arrivals, arrival(m))
				}
			}
		}},
		{"the client sends what it has reported as failed", "what arrives late is what was sent", func(f *fake) {
			var late []outbox.Message
			f.send = func(ctx context.Context, batch []outbox.Message) []error {
				f.mu.Lock()
				hangs := f.mode == "hang"
				f.mu.Unlock()
				if hangs {
					late = append(late, batch...)
				} else {
					for _, m := range late {
						f.put(m)
					}
					late = nil
				}
				return f.deliver(ctx, batch)
			}
		}},
	}
}

func certaintyDefects() []defect {
	forgets := answering(func(_ int, _ outbox.Message, err error) error {
		if driver.IsUncertain(err) {
			return driver.NotSent(err)
		}
		return err
	})
	return []defect{
		{"a lost answer is like any other failure", "what arrives although it failed was said to be uncertain", forgets},
		{"a timeout is like any other failure", "a message that a hanging server was given is uncertain", forgets},
		{"every outage is uncertain", "a message that no server was given is not uncertain", answering(func(_ int, _ outbox.Message, err error) error {
			if outbox.IsUnavailable(err) {
				return driver.Uncertain(err)
			}
			return err
		})},
		{"the first outage is uncertain", "a message that no server was given is not uncertain", func(f *fake) {
			later := false
			answering(func(_ int, _ outbox.Message, err error) error {
				if outbox.IsUnavailable(err) && !later {
					later = true
					return driver.Uncertain(err)
				}
				return err
			})(f)
		}},
		{"every failure is uncertain", "a message that was refused is not uncertain", answering(func(_ int, _ outbox.Message, err error) error {
			return driver.Uncertain(err)
		})},
	}
}

func endDefects() []defect {
	return []defect{
		{"the check always passes", "a check tells a server that answers from one that does not", func(f *fake) {
			f.check = func(context.Context) error { return nil }
		}},
		{"the check never passes", "a check tells a server that answers from one that does not", func(f *fake) {
			f.check = func(context.Context) error { return errPlain }
		}},
		{"the check waits forever", "a check tells a server that answers from one that does not", func(f *fake) {
			f.check = func(context.Context) error { <-f.quit; return nil }
		}},
		{"the check of a destination always passes", "a check of a destination tells a server that answers from one that does not", func(f *fake) {
			f.checkDestination = func(context.Context, outbox.Message) error { return nil }
		}},
		{"the check of a destination sends its message", "a check of a destination sends no message", func(f *fake) {
			f.checkDestination = func(_ context.Context, m outbox.Message) error { f.put(m); return nil }
		}},
		{"the check sends a message", "a check sends no message", func(f *fake) {
			f.check = func(context.Context) error { f.put(outbox.Message{}); return nil }
		}},
		{"a second Close is an error", "a sink may be closed twice", func(f *fake) {
			f.close = func() error {
				if f.closed {
					return errPlain
				}
				return f.end()
			}
		}},
		{"a send after Close counts", "a Send after Close is unavailable and sends nothing", answering(func(_ int, _ outbox.Message, err error) error {
			if err != nil {
				return errPlain
			}
			return nil
		})},
		{"a send after Close is sent", "a Send after Close is unavailable and sends nothing", func(f *fake) {
			f.close = func() error { return nil }
		}},
		{"Close leaves the sends alone", "Close ends the sends that wait for a hanging server", deaf},
		{"a goroutine is left", "nothing keeps running after Close", func(f *fake) {
			f.send = func(ctx context.Context, batch []outbox.Message) []error {
				f.wg.Go(func() { <-f.quit })
				return f.deliver(ctx, batch)
			}
		}},
	}
}
