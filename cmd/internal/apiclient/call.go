package apiclient

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

const (
	// maxAnswer is more than a page of the largest payloads has.
	maxAnswer = 512 << 20
	// A request that exceeds the server's rate is sent again, at most this many
	// times, if the server says that it may be soon.
	maxRepeats = 5
	soon       = 5 * time.Second
)

// get reads something that exists.
func (c *Remote) get(ctx context.Context, path string, query url.Values, out any) error {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return c.call(ctx, http.MethodGet, path, nil, out)
}

// find reads something that may not exist.
func (c *Remote) find(ctx context.Context, path, id string, out any) (found bool, err error) {
	if !addressable(id) {
		return false, nil
	}
	return whether(c.get(ctx, path+"/"+url.PathEscape(id), nil, out))
}

// addressable reports whether an id can be part of a path. An empty one and those
// that stand for folders would lead elsewhere.
func addressable(id string) bool { return id != "" && id != "." && id != ".." }

// whether turns the error for something that does not exist into false.
func whether(err error) (found bool, _ error) {
	if isStatus(err, http.StatusNotFound) {
		return false, nil
	}
	return err == nil, err
}

// call sends a request, and reads the answer into out.
func (c *Remote) call(ctx context.Context, method, path string, in, out any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
	}
	for n := 0; ; n++ {
		answer, err := c.send(ctx, method, path, body)
		if err != nil {
			return err
		}
		if answer.status == http.StatusTooManyRequests && answer.retryAfter <= soon && n < maxRepeats { // the server did not begin it
			if err := wait(ctx, answer.retryAfter); err != nil {
				return err
			}
			continue
		}
		if answer.status != http.StatusOK {
			return c.refused(answer)
		}
		if !answer.isJSON() || json.Unmarshal(answer.text, out) != nil {
			return c.foreign("its answer does not look like one")
		}
		return nil
	}
}

// answer is what a server answered.
type answer struct {
	status     int
	kind       string // its media type
	retryAfter time.Duration
	location   string
	text       []byte
}

func (a *answer) isJSON() bool { return a.kind == "application/json" }

// send sends one request.
func (c *Remote) send(ctx context.Context, method, path string, body []byte) (a answer, err error) {
	r, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return a, usage("the API URL is invalid: write it as https://host:port")
	}
	r.Header.Set("Accept", "application/json")
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	c.sign(r)
	response, err := c.http.Do(r)
	if err != nil {
		return a, c.unanswered(ctx, method, err)
	}
	defer func() { _ = response.Body.Close() }() // it was only read
	a.status, a.location = response.StatusCode, response.Header.Get("Location")
	a.kind, _, _ = mime.ParseMediaType(response.Header.Get("Content-Type")) // "" is foreign
	a.retryAfter = time.Second
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds >= 0 {
		a.retryAfter = time.Duration(seconds) * time.Second
	}
	a.text, err = io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return a, c.unanswered(ctx, method, err)
	}
	return a, nil
}
