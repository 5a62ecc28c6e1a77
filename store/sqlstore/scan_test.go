package sqlstore

import (
	"testing"
	"time"

	"github.com/sendoff-go/outbox/store/internal/stored"
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
	for src, want := range map[any]time.Time{nil: {}, "-infinity": {}, "infinity": stored.EndOfTime} {
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
