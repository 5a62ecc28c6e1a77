package doctor

import "fmt"

// State is the result of a check.
type State string

// The states.
const (
	OK      State = "ok"
	Skipped State = "skipped" // could not be looked at, or does not apply here
	Warning State = "warning" // works, and will not for long, or costs something
	Failure State = "failure" // keeps events from being delivered
)

// Answer is what a check saw, and what to do about it; Do is "" if nothing is.
// Both are one line.
type Answer struct {
	State State  `json:"state"`
	Seen  string `json:"seen"`
	Do    string `json:"do,omitempty"`
}

// Finding is the answer of one check.
type Finding struct {
	Check   string `json:"check"`
	Subject string `json:"subject,omitempty"` // which one, of several alike
	Answer
}

// Okay is the answer of a check that found nothing wrong.
func Okay(format string, args ...any) Answer {
	return Answer{State: OK, Seen: fmt.Sprintf(format, args...)}
}

// Skip is the answer of a check that does not apply.
func Skip(format string, args ...any) Answer {
	return Answer{State: Skipped, Seen: fmt.Sprintf(format, args...)}
}

// Warn is the answer of a check that found something that can wait.
func Warn(do, format string, args ...any) Answer {
	return Answer{Warning, fmt.Sprintf(format, args...), do}
}

// Fail is the answer of a check that found something that cannot.
func Fail(do, format string, args ...any) Answer {
	return Answer{Failure, fmt.Sprintf(format, args...), do}
}

// Worst is [Failure] if there is one among the findings, [Warning] if there is
// one of those, and [OK] otherwise.
func Worst(fs []Finding) State {
	worst := OK
	for _, f := range fs {
		if f.State == Failure {
			return Failure
		}
		if f.State == Warning {
			worst = Warning
		}
	}
	return worst
}
