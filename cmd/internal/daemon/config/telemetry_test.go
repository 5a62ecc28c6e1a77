package config

import (
	"fmt"
	"strings"
	"testing"
)

func readTelemetry(t *testing.T, keys string) (c *Config, notes []string, err error) {
	t.Helper()
	return Read("outbox.yaml", []byte(fmt.Sprintf(`
outbox:
  database: {url: "sqlite://shop.db"}
  publisher: {sender: {type: log}, events: {a: {}}}
  telemetry: {enabled: true, %s}
`, keys)), nil)
}

func TestTheAddressOfACollectorIsChecked(t *testing.T) {
	for endpoint, ok := range map[string]bool{
		"collector:4317": true, "http://collector:4318": true, "https://collector/otlp": true, "[::1]:4317": true, "": true,
		"collector": false, "ftp://collector": false, "http://": false,
	} {
		_, _, err := readTelemetry(t, fmt.Sprintf("endpoint: %q", endpoint))
		if (err == nil) != ok || !ok && !strings.Contains(err.Error(), "outbox.telemetry.endpoint is neither") {
			t.Errorf("%q: %v", endpoint, err)
		}
	}
}

func TestHeadersOfTelemetryThatLeaveTheHostUnencryptedAreNoted(t *testing.T) {
	for keys, want := range map[string]bool{
		"endpoint: 'http://collector:4318', headers: {a: b}":          true,
		"endpoint: 'collector:4317', insecure: true, headers: {a: b}": true,
		"endpoint: 'https://collector:4318', headers: {a: b}":         false,
		"endpoint: 'collector:4317', headers: {a: b}":                 false,
		"endpoint: 'http://127.0.0.1:4318', headers: {a: b}":          false,
		"endpoint: 'http://collector:4318'":                           false,
	} {
		_, notes, err := readTelemetry(t, keys)
		if err != nil || (len(notes) == 1) != want {
			t.Errorf("%s: %q %v", keys, notes, err)
		}
	}
}

func TestHeadersOfTelemetryAreNotPrinted(t *testing.T) {
	c, _, err := readTelemetry(t, "headers: {Authorization: Bearer p4ss}")
	if err != nil {
		t.Fatal(err)
	}
	if out := string(c.Print()); strings.Contains(out, "p4ss") || !strings.Contains(out, "Authorization: ") {
		t.Errorf("printed:\n%s", out)
	}
}
