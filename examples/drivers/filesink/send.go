package filesink

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Send implements [outbox.Sink]. The messages of a file are written together: all
// of them are there when Send acknowledges one, or none of them counts.
func (s *Sink) Send(ctx context.Context, batch []outbox.Message) []error {
	s.mu.Lock()
	defer s.mu.Unlock()
	errs := make([]error, len(batch))
	files := map[string]*lines{} // by path
	for i, m := range batch {
		path, err := s.path(m.Destination)
		if err != nil {
			errs[i] = err // about this message alone: it spends an attempt
			continue
		}
		text, err := encode(m)
		if err == nil && len(text) > s.cfg.MaxLine {
			err = fmt.Errorf("filesink: a payload of %d bytes makes a line of %d: at most %d are allowed", len(m.Payload()), len(text), s.cfg.MaxLine)
		}
		if err != nil {
			errs[i] = outbox.Permanent(err) // no retry makes it smaller: dead at once
			continue
		}
		if files[path] == nil {
			files[path] = &lines{}
		}
		files[path].add(i, text)
	}
	for path, l := range files {
		err := s.usable(ctx)
		if err == nil {
			// A full or missing disk is no fault of the messages: it spends no attempt.
			err = outbox.Unavailable(appendTo(path, l.text))
		}
		for _, i := range l.messages {
			errs[i] = err
		}
	}
	return errs
}

// lines are what a batch adds to one file.
type lines struct {
	text     []byte
	messages []int // their places in the batch
}

func (l *lines) add(i int, text []byte) {
	l.text = append(append(l.text, text...), '\n')
	l.messages = append(l.messages, i)
}

// appendTo writes and syncs text. If it fails, the file ends where it ended before:
// half a line would make the next one unreadable.
func appendTo(path string, text []byte) (err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	end, err := wholeLines(f)
	if err != nil {
		return err
	}
	if _, err = f.WriteAt(text, end); err == nil {
		err = errors.Join(f.Sync(), syncDir(filepath.Dir(path))) // only now the messages are delivered
	}
	if err != nil {
		return driver.Uncertain(errors.Join(err, f.Truncate(end))) // somebody may have read it
	}
	return nil
}

// syncDir makes sure that the name of a new file is not lost.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// wholeLines is where the last whole line ends: a process that died while it
// wrote left a part of one behind, which nobody was told is delivered.
func wholeLines(f *os.File) (end int64, err error) {
	end, err = f.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	last := []byte{'\n'}
	for size := end; end > 0; end-- {
		if _, err := f.ReadAt(last, end-1); err != nil {
			return 0, err
		}
		if last[0] == '\n' {
			if end == size {
				return end, nil
			}
			return end, f.Truncate(end)
		}
	}
	return 0, f.Truncate(0)
}

// line is a message in a file. The payload is base64, since bytes arrive as bytes.
type line struct {
	Key     string            `json:"key"`
	Headers map[string]string `json:"headers"`
	Payload []byte            `json:"payload"`
}

func encode(m outbox.Message) ([]byte, error) {
	return json.Marshal(line{Key: m.Key, Headers: m.Headers, Payload: m.Payload()})
}
