package console

import (
	"net/http"
	"strings"

	"github.com/sendoff-go/outbox/admin"
)

// letterView is one dead letter.
type letterView struct {
	admin.Letter
	Group *admin.Group // nil: none yet
	Shown payload
	Was   []was
}

// was is an earlier letter of the same id.
type was struct {
	admin.EarlierLetter
	Shown payload
}

// letter is the page of a dead letter.
func (c *Console) letter(k *caller, r *http.Request) (*view, error) {
	var d letterView
	if err := k.get(letterPath(r), nil, &d.Letter); err != nil {
		return nil, err
	}
	if d.Letter.Group != "" {
		d.Group = new(admin.Group)
		if k.get("/api/v1/dead-letter-groups/"+pathSegment(d.Letter.Group), nil, d.Group) != nil {
			d.Group = nil // it was deleted meanwhile
		}
	}
	d.Shown = payloadOf(r, d.Payload, d.PayloadBytes, d.Headers)
	for _, e := range d.Earlier {
		d.Was = append(d.Was, was{e, payloadOf(r, e.Payload, e.PayloadBytes, e.Headers)})
	}
	return &view{Screen: "letter", Nav: "letters", Title: "Dead letter", Data: &d}, nil
}

// noteLetter puts a note on a letter.
func (c *Console) noteLetter(k *caller, r *http.Request) (string, error) {
	id := idOf(r)
	var report admin.ActReport
	note := strings.TrimSpace(lines(r.PostFormValue("note")))
	if err := k.call(http.MethodPost, "/api/v1/dead-letters/note", map[string]any{"ids": []string{id}, "note": note}, &report); err != nil {
		return "", err
	}
	if report.Applied == 0 {
		return "", &refusal{http.StatusNotFound, "No dead letter has this id: it was retried or deleted."}
	}
	return done(one("dead-letters/one", id), "note", -1), nil
}

func letterPath(r *http.Request) string {
	return "/api/v1/dead-letters/" + pathSegment(idOf(r))
}
