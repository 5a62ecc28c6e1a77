package redissink

import (
	"context"
	"fmt"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

// Inspect says what is wrong with a stream, for diagnosis: it does not exist
// where [Config].RequireStream asks for it, or the key holds something else. It
// writes nothing. It is safe for concurrent use.
func (s *Sink) Inspect(ctx context.Context, stream string) error {
	var kind string
	var failed error
	if err := s.await(ctx, func() { kind, failed = s.client.Type(ctx, stream).Result() }); err != nil {
		return outbox.Unavailable(err)
	}
	name := driver.DestinationName(stream)
	switch {
	case failed != nil:
		return driver.DestinationError(classify(stream, failed), stream)
	case kind == "none" && s.cfg.RequireStream:
		return fmt.Errorf("redissink: stream %q does not exist: create it with XGROUP CREATE ... MKSTREAM, or name another one in the route", name)
	case kind != "none" && kind != "stream":
		return fmt.Errorf("redissink: the key %q holds a %s and no stream: name another one in the route", name, kind)
	}
	return nil
}
