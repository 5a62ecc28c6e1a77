package console

import (
	"slices"
	"strings"
)

// diffLine is a line of what an edit changes.
type diffLine struct {
	Kind string // "plus", "minus", "same", or "gap" for lines that are left out
	Text string
	N    int // of a gap: how many
}

const (
	maxDiff     = 4_000_000 // pairs of lines that are compared
	diffContext = 3         // lines around a change
)

// diff compares texts line by line. It returns nil if they are equal. Where there
// is too much to compare, everything in the middle is replaced.
func diff(before, after string) []diffLine {
	if before == after {
		return nil
	}
	a, b := splitLines(before), splitLines(after)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	out := kinds("same", a[:head])
	out = append(out, middle(a[head:len(a)-tail], b[head:len(b)-tail])...)
	out = append(out, kinds("same", a[len(a)-tail:])...)
	return fold(out)
}

func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func kinds(kind string, lines []string) (out []diffLine) {
	for _, l := range lines {
		out = append(out, diffLine{Kind: kind, Text: l})
	}
	return out
}

// middle is the shortest way from a to b, by their longest common subsequence.
func middle(a, b []string) (out []diffLine) {
	if len(a)*len(b) > maxDiff {
		return slices.Concat(kinds("minus", a), kinds("plus", b))
	}
	width := len(b) + 1
	common := make([]int32, (len(a)+1)*width) // of a[i:] and b[j:]
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, diffLine{Kind: "same", Text: a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[(i+1)*width+j] >= common[i*width+j+1]:
			out = append(out, diffLine{Kind: "minus", Text: a[i]})
			i++
		default:
			out = append(out, diffLine{Kind: "plus", Text: b[j]})
			j++
		}
	}
	return out
}

// fold leaves out lines that are far from any change.
func fold(all []diffLine) (out []diffLine) {
	near := make([]bool, len(all))
	for i, l := range all {
		if l.Kind == "same" {
			continue
		}
		for j := max(i-diffContext, 0); j <= min(i+diffContext, len(all)-1); j++ {
			near[j] = true
		}
	}
	for i, l := range all {
		switch {
		case near[i]:
			out = append(out, l)
		case len(out) > 0 && out[len(out)-1].Kind == "gap":
			out[len(out)-1].N++
		default:
			out = append(out, diffLine{Kind: "gap", N: 1})
		}
	}
	return out
}
