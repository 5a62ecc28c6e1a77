package main

import (
	"fmt"
	"strings"
)

// eventType is the lane of all events, unless there are several.
const eventType = "OrderPlaced"

// typeOf is the type of event n if there are so many of them.
func typeOf(n, types int) string {
	if types == 1 {
		return eventType
	}
	return fmt.Sprintf("%s%04d", eventType, n%types)
}

// payloadSize is what the issue of all comparisons has: bytes of JSON.
const payloadSize = 200

// A payload is JSON text with the number of the event at a fixed place, so that
// every listener reads it at the same small cost, whatever library calls it.
const (
	numberAt     = len(`{"n":"`)
	numberDigits = 8
	paddingAt    = numberAt + numberDigits + len(`","pad":"`)
)

// payload is the text of event n.
func payload(n int) string {
	return fmt.Sprintf(`{"n":"%0*d","pad":"%s"}`, numberDigits, n, padding)
}

var padding = strings.Repeat("x", payloadSize-paddingAt-len(`"}`))

// payloadSQL is the same as an expression of SQL, of the number in column g.
func payloadSQL(size int) string {
	return fmt.Sprintf(`'{"n":"' || lpad(g::text, %d, '0') || '","pad":"' || repeat('x', %d) || '"}'`,
		numberDigits, size-paddingAt-len(`"}`))
}

// number reads it back; -1 if there is none.
func number(payload []byte) int {
	if len(payload) < numberAt+numberDigits {
		return -1
	}
	n := 0
	for _, c := range payload[numberAt : numberAt+numberDigits] {
		if c < '0' || c > '9' {
			return -1
		}
		n = 10*n + int(c-'0')
	}
	return n
}
