package relay

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestASpellHasALineAtItsStartEachMinuteAndAtItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s spells
		if _, _, tell := s.over("x"); tell {
			t.Error("the end of nothing is told")
		}
		lines, times := 0, 0
		for range 150 { // seconds
			if n, tell := s.wrong("x"); tell {
				lines, times = lines+1, times+n
			}
			<-time.After(time.Second)
		}
		if lines != 3 || times != 121 {
			t.Errorf("%d lines about %d times, want 3 about 121", lines, times)
		}
		if lasted, n, tell := s.over("x"); !tell || n != 150 || lasted != 150*time.Second {
			t.Errorf("told %t: %d times in %s", tell, n, lasted)
		}
		if _, tell := s.wrong("y"); !tell {
			t.Error("another thing is not told")
		}
	})
}

func TestWhatComesAndGoesDoesNotFillTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s spells
		lines := 0
		for range 600 { // seconds
			if _, tell := s.wrong("x"); tell {
				lines++
			}
			if _, _, tell := s.over("x"); tell {
				lines++
			}
			<-time.After(time.Second)
		}
		if lines != 20 {
			t.Errorf("%d lines in ten minutes, want two a minute", lines)
		}
	})
}
