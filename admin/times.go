package admin

import (
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// checkTimes refuses times that some databases cannot compare with, and two with
// nothing between them. A zero time is none.
func checkTimes(afterName string, after time.Time, beforeName string, before time.Time) error {
	for name, at := range map[string]time.Time{afterName: after, beforeName: before} {
		if year := at.UTC().Year(); !at.IsZero() && (year < 1970 || year > 9999) {
			return huma.Error422UnprocessableEntity(name + " is not between 1970 and 9999")
		}
	}
	if !after.IsZero() && !before.IsZero() && !after.Before(before) {
		return huma.Error422UnprocessableEntity("nothing is between " + afterName + " and " + beforeName + ": exchange them, or correct one")
	}
	return nil
}
