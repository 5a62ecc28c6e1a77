package clienttest

import (
	"net/http"
	"testing"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/admin/internal/clienttest/testdata/client"
)

func TestAGeneratedClientWorksWithTheAPI(t *testing.T) {
	r := newRig(t)
	dead := r.kill("order-placed", 3)
	c, err := client.NewClientWithResponses(r.URL, client.WithHTTPClient(r.Client()), client.WithRequestEditorFn(as(admin.Operator)))
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()

	seen := map[string]bool{}
	params := &client.ListDeadLettersParams{Type: new("order-placed"), Limit: new(int64(2))}
	for {
		page, err := c.ListDeadLettersWithResponse(ctx, params)
		if err != nil || page.JSON200 == nil {
			t.Fatalf("%s: %v", page.Status(), err)
		}
		for _, l := range *page.JSON200.Letters {
			seen[l.Id] = true
		}
		if params.Cursor = page.JSON200.Next; params.Cursor == nil {
			break
		}
	}
	if len(seen) != 3 || !seen[dead[0]] || !seen[dead[1]] || !seen[dead[2]] {
		t.Errorf("listed %v, want %v", seen, dead)
	}

	one, err := c.GetDeadLetterWithResponse(ctx, dead[0])
	if err != nil || one.JSON200 == nil || *one.JSON200.Payload != `{"n":0}` || one.JSON200.Attempts != 3 || one.JSON200.ResolvedAt != nil {
		t.Fatalf("%+v, %v", one, err)
	}

	act, err := c.RetryDeadLettersWithResponse(ctx, client.RetryDeadLettersJSONRequestBody{Ids: &dead, Note: new("mended")})
	if err != nil || act.JSON200 == nil || act.JSON200.Applied != 3 || len(*act.JSON200.Results) != 3 {
		t.Fatalf("%+v, %v", act, err)
	}
	pause, err := c.PauseWithResponse(ctx, client.PauseJSONRequestBody{Types: &[]string{"order-placed"}})
	if err != nil || pause.JSON200 == nil || len(*pause.JSON200.Paused) != 1 {
		t.Fatalf("%+v, %v", pause, err)
	}
	dest, err := c.PauseWithResponse(ctx, client.PauseJSONRequestBody{Destinations: &[]string{"kafkasink#0:orders"}})
	if err != nil || dest.JSON200 == nil || len(*dest.JSON200.Destinations) != 1 {
		t.Fatalf("%+v, %v", dest, err)
	}
	dests, err := c.ListDestinationsWithResponse(ctx)
	if err != nil || dests.JSON200 == nil || len(*dests.JSON200.Destinations) != 1 || (*dests.JSON200.Destinations)[0].State != client.Paused {
		t.Fatalf("%+v, %v", dests, err)
	}
	log, err := c.ListAuditWithResponse(ctx, &client.ListAuditParams{})
	if err != nil || log.JSON200 == nil {
		t.Fatalf("%+v, %v", log, err)
	}
	if all := *log.JSON200.Entries; len(all) != 3 || all[0].Action != client.AuditEntryActionPauseDestination || all[1].Action != client.AuditEntryActionPause || all[2].Action != client.AuditEntryActionRetry || all[2].Note != "mended" || all[2].By != "olga" {
		t.Errorf("%+v", all)
	}
}

func TestAGeneratedClientReadsProblems(t *testing.T) {
	r := newRig(t)
	c, err := client.NewClientWithResponses(r.URL, client.WithHTTPClient(r.Client()))
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	gone, err := c.GetDeadLetterWithResponse(ctx, "none", as(admin.Viewer))
	if err != nil || gone.StatusCode() != http.StatusNotFound || gone.ApplicationproblemJSON404 == nil || *gone.ApplicationproblemJSON404.Detail == "" {
		t.Errorf("%+v, %v", gone, err)
	}
	who, err := c.GetStatusWithResponse(ctx)
	if err != nil || who.ApplicationproblemJSON401 == nil || *who.ApplicationproblemJSON401.Status != http.StatusUnauthorized {
		t.Errorf("%+v, %v", who, err)
	}
	may, err := c.PauseWithResponse(ctx, client.PauseJSONRequestBody{All: new(true)}, as(admin.Viewer))
	if err != nil || may.ApplicationproblemJSON403 == nil {
		t.Errorf("%+v, %v", may, err)
	}
	bad, err := c.ListDeadLettersWithResponse(ctx, &client.ListDeadLettersParams{Limit: new(int64(0))}, as(admin.Viewer))
	if err != nil || bad.ApplicationproblemJSON422 == nil || len(*bad.ApplicationproblemJSON422.Errors) != 1 {
		t.Errorf("%+v, %v", bad, err)
	}
}
