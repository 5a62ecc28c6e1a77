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
	quotedText = regexp.MustCompile("\"[^\"]*\"|`[^`]*`|“[^”]*”|«[^»]*»|\\B'[^']*'\\B")
	// A word with a digit in it is a number, an id, an address or a time; one
	// with an @ is an address of mail; eight hexadecimal digits are an id. A path
	// or a URL is one word.
	variable = regexp.MustCompile(`[^\s"'(){}\[\]<>,;=]*(?:[\d@\p{Nd}]|\b[0-9a-fA-F]{8,}\b)[^\s"'(){}\[\]<>,;=]*`)
	sameOnce = regexp.MustCompile(`#(?:[\s,;:.=-]+#)+`)
	// Words with digits that are part of the reason.
	fixedWord = regexp.MustCompile(`(?i)^(?:x509|http2|http/[\d.]+|utf-?8|ipv[46]|sha\d+|md5|base64|oauth2|tls1\.\d)$`)
	// So is a status that somebody answered with.
	statusWord = regexp.MustCompile(`(?i)\b(?:status|code|http)[ :=]*$`)
	statusCode = regexp.MustCompile(`^[1-5]\d\d$`)
)

// Reason is what errors of one cause have in common: the first line of the
// text, without what differs from event to event. Words with digits become #,
// except for a status code, and what stands in quotes is left out. Names that
// are not quoted stay.
func Reason(text string) string {
	text = firstSentence(text)
	text = quotedText.ReplaceAllString(text, `"…"`)
	text = replaceVariable(text)
	text = sameOnce.ReplaceAllString(text, "#")
	return strings.TrimSpace(CleanText(strings.Join(strings.Fields(text), " "), MaxReason))
}

// firstSentence is the first line, with the next one if it only announces that.
// It is cut before it is looked at: a reason is short.
func firstSentence(text string) string {
	var out []string
	for line := range strings.Lines(CleanText(text, 4*MaxReason)) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if out = append(out, line); !strings.HasSuffix(line, ":") {
			break
		}
	}
	return strings.Join(out, " ")
}

func replaceVariable(text string) string {
	var out strings.Builder
	from := 0
	for _, at := range variable.FindAllStringIndex(text, -1) {
		word := text[at[0]:at[1]]
		core := strings.TrimRight(word, ".:!?") // the rest belongs to the sentence: "status 503: busy"
		out.WriteString(text[from:at[0]])
		if fixedWord.MatchString(core) || statusCode.MatchString(core) && statusWord.MatchString(text[:at[0]]) {
			out.WriteString(word)
		} else {
			out.WriteString("#" + word[len(core):])
		}
		from = at[1]
	}
	out.WriteString(text[from:])
	return out.String()
}

// GroupID names the group of letters with that lane, destination and reason: 16
// hexadecimal digits.
func GroupID(lane, destination, reason string) string {
	sum := sha256.Sum256([]byte(lane + "\x00" + destination + "\x00" + reason))
	return hex.EncodeToString(sum[:8])
}
