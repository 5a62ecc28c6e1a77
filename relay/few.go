package relay

import "sync"

// few are names that something was logged about, each once. Whoever writes
// events chooses them, and may put an id into each: after so many nothing is
// logged or kept of further ones. The zero value is ready; it is safe for
// concurrent use.
type few struct {
	mu    sync.Mutex
	names map[any]bool
}

// maxFew is enough to see what is wrong.
const maxFew = 100

// first reports whether to say something about that name.
func (f *few) first(name any) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.names[name] || len(f.names) >= maxFew {
		return false
	}
	if f.names == nil {
		f.names = map[any]bool{}
	}
	f.names[name] = true
	return true
}
