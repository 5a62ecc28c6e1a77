package admin_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/admin"
)

func TestTheDocsPageShowsEveryOperationAndType(t *testing.T) {
	r := newRig(t)
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string `json:"operationId"`
			Summary     string `json:"summary"`
			Parameters  []struct{ Name string }
		} `json:"paths"`
		Components struct {
			Schemas map[string]struct {
				Properties map[string]json.RawMessage `json:"properties"`
			} `json:"schemas"`
		} `json:"components"`
	}
	r.want(200, r.send(admin.Viewer, "GET", "/api/openapi.json", ""), &doc)
	a := r.send(admin.Viewer, "GET", "/api/docs", "")
	r.want(200, a, nil)
	want := []string{"<code>/api/v1/dead-letters/{id}</code>", `href="#type-Letter"`, "at most 200", "application/problem&#43;json"}
	for _, methods := range doc.Paths {
		for _, op := range methods {
			want = append(want, `<section id="`+op.OperationID+`"`, op.Summary)
			for _, p := range op.Parameters {
				want = append(want, "<code>"+p.Name+"</code>")
			}
		}
	}
	for name, s := range doc.Components.Schemas {
		want = append(want, `<section id="type-`+name+`"`)
		for field := range s.Properties {
			want = append(want, "<code>"+field+"</code>")
		}
	}
	for _, text := range want {
		if !strings.Contains(a.text, text) {
			t.Errorf("the page has no %s", text)
		}
	}
}

var outside = regexp.MustCompile(`(?i)<script|<style|\sstyle=|\son[a-z]+=|javascript:|(src|href|action)="?(https?:)?//|@import|url\(`)

func TestTheDocsPageRunsAndLoadsNothingOfOthers(t *testing.T) {
	r := newRig(t)
	for path, contentType := range map[string]string{"/api/docs": "text/html; charset=utf-8", "/api/docs.css": "text/css; charset=utf-8"} {
		a := r.send(admin.Viewer, "GET", path, "")
		r.want(200, a, nil)
		policy := a.header.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; style-src 'self';") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "script-src") {
			t.Errorf("%s: the policy is %s", path, policy)
		}
		if found := outside.FindString(a.text); found != "" {
			t.Errorf("%s has %s", path, found)
		}
		if a.header.Get("Content-Type") != contentType || a.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, a.header)
		}
		problem(t, path, r.send("", "GET", path, ""), 401)
	}
}
