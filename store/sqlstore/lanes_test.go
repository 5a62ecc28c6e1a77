package sqlstore

import "testing"

func TestShortLanesAreReadInLargeSamplesAndLongOnesInSmall(t *testing.T) {
	for _, tt := range []struct {
		name            string
		length          int // rows of each lane
		lanes, most     int // statements that find so many, at most
		rowsForEachLane int
	}{
		{"lanes of a row", 1, 5000, 10, 2},
		{"lanes of twenty rows", 20, 5000, 110, 25},
		{"lanes of a thousand rows", 1000, 5000, 5000, 120},
	} {
		found, sent, read := 0, 0, 0
		for rows := firstSample; found < tt.lanes; sent++ {
			n := max(rows/tt.length, 1)
			found, read = found+n, read+rows
			rows = nextSample(rows, n)
		}
		if sent > tt.most || read > tt.rowsForEachLane*tt.lanes {
			t.Errorf("%s: %d statements read %d rows, expected at most %d and %d", tt.name, sent, read, tt.most, tt.rowsForEachLane*tt.lanes)
		}
	}
}
