package outbox

import (
	"path"
	"testing"
)

func FuzzPatternsThatMatchOneTypeMeet(f *testing.F) {
	for _, s := range [][3]string{{"a*", "*a", "aa"}, {"[^a-c]?", "?[x]", "dx"}, {`\*[^b-]*`, "*", "*a"}, {"[a\\-z]", "?", "-"}, {"?00001*", "?00002*", "x00001"}, {"ab*c", "abc", "abc"}} {
		f.Add(s[0], s[1], s[2])
	}
	f.Fuzz(func(t *testing.T, a, b, eventType string) {
		one, err1 := path.Match(a, eventType)
		two, err2 := path.Match(b, eventType)
		if err1 != nil || err2 != nil {
			return
		}
		p, q := parsePattern(a), parsePattern(b)
		if p.meets(q) != q.meets(p) {
			t.Errorf("%q meets %q in one direction only", a, b)
		}
		if one && two && !p.meets(q) {
			t.Errorf("%q and %q both match %q, and do not meet", a, b, eventType)
		}
	})
}
