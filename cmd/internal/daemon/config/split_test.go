package config

import (
	"slices"
	"testing"
)

func TestOneTextIsAListWithCommas(t *testing.T) {
	for brokers, want := range map[string][]string{
		"a:1":                    {"a:1"},
		"'a:1, b:2,[::1]:3'":     {"a:1", "b:2", "[::1]:3"},
		"'${BROKERS}'":           {"k1:9092", "k2:9092"},
		"'${NONE:a:1,b:2}'":      {"a:1", "b:2"},
		"'c:3,${BROKERS}'":       {"c:3", "k1:9092", "k2:9092"},
		"['${FIRST}', 'b:2']":    {"a:1", "b:2"},
		"'${FIRST},${FIRST}'":    {"a:1", "a:1"},
		"'a:1,${NONE:-b:2,c:3}'": {"a:1", "b:2", "c:3"},
	} {
		c, _, err := Read("outbox.yaml", []byte("outbox: {publisher: {sender: {type: kafka, brokers: "+brokers+"}}}"),
			[]string{"OUTBOX_DATABASE_URL=sqlite://x", "BROKERS=k1:9092, k2:9092", "FIRST=a:1"})
		if err != nil {
			t.Errorf("%s: %v", brokers, err)
		} else if got := c.Publisher.Sender.Brokers; !slices.Equal(got, want) {
			t.Errorf("%s is %q, expected %q", brokers, got, want)
		}
	}
}

// Each half of a password would be shown: neither looks like one.
func TestACommaInAPasswordSplitsNothing(t *testing.T) {
	for list, want := range map[string][]string{
		"me:p4,ss@kafka:9092":                   {"me:p4,ss@kafka:9092"},
		"redis://:p4,ss@h:1, redis://:a,b@i:2":  {"redis://:p4,ss@h:1", "redis://:a,b@i:2"},
		"redis://:p4,ss@h:1,i:2":                {"redis://:p4,ss@h:1,i:2"},
		"kafka://u:p4,ss@h:1,kafka://v:p4@ss,h": {"kafka://u:p4,ss@h:1", "kafka://v:p4@ss,h"},
	} {
		if got := split(list); !slices.Equal(got, want) {
			t.Errorf("%s is %q, expected %q", list, got, want)
		}
	}
}
