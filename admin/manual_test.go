package admin_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/admin"
)

type manualEvent struct {
	ID         string `json:"id"`
	Status     string `json:"status"`
	EventType  string `json:"eventType"`
	Payload    string `json:"payload"`
	RetryCount int    `json:"retryCount"`
}

const manual = "/api/outbox-dlq/events"

func TestTheManualsBatchesAreInAStableOrder(t *testing.T) {
	r := newRig(t)
	want := r.kill("order-placed", "refused", 25)
	var byNumber, byLink []string
	for _, number := range []string{"0", "1", "2", "3"} {
		var batch []manualEvent
		r.want(200, r.send(admin.Viewer, "GET", manual+"?status=MOVED&batchSize=10&batchNumber="+number, ""), &batch)
		for _, e := range batch {
			byNumber = append(byNumber, e.ID)
			if e.Status != "MOVED" || e.EventType != "order-placed" || e.RetryCount != 3 || e.Payload == "" {
				t.Errorf("%+v", e)
			}
		}
	}
	for path := manual + "?batchSize=10"; path != ""; {
		var batch []manualEvent
		a := r.send(admin.Viewer, "GET", path, "")
		r.want(200, a, &batch)
		for _, e := range batch {
			byLink = append(byLink, e.ID)
		}
		path, _, _ = strings.Cut(strings.TrimPrefix(a.header.Get("Link"), "<"), ">")
	}
	if !slices.Equal(byNumber, byLink) {
		t.Errorf("by number %v, by link %v", byNumber, byLink)
	}
	slices.Sort(byNumber)
	slices.Sort(want)
	if !slices.Equal(byNumber, want) {
		t.Errorf("got %v, want %v", byNumber, want)
	}
}

func TestTheManualsStatesAreSetByPeople(t *testing.T) {
	r := newRig(t)
	dead := r.kill("order-placed", "refused", 6)
	r.want(204, r.send(admin.Operator, "PATCH", manual+"/"+dead[0], `{"status":"TO_RETRY"}`), nil)
	if n := r.waiting(); n != 1 {
		t.Errorf("%d events wait, want the one that was retried", n)
	}
	problem(t, "retried", r.send(admin.Operator, "PATCH", manual+"/"+dead[0], `{"status":"TO_RETRY"}`), http.StatusNotFound)
	r.want(204, r.send(admin.Operator, "PATCH", manual+"/"+dead[1], `{"status":"RESOLVED"}`), nil)
	var one manualEvent
	r.want(200, r.send(admin.Viewer, "GET", manual+"/"+dead[1], ""), &one)
	if one.Status != "RESOLVED" {
		t.Errorf("%+v", one)
	}
	var results []admin.Result
	r.want(200, r.send(admin.Operator, "PATCH", manual, `{"ids":`+ids(dead[2:4])+`,"status":"TO_RETRY"}`), &results)
	if len(results) != 2 || results[0].Status != "applied" || r.waiting() != 3 {
		t.Errorf("%+v, %d wait", results, r.waiting())
	}
	r.want(204, r.send(admin.Admin, "DELETE", manual+"/"+dead[4], ""), nil)
	r.want(200, r.send(admin.Admin, "DELETE", manual, `{"ids":`+ids([]string{dead[5], "none"})+`}`), &results)
	if len(results) != 2 {
		t.Errorf("%+v", results)
	}
	for status, n := range map[string]int{"MOVED": 0, "RESOLVED": 1, "TO_RETRY": 0, "IN_PROCESS": 0} {
		var batch []manualEvent
		if r.want(200, r.send(admin.Viewer, "GET", manual+"?status="+status, ""), &batch); len(batch) != n {
			t.Errorf("%d letters are %s, want %d", len(batch), status, n)
		}
	}
}

func TestTheManualsBadRequestsAreRefused(t *testing.T) {
	r := newRig(t)
	id := r.kill("order-placed", "refused", 1)[0]
	for _, body := range []string{`{"status":"IN_PROCESS"}`, `{"status":"MOVED"}`, `{"status":"retry"}`, `{}`} {
		problem(t, body, r.send(admin.Operator, "PATCH", manual+"/"+id, body), http.StatusUnprocessableEntity)
	}
	for _, body := range []string{`{"ids":[],"status":"RESOLVED"}`, `{"ids":["a"],"status":"IN_PROCESS"}`, `{"status":"RESOLVED"}`} {
		problem(t, body, r.send(admin.Operator, "PATCH", manual, body), http.StatusUnprocessableEntity)
	}
	for _, query := range []string{"?status=dead", "?batchNumber=-1", "?batchSize=0", "?batchSize=201", "?batchNumber=201", "?batchNumber=1&cursor=AAAAAAAAAAFh", "?cursor=!"} {
		problem(t, query, r.send(admin.Viewer, "GET", manual+query, ""), http.StatusUnprocessableEntity)
	}
	if r.waiting() != 0 {
		t.Error("it was retried")
	}
}
