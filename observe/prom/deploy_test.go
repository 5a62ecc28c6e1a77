package prom_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sendoff-go/outbox/observe/prom"
)

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile("../../" + path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// unknown are the metrics in an expression that do not exist.
func unknown(t *testing.T, expr string) (names []string) {
	t.Helper()
	var there []string
	for _, m := range regexp.MustCompile(`(?m)^# TYPE (\S+)`).FindAllStringSubmatch(scrape(t, prom.New(prom.Config{})), -1) {
		there = append(there, m[1])
	}
	for _, name := range regexp.MustCompile(`[a-z_]*outbox_[a-z_]+`).FindAllString(expr, -1) {
		if !slices.Contains(there, strings.TrimSuffix(name, "_bucket")) {
			names = append(names, name)
		}
	}
	return names
}

func TestTheAlertsNameMetricsThatExistAndHaveAPlaceInTheRunBook(t *testing.T) {
	rules, book := content(t, "deploy/prometheus/outbox.rules.yaml"), content(t, "docs/operations.md")
	found := regexp.MustCompile(`(?s)- alert: (\w+)\n\s+expr: ([^\n]+)\n.*?runbook: docs/operations.md#(\w+)\n`).FindAllStringSubmatch(rules, -1)
	if len(found) == 0 || len(found) != strings.Count(rules, "- alert:") {
		t.Fatalf("read %d of %d alerts", len(found), strings.Count(rules, "- alert:"))
	}
	for _, a := range found {
		if no := unknown(t, a[2]); no != nil || !strings.Contains(a[2], "outbox_") {
			t.Errorf("%s: there is no %q in %s", a[1], no, a[2])
		}
		if !strings.Contains(book, "\n### "+a[1]+"\n") || a[3] != strings.ToLower(a[1]) {
			t.Errorf("%s has no place in the run-book", a[1])
		}
	}
}

func TestTheDashboardShowsMetricsThatExist(t *testing.T) {
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal([]byte(content(t, "deploy/grafana/outbox.json")), &board); err != nil {
		t.Fatal(err)
	}
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			if no := unknown(t, target.Expr); no != nil || !strings.Contains(target.Expr, "outbox_") {
				t.Errorf("%s: there is no %q in %s", p.Title, no, target.Expr)
			}
		}
	}
	if len(board.Panels) == 0 {
		t.Error("there is no panel")
	}
}
