package outbox

import (
	"crypto/rand"
	"encoding/hex"
	"io"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// ids makes ULIDs that increase within the process, also when the clock steps
// back and within one millisecond.
var ids = struct {
	sync.Mutex
	entropy io.Reader
	last    uint64
}{entropy: ulid.Monotonic(rand.Reader, 0)}

// NewID is a new event id: a ULID greater than every one this process made
// before. It is safe for concurrent use.
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

// Owner names one run of one relay: a readable name, a slash, and 128 random
// bits, so that no two processes, nor two lives of one, are ever the same owner.
type Owner string

// maxOwnerName leaves room for the slash and the random part in VARCHAR(128).
const maxOwnerName = 95

// NewOwner makes an owner of that readable name, which is cut at 95 bytes.
func NewOwner(name string) Owner {
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the process instead
	return Owner(cutString(name, maxOwnerName) + "/" + hex.EncodeToString(random[:]))
}
