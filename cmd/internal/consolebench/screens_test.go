package consolebench_test

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net/url"
	"time"
)

// screen is a page of the console, and a text that it must contain.
type screen struct{ name, path, says string }

// screens returns all pages that read the database, and lists with conditions that
// make them slow: no index supports them, or they match rarely or never.
func screens(rows int, now time.Time) []screen {
	old := func(prefix string, n int) string { return fmt.Sprintf("%s%023d", prefix, n) }
	middle, group := rows/2/20*20+3, "0000000000000007"
	at := func(ago time.Duration) string { return url.QueryEscape(now.Add(-ago).UTC().Format(time.RFC3339)) }
	return []screen{
		{"overview", "", "type-03"},
		{"overview of a day", "?range=24h", "type-03"},
		{"timeline", "timeline", "person-"},
		{"events", "events", "tenant-"},
		{"events by type", "events?type=type-03", "type-03</"},
		{"events by type of nobody", "events?type=none", "found none"},
		{"events by key", fmt.Sprint("events?key=key-", rows/20), "found none"},
		{"events by tenant", "events?tenant=tenant-7", "tenant-7<"},
		{"events that wait", "events?status=waiting", "waiting"},
		{"events being delivered", "events?status=held", "found none"},
		{"events that are done", "events?status=done", "✓"},
		{"events by payload", "events?payload=" + url.QueryEscape("$.customer.id=4711"), "found none"},
		{"events by type and payload", "events?type=type-03&payload=" + url.QueryEscape("$.customer.id=4711"), "found none"},
		{"events by time", "events?after=" + at(49*time.Hour) + "&before=" + at(48*time.Hour), "found none"},
		{"events, an old page", "events?cursor=" + cursor(int64(rows/2), old("01J", rows/2)), "tenant-"},
		{"events, an old page by type", "events?type=type-03&cursor=" + cursor(int64(rows/2), old("01J", rows/2)), "type-03</"},
		{"event", "events/one?id=" + old("01J", middle), "Ada Lovelace"},
		{"event that failed", "events/one?id=" + old("01J", rows/2-1), "refused order"},
		{"find a key", fmt.Sprint("find?q=key-", rows/20), "refused order"},
		{"find a text of errors", "find?q=refused", "refused order"},
		{"find a text of nothing", "find?q=nothing-has-it", "nothing-has-it"},
		{"find a type", "find?q=type-03", ""},
		{"dead letters", "dead-letters", "gateway # refused"},
		{"groups by much", "dead-letters?type=type-03&destination=" + url.QueryEscape("kafka#0:topic-3") + "&reason=refused&state=new", "gateway # refused"},
		{"groups by reason of none", "dead-letters?reason=no+such+text", "No group matches"},
		{"letters", "dead-letters/list", "refused order"},
		{"letters by type", "dead-letters/list?type=type-03", "refused order"},
		{"letters by type, all resolved", "dead-letters/list?type=type-19", ""},
		{"letters by destination", "dead-letters/list?destination=" + url.QueryEscape("kafka#0:topic-3"), "refused order"},
		{"letters by destination of nobody", "dead-letters/list?destination=none", "None so far"},
		{"letters by group", "dead-letters/list?group=" + group, "refused order"},
		{"letters by tenant", "dead-letters/list?tenant=tenant-7", "refused order"},
		{"letters by key", fmt.Sprint("dead-letters/list?key=key-", rows/20), "refused order"},
		{"letters by error", "dead-letters/list?error=refused", "refused order"},
		{"letters by error of none", "dead-letters/list?error=no+such+text", "None so far"},
		{"letters by payload", "dead-letters/list?payload=" + url.QueryEscape("$.customer.id=4711"), "None so far"},
		{"letters, resolved", "dead-letters/list?resolved=1", "refused order"},
		{"letters, resolved by type", "dead-letters/list?resolved=1&type=type-03", "None so far"},
		{"letters by time", "dead-letters/list?died_after=" + at(49*time.Hour) + "&died_before=" + at(48*time.Hour), "refused order"},
		{"letters by much", "dead-letters/list?type=type-03&tenant=tenant-7&error=no+such+text", "None so far"},
		{"group", "dead-letters/group?id=" + group, "gateway # refused"},
		{"letter", "dead-letters/one?id=" + old("01H", middle), "Ada Lovelace"},
		{"edit a letter", "dead-letters/edit?id=" + old("01H", middle), "Ada Lovelace"},
		{"act on a type", "dead-letters/act?action=retry&type=type-03", "10,000"},
		{"act on a text of none", "dead-letters/act?action=retry&error=no+such+text", ""},
		{"act on a payload", "dead-letters/act?action=retry&payload=" + url.QueryEscape("$.customer.id=4711"), ""},
		{"act on a group", "dead-letters/act?action=retry&group=" + group, "10,000"},
		{"act on all", "dead-letters/act?action=retry&all=1", "10,000"},
		{"act on 50", "dead-letters/act?action=retry" + ids(rows, 50, old), "50"},
		{"jobs", "jobs", "person-"},
		{"jobs by action", "jobs?state=done&action=retry", "person-"},
		{"jobs by state of none", "jobs?state=failed", "No job matches"},
		{"job", "jobs/one?id=" + old("01J", 999), "person-"},
		{"replay of a type", "jobs/new?action=replay&count=1&type=type-03", ""},
		{"erasure of a tenant", "jobs/new?action=erase&count=1&tenant=tenant-7", ""},
		{"types", "types", "type-03"},
		{"type", "types/one?type=type-03", "type-03"},
		{"destinations", "destinations", "kafka#0:topic-3"},
		{"instances", "instances", "relay-1"},
		{"consumers", "consumers", "shipping"},
		{"alerts", "alerts", "oldest event"},
		{"alerts by rule", "alerts?state=resolved&rule=oldest-waiting", "oldest event"},
		{"audit", "audit", "person-"},
		{"audit, an old page", "audit?before=50000", "person-"},
		{"audit by person", "audit?by=person-7", "person-7<"},
		{"audit by person of none", "audit?by=nobody", "Looked at 2,500 entries"},
		{"audit by job of none", "audit?job=" + old("01J", 7), "Looked at 2,500 entries"},
		{"audit by time", "audit?acted_after=" + at(49*time.Hour) + "&acted_before=" + at(48*time.Hour), "Looked at 2,500 entries"},
		{"about", "about", "Go"},
	}
}

// cursor returns the cursor of the page after an event.
func cursor(seq int64, id string) string {
	at := binary.BigEndian.AppendUint64(nil, uint64(seq)) //nolint:gosec // it is positive
	return base64.RawURLEncoding.EncodeToString(append(at, id...))
}

// ids returns query parameters that name n letters.
func ids(rows, n int, name func(string, int) string) (query string) {
	for i := range n {
		query += "&id=" + name("01H", rows-1000*i-5)
	}
	return query
}
