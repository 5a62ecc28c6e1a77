package console

import (
	"fmt"
	"strings"
	"testing"
)

// told writes a diff as people do.
func told(ls []diffLine) string {
	signs := map[string]string{"plus": "+", "minus": "-", "same": " "}
	var out []string
	for _, l := range ls {
		if l.Kind == "gap" {
			out = append(out, fmt.Sprintf("@%d", l.N))
			continue
		}
		out = append(out, signs[l.Kind]+l.Text)
	}
	return strings.Join(out, "|")
}

func TestADiffIsTheShortestWayBetweenTexts(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"a\nb", "a\nb", ""},
		{"", "", ""},
		{"", "a", "+a"},
		{"a", "", "-a"},
		{"a", "b", "-a|+b"},
		{"a\nb\nc", "a\nc", " a|-b| c"},
		{"a\nc", "a\nb\nc", " a|+b| c"},
		{"a\nb\nc\nd", "b\nd\ne", "-a| b|-c| d|+e"},
		{"1\n2\n3\n4\n5\n6\n7\n8\n9", "1\n2\n3\n4\nx\n6\n7\n8\n9", "@1| 2| 3| 4|-5|+x| 6| 7| 8|@1"},
		{"x\n1\n2\n3\n4\n5\n6\n7\n8\nx", "y\n1\n2\n3\n4\n5\n6\n7\n8\ny", "-x|+y| 1| 2| 3|@2| 6| 7| 8|-x|+y"},
		{"a\n", "a", " a|-"},
	} {
		if got := told(diff(c.before, c.after)); got != c.want {
			t.Errorf("%q to %q: %s, want %s", c.before, c.after, got, c.want)
		}
	}
}

func TestHeadersComeBackFromTheirLines(t *testing.T) {
	for _, h := range []map[string]string{
		nil,
		{"a": "b"},
		{"a": "", "b": " x ", "c": "x: y", "d": `"quoted"`, "e": "two\nlines", "f": "\ttab"},
		{"a:b": "1", `"q"`: "2", " s ": "3", "": "4", "n\nl": "5", "zwei drei": "6", "\u2028": "7", "é🙂": "<b>&"},
		{"x": "\r\n", "y": "\\", "z": `\n`},
	} {
		text := headerLines(h)
		got, err := parseHeaderLines("en", lines(strings.ReplaceAll(text, "\n", "\r\n"))) // as browsers send it
		if err != nil || fmt.Sprint(got) != fmt.Sprint(h) {
			t.Errorf("%q became %q, then %q, error %v", h, text, got, err)
		}
	}
	got, err := parseHeaderLines("en", "\n  a :  b  \n\n\"c\" : \"d\"\n")
	if err != nil || fmt.Sprint(got) != "map[a:b c:d]" {
		t.Errorf("%q, error %v", got, err)
	}
	for text, says := range map[string]string{
		"a: 1\nnonsense": "line 2: write name: value", ": x": "line 1", "a: 1\n\na: 2": "line 3: this name is there twice",
		`a: "open`: "line 1", `"a" b: c`: "line 1", `"a`: "line 1", `a: "b" c`: "line 1",
	} {
		if h, err := parseHeaderLines("en", text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q became %q, error %v, want %q", text, h, err, says)
		}
	}
}
