package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// roff writes a manual page with the macros of man(7).
type roff struct{ out bytes.Buffer }

// Characters that roff would take for its own. A hyphen has to be one when it is
// copied into a shell.
var roffEscape = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`, "…", "...")

// escaped is a line of text that no macro begins.
func escaped(s string) string {
	s = roffEscape.Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}

// header begins the page. It has no date, so that the same version makes the same
// page.
func (r *roff) header(name, source string) {
	fmt.Fprintf(&r.out, ".TH \"%s\" \"1\" \"\" \"%s\" \"User Commands\"\n.nh\n.ad l\n", strings.ToUpper(escaped(name)), escaped(source))
}

func (r *roff) section(title string) { fmt.Fprintf(&r.out, ".SH %s\n", title) }

// line writes a name, an operator of roff and a text.
func (r *roff) line(name, operator, text string) {
	fmt.Fprintf(&r.out, "%s%s%s\n", escaped(name), operator, escaped(text))
}

func (r *roff) bold(s string) { fmt.Fprintf(&r.out, "\\fB%s\\fR\n", escaped(s)) }

// entry is one of a list.
func (r *roff) entry(name, text string) {
	fmt.Fprintf(&r.out, ".TP\n\\fB%s\\fR\n%s\n", escaped(name), escaped(text))
}

// text writes paragraphs. Lines that are indented stay as they are.
func (r *roff) text(s string) {
	verbatim := false
	set := func(on bool) {
		if on && !verbatim {
			r.out.WriteString(".PP\n.nf\n")
		} else if !on && verbatim {
			r.out.WriteString(".fi\n")
		}
		verbatim = on
	}
	for line := range strings.Lines(strings.Trim(s, "\n")) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "":
			set(false)
			r.out.WriteString(".PP\n")
		case strings.HasPrefix(line, "  "):
			set(true)
			fmt.Fprintln(&r.out, escaped(line))
		default:
			set(false)
			fmt.Fprintln(&r.out, escaped(line))
		}
	}
	set(false)
}

// flags lists them with their defaults.
func (r *roff) flags(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if value != "" {
			name += " " + value
		}
		if !strings.Contains(usage, "(default ") && f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "0s" {
			usage += " (default " + f.DefValue + ")"
		}
		r.entry(name, usage)
	})
}

// seeAlso names the pages around that of a command.
func (r *roff) seeAlso(c *cobra.Command) {
	var names []string
	if p := c.Parent(); p != nil {
		names = append(names, pageName(p))
	}
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			names = append(names, pageName(sub))
		}
	}
	for i, n := range names {
		names[i] = `\fB` + escaped(n) + `\fR(1)`
	}
	if len(names) > 0 {
		r.section("SEE ALSO")
		fmt.Fprintln(&r.out, strings.Join(names, ", "))
	}
}

func (r *roff) bytes() []byte { return r.out.Bytes() }
