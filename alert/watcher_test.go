package alert_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/alert"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/internal/memkit"
	"github.com/sendoff-go/outbox/store/memstore"
)

// people hear notifications, unless they are deaf.
type people struct {
	heard chan string
	deaf  atomic.Bool
}

func newPeople() *people { return &people{heard: make(chan string, 1000)} }

func (p *people) Notify(_ context.Context, n alert.Notification) error {
	if p.deaf.Load() {
		return errors.New("nobody answers " + n.Alert.Text) // which has changing ages
	}
	p.heard <- string(n.Kind) + " " + n.Alert.Rule
	return nil
}

// since returns what was heard since the last call.
func (p *people) since() (all []string) {
	for {
		select {
		case one := <-p.heard:
			all = append(all, one)
		default:
			return all
		}
	}
}

func (p *people) hear(t *testing.T, when string, want ...string) {
	t.Helper()
	if got := p.since(); !slices.Equal(got, want) {
		t.Errorf("%s: heard %v, want %v", when, got, want)
	}
}

// watch runs a watcher until the test ends.
func watch(t *testing.T, c alert.Config) {
	t.Helper()
	w, err := alert.New(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); w.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
}

// after lets time pass.
func after(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func announce(t *testing.T, s *memstore.Store) {
	t.Helper()
	if err := s.Announce(t.Context(), driver.Instance{Owner: "relay/1"}); err != nil {
		t.Fatal(err)
	}
}

func TestAnAlertIsRaisedRepeatedAndResolvedByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, p := memstore.New(memstore.Config{}), newPeople()
		watch(t, alert.Config{Store: store, Notifiers: []alert.Notifier{p}, Repeat: time.Hour})
		after(50 * time.Second)
		p.hear(t, "before the threshold")
		after(30 * time.Second)
		p.hear(t, "past the threshold", "raised no-relay")
		after(50 * time.Minute)
		p.hear(t, "within repeat")
		after(15 * time.Minute)
		p.hear(t, "past repeat", "repeated no-relay")
		announce(t, store)
		after(50 * time.Second)
		p.hear(t, "with a relay", "resolved no-relay")
		after(3 * time.Minute)
		p.hear(t, "without it again", "raised no-relay")
	})
}

func TestTwoWatchersTellOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, p := memstore.New(memstore.Config{}), newPeople()
		for range 2 {
			watch(t, alert.Config{Store: store, Notifiers: []alert.Notifier{p}})
		}
		after(5 * time.Hour)
		p.hear(t, "in five hours", "raised no-relay", "repeated no-relay")
	})
}

func TestWhatOnlyOneWatcherSeesStaysOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, p := memstore.New(memstore.Config{}), newPeople()
		watch(t, alert.Config{Store: store, Rules: alert.Rules{Off: []string{alert.NoRelay}}, Notifiers: []alert.Notifier{p}})
		watch(t, alert.Config{Store: store, Notifiers: []alert.Notifier{p}})
		after(time.Hour)
		p.hear(t, "in an hour", "raised no-relay")
	})
}

func TestADestinationThatARelaySeesDownRaisesAnAlert(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, p := memstore.New(memstore.Config{}), newPeople()
		watch(t, alert.Config{Store: store, Notifiers: []alert.Notifier{p}})
		announced := func(down, during time.Duration) {
			for range during / (10 * time.Second) {
				in := driver.Instance{Owner: "relay/1", Destinations: []driver.InstanceDestination{{Name: "kafka", Down: down, Reason: "refused"}}}
				if err := store.Announce(t.Context(), in); err != nil {
					t.Fatal(err)
				}
				after(10 * time.Second)
			}
		}
		announced(time.Hour, time.Minute)
		p.hear(t, "while it is down", "raised destination-down")
		if err := store.SetPaused(t.Context(), driver.PausableDestination("kafka"), true, "ann"); err != nil {
			t.Fatal(err)
		}
		announced(time.Hour, 2*time.Minute)
		p.hear(t, "once it is paused", "resolved destination-down")
		announced(0, time.Minute)
		if err := store.SetPaused(t.Context(), driver.PausableDestination("kafka"), false, "ann"); err != nil {
			t.Fatal(err)
		}
		announced(0, time.Minute)
		p.hear(t, "once it is up")
	})
}

