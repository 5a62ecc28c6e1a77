package admin

import (
	"errors"
	"fmt"
	"net/url"
)

// onceEach refuses a query that has a parameter twice: an operation would take
// the first, and a proxy in front of it may have looked at the last.
func onceEach(query string) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return errors.New("the query is not well-formed: escape % and ; in its values")
	}
	for name, all := range values {
		if len(all) > 1 {
			return fmt.Errorf("the query has %.60q %d times: send it once", name, len(all))
		}
	}
	return nil
}
