package driver

import (
	"crypto/rand"
	"encoding/hex"
)

// Owner identifies one run of one relay: a readable name, a slash, and 128
// random bits, so that no two processes, and no two runs of one, ever share an
// owner.
type Owner string

// maxOwnerName leaves room for the slash and the random part in VARCHAR(128).
const maxOwnerName = 95

// NewOwner makes an owner with that readable name, which is cut at 95 bytes.
func NewOwner(name string) Owner {
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the process instead
	return Owner(cutString(name, maxOwnerName) + "/" + hex.EncodeToString(random[:]))
}
