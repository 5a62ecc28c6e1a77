package natssink

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/nats-io/nats.go"
)

// answers collects what became of the messages of one batch. What comes after
// the Send has gone changes nothing.
type answers struct {
	done chan struct{} // closed when all are there
	gone chan struct{} // closed when nobody waits any more

	mu    sync.Mutex
	errs  []error
	state []state
	left  int
	over  bool
	slots chan struct{} // of the window, to be given back
}

type state uint8

const (
	idle   state = iota
	queued       // to be sent
	begun        // on its way, with a slot of the window
	heard
)

func newAnswers(n int, todo []int) *answers {
	a := &answers{
		done: make(chan struct{}), gone: make(chan struct{}),
		errs: make([]error, n), state: make([]state, n), left: len(todo),
	}
	for _, i := range todo {
		a.state[i] = queued
	}
	return a
}

// begin notes that message i goes out, with a slot. It is false if nobody waits
// for its answer.
func (a *answers) begin(i int, slots chan struct{}) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over || a.state[i] != queued {
		return false
	}
	a.state[i], a.slots = begun, slots
	return true
}

// note keeps the first answer about message i.
func (a *answers) note(i int, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.over || i >= len(a.state) || a.state[i] != queued && a.state[i] != begun {
		return
	}
	if a.state[i] == begun {
		<-a.slots
	}
	a.state[i], a.errs[i] = heard, err
	if a.left--; a.left == 0 {
		close(a.done)
	}
}

// lose ends the wait for answers that were to come on a connection that is no
// more.
func (a *answers) lose(err error) {
	a.mu.Lock()
	var lost []int
	for i, st := range a.state {
		if st == begun {
			lost = append(lost, i)
		}
	}
	a.mu.Unlock()
	for _, i := range lost {
		a.note(i, err)
	}
}

// take ends the wait: what has no answer yet failed with why.
func (a *answers) take(todo []int, errs []error, why error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.over = true
	close(a.gone)
	for _, i := range todo {
		errs[i] = a.errs[i]
		if a.state[i] == heard {
			continue
		}
		if a.state[i] == begun {
			<-a.slots
		}
		errs[i] = why
	}
}

// lost is called when the connection is gone.
func (s *Sink) lost() {
	s.mu.Lock()
	all := make([]*answers, 0, len(s.batches))
	for _, a := range s.batches {
		all = append(all, a)
	}
	s.mu.Unlock()
	for _, a := range all {
		a.lose(errLost)
	}
}

// hear takes an answer of the server.
func (s *Sink) hear(m *nats.Msg) {
	batch, index, _ := strings.Cut(strings.TrimPrefix(m.Subject, s.inbox), ".")
	id, err := strconv.ParseUint(batch, 36, 64)
	i, indexErr := strconv.ParseUint(index, 36, 31)
	if err != nil || indexErr != nil {
		return
	}
	s.mu.Lock()
	a := s.batches[id]
	s.mu.Unlock()
	if a != nil {
		a.note(int(i), readAnswer(m))
	}
}

// ackError is a stream's refusal.
type ackError struct {
	Code        int    `json:"code"`
	ErrCode     int    `json:"err_code"`
	Description string `json:"description"`
}

func (e *ackError) Error() string {
	return fmt.Sprintf("%s (code %d, error %d)", e.Description, e.Code, e.ErrCode)
}

// readAnswer is nil if the stream has the message.
func readAnswer(m *nats.Msg) error {
	if len(m.Data) == 0 && m.Header.Get("Status") == "503" {
		return nats.ErrNoResponders
	}
	var ack struct {
		Stream string    `json:"stream"`
		Error  *ackError `json:"error"`
	}
	if err := json.Unmarshal(m.Data, &ack); err != nil || ack.Error == nil && ack.Stream == "" {
		return fmt.Errorf("the answer is not a stream's: %.100q", m.Data)
	}
	if ack.Error != nil {
		return ack.Error
	}
	return nil
}
