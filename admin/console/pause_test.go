package console_test

import (
	"testing"

	"github.com/sendoff-go/outbox/admin"
)

func TestPausingSaysWhoseEventsWait(t *testing.T) {
	r := newLetterRig(t)
	for page, says := range map[string]string{
		"pause?all=1": ">Events are still written", "pause?type=order-placed": ">Its events are still written", "pause?destination=orders": ">Its events are still written",
	} {
		r.see(admin.Operator, page, says)
	}
}
