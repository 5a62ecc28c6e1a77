package admin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// strict reads the body of a request, and refuses what decoders disagree about:
// a key twice, in whatever case, and null. A body that is not JSON is left to the
// operation.
func strict(r *http.Request) error {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	r.Body = io.NopCloser(bytes.NewReader(text))
	d := json.NewDecoder(bytes.NewReader(text))
	var objects []map[string]bool // those that are open; nil is an array
	key := false                  // the next token is a key
	for {
		token, err := d.Token()
		if err != nil {
			return nil //nolint:nilerr // the end, or no JSON
		}
		switch token := token.(type) {
		case json.Delim:
			switch token {
			case '{':
				objects = append(objects, map[string]bool{})
			case '[':
				objects = append(objects, nil)
			default:
				objects = objects[:len(objects)-1]
			}
			if len(objects) > maxNesting {
				return errors.New("the body has too many levels")
			}
			key = inObject(objects)
			continue
		case string:
			if key {
				name := strings.ToLower(token)
				if objects[len(objects)-1][name] {
					return errors.New("the body has a field twice")
				}
				objects[len(objects)-1][name] = true
				key = false
				continue
			}
		case nil:
			return errors.New("the body has a null: leave out what has no value")
		}
		key = inObject(objects)
	}
}

// maxNesting is more than any body has.
const maxNesting = 16

func inObject(objects []map[string]bool) bool {
	return len(objects) > 0 && objects[len(objects)-1] != nil
}

// places are the parameters whose empty value is the beginning of a list.
var places = map[string]bool{"cursor": true, "after": true, "before": true}

// checkQuery refuses a query that has a parameter twice: an operation would take
// the first, and a proxy in front of it may have looked at the last. In the
// outbox's own operations it also refuses a parameter without a value: to ignore it
// would show more than was asked for. Clients of spring-outbox may send one.
func checkQuery(u *url.URL) error {
	values, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return errors.New("the query is not well-formed: escape % and ; in its values")
	}
	for name, all := range values {
		if len(all) > 1 {
			return fmt.Errorf("the query has %.60q %d times: send it once", name, len(all))
		}
		if strings.HasPrefix(u.Path, manualPath) {
			continue
		}
		if all[0] == "" && !places[name] {
			return fmt.Errorf("the query has %.60q without a value: leave it out", name)
		}
		if at, err := time.Parse(time.RFC3339, all[0]); err == nil && at.IsZero() && (strings.HasSuffix(name, "_after") || strings.HasSuffix(name, "_before")) {
			return fmt.Errorf("%s is zero: leave it out", name)
		}
	}
	return nil
}
