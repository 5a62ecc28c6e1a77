package admin_test

import (
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
)

func TestALetterHasTheTraceIDOfItsContext(t *testing.T) {
	r := newRig(t, died(outbox.Event{Headers: map[string]string{"traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}}))
	var l admin.Letter
	r.want(200, r.send(admin.Viewer, "GET", "/api/v1/dead-letters/a", ""), &l)
	if l.TraceID != "4bf92f3577b34da6a3ce929d0e0e4736" {
		t.Errorf("the trace id is %q", l.TraceID)
	}
}