func TestAMutedAlertIsSilentUntilTheMuteEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, p := memstore.New(memstore.Config{}), newPeople()
		watch(t, alert.Config{Store: store, Notifiers: []alert.Notifier{p}, Repeat: time.Hour})
		after(80 * time.Second)
		p.hear(t, "at first", "raised no-relay")
		id := driver.Sighting{Rule: alert.NoRelay}.ID()
		if found, err := store.MuteAlert(t.Context(), id, driver.AlertMute{MutedUntil: time.Now().Add(24 * time.Hour), By: "ann"}); !found || err != nil {
			t.Fatal(found, err)
		}
		after(23 * time.Hour)
		p.hear(t, "while it is muted")
		after(time.Hour + time.Minute)
		p.hear(t, "after that", "repeated no-relay")
	})
}

func TestAFailedNotificationIsSentAtTheNextInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, p, deaf := memstore.New(memstore.Config{}), newPeople(), newPeople()
		deaf.deaf.Store(true)
		log := slog.New(slog.DiscardHandler)
		watch(t, alert.Config{Store: store, Notifiers: []alert.Notifier{deaf, p}, Logger: log})
		after(10 * time.Minute)
		p.hear(t, "the other one is told", "raised no-relay")
		deaf.deaf.Store(false)
		after(16 * time.Second)
		deaf.hear(t, "once it hears", "raised no-relay")
		after(10 * time.Minute)
		p.hear(t, "later")
		deaf.hear(t, "later")
	})
}

// die makes a dead letter.
func die(t *testing.T, store *memstore.Store) {
	t.Helper()
	memkit.Write(t, store, outbox.Event{Type: "order-placed", JSON: []byte("1")})
	memkit.Settle(t, store, "order-placed", driver.Outcome{Kind: driver.Dead, Attempts: 1, Error: "refused"}, true)
}

func TestDeadLettersLeaveTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, p := memstore.New(memstore.Config{}), newPeople()
		die(t, store)
		watch(t, alert.Config{Store: store, Rules: alert.Rules{Off: []string{alert.NoRelay}, DeadLetters: 1}, Notifiers: []alert.Notifier{p}})
		after(time.Minute)
		p.hear(t, "at first", "raised dead-letters")
		after(16 * time.Minute)
		p.hear(t, "past the window", "resolved dead-letters")
	})
}

func TestTheLogTellsWhatIsWrongAndWhatIsNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, out := memstore.New(memstore.Config{}), &bytes.Buffer{}
		watch(t, alert.Config{Store: store, Logger: slog.New(slog.NewTextHandler(out, nil))})
		after(2 * time.Minute)
		announce(t, store)
		after(50 * time.Second)
		for _, want := range []string{`level=WARN msg="outbox: alert raised"`, "rule=no-relay", `level=INFO msg="outbox: alert resolved"`} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("the log lacks %s:\n%s", want, out)
			}
		}
	})
}

func TestAnOutageOfANotifierIsOneLineAndItsEndAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, out := memstore.New(memstore.Config{}), newPeople()
		out.deaf.Store(true)
		var log bytes.Buffer
		watch(t, alert.Config{Store: store, Notifiers: []alert.Notifier{out}, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		after(10 * time.Minute)
		out.deaf.Store(false)
		after(10 * time.Minute)
		out.hear(t, "after the outage", "raised no-relay")
		if text := log.String(); strings.Count(text, "\n") != 2 || !strings.Contains(text, "could not be sent") || !strings.Contains(text, "sent again") {
			t.Errorf("the log says\n%s\nwant one line when it begins and one when it ends", text)
		}
	})
}

// troubled is a store whose counts fail while it is down.
type troubled struct {
	*memstore.Store
	down atomic.Bool
}

func (s *troubled) Stats(ctx context.Context) (driver.Stats, error) {
	if s.down.Load() {
		return driver.Stats{}, outbox.ErrStoreDown
	}
	return s.Store.Stats(ctx)
}

func TestAnOutageOfTheDatabaseIsOneLineAndItsEndAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &troubled{Store: memstore.New(memstore.Config{})}
		store.down.Store(true)
		var log bytes.Buffer
		watch(t, alert.Config{Store: store, Notifiers: []alert.Notifier{newPeople()}, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		after(10 * time.Minute)
		store.down.Store(false)
		after(10 * time.Minute)
		if text := log.String(); strings.Count(text, "\n") != 2 || !strings.Contains(text, "could not be checked") || !strings.Contains(text, "checked again") {
			t.Errorf("the log says\n%s\nwant one line when it begins and one when it ends", text)
		}
	})
}
