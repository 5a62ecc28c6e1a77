package rabbitsink

import (
	"net"
	"sync"
	"sync/atomic"
)

// wire is the network connection below the client. The client flushes after
// every message; between cork and uncork the wire buffers what it writes.
type wire struct {
	net.Conn
	reads atomic.Uint64 // distinguishes a slow broker from a silent one

	mu    sync.Mutex
	corks int
	held  []byte
	err   error
}

// corkSize bounds what is buffered before it is written.
const corkSize = 64 << 10

func (w *wire) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	w.reads.Add(1)
	return n, err
}

func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return 0, w.err
	}
	if w.corks == 0 {
		return w.Conn.Write(p)
	}
	w.held = append(w.held, p...)
	if len(w.held) < corkSize {
		return len(p), nil
	}
	return len(p), w.flush()
}

func (w *wire) cork() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.corks++
}

// uncork writes the buffer when the last cork is gone. A failure closes the
// connection, which is how the client learns of it.
func (w *wire) uncork() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.corks--; w.corks == 0 && w.flush() != nil {
		_ = w.Close()
	}
}

func (w *wire) flush() error {
	if len(w.held) > 0 && w.err == nil {
		_, w.err = w.Conn.Write(w.held)
		w.held = w.held[:0]
	}
	return w.err
}
