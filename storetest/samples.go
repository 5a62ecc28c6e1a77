package storetest

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/sendoff-go/outbox"
	"github.com/sendoff-go/outbox/driver"
)

func jsonSamples() samples {
	es := samples{}
	for _, text := range []string{
		`{}`, `[]`, `null`, `true`, `0`, `""`, `-0`, `-0.0`,
		`{"b":1,"a":2}`,                  // order of keys
		" {\n\t\"a\" :  1 }\r\n ",        // spaces
		`{"a":1,"a":2}`,                  // a key twice
		`1234567890123456789012345.0100`, // more digits than a float has
		`1E400`, `1e-400`, `1.0E+2`,      // beyond a float
		`"\u0000 \ud83d\ude42 \u00e9 \/ \b\f\n\r\t"`, // escapes
		`"\ud800"`,                // half a character
		"\"é 🙂 \u2028 \ufeff ￿\"", // unescaped
		`{"":""}`, `{"'":"''","\\":"\\\\","%s":"?$1:a"}`,
		"\"\x7f <>& \"",
		strings.Repeat("[", 1500) + strings.Repeat("]", 1500),
	} {
		es[fmt.Sprintf("JSON %s", short([]byte(text)))] = outbox.Event{JSON: []byte(text)}
	}
	big := []byte(`"` + strings.Repeat("é", outbox.MaxPayload/2-1) + `"`)
	es["JSON of 1 MiB"] = outbox.Event{JSON: big}
	return es
}

func byteSamples() samples {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	return samples{
		"no bytes":       {Bytes: []byte{}},
		"a NUL":          {Bytes: []byte{0}},
		"every byte":     {Bytes: every},
		"text like JSON": {Bytes: []byte(` {"a":1} `)},
		"text like hex":  {Bytes: []byte(`\x41`)},
		"1 MiB":          {Bytes: bytes.Repeat(every, outbox.MaxPayload/256)},
	}
}

func headerSamples() samples {
	var control strings.Builder
	for r := range rune(0x20) {
		control.WriteRune(r)
	}
	return samples{
		"no headers": {JSON: []byte(`1`)},
		"quotes":     {JSON: []byte(`1`), Headers: map[string]string{`"`: `"'\"\\`, "'": `''`, "`": "`"}},
		"control":    {JSON: []byte(`1`), Headers: map[string]string{"c": control.String() + "\x7f\u0085\u2028\ufeff", "\x00": "\x00"}},
		"emoji":      {JSON: []byte(`1`), Headers: map[string]string{"🙂": "👩‍👩‍👧", "é": "e\u0301", "\U0010ffff": "\ufffd"}},
		"empty":      {JSON: []byte(`1`), Headers: map[string]string{"empty": "", " ": " "}},
		"case":       {JSON: []byte(`1`), Headers: map[string]string{"a": "1", "A": "2"}},
		"markup":     {JSON: []byte(`1`), Headers: map[string]string{"<&>": "<&>", "null": "null", "%": "%s"}},
		"trace":      {Bytes: []byte{1}, Headers: map[string]string{driver.HeaderTraceParent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", driver.HeaderTraceState: "a=b,c=d"}},
		"long":       {JSON: []byte(`1`), Headers: map[string]string{"long": strings.Repeat("x", outbox.MaxHeaders-100)}},
	}
}

var tokyo = time.FixedZone("", 9*60*60)

func timeSamples() samples {
	es := samples{}
	for _, at := range []time.Time{
		time.Date(2026, 3, 29, 2, 30, 0, 123456000, time.UTC), // an hour that daylight saving skips
		time.Date(2026, 10, 25, 1, 59, 59, 999999000, tokyo),
		time.Date(1969, 12, 31, 23, 59, 59, 999001000, time.UTC),
		time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC),
		time.Date(1900, 1, 1, 0, 0, 0, 1000, time.UTC),
		time.Date(1000, 1, 2, 0, 0, 0, 0, time.UTC),
		time.Date(2038, 1, 19, 3, 14, 8, 0, time.UTC),
		time.Date(2262, 4, 12, 0, 0, 0, 0, time.UTC), // beyond 64 bits of nanoseconds
		time.Date(9998, 12, 31, 23, 59, 59, 999999000, time.UTC),
		time.Now(),
	} {
		e := outbox.Event{JSON: []byte(`1`), OccurredAt: at}
		es[at.String()] = e
	}
	return es
}

// longest are events whose fields have their maximum length, by the character
// that they are made of.
func longest() samples {
	es := samples{}
	for _, char := range []string{"x", "é", "語", "🙂", "'", `"`, `\`, "%", "\n", " "} {
		e := event(strings.Repeat(char, outbox.MaxTypeLength))
		e.AggregateType = strings.Repeat(char, outbox.MaxAggregateType)
		e.AggregateID = strings.Repeat(char, outbox.MaxAggregateID)
		e.TenantID = strings.Repeat(char, outbox.MaxTenantID)
		e.CorrelationID = strings.Repeat(char, outbox.MaxCorrelationID)
		e.TraceID = strings.Repeat(char, outbox.MaxTraceID)
		es[char] = e
	}
	return es
}

func oddIDs() []string {
	return []string{
		"abc", "ABC", "Abc", "abc.", "ab", strings.Repeat("~", outbox.MaxIDLength),
		`'"\%_` + "`", "{}", "null", "0", "00", "1e3", "1000", "--", "a,b", "$1", "?",
	}
}
