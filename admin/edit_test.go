package admin_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
	"github.com/sendoff-go/outbox/store/memstore"
)

func TestAnEditedLetterGoesBackAndKeepsTheOriginal(t *testing.T) {
	r := newRig(t)
	id := r.kill("order-placed", "no such customer", 1)[0]
	path := "/api/v1/dead-letters/" + id + "/edit"
	for body, status := range map[string]int{
		`{}`:                                     http.StatusUnprocessableEntity,
		`{"payload":"not JSON"}`:                 http.StatusUnprocessableEntity,
		`{"payload":"1","payload_bytes":"aGk="}`: http.StatusUnprocessableEntity,
		`{"payload":"1","note":"\u0000"}`:        http.StatusUnprocessableEntity,
		`{"headers":{"":"b"}}`:                   http.StatusUnprocessableEntity,
		`{"payload":1}`:                          http.StatusUnprocessableEntity,
	} {
		problem(t, body, r.send(admin.Admin, "POST", path, body), status)
	}
	if a := r.send(admin.Admin, "POST", path, `{"payload":"not JSON"}`); !strings.Contains(a.text, "the payload is not valid JSON") {
		t.Errorf("%s does not say what is wrong", a.text)
	}
	if r.waiting() != 0 {
		t.Fatal("a refused edit changed something")
	}
	r.want(http.StatusOK, r.send(admin.Admin, "POST", path, `{"payload":"{\"customer\":7}","note":"typo"}`), nil)
	var l admin.Letter
	r.want(http.StatusOK, r.send(admin.Admin, "GET", "/api/v1/dead-letters/"+id, ""), &l)
	if l.ResolvedAt == nil || l.Payload != `{"n":0}` {
		t.Errorf("%+v, want the original, resolved", l)
	}
	cs, err := r.store.Claim(t.Context(), driver.ClaimRequest{Owner: driver.NewOwner("a"), Lease: time.Hour, Wants: []driver.Want{{Lane: "order-placed", Rows: 1}}})
	if err != nil || len(cs) != 1 || cs[0].Event.ID != id || string(cs[0].Event.JSON) != `{"customer":7}` || cs[0].Event.Headers["secret"] != "4711" {
		t.Errorf("%+v, error %v; want the edited event with its headers", cs, err)
	}
	problem(t, "again", r.send(admin.Admin, "POST", path, `{"payload":"1"}`), http.StatusNotFound)
	entries, _, err := r.store.ListAudit(t.Context(), driver.AuditFilter{}, 0, 10)
	if err != nil || len(entries) != 1 || entries[0].Action != driver.AuditEdit || entries[0].Act != (driver.Act{By: "anna", Note: "typo"}) {
		t.Errorf("%+v, error %v; want one edit", entries, err)
	}
}

func TestALetterWhoseIDIsInTheOutboxIsNotEdited(t *testing.T) {
	r := newRig(t)
	id := r.kill("order-placed", "refused", 1)[0]
	w := outbox.NewWriter(r.store)
	err := w.InTx(t.Context(), func(ctx context.Context, tx *memstore.Tx) error {
		_, err := w.Write(ctx, tx, outbox.Event{ID: id, Type: "order-placed", JSON: []byte("1")})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	problem(t, "edit", r.send(admin.Admin, "POST", "/api/v1/dead-letters/"+id+"/edit", `{"payload":"1"}`), http.StatusConflict)
}
