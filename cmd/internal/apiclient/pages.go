package apiclient

import (
	"net/url"
	"strconv"
	"time"
)

// maxPage is the largest page of most lists.
const maxPage = 200

// pages reads pages until there are limit entries, or no more. A page may be
// short or empty and still have a next one.
func pages[T any](limit int, page func(after string, n int) (some []T, next string, err error)) ([]T, error) {
	all, after := []T{}, ""
	for {
		some, next, err := page(after, min(limit-len(all), maxPage))
		if all = append(all, some...); err != nil || next == "" || len(all) >= limit {
			return all, err
		}
		after = next
	}
}

// values are the parameters of a query that are not empty.
func values(pairs ...string) url.Values {
	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			v.Set(pairs[i], pairs[i+1])
		}
	}
	return v
}

func number(n int) string { return strconv.Itoa(n) }

// truth is "" for false.
func truth(b bool) string {
	if b {
		return "true"
	}
	return ""
}

// moment is "" for the zero time.
func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// optional is nil for the zero time.
func optional(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
