package console

import (
	"net/url"
	"strconv"
)

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

func itoa(n int) string { return strconv.Itoa(n) }
