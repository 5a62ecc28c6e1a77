package doctor

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// settings looks at what the server is set to.
func (d *Database) settings(ctx context.Context) (Answer, error) {
	rows, asked, err := d.ask(ctx, "settings")
	if err != nil || !asked {
		return d.none("settings to look at"), err
	}
	worst, seen, do := OK, []string{}, []string{}
	for _, rule := range d.dialect.settings {
		for _, r := range rows { // name, value
			if !strings.EqualFold(r[0], rule.name) || !rule.wrong(r[1]) {
				continue
			}
			if seen = append(seen, fmt.Sprintf("%s is %q: %s", rule.name, r[1], rule.why)); worst != Failure {
				worst = rule.state
			}
			do = append(do, rule.do)
		}
	}
	if worst == OK {
		return Okay("%s looked at", counting(len(rows), "setting", "settings")), nil
	}
	return Answer{worst, some(seen), some(do)}, nil
}

// timeouts looks at the limits of the role, or of the server.
func (d *Database) timeouts(ctx context.Context) (Answer, error) {
	rows, asked, err := d.ask(ctx, "timeouts")
	if err != nil || !asked {
		return d.none("timeouts of a role"), err
	}
	var all, seen, do []string
	for _, r := range rows { // name, milliseconds; 0 is no limit
		ms, _ := strconv.ParseFloat(r[1], 64)
		shown := time.Duration(ms * float64(time.Millisecond)).String()
		if ms == 0 {
			shown = "none"
		}
		all = append(all, r[0]+" "+shown)
		for _, rule := range d.dialect.timeouts {
			if rule.name == r[0] && rule.wrong(r[1]) {
				seen = append(seen, fmt.Sprintf("%s %s %s", r[0], shown, rule.why))
				do = append(do, fmt.Sprintf(d.dialect.role, r[0]))
			}
		}
	}
	if len(seen) > 0 {
		return Warn(some(do), "%s", some(seen)), nil
	}
	return Okay("%s", strings.Join(all, ", ")), nil
}

// The judges of a value.

func is(values ...string) func(string) bool {
	return func(v string) bool {
		return slices.ContainsFunc(values, func(one string) bool { return strings.EqualFold(v, one) })
	}
}

func not(value string) func(string) bool {
	return func(v string) bool { return !strings.EqualFold(v, value) }
}

// lacks is for a list none of whose entries is one of those.
func lacks(entries ...string) func(string) bool {
	return func(v string) bool {
		return !slices.ContainsFunc(strings.Split(v, ","), func(e string) bool { return slices.Contains(entries, e) })
	}
}

func has(entry string) func(string) bool {
	return func(v string) bool { return slices.Contains(strings.Split(v, ","), entry) }
}

func below(n float64) func(string) bool {
	return func(v string) bool {
		f, err := strconv.ParseFloat(v, 64)
		return err == nil && f < n
	}
}

// shorter is for a time limit that is set, and below so many milliseconds.
func shorter(ms float64) func(string) bool {
	return func(v string) bool {
		f, err := strconv.ParseFloat(v, 64)
		return err == nil && f > 0 && f < ms
	}
}
