package top

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// measure is how long Plain waits until rates are known: relays announce themselves
// every 5 s.
const measure = 8 * time.Second

// Plain prints the screen once, as text, after it has measured rates for some
// seconds.
func Plain(ctx context.Context, from Source, out io.Writer, where string) error {
	w := &watch{from: from}
	limit := time.NewTimer(measure)
	defer limit.Stop()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		v := w.look(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if v.Err != nil {
			return v.Err
		}
		if v.Known {
			break
		}
		select {
		case <-tick.C:
			continue
		case <-ctx.Done():
			return ctx.Err()
		case <-limit.C:
		}
		break
	}
	for line := range strings.Lines(ansi.Strip(render(w.view, frame{where: where, width: plainWidth}))) {
		if _, err := fmt.Fprintln(out, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

// plainWidth fits into a mail or a terminal that is not wide.
const plainWidth = 100
