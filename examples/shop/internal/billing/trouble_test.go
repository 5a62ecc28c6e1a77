package billing

import "testing"

func TestTroubleComesAsOftenAsAsked(t *testing.T) {
	for name, c := range map[string]struct {
		trouble *Trouble
		want    map[error]int
	}{
		"none":               {&Trouble{}, map[error]int{nil: 100}},
		"the shop's":         {&Trouble{Rollback: 10, LostAnswer: 10, Away: 50}, map[error]int{nil: 78, errRollback: 10, errLostAnswer: 10, ErrAway: 2}},
		"all equally often":  {&Trouble{Rollback: 5, LostAnswer: 5, Away: 5}, map[error]int{nil: 40, errRollback: 20, errLostAnswer: 20, ErrAway: 20}},
		"every delivery":     {&Trouble{Away: 1}, map[error]int{ErrAway: 100}},
		"every other answer": {&Trouble{LostAnswer: 2}, map[error]int{nil: 50, errLostAnswer: 50}},
	} {
		t.Run(name, func(t *testing.T) {
			got := map[error]int{}
			for range 100 {
				got[c.trouble.next()]++
			}
			for err, n := range c.want {
				if got[err] != n {
					t.Errorf("%d times %v, want %d", got[err], err, n)
				}
			}
			if c.trouble.Failures() != int64(100-c.want[nil]) {
				t.Errorf("%d failures, want %d", c.trouble.Failures(), 100-c.want[nil])
			}
		})
	}
}
