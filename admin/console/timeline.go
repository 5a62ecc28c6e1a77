package console

import (
	"net/http"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/driver"
)

// timelinePage is everything that happened, as far back as it is known.
func (c *Console) timelinePage(k *caller, _ *http.Request) (*view, error) {
	all, err := c.timeline(k, 200)
	return &view{Screen: "timeline", Nav: "overview", Title: "What happened", Data: all}, err
}

// happenedText is an entry in a language.
func happenedText(lang string, h happening) string {
	args := make([]any, len(h.Args))
	for i, a := range h.Args {
		switch a := a.(type) {
		case time.Duration:
			args[i] = span(lang, a)
		case word:
			args[i] = translate(lang, string(a))
		case alerted:
			args[i] = alertText(lang, string(a))
		default:
			args[i] = a
		}
	}
	return translate(lang, h.Text, args...)
}

// jobHappened is what there is to say of a job.
func jobHappened(j admin.Job) []happening {
	link := one("jobs/one", j.ID)
	began := happening{j.CreatedAt, "person", "Job %s started by %s", []any{word(j.Action), j.By}, link}
	all := []happening{began}
	if j.EndedAt == nil {
		return all
	}
	switch j.State {
	case driver.JobDone:
		return append(all, happening{*j.EndedAt, "good", "Job %s is done: %s rows changed", []any{word(j.Action), number(j.Applied)}, link})
	case driver.JobFailed:
		return append(all, happening{*j.EndedAt, "bad", "Job %s failed after %s rows: %s", []any{word(j.Action), number(j.Applied), short(j.Error, 120)}, link})
	case driver.JobExpired:
		return append(all, happening{*j.EndedAt, "bad", "Job %s expired: nobody allowed it", []any{word(j.Action)}, link})
	}
	return append(all, happening{*j.EndedAt, "person", "Job %s was cancelled after %s rows", []any{word(j.Action), number(j.Applied)}, link})
}
