package daemon

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/sink/httpsink"
)

func TestAlertsGoToTheWebhookSignedAndToTheLog(t *testing.T) {
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	var mu sync.Mutex
	var kinds, ids []string
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if req.Method != http.MethodPost {
			return // a check of the host
		}
		if err := httpsink.Verify(secret, req); err != nil {
			t.Errorf("the signature is wrong: %v", err)
		}
		var got struct {
			Kind  string
			Alert admin.Alert
		}
		if err := json.NewDecoder(req.Body).Decode(&got); err != nil || got.Alert.Rule != "no-relay" || got.Alert.RaisedAt.IsZero() || got.Alert.Text == "" {
			t.Errorf("got %+v, %v", got, err)
		}
		kinds, ids = append(kinds, got.Kind), append(ids, req.Header.Get("webhook-id"))
		if len(kinds) == 1 {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	t.Cleanup(hook.Close)
	heard := func() []string { mu.Lock(); defer mu.Unlock(); return slices.Clone(kinds) }

	r := load(t, newFile(t), fmt.Sprintf("outbox: {publisher: {enabled: false}, alerts: {enabled: true, interval: 1s, no-relay-for: 1s, webhook: {url: '%s', secret: %s}}}", hook.URL, secret))
	r.run()
	r.until("the alert is sent again after a failure", func() bool { return len(heard()) >= 2 })
	r.do("INSERT INTO outbox_instance (owner, version, lanes) VALUES ('a/1', '', '[]')")
	r.until("it is resolved", func() bool { return slices.Contains(heard(), "resolved") })
	if got := heard(); !slices.Equal(got, []string{"raised", "raised", "resolved"}) || ids[0] != ids[1] || ids[1] == ids[2] {
		t.Errorf("heard %v with the ids %v", got, ids)
	}
	for _, want := range []string{`msg="outbox: alert raised"`, "rule=no-relay", `msg="outbox: alert resolved"`} {
		r.until("the log tells it", func() bool { return strings.Count(r.log.String(), want) >= 1 })
	}
	if n := strings.Count(r.log.String(), `msg="outbox: alert raised"`); n != 1 {
		t.Errorf("the log tells it %d times", n)
	}
}
