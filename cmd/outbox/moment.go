package main

import (
	"errors"
	"strconv"
	"time"

	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
)

// timeFlag is what --after and --before take.
const timeFlag = "`time`: 2026-01-02, 2026-01-02 15:04:05 or 2026-01-02T15:04:05Z, in UTC, or 2h or 7d ago"

// layouts are how a time may be written. The second is that of tables.
var layouts = []string{time.RFC3339, "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02"}

// readTime reads a time, or how long ago it was. The zero time, which stands for
// none, cannot be given: databases keep times from 1970 on.
func readTime(flag, text string, now time.Time) (t time.Time, err error) {
	if text == "" {
		return t, nil
	}
	if ago, e := readSpan(text); e == nil {
		t = now.Add(-ago)
	} else {
		for _, layout := range layouts {
			if t, err = time.Parse(layout, text); err == nil {
				break
			}
		}
	}
	switch year := t.UTC().Year(); {
	case err != nil:
		return t, usagef("%s is %q: write a time such as 2026-01-02 or 2026-01-02 15:04:05, in UTC, or 2h for two hours ago", flag, text)
	case year < 1970 || year > 9999:
		return t, usagef("%s is %q: give a time between 1970 and 9999, or leave it out", flag, text)
	}
	return t, nil
}

// readSpan reads a time span as the configuration has it, but for a number alone:
// as the time of a command it is rather a year than milliseconds.
func readSpan(text string) (time.Duration, error) {
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return 0, errors.New("a number needs a unit")
	}
	span, err := config.ParseDuration(text)
	return span.Std(), err
}

// readFor reads --for, which is how long something is muted.
func readFor(text string) (time.Duration, error) {
	span, err := readSpan(text)
	if err != nil || span <= 0 {
		return 0, usagef("--for is %q: say for how long, for example --for 24h or --for 7d", text)
	}
	return span, nil
}

// readRange reads --after and --before.
func readRange(after, before string, now time.Time) (from, to time.Time, err error) {
	if from, err = readTime("--after", after, now); err != nil {
		return from, to, err
	}
	if to, err = readTime("--before", before, now); err != nil {
		return from, to, err
	}
	if !from.IsZero() && !to.IsZero() && !from.Before(to) {
		return from, to, usagef("--after is %s and --before is %s, and nothing is between them: exchange them, or correct one", clock(from), clock(to))
	}
	return from, to, nil
}
