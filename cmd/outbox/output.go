package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// output is what -o chooses.
type output string

const (
	text    output = "text"
	asJSON  output = "json"
	asLines output = "jsonl"
)

func (o *output) add(cmd *cobra.Command) {
	*o = text
	cmd.Flags().VarP(o, "output", "o", "text, or json: the result as one line on standard output, progress on standard error")
	values(cmd, "output", string(text), string(asJSON))
}

// String implements [pflag.Value].
func (o *output) String() string { return string(*o) }

// Type implements [pflag.Value].
func (o *output) Type() string { return "format" }

// Set implements [pflag.Value].
func (o *output) Set(s string) error {
	if s != string(text) && s != string(asJSON) {
		return errors.New("must be text or json")
	}
	*o = output(s)
	return nil
}

// listOutput is what -o chooses for a list.
type listOutput struct{ output }

func (o *listOutput) add(cmd *cobra.Command) {
	o.output = text
	cmd.Flags().VarP(o, "output", "o", "text, json: the result as one line, or jsonl: each entry as a line")
	values(cmd, "output", string(text), string(asJSON), string(asLines))
}

// Set implements [pflag.Value].
func (o *listOutput) Set(s string) error {
	if s == string(asLines) {
		o.output = asLines
		return nil
	}
	if o.output.Set(s) != nil {
		return errors.New("must be text, json or jsonl")
	}
	return nil
}

// machine reports whether a program reads the output.
func (o *listOutput) machine() bool { return o.output != text }

// printList prints a list for a program.
func printList[T any](a *app, o listOutput, list []T) error {
	if o.output == asJSON {
		return a.printJSON(list)
	}
	for _, entry := range list {
		if err := a.printJSON(entry); err != nil {
			return err
		}
	}
	return nil
}

// printJSON prints v as one line.
func (a *app) printJSON(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s\n", line)
	return err
}

// pointed is the zero value for nil, and nonZero is its opposite.
func pointed[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func nonZero[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

// oneMore is limit+1, which shows whether there are more; the largest limit has none.
func oneMore(limit int) int { return max(limit, limit+1) }

// upTo reads pages until there are limit entries, or no more. A page may be short
// or empty and yet have a next one.
func upTo[T, C any](limit int, page func(after *C, n int) ([]T, *C, error)) (all []T, err error) {
	var after *C
	for {
		some, next, err := page(after, limit-len(all))
		if all = append(all, some...); err != nil || next == nil || len(all) >= limit {
			return all, err
		}
		after = next
	}
}
