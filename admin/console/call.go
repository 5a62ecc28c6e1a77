package console

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sendoff-go/outbox/admin"
)

type personKey struct{}

// signedIn is the [admin.Auth] of the API that pages call.
func signedIn(r *http.Request) (admin.Person, error) {
	p, ok := r.Context().Value(personKey{}).(admin.Person)
	if !ok {
		return p, admin.ErrNoCredentials
	}
	return p, nil
}

// caller calls the API in somebody's name, within this process.
type caller struct {
	ctx    context.Context
	api    http.Handler
	person admin.Person
	shares *shares
	shared bool // answers may be those that others of the same role got
}

func (c *Console) caller(ctx context.Context, p admin.Person) *caller {
	return &caller{context.WithValue(ctx, personKey{}, p), c.api, p, c.shares, false}
}

// watcher is a caller for a stream.
func (c *Console) watcher(ctx context.Context, p admin.Person) *caller {
	k := c.caller(ctx, p)
	k.shared = true
	return k
}

// refusal is an answer of the API that is an error.
type refusal struct {
	status int
	detail string
}

func (e *refusal) Error() string { return e.detail }

// get asks for something.
func (k *caller) get(path string, query url.Values, out any) error {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	if !k.shared {
		return k.call(http.MethodGet, path, nil, out)
	}
	text, err := k.shares.get(k.ctx, shareKey{k.person.Role, path}, func(ctx context.Context) ([]byte, error) {
		// In the name of nobody whom an answer could be for.
		common := *k
		common.ctx = context.WithValue(ctx, personKey{}, admin.Person{Name: "console", Role: k.person.Role})
		return common.raw(http.MethodGet, path, nil)
	})
	if err != nil {
		return err
	}
	return json.Unmarshal(text, out)
}

// call sends a request, and reads its answer into out.
func (k *caller) call(method, path string, in, out any) error {
	text, err := k.raw(method, path, in)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, out)
}

// raw sends a request, and returns its answer.
func (k *caller) raw(method, path string, in any) ([]byte, error) {
	var body io.Reader = http.NoBody
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(k.ctx, method, path, body)
	if err != nil {
		return nil, &refusal{http.StatusUnprocessableEntity, "This address is not valid."}
	}
	if in != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	w := &answer{header: http.Header{}, status: http.StatusOK}
	k.api.ServeHTTP(w, r)
	if method != http.MethodGet {
		k.shares.forget()
	}
	if w.status != http.StatusOK {
		var problem struct {
			Detail string `json:"detail"`
			Errors []struct {
				Message  string `json:"message"`
				Location string `json:"location"`
			} `json:"errors"`
		}
		if json.Unmarshal(w.Bytes(), &problem) != nil || problem.Detail == "" {
			problem.Detail = http.StatusText(w.status)
		}
		for _, e := range problem.Errors {
			problem.Detail += fmt.Sprintf("; %s: %s", e.Location, e.Message)
		}
		return nil, &refusal{w.status, sentence(problem.Detail)}
	}
	return w.Bytes(), nil
}

// answer keeps what a handler answers.
type answer struct {
	bytes.Buffer
	header http.Header
	status int
}

func (a *answer) Header() http.Header    { return a.header }
func (a *answer) WriteHeader(status int) { a.status = status }

// status is what the recorder reads.
func (c *Console) status(ctx context.Context) (s admin.Status, err error) {
	err = c.caller(ctx, admin.Person{Name: "console", Role: admin.Viewer}).get("/api/v1/status", nil, &s)
	return s, err
}

// sentence makes a sentence of what the API says, which begins as Go's errors do,
// or with the name of a field.
func sentence(text string) string {
	word, _, _ := strings.Cut(text, " ")
	if !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) {
		first, size := utf8.DecodeRuneInString(text)
		text = string(unicode.ToUpper(first)) + text[size:]
	}
	if last, _ := utf8.DecodeLastRuneInString(text); last != '.' {
		text += "."
	}
	return text
}
