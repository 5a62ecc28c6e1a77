package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sendoff-go/outbox/dlq"
	"github.com/sendoff-go/outbox/driver"
)

// editing is one call of edit.
type editing struct {
	payload string // file
	bytes   bool
	set     []string
	remove  []string
	person  personFlags
	out     output
}

func (a *app) dlqEdit() *cobra.Command {
	var f operatorFlags
	var c editing
	cmd := &cobra.Command{
		Use:   "edit ID",
		Short: "Put one dead letter back into the outbox with another payload or other headers",
		Long: `Puts one dead letter back into the outbox under the same id, with another payload
or other headers. The letter is resolved and keeps the original, until it is
deleted.`,
		Example: `  outbox dlq edit 01M7KYSS57BTHAXT4Y24NXCHYH --payload order.json --note 'customer id was wrong'
  jq .amount=7 order.json | outbox dlq edit 01M7KYSS57BTHAXT4Y24NXCHYH --payload - --header version=2`,
		ValidArgsFunction: complete(&f, letterIDs, false),
		Args:              cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			change, err := c.read(a.stdin)
			if err != nil {
				return err
			}
			return f.with(cmd.Context(), func(ctx context.Context, db operator) error {
				err := db.Edit(ctx, c.person.act(), args[0], change)
				switch {
				case errors.Is(err, dlq.ErrGone):
					return fmt.Errorf("no open dead letter has the id %s: it was retried, resolved or deleted, or never died", printable(args[0]))
				case err != nil:
					return db.Problem("edit a dead letter", err)
				case c.out == asJSON:
					return a.printJSON(struct {
						ID string `json:"id"`
					}{args[0]})
				}
				fmt.Fprintf(a.stdout, "%s  back in the outbox; its letter is resolved and keeps the original\n", printable(args[0]))
				return nil
			})
		},
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&c.payload, "payload", "", "`file` with the new payload, - for standard input (default: unchanged)")
	completeFlag(cmd, "payload", files)
	flags.BoolVar(&c.bytes, "bytes", false, "the payload is not JSON")
	flags.StringArrayVar(&c.set, "header", nil, "`name=value` of a header to set; may be repeated")
	flags.StringArrayVar(&c.remove, "remove-header", nil, "`name` of a header to remove; may be repeated")
	c.person.add(cmd)
	c.out.add(cmd)
	return cmd
}

// read reads what is to change.
func (c *editing) read(stdin io.Reader) (func(*driver.DeadEdit) error, error) {
	if c.payload == "" && len(c.set)+len(c.remove) == 0 {
		return nil, usagef("nothing to edit: pass --payload, --header or --remove-header, or use outbox dlq retry")
	}
	if c.bytes && c.payload == "" {
		return nil, usagef("--bytes is for --payload")
	}
	headers, err := c.headers()
	if err != nil {
		return nil, err
	}
	var payload []byte
	switch c.payload {
	case "":
	case "-":
		payload, err = io.ReadAll(stdin)
	default:
		payload, err = os.ReadFile(c.payload)
	}
	if err != nil {
		return nil, fmt.Errorf("read the payload: %w", err)
	}
	return func(e *driver.DeadEdit) error {
		switch {
		case c.payload == "":
		case c.bytes:
			e.JSON, e.Bytes = nil, append([]byte{}, payload...)
		default:
			e.JSON, e.Bytes = json.RawMessage(strings.TrimSpace(string(payload))), nil
		}
		if e.Headers == nil {
			e.Headers = map[string]string{}
		}
		for _, name := range c.remove {
			if _, there := e.Headers[name]; !there {
				return usagef("--remove-header is %q: the letter has no such header; see outbox dlq show", name)
			}
			delete(e.Headers, name)
		}
		for name, value := range headers {
			e.Headers[name] = value
		}
		return nil
	}, nil
}

// headers returns the headers to set. Line breaks would not reach a consumer as
// they are, nor would the headers that a relay itself sets.
func (c *editing) headers() (map[string]string, error) {
	headers := map[string]string{}
	for _, h := range c.set {
		name, value, ok := strings.Cut(h, "=")
		_, twice := headers[name]
		switch {
		case !ok || name == "":
			return nil, usagef("--header is %q: write name=value", h)
		case strings.ContainsAny(h, "\r\n"):
			return nil, usagef("--header is %q: write it without line breaks", h)
		case len(name) >= len(reserved) && strings.EqualFold(name[:len(reserved)], reserved):
			return nil, usagef("--header is %q: names that begin with %s belong to the outbox: choose another", h, reserved)
		case twice:
			return nil, usagef("--header has %q twice: give it once", name)
		case slices.Contains(c.remove, name):
			return nil, usagef("--header and --remove-header both have %q: pass one of them", name)
		}
		headers[name] = value
	}
	for i, name := range c.remove {
		if slices.Contains(c.remove[:i], name) {
			return nil, usagef("--remove-header has %q twice: give it once", name)
		}
	}
	return headers, nil
}

// reserved begins the names of headers that the outbox itself sets.
const reserved = "outbox_"
