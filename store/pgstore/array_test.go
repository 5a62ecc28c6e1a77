package pgstore

import (
	"strings"
	"testing"
	"time"
)

func TestArraysAreLiterals(t *testing.T) {
	at := time.Date(2024, 2, 29, 12, 0, 0, 123456789, time.FixedZone("", 3600))
	for _, tt := range []struct {
		column []any
		want   string
	}{
		{nil, `{}`},
		{[]any{"a", "", nil, "NULL", "b,c", "{d}"}, `{"a","",NULL,"NULL","b,c","{d}"}`},
		{[]any{`"`, `\`, "it's", " x ", "\n", "é🙂"}, `{"\"","\\","it's"," x ","` + "\n" + `","é🙂"}`},
		{[]any{int64(-1), int64(1 << 62)}, `{-1,4611686018427387904}`},
		{[]any{[]byte{0, 0xff}, []byte{}, nil}, `{"\\x00ff","\\x",NULL}`},
		{[]any{at, time.Time{}, nil}, `{"2024-02-29T11:00:00.123456Z","-infinity",NULL}`},
	} {
		if got, err := array(tt.column); err != nil || got != tt.want {
			t.Errorf("%v became %s, error %v; expected %s", tt.column, got, err, tt.want)
		}
	}
	if _, err := array([]any{1.5}); err == nil {
		t.Error("accepted a number of a type that no column has")
	}
}

// PostgreSQL must read what was written, for any text.
func FuzzArray(f *testing.F) {
	for _, s := range []string{"", "a", `"`, `\`, `\"`, `","`, "NULL", "{}", "\x00", "é"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		text, err := array([]any{a, nil, b})
		if err != nil {
			t.Fatal(err)
		}
		got := readArray(t, text)
		if len(got) != 3 || got[0] == nil || *got[0] != a || got[1] != nil || got[2] == nil || *got[2] != b {
			t.Errorf("%q and %q became %s", a, b, text)
		}
	})
}

// readArray reads a literal by the rules of PostgreSQL's manual.
func readArray(t *testing.T, text string) (elements []*string) {
	t.Helper()
	text, ok := strings.CutPrefix(text, "{")
	if !ok {
		t.Fatalf("%q does not begin an array", text)
	}
	for text != "}" {
		text = strings.TrimPrefix(text, ",")
		if rest, isNull := strings.CutPrefix(text, "NULL"); isNull {
			elements, text = append(elements, nil), rest
			continue
		}
		if !strings.HasPrefix(text, `"`) {
			t.Fatalf("neither NULL nor quoted: %q", text)
		}
		var value strings.Builder
		i := 1
		for ; text[i] != '"'; i++ {
			if text[i] == '\\' {
				i++
			}
			value.WriteByte(text[i])
		}
		s := value.String()
		elements, text = append(elements, &s), text[i+1:]
	}
	return elements
}
