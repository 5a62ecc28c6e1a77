package driver

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

// MaxReason is the length of a [Reason], in characters.
const MaxReason = 200

var (
	// What stands in quotes is about one event: a name, a value, an address. An
	// apostrophe within a word is no quote.
	quotedText = regexp.MustCompile("\"[^\"]*\"|`[^`]*`|\\B'[^']*'\\B")
	// A word with a digit in it is a number, an id, an address or a time. A path
	// or a URL is one word.
	numbered = regexp.MustCompile(`[^\s"'(){}\[\]<>,;=]*\d[^\s"'(){}\[\]<>,;=]*`)
	sameOnce = regexp.MustCompile(`#(?:[\s,;:.=-]+#)+`)
)

// Reason is what errors of one cause have in common: the first line of the
// text, without what differs from event to event. Words with digits become #,
// and what stands in quotes is left out.
func Reason(text string) string {
	text, _, _ = strings.Cut(strings.TrimLeft(text, "\n\r\t "), "\n")
	text = CleanText(text, MaxErrorLength)
	text = quotedText.ReplaceAllString(text, `"…"`)
	text = numbered.ReplaceAllStringFunc(text, func(word string) string {
		// A colon after the word belongs to the sentence: "status 503: busy".
		return "#" + word[len(strings.TrimRight(word, ".:!?")):]
	})
	text = sameOnce.ReplaceAllString(text, "#")
	return strings.TrimSpace(CleanText(strings.Join(strings.Fields(text), " "), MaxReason))
}

// GroupID names the group of letters with that lane, destination and reason: 16
// hexadecimal digits.
func GroupID(lane, destination, reason string) string {
	sum := sha256.Sum256([]byte(lane + "\x00" + destination + "\x00" + reason))
	return hex.EncodeToString(sum[:8])
}
