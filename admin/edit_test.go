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
	"github.com/sendoff-go/outbox/internal/memkit"
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

func TestALetterThatDiesAgainShowsItsOriginals(t *testing.T) {
	r := newRig(t, func(c *admin.Config) { c.HidePayloads = true })
	id := r.kill("order-placed", "no such customer", 1)[0]
	path := "/api/v1/dead-letters/" + id
	for _, payload := range []string{"1", "2"} {
		r.want(http.StatusOK, r.send(admin.Admin, "POST", path+"/edit", `{"payload":"`+payload+`"}`), nil)
		memkit.Settle(t, r.store, "order-placed", driver.Outcome{Kind: driver.Dead, Error: "no to " + payload}, true)
	}
	var l admin.Letter
	r.want(http.StatusOK, r.send(admin.Operator, "GET", path, ""), &l)
	if l.Payload != "2" || l.ResolvedAt != nil || len(l.Earlier) != 2 {
		t.Fatalf("%+v, want the last edit, and two before", l)
	}
	last, first := l.Earlier[0], l.Earlier[1]
	if last.Payload != "1" || last.Error != "no to 1" || last.ResolvedAt == nil || first.Payload != `{"n":0}` || first.Error != "no such customer" || first.Headers["secret"] != "4711" {
		t.Errorf("%+v and %+v, want what it said before", last, first)
	}
	a := r.send(admin.Viewer, "GET", path, "")
	r.want(http.StatusOK, a, nil)
	if !strings.Contains(a.text, `"earlier":[{"died_at"`) || strings.Contains(a.text, "payload") || strings.Contains(a.text, "4711") {
		t.Errorf("a viewer sees %s", a.text)
	}
	var page admin.LetterPage
	r.want(http.StatusOK, r.send(admin.Operator, "GET", "/api/v1/dead-letters", ""), &page)
	if len(page.Letters) != 1 || page.Letters[0].Earlier != nil {
		t.Errorf("%+v, want no earlier ones in a list", page.Letters)
	}
}

func TestOriginalsAreMasked(t *testing.T) {
	r := newRig(t, func(c *admin.Config) { c.Mask = []string{"n"} })
	id := r.kill("order-placed", "no such customer", 1)[0]
	r.want(http.StatusOK, r.send(admin.Admin, "POST", "/api/v1/dead-letters/"+id+"/edit", `{"payload":"{}"}`), nil)
	memkit.Settle(t, r.store, "order-placed", driver.Outcome{Kind: driver.Dead, Error: "no"}, true)
	for role, want := range map[admin.Role]bool{admin.Operator: false, admin.Admin: true} {
		var l admin.Letter
		r.want(http.StatusOK, r.send(role, "GET", "/api/v1/dead-letters/"+id, ""), &l)
		if len(l.Earlier) != 1 || (l.Earlier[0].Payload == `{"n":0}`) != want {
			t.Errorf("%s sees %+v", role, l.Earlier)
		}
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
