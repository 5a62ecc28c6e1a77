package daemon

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
)

// senders are the sinks in use, by their configuration.
type senders map[*config.Sender]*sender

type sender struct {
	name  string
	own   sink // without the bound
	sink  outbox.Sink
	bound *bounded
	close func() error
}

// openSenders opens the senders that events use. It reports all
// problems together.
func openSenders(c *config.Config, log *slog.Logger) (senders, config.Problems) {
	all := senders{}
	var wrong config.Problems
	for _, event := range slices.Sorted(maps.Keys(c.Publisher.Events)) {
		name, s := c.SenderOf(event)
		if s == nil || all[s] != nil {
			continue
		}
		opened, err := openSender(name, s, log)
		if err != nil {
			wrong = append(wrong, senderProblems(c, s, err)...)
			opened = &sender{close: func() error { return nil }}
		}
		all[s] = opened
	}
	return all, wrong
}

func openSender(name string, s *config.Sender, log *slog.Logger) (*sender, error) {
	secure, err := tlsConfig(s.TLS)
	if err != nil {
		return nil, err
	}
	if s.CredsFile != "" {
		if _, err := os.Stat(s.CredsFile); err != nil {
			return nil, fmt.Errorf("creds-file: %w", err)
		}
	}
	open := openers[s.Type]
	if open == nil {
		return nil, fmt.Errorf("this build does not support %s: it supports %s", s.Type, strings.Join(slices.Sorted(maps.Keys(openers)), ", "))
	}
	log = log.With("sender", name)
	opened, err := open(s, secure, log)
	if err != nil {
		return nil, err
	}
	out, counted := bound(name, opened, s.EmergencyTimeout.Std())
	return &sender{name, opened, out, counted, opened.Close}, nil
}

// unfinished is the number of sends that were cancelled so far or are still
// under way: whether their events arrived is not known.
func (s senders) unfinished() (n int64) {
	for _, one := range s {
		n += one.bound.cut.Load() + one.bound.now.Load()
	}
	return n
}

// cancelled is the number of those that were cancelled so far.
func (s senders) cancelled() (n int64) {
	for _, one := range s {
		n += one.bound.cut.Load()
	}
	return n
}

func (s senders) close() error {
	var errs []error
	for _, one := range s {
		errs = append(errs, one.close())
	}
	return errors.Join(errs...)
}
