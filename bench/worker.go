package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
)

// workerCommand makes this program one of several processes of a run. Its
// argument is the kind of worker. It reads its task as JSON from standard
// input, where it is not seen by others as an argument would be, says on
// standard output when it is ready, waits for the word to go, and reports when
// it is done, or after the word to stop.
const workerCommand = "worker"

// The words that a worker is told.
const (
	wordGo   = "go"
	wordStop = "stop"
)

// workerMessage is what a worker says, one JSON text for each line.
type workerMessage struct {
	Ready   bool            `json:"ready,omitempty"`
	Settled int             `json:"settled,omitempty"` // more events than before
	Report  json.RawMessage `json:"report,omitempty"`
	Error   string          `json:"error,omitempty"`
}

// workers are the kinds that there are.
var workers = map[string]func(ctx context.Context, task json.RawMessage, boss *boss) (report any, err error){
	"relay":  relayWorker,
	"writer": writerWorker,
	"memory": memoryWorker,
}

// work is the whole life of a worker.
func work(ctx context.Context, args []string) error {
	if len(args) != 1 || workers[args[0]] == nil {
		return fmt.Errorf("%s is only for the benchmark itself", workerCommand)
	}
	boss := &boss{words: bufio.NewScanner(os.Stdin), to: json.NewEncoder(os.Stdout)}
	if !boss.words.Scan() {
		return errors.New("no task on standard input")
	}
	report, err := workers[args[0]](ctx, json.RawMessage(boss.words.Text()), boss)
	if err != nil {
		return boss.say(workerMessage{Error: err.Error()})
	}
	text, err := json.Marshal(report)
	if err != nil {
		return err
	}
	return boss.say(workerMessage{Report: text})
}

// boss is the process that started this one.
type boss struct {
	words *bufio.Scanner
	mu    sync.Mutex
	to    *json.Encoder
}

func (b *boss) say(m workerMessage) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.to.Encode(m)
}

// ready tells that all is prepared, and returns at the word to go.
func (b *boss) ready() error {
	if err := b.say(workerMessage{Ready: true}); err != nil {
		return err
	}
	return b.await(wordGo)
}

// await returns when the word comes, and fails if the boss is gone.
func (b *boss) await(word string) error {
	if b.words.Scan() && b.words.Text() == word {
		return nil
	}
	return fmt.Errorf("the benchmark has ended before it said %s", word)
}
