package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// event is one line of go test -json; see go doc test2json.
type event struct {
	Action      string
	Package     string
	ImportPath  string // of build-output and build-fail, in place of Package
	Test        string // empty: the event is about the package
	Elapsed     float64
	Output      string
	FailedBuild string // the ImportPath of the build that failed
}

// decode calls add for every event. What is not an event, such as a message of
// the go command itself, is passed on to out.
func decode(in io.Reader, out io.Writer, add func(event)) error {
	r := bufio.NewReader(in)
	for {
		line, err := r.ReadBytes('\n')
		var e event
		switch {
		case len(line) == 0:
		case json.Unmarshal(line, &e) == nil && e.Action != "":
			add(e)
		default:
			if _, err := fmt.Fprintf(out, "%s", line); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
