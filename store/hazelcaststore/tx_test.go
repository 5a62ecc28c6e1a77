package hazelcaststore

import (
	"testing"
	"time"
)

func TestATxMayBeOpenForAsLongAsOpenLimit(t *testing.T) {
	s := fresh(t, Config{OpenLimit: 3 * time.Hour})
	tx := staged(t, s, 2)
	tx.began = tx.began.Add(-2 * time.Hour)
	if err := tx.Commit(); err != nil {
		t.Errorf("after two of three hours: %v", err)
	}
	if cs := claimAll(t, s); len(cs) != 2 {
		t.Errorf("claimed %d events, expected the two that were committed", len(cs))
	}
}
