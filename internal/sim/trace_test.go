package sim

import (
	"bytes"
	"testing"
)

func TestASeedGivesTheSameRunAgain(t *testing.T) {
	for seed := range uint64(classes) {
		t.Run(ClassOf(seed).String(), func(t *testing.T) {
			t.Parallel()
			var first, second bytes.Buffer
			Run(seed, Options{Trace: &first})
			Run(seed, Options{Trace: &second})
			if first.Len() == 0 || !bytes.Equal(first.Bytes(), second.Bytes()) {
				t.Errorf("the traces of seed %d differ at byte %d of %d", seed, differAt(first.Bytes(), second.Bytes()), first.Len())
			}
		})
	}
}

func differAt(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}
