package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// daemonFile writes a configuration. Its parts stand below outbox.
func daemonFile(t *testing.T, database string, parts ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "outbox.yaml")
	text := fmt.Sprintf("outbox:\n  database: {url: %q}\n  publisher: {sender: {type: log}, events: {OrderPlaced: {}}}\n", database)
	for _, part := range parts {
		text += "  " + part + "\n"
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// without leaves out the grants on some tables.
func without(grants []string, tables ...string) []string {
	return slices.DeleteFunc(grants, func(grant string) bool {
		return slices.ContainsFunc(tables, func(table string) bool { return strings.Contains(grant, table) })
	})
}

func TestAutoCreateNeedsNoRightToCreateWhatIsThere(t *testing.T) {
	for _, server := range withRights {
		t.Run(server, func(t *testing.T) {
			user := userWith(t, server, withTables(t, server), grantsOf(t, server, "relay")...)
			if code, out, errs := call(t.Context(), "relay", "--once", "--config", daemonFile(t, user)); code != exitOK {
				t.Errorf("relay: exit code %d\n%s%s", code, out, errs)
			}
			if code, out, errs := call(t.Context(), "migrate", "up", "--database", user); code != exitOK {
				t.Errorf("migrate up: exit code %d\n%s%s", code, out, errs)
			}
		})
	}
}

func TestDoctorAsksForTheRightsOfEachPartOfADaemon(t *testing.T) {
	ready := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ready")) }))
	defer ready.Close()
	api := fmt.Sprintf("admin: {addr: %q, tokens: {ops: {role: operator, token: %q}}}", ready.Listener.Addr(), strings.Repeat("x", 40))
	forget := "consumer: {enabled: true, clean-up: {enabled: true}}"
	for _, server := range withRights {
		t.Run(server, func(t *testing.T) {
			at := withTables(t, server)
			of := func(role string) []string { return grantsOf(t, server, role) }
			relay := userWith(t, server, at, without(of("relay"), "outbox_alert", "outbox_audit")...)
			kept := "admin: {audit-ttl: 0}"
			for _, c := range []struct {
				name, user string
				parts      []string
				lacks      string // "": nothing
			}{
				{"a relay", relay, []string{kept}, ""},
				{"a relay that deletes old audit entries", relay, nil, "DELETE on outbox_audit"},
				{"alerts", relay, []string{kept, "alerts: {enabled: true}"}, "outbox_alert"},
				{"the API", userWith(t, server, at, of("relay")...), []string{api}, " on outbox_control for operator"},
				{"jobs", userWith(t, server, at, append(of("relay"), without(of("operator"), "DELETE ON outbox_job", "DELETE ON shop.outbox_job")...)...), []string{api}, "DELETE on outbox_job"},
				{"a clean-up of consumed ids", relay, []string{kept, forget}, "outbox_consumed_event"},
				{"all", userWith(t, server, at, slices.Concat(of("relay"), of("operator"), of("consumer"))...), []string{api, "alerts: {enabled: true}", forget}, ""},
			} {
				code, out, errs := call(t.Context(), "doctor", "--timeout", patience.String(), "--config", daemonFile(t, c.user, c.parts...))
				out = strings.ReplaceAll(out, " public.", " ")
				if c.lacks == "" && !privileged.MatchString(out) || c.lacks != "" && !(unprivileged.MatchString(out) && strings.Contains(out, c.lacks)) {
					t.Errorf("%s: exit code %d\n%s%s", c.name, code, out, errs)
				}
			}
			// A part that is named counts alone.
			if _, out, _ := call(t.Context(), "doctor", "--timeout", patience.String(), "--role", "relay", "--config", daemonFile(t, relay, api)); !privileged.MatchString(out) {
				t.Error(out)
			}
		})
	}
}
