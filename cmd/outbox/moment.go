package main

import "time"

// readTime reads a time, or how long ago it was. The zero time, which stands for
// none, cannot be given: databases keep times from 1970 on.
func readTime(flag, text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if ago, e := time.ParseDuration(text); e == nil && ago >= 0 {
		t, err = now.Add(-ago), nil
	}
	switch year := t.UTC().Year(); {
	case err != nil:
		return t, usagef("%s is %q: write a time such as 2026-01-02T15:04:05Z, or 2h for two hours ago", flag, text)
	case year < 1970 || year > 9999:
		return t, usagef("%s is %q: give a time between 1970 and 9999, or leave it out", flag, text)
	}
	return t, nil
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
