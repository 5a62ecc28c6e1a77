package httpsink

import (
	"context"
	"net/http/httptrace"
	"sync/atomic"
)

// watchSending tells whether a request may have reached its receiver. It may have
// once it has a connection, since the client writes in a goroutine of its own.
// The client asks for another connection only after a redirect, if nothing was
// written, or if the server says that it did not process the request.
func watchSending(ctx context.Context) (context.Context, *atomic.Bool) {
	var sent atomic.Bool
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { sent.Store(false) },
		GotConn: func(httptrace.GotConnInfo) { sent.Store(true) },
	}), &sent
}
