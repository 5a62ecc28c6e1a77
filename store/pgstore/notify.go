package pgstore

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// PostgreSQL's bounds, in bytes.
const (
	maxChannel = 63
	maxPayload = 7999
)

// Channel is where wake-ups for those tables are sent: the full name of the
// event table, or a hash of it where that is too long.
func Channel(t Tables) (string, error) {
	r, err := resolve(t)
	if err != nil {
		return "", err
	}
	return channel(r.Schema, r.Table), nil
}

func channel(schema, table string) string {
	name := schema + "." + table
	if len(name) <= maxChannel {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return "outbox." + hex.EncodeToString(sum[:16])
}

// NotifyPayload is what a wake-up carries: the lanes as a JSON array, or
// nothing, which means any lane, where that would be too long.
func NotifyPayload(lanes []string) string {
	text, err := json.Marshal(lanes)
	if err != nil || len(lanes) == 0 || len(text) > maxPayload {
		return ""
	}
	return string(text)
}

// ParseNotify reads what [NotifyPayload] made; nil means any lane.
func ParseNotify(payload string) []string {
	var lanes []string
	if json.Unmarshal([]byte(payload), &lanes) != nil {
		return nil
	}
	return lanes
}
