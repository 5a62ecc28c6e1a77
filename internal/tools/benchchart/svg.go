package main

import (
	"bytes"
	"fmt"
	"math"
	"strings"
)

const (
	width  = 860
	left   = 230 // where bars begin
	right  = 760 // where the scale ends
	rowGap = 24
	step   = 10_000 // between two lines of the scale
)

const style = `
  .page { fill: #ffffff }
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-weight: 600 }
  .small { font-size: 11px; fill: #59636e }
  .grid { stroke: #d1d9e0; stroke-width: 1 }
  .range { stroke: #1f2328; stroke-width: 1.5 }
  .ours { fill: #0969da }
  .peer { fill: #afb8c1 }
  .floor { fill: none; stroke: #8c959f; stroke-dasharray: 4 3 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117 }
    text { fill: #f0f6fc }
    .small { fill: #9198a1 }
    .grid { stroke: #3d444d }
    .range { stroke: #f0f6fc }
    .ours { fill: #4493f8 }
    .peer { fill: #656c76 }
    .floor { stroke: #9198a1 }
  }
`

// svg draws the groups below each other, on one scale.
func svg(groups []group, rates map[variant]rate) ([]byte, error) {
	top := 0.0
	for _, g := range groups {
		for _, b := range g.bars {
			r, ok := rates[b.variant]
			if !ok {
				return nil, fmt.Errorf("%s has no rate of %q in %q", notes, b.name, b.scenario)
			}
			top = max(top, r.highest)
		}
	}
	top = math.Ceil(top/step) * step
	x := func(v float64) float64 { return math.Round(left + v/top*(right-left)) }

	var body bytes.Buffer
	y := 44
	for _, g := range groups {
		fmt.Fprintf(&body, "<text class=\"title\" x=\"8\" y=\"%d\">%s</text>\n", y, g.title)
		y += 10
		for v := 0.0; v <= top; v += step {
			fmt.Fprintf(&body, "<line class=\"grid\" x1=\"%g\" y1=\"%d\" x2=\"%g\" y2=\"%d\"/>\n", x(v), y, x(v), y+len(g.bars)*rowGap)
		}
		for _, b := range g.bars {
			r := rates[b.variant]
			fmt.Fprintf(&body, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", left-8, y+17, b.label)
			fmt.Fprintf(&body, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%g\" height=\"14\"/>\n", b.kind, left, y+5, x(r.median)-left)
			fmt.Fprintf(&body, "<line class=\"range\" x1=\"%g\" y1=\"%d\" x2=\"%g\" y2=\"%d\"/>\n", x(r.lowest), y+12, x(r.highest), y+12)
			fmt.Fprintf(&body, "<text x=\"%g\" y=\"%d\">%s</text>\n", max(x(r.highest), x(r.median))+6, y+17, thousands(r.median))
			y += rowGap
		}
		y += 30
	}
	for v := 0.0; v <= top; v += step {
		fmt.Fprintf(&body, "<text class=\"small\" x=\"%g\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", x(v), y-14, thousands(v))
	}

	var out bytes.Buffer
	fmt.Fprintf(&out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"t\">\n", width, y)
	fmt.Fprintf(&out, "<title id=\"t\">Events a second on PostgreSQL 15 with two cores; lines are the lowest and the highest of five runs</title>\n")
	fmt.Fprintf(&out, "<style>%s</style>\n<rect class=\"page\" width=\"%d\" height=\"%d\"/>\n", style, width, y)
	fmt.Fprintf(&out, "<text class=\"small\" x=\"8\" y=\"18\">Events a second, PostgreSQL 15, two cores for everything. Bar: median of five runs. Line: lowest to highest.</text>\n")
	out.Write(body.Bytes())
	out.WriteString("</svg>\n")
	return out.Bytes(), nil
}

func thousands(v float64) string {
	text := fmt.Sprintf("%.0f", v)
	var parts []string
	for len(text) > 3 {
		parts = append([]string{text[len(text)-3:]}, parts...)
		text = text[:len(text)-3]
	}
	return strings.Join(append([]string{text}, parts...), ",")
}
