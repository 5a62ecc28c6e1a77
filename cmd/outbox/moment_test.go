package main

import (
	"testing"
	"time"
)

func TestATimeIsReadAsItIsPrinted(t *testing.T) {
	now := time.Date(2026, 11, 18, 13, 4, 5, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"":                          {},
		"2026-11-18":                time.Date(2026, 11, 18, 0, 0, 0, 0, time.UTC),
		"2026-11-18 13:04":          now.Add(-5 * time.Second),
		clock(now):                  now,
		"2026-11-18T13:04:05Z":      now,
		"2026-11-18T14:04:05+01:00": now,
		"0s":                        now,
		"90m":                       now.Add(-90 * time.Minute),
		"7d":                        now.AddDate(0, 0, -7),
		"1d12h":                     now.Add(-36 * time.Hour),
	} {
		if got, err := readTime("--after", text, now); err != nil || !got.Equal(want) {
			t.Errorf("%q is %s, error %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"yesterday", "2026", "0", "-1h", "-7d", "18.11.2026", "2026-13-01", "2026-11-18 25:00:00", "0001-01-01", "0001-01-01T00:00:00Z", "1969-12-31", "30000d", "7 d", " "} {
		if got, err := readTime("--after", text, now); err == nil || codeOf(err) != exitUsage {
			t.Errorf("%q is %s, error %v; want it refused", text, got, err)
		}
	}
}
