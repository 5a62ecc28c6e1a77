package prom_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/observe"
	"github.com/sendoff-go/outbox/observe/prom"
)

func TestThePageNamesEveryMetricAndNoOther(t *testing.T) {
	page, err := os.ReadFile("../../docs/metrics.md")
	if err != nil {
		t.Fatal(err)
	}
	named := func(pattern string, text []byte) (names []string) {
		for _, m := range regexp.MustCompile(pattern).FindAllSubmatch(text, -1) {
			names = append(names, string(m[1]))
		}
		slices.Sort(names)
		return slices.Compact(names)
	}
	shown := named("`((?:outbox|consumed_outbox)_[a-z_]+)`", page)
	m := prom.New(prom.Config{})
	m.Hooks().Delivered(observe.DeliveredInfo{Event: &outbox.Event{}}) // nobody knows the destinations before
	there := named(`(?m)^# TYPE (\S+)`, []byte(scrape(t, m)))
	if !slices.Equal(shown, there) {
		t.Errorf("the page has %q, and there are %q", shown, there)
	}
}
