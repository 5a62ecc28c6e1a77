package pgstore

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// PostgreSQL's limits, in bytes.
const (
	maxChannel = 63
	maxPayload = 7999
)

// Channel is the channel of wake-ups for those tables: the full name of the
// event table, or a hash of it if that is too long.
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

// NotifyPayload is the payload of a wake-up: the lanes as a JSON array, or
// nothing, which means any lane, if that would be too long.
func NotifyPayload(lanes []string) string {
	text, err := json.Marshal(lanes)
	if err != nil || len(lanes) == 0 || len(text) > maxPayload {
		return ""
	}
	return string(text)
}

// ParseNotify reads a [NotifyPayload]; nil means any lane.
func ParseNotify(payload string) []string {
	var lanes []string
	if json.Unmarshal([]byte(payload), &lanes) != nil {
		return nil
	}
	return lanes
}
