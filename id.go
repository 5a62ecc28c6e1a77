package outbox

import (
	"crypto/rand"
	"io"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// ids makes ULIDs that increase within the process, even within one millisecond
// and when the clock steps back.
var ids = struct {
	sync.Mutex
	entropy io.Reader
	last    uint64
}{entropy: ulid.Monotonic(rand.Reader, 0)}

// NewID returns a new event id: a ULID greater than every one this process has
// made before. It is safe for concurrent use.
func NewID() string {
	ids.Lock()
	defer ids.Unlock()
	ids.last = max(ids.last, ulid.Timestamp(time.Now()))
	id, err := ulid.New(ids.last, ids.entropy)
	if err != nil {
		// The random part of this millisecond is used up (after some 2^80
		// increments at worst): the next millisecond has room again.
		ids.last++
		id = ulid.MustNew(ids.last, ids.entropy)
	}
	return id.String()
}
