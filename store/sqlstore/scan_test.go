package sqlstore

import (
	"testing"
	"time"
)

func TestTimesComeBackInUTCWhateverTheDriverReturns(t *testing.T) {
	want := time.Date(2024, 2, 29, 12, 30, 15, 123456000, time.UTC)
	for _, src := range []any{
		want, want.In(time.FixedZone("", 3600)), want.UnixMicro(), float64(want.UnixMicro()),
		"2024-02-29T13:30:15.123456+01:00", []byte("2024-02-29 12:30:15.123456+00"), "2024-02-29 12:30:15.123456",
	} {
		var m moment
		if err := m.Scan(src); err != nil || m.Time != want {
			t.Errorf("%v (%T) became %v, error %v", src, src, m.Time, err)
		}
	}
	for src, want := range map[any]time.Time{nil: {}, "-infinity": {}, "infinity": endOfTime} {
		m := moment{want.Add(1)}
		if err := m.Scan(src); err != nil || m.Time != want {
			t.Errorf("%v became %v, error %v", src, m.Time, err)
		}
	}
	for _, src := range []any{"yesterday", true, []byte{}} {
		if err := new(moment).Scan(src); err == nil {
			t.Errorf("%v (%T) was taken for a time", src, src)
		}
	}
}

func TestNoBytesAreNotNull(t *testing.T) {
	for _, tt := range []struct {
		src    any
		isNull bool
	}{{nil, true}, {[]byte(nil), false}, {[]byte{}, false}, {"", false}} {
		d := data("before")
		if err := d.Scan(tt.src); err != nil || (d == nil) != tt.isNull || len(d) != 0 {
			t.Errorf("%#v became %#v, error %v", tt.src, d, err)
		}
	}
	kept := []byte("abc")
	var d data
	if err := d.Scan(kept); err != nil {
		t.Fatal(err)
	}
	kept[0] = 'x' // the driver reuses its buffer
	if string(d) != "abc" {
		t.Errorf("%q shares memory with the driver", d)
	}
}

func TestSpansAndTimesAreRoundedUpToWhatTheDatabaseKeeps(t *testing.T) {
	d := fakeDialect()
	d.Resolution = time.Millisecond
	for span, want := range map[time.Duration]int64{0: 0, 1: 1000, time.Millisecond: 1000, time.Millisecond + 1: 2000} {
		if got := d.micros(span); got != want {
			t.Errorf("%s became %d µs, expected %d", span, got, want)
		}
	}
	at := time.Date(2024, 1, 1, 0, 0, 0, 1, time.UTC)
	if got := roundUp(at, time.Millisecond); got.Sub(at) != time.Millisecond-1 {
		t.Errorf("%s became %s", at, got)
	}
	if exact := at.Add(-1); roundUp(exact, time.Millisecond) != exact {
		t.Errorf("%s became %s", exact, roundUp(exact, time.Millisecond))
	}
	if got := roundUp(time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC), time.Millisecond); got != earliest {
		t.Errorf("a time that no database can keep became %s", got)
	}
}
