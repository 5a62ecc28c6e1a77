package filesink

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sync"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Config says where the files are.
type Config struct {
	// Dir is their directory, which must exist. Required.
	Dir string
	// MaxLine is the largest line, in bytes; a message that needs more is dead
	// at once. Default 4 MiB.
	MaxLine int
}

// Sink appends to files. It is safe for concurrent use.
type Sink struct {
	cfg Config

	mu     sync.Mutex // one writer at a time keeps the order of every key
	closed bool
}

var (
	_ outbox.Sink    = (*Sink)(nil)
	_ driver.Checker = (*Sink)(nil)
)

// New makes a sink. It opens nothing: a relay starts, and delivers to its other
// destinations, while this one is down.
func New(cfg Config) (*Sink, error) {
	if cfg.Dir == "" {
		return nil, errors.New("filesink: Dir is empty: name the directory of the files")
	}
	if cfg.MaxLine == 0 {
		cfg.MaxLine = 4 << 20
	}
	return &Sink{cfg: cfg}, nil
}

// Check implements [driver.Checker]: the directory is there. It writes nothing.
func (s *Sink) Check(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(ctx); err != nil {
		return err
	}
	info, err := os.Stat(s.cfg.Dir)
	if err == nil && !info.IsDir() {
		err = errors.New("filesink: Dir is a file: name a directory")
	}
	return outbox.Unavailable(err)
}

// Close ends the sink: a later Send is unavailable. It may be called again.
func (s *Sink) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

func (s *Sink) usable(ctx context.Context) error {
	if s.closed {
		return outbox.Unavailable(errors.New("filesink: the sink is closed: make a new one"))
	}
	return outbox.Unavailable(ctx.Err())
}

var fileName = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$`)

// path is the file of a destination. Whoever writes events may choose their type,
// and with it a destination, so it must not lead out of the directory. The answer
// names it as people may see it.
func (s *Sink) path(destination string) (string, error) {
	if !fileName.MatchString(destination) {
		return "", fmt.Errorf("filesink: destination %s is not a file name: use 1 to 100 letters, digits, ., _ and -",
			driver.DestinationName(destination))
	}
	return filepath.Join(s.cfg.Dir, destination+".jsonl"), nil
}
