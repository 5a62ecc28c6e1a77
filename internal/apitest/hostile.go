package apitest

import (
	"slices"
	"strings"
)

// SQL are texts that mean something to a database.
var SQL = []string{
	`'; DROP TABLE outbox_event; --`, `" OR "1"="1`, `' UNION SELECT password FROM users --`, `\'; --`, `%' OR '%'='`, `$1`, `?`, `:id`, "1;SELECT pg_sleep(60)",
	"a\x00b", "\xff\xfe",
}

// Hostile are those, and texts that mean something to a page, a spreadsheet, a log
// or a parser.
var Hostile = slices.Concat(SQL, []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `javascript:alert(1)`, `{{7*7}}`, `${jndi:ldap://x}`,
	"../../../etc/passwd", "..", ".", "%2e%2e", "a/b", `a\b`, "a\r\nSet-Cookie: x=1", "\u202e", "=cmd|' /C calc'!A0", strings.Repeat("[", 5000), "null", "*", "-1", "1e309",
})
