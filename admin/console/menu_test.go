package console_test

import (
	"testing"

	"github.com/sendoff-go/outbox/admin"
)

func TestTheMenuHasTheFiguresOfThePageBesideIt(t *testing.T) {
	r := newLetterRig(t)
	for i, n := range []string{"2", "4"} {
		r.kill("order-placed", "refused", 2)
		for _, page := range []string{"", "types", "types/one?type=order-placed", "destinations", "instances"} {
			r.see(admin.Viewer, page, `Dead letters <span class="n bad">`+n+`</span>`, `Event types <span class="n">1</span>`)
			if t.Failed() {
				t.Fatalf("after %d letters", 2*i+2)
			}
		}
	}
}
