package deploytest

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

// stages reads a Dockerfile as docker build does, and fails on what it would
// warn of.
func stages(text string) (list []instructions.Stage, warnings []string, err error) {
	file, err := parser.Parse(strings.NewReader(text))
	if err != nil {
		return nil, nil, err
	}
	for _, w := range file.Warnings {
		warnings = append(warnings, w.Short)
	}
	lint := linter.New(&linter.Config{Warn: func(name, _, _, message string, _ []parser.Range) {
		warnings = append(warnings, name+": "+message)
	}})
	list, _, err = instructions.Parse(file.AST, lint)
	return list, warnings, err
}

// fromNowhere returns the stages that files are copied from and that do not exist.
func fromNowhere(list []instructions.Stage) (missing []string) {
	var names []string
	for _, stage := range list {
		for _, command := range stage.Commands {
			if copying, ok := command.(*instructions.CopyCommand); ok && copying.From != "" && !slices.Contains(names, copying.From) {
				missing = append(missing, copying.From)
			}
		}
		names = append(names, stage.Name)
	}
	return missing
}

func TestDockerTakesTheDockerfile(t *testing.T) {
	text := content(t, "deploy/Dockerfile")
	check := func(text string) []string {
		list, warnings, err := stages(text)
		if err != nil {
			warnings = append(warnings, err.Error())
		}
		return append(warnings, fromNowhere(list)...)
	}
	if against := check(text); against != nil {
		t.Errorf("%q", against)
	}
	for _, mistake := range []struct{ right, wrong string }{
		{"STOPSIGNAL SIGTERM", "STOPSIGN SIGTERM"},
		{"COPY --from=build", "COPY --form=build"},
		{"COPY --from=build", "COPY --from=builder"},
		{"FROM scratch", "FROM"},
		{"AS build", "as build"},
	} {
		if against := check(spoiled(t, text, mistake.right, mistake.wrong)); against == nil {
			t.Errorf("it takes %s", mistake.wrong)
		}
	}
}

// The line that builds the command is run without compiling: go looks for the
// packages and reads the flags. Compiling would take minutes, and other tests do.
func TestTheDockerfileBuildsACommandThatIsThere(t *testing.T) {
	list, _, err := stages(content(t, "deploy/Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	var line string
	for _, command := range list[0].Commands {
		if run, ok := command.(*instructions.RunCommand); ok && strings.Contains(run.CmdLine[0], "go build") {
			line = run.CmdLine[0]
		}
	}
	plan := func(line string) (string, error) {
		build := exec.CommandContext(t.Context(), "sh", "-c", spoiled(t, line, "go build", "go build -n"))
		build.Dir = root(t)
		build.Env = append(os.Environ(), "VERSION=v1.2.3", "GOFLAGS=-buildvcs=false")
		printed, err := build.CombinedOutput()
		return string(printed), err
	}
	if printed, err := plan(line); err != nil || !strings.Contains(printed, "main.release=v1.2.3") {
		t.Errorf("%s: %v\n%s", line, err, printed)
	}
	if _, err := plan(spoiled(t, line, "./cmd/outbox", "./cmd/outboxd")); err == nil {
		t.Error("it would build what is not there")
	}
}
