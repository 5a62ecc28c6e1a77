package admin_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestConsumerGroupsAreListed(t *testing.T) {
	r := newRig(t)
	w := outbox.NewWriter(r.store)
	for i, group := range []string{"mail", "billing"} {
		err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
			_, err := r.store.Record(ctx, tx, group, []string{fmt.Sprint("a", i), "b", "c"}[:i+1])
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var page struct{ Groups []admin.ConsumerGroup }
	r.want(http.StatusOK, r.send(admin.Viewer, "GET", "/api/v1/consumer-groups", ""), &page)
	if len(page.Groups) != 2 || page.Groups[0].Name != "billing" || page.Groups[0].Recorded.N != 2 || page.Groups[0].LastAt.IsZero() {
		t.Errorf("%+v", page)
	}
	if r.want(http.StatusOK, r.send(admin.Viewer, "GET", "/api/v1/consumer-groups?after=billing", ""), &page); len(page.Groups) != 1 || page.Groups[0].Name != "mail" {
		t.Errorf("%+v", page)
	}
	problem(t, "after", r.send(admin.Viewer, "GET", "/api/v1/consumer-groups?after=%C3%A4", ""), http.StatusUnprocessableEntity)
}
