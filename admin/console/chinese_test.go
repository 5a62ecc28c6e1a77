package console

import (
	"fmt"
	"io/fs"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
)

func TestEveryTextIsInChinese(t *testing.T) {
	all := findTexts(t)
	if len(all) < 300 {
		t.Fatalf("only %d texts were found", len(all))
	}
	for text, place := range all {
		switch to, ok := chinese[text]; {
		case !ok:
			t.Errorf("%s: %q has no Chinese", place, text)
		case !sameArguments(text, to):
			t.Errorf("%s: %q does not take the arguments of %q", place, to, text)
		}
	}
	for text := range chinese {
		if _, ok := all[text]; !ok {
			t.Errorf("%q is in Chinese, and on no page", text)
		}
	}
	parts := 0
	for _, m := range []map[string]string{chineseWords, chineseFrame, chineseEvents, chineseLetters, chineseJobs, chineseSystem, chineseRefusals} {
		parts += len(m)
	}
	if parts != len(chinese) {
		t.Errorf("%d texts are in several places", parts-len(chinese))
	}
}

func TestWhatIsDoneIsSaidInChinese(t *testing.T) {
	for query, want := range map[string]string{
		"done=retry&n=1200&left=2": "已将 1,200 条放回 outbox。 2 条保持原样：outbox 中又有相同 ID 的事件。",
		"done=mark":                "分组已标记。",
		"done=mark&n=5":            "分组已标记。",
		"done=retry":               "",
		"done=nothing&n=5":         "",
	} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if got := doneText("zh", q); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}

func TestAWordOfTheTimelineIsInChinese(t *testing.T) {
	h := happening{Text: "%s by %s: %s", Args: []any{word("pause"), "pause", "OrderPlaced"}}
	if got, want := happenedText("zh", h), "pause 暂停：OrderPlaced"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	h = happening{Text: "%s is back after %s", Args: []any{"kafka", 90 * time.Minute}}
	if got, want := happenedText("zh", h), "kafka 已恢复，历时 2 小时"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestChineseIsWrittenInChinese(t *testing.T) {
	asIs := map[string]bool{"ms": true, "µs": true, "Id": true, "An id": true, "%s by %s: %s": true}
	for text, to := range chinese {
		if !asIs[text] && !strings.ContainsFunc(to, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			t.Errorf("%q is not Chinese: %q", to, text)
		}
		if strings.ContainsAny(to, ",;?!") && !strings.Contains(to, "2,500") && !strings.Contains(to, "1,000") && !strings.Contains(to, "2,000") {
			t.Errorf("%q has punctuation that is not Chinese", to)
		}
	}
}

func TestChineseWithOtherArgumentsIsFound(t *testing.T) {
	for _, c := range []struct {
		english, chinese string
		want             bool
	}{
		{"%s of %d", "%s / %d", true},
		{"%s of %d", "%[2]d 中的 %[1]s", true},
		{"%s of %d", "%d 中的 %s", false},
		{"%s of %s", "%s", false},
		{"%s", "%s %s", false},
		{"all", "%s", false},
		{"all", "全部", true},
	} {
		if got := sameArguments(c.english, c.chinese); got != c.want {
			t.Errorf("%q for %q: %t", c.chinese, c.english, got)
		}
	}
}

var verb = regexp.MustCompile(`%[a-z]`)

// sameArguments reports whether both texts show the same arguments.
func sameArguments(english, chinese string) bool {
	var args []any
	var shown []string
	for i, v := range verb.FindAllString(english, -1) {
		n := 1000 + i
		if shown = append(shown, fmt.Sprint(n)); v == "%d" {
			args = append(args, n)
		} else {
			args = append(args, fmt.Sprint(n))
		}
	}
	if len(args) == 0 {
		return !strings.Contains(chinese, "%")
	}
	text := fmt.Sprintf(chinese, args...)
	for _, s := range shown {
		if strings.Count(text, s) != 1 {
			return false
		}
	}
	return !strings.Contains(text, "%!")
}

var (
	inBraces  = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	inTag     = regexp.MustCompile(`(?s)<[^>]*>`)
	readAloud = regexp.MustCompile(`\b(?:title|alt|placeholder|aria-label|data-copied)="([^"]*)"`)
	letters   = regexp.MustCompile(`\pL[\pL ]+`)
)

func TestTemplatesWriteNoTextThatIsNotTranslated(t *testing.T) {
	files, err := fs.Glob(html, "html/*.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{"outbox": true, "UTC": true, "Enter": true, "Go": true, "htmx": true, "BSD": true, "uPlot": true, "MIT": true, "customer": true, "id": true, "nbsp": true}
	for _, file := range files {
		text, err := html.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		plain := inBraces.ReplaceAllString(string(text), "·")
		shown := inTag.ReplaceAllString(plain, "·")
		for _, a := range readAloud.FindAllStringSubmatch(plain, -1) {
			shown += "·" + a[1]
		}
		for _, found := range letters.FindAllString(shown, -1) {
			if !names[strings.TrimSpace(found)] {
				t.Errorf("%s: %q does not go through t", file, found)
			}
		}
	}
}
